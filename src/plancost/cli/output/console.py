"""Tables and styled lines on the terminal, of words that are plain text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from plancost.files.escape import escaped

_MOST_ROWS = 30
_Item = TypeVar("_Item")


def as_text(words: str, style: str = "") -> Text:
    """Words for a table or a console: names, which are not markup."""
    return Text(escaped(words), style=style)


@dataclass(frozen=True)
class Column(Generic[_Item]):
    """A column of a table: its heading, and what it has about each item."""

    heading: str
    cell: Callable[[_Item], str]
    justify: Literal["left", "right"] = "right"


def print_table(console: Console, columns: Sequence[Column[_Item]], items: Sequence[_Item]) -> None:
    """Print a row for each item, unless there are very many."""
    table = Table(box=SIMPLE_HEAD)
    for column in columns:
        table.add_column(column.heading, justify=column.justify)
    for item in items[:_MOST_ROWS]:
        table.add_row(*(as_text(column.cell(item)) for column in columns))
    console.print(table)
    if len(items) > _MOST_ROWS:
        console.print(f"... and {len(items) - _MOST_ROWS} more (all with --output)")

"""Splicing into a text: the user's own comments, order and spacing stay as they are.

Edits are collected against the positions of the original text and applied all
at once. The helpers that place new PDDL follow the layout they find.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plancost.observations.sexpr import SList

_LINE_END = re.compile(r"[\r\n]|\Z")


@dataclass(frozen=True)
class Edit:
    """Put `replacement` in place of the characters from `start` to `end`."""

    start: int
    end: int
    replacement: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits; insertions at one place keep their order."""
    parts = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            raise ValueError(f"edits overlap at position {edit.start}")
        parts += [text[position : edit.start], edit.replacement]
        position = edit.end
    return "".join([*parts, text[position:]])


def append_to(text: str, block: SList, entries: Sequence[str]) -> Edit:
    """Add entries at the end of a non-empty list.

    They go on lines of their own, except a single entry behind others on one line.
    """
    last = block.items[-1]
    last_line = _line_start(text, last.start)
    before_last = text[last_line : last.start]
    stands_alone = not before_last.strip()
    indent = _leading_blanks(before_last) + ("  " if last_line <= block.start else "")
    close = block.end - 1
    close_line = _line_start(text, close)
    end_of_line = line_end(text)
    if not text[close_line:close].strip():
        lines = "".join(f"{indent}{entry}{end_of_line}" for entry in entries)
        return Edit(close_line, close_line, lines)
    separator = end_of_line + indent if stands_alone or len(entries) > 1 else " "
    return Edit(close, close, "".join(separator + entry for entry in entries))


def insert_after(text: str, block: SList, lines: Sequence[str]) -> Edit:
    """Add lines below a list (and below the comment beside it)."""
    indent = _leading_blanks(text[_line_start(text, block.start) : block.start])
    match = _LINE_END.search(text, block.end)
    line_stop = len(text) if match is None else match.start()
    beside = text[block.end : line_stop].strip()
    position = line_stop if not beside or beside.startswith(";") else block.end
    return Edit(position, position, "".join(line_end(text) + indent + line for line in lines))


def line_end(text: str) -> str:
    """The line end that the text uses."""
    return "\r\n" if "\r\n" in text else "\n"


def _line_start(text: str, position: int) -> int:
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def _leading_blanks(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]

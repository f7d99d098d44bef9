"""Changes of a PDDL text that leave the rest of it as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plancost.pddl import Block


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


def append_to(text: str, block: Block, entries: Sequence[str]) -> Edit:
    """Add entries at the end of a list that is not empty, below its last one or beside it."""
    last = block.items[-1]
    before_last = text[_line_start(text, last.start) : last.start]
    separator = " "
    if not before_last.strip():
        separator = _line_end(text) + before_last
    elif len(entries) > 1:
        separator = _line_end(text) + _indent(text, block) + "  "
    return Edit(last.end, last.end, "".join(separator + entry for entry in entries))


def insert_after(text: str, block: Block, lines: Sequence[str]) -> Edit:
    """Add lines below a list, and below a comment beside it."""
    beside = re.compile(r"[ \t]*;[^\r\n]*").match(text, block.end)
    position = beside.end() if beside else block.end
    separator = _line_end(text) + _indent(text, block)
    return Edit(position, position, "".join(separator + line for line in lines))


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_start(text: str, position: int) -> int:
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def _indent(text: str, block: Block) -> str:
    """The blanks that the line of a list begins with."""
    line = text[_line_start(text, block.start) : block.start]
    return line[: len(line) - len(line.lstrip())]

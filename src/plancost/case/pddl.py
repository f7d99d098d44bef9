"""The outer form of PDDL, with positions, for messages that name a line and for edits of a text.

Grounding reads PDDL with Fast Downward's translator, which knows no lines. Words are in lower case,
``;`` comments run to the end of their line, and ``?`` always begins a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plancost.case.values import shown
from plancost.errors import InputError

_BLANK = r" \t\n\r\f\v\x1c-\x1f"
_TOKEN = re.compile(
    rf"(?P<newline>\r\n?|\n)|;[^\r\n]*|[()]|\?[^{_BLANK}();?]*|[^{_BLANK}();?]+",
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case, and the characters from `start` to `end` that it stands for."""

    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """A list in brackets; `start` is its ``(`` and `end` is just behind its ``)``."""

    items: tuple[Node, ...]
    start: int
    end: int
    line: int

    @property
    def head(self) -> str:
        """The word that it begins with, or nothing."""
        return self.items[0].text if self.items and isinstance(self.items[0], Word) else ""

    def blocks(self, head: str | None = None) -> list[Block]:
        """The lists in it, those with this first word."""
        found = [item for item in self.items if isinstance(item, Block)]
        return found if head is None else [item for item in found if item.head == head]

    def all_blocks(self) -> Iterator[Block]:
        """The list itself and every list inside it."""
        yield self
        for item in self.blocks():
            yield from item.all_blocks()

    def after(self, keyword: str) -> Node | None:
        """What stands behind a keyword such as ``:effect``."""
        for item, following in zip(self.items, self.items[1:], strict=False):
            if isinstance(item, Word) and item.text == keyword:
                return following
        return None


Node = Word | Block


def read(text: str, place: Path | str) -> Block:
    """The one ``(define ...)`` that a PDDL text holds; `place` is its name in messages."""
    line = 1
    unclosed: list[tuple[int, int, list[Node]]] = []  # start, line, items so far
    found: list[Block] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if match.lastgroup == "newline":
            line += 1
        elif token[0] == ";":
            continue
        elif found:
            raise InputError(
                f"{shown(token)} stands behind the ')' that ends the definition", place, line
            )
        elif token == "(":
            unclosed.append((match.start(), line, []))
        elif not unclosed:
            raise InputError(f"expected '(define ...)', found {shown(token)}", place, line)
        elif token == ")":
            start, begin, items = unclosed.pop()
            block = Block(tuple(items), start, match.end(), begin)
            if unclosed:
                unclosed[-1][2].append(block)
            else:
                found.append(block)
        elif not token.isascii():
            raise InputError(
                f"{shown(token)} is not ASCII, which PDDL demands in its code", place, line
            )
        else:
            word = Word(token.lower(), match.start(), match.end(), line)
            unclosed[-1][2].append(word)
    if unclosed:
        raise InputError("the '(' of this line has no ')'", place, unclosed[-1][1])
    if not found or found[0].head != "define":
        raise InputError("this file holds no '(define ...)'", place)
    return found[0]


def render(node: Node) -> str:
    """A node in one spelling: lower case, single spaces, no comments."""
    if isinstance(node, Word):
        return node.text
    return "(" + " ".join(map(render, node.items)) + ")"

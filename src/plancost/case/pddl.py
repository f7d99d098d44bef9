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
    reader = _Reader(place)
    for match in _TOKEN.finditer(text):
        reader.take(match)
    return reader.tree()


def render(node: Node) -> str:
    """A node in one spelling: lower case, single spaces, no comments."""
    if isinstance(node, Word):
        return node.text
    return "(" + " ".join(map(render, node.items)) + ")"


class _Reader:
    """Takes the tokens of a text one by one."""

    def __init__(self, place: Path | str) -> None:
        self._place = place
        self._line = 1
        self._open: list[tuple[int, int, list[Node]]] = []  # start, line, items so far
        self._tree: Block | None = None

    def take(self, match: re.Match[str]) -> None:
        token = match.group()
        if match.lastgroup == "newline":
            self._line += 1
        elif token[0] == ";":
            return
        elif self._tree is not None:
            raise self._error(f"{shown(token)} stands behind the ')' that ends the definition")
        elif token == "(":
            self._open.append((match.start(), self._line, []))
        elif not self._open:
            raise self._error(f"expected '(define ...)', found {shown(token)}")
        elif token == ")":
            start, line, items = self._open.pop()
            self._put(Block(tuple(items), start, match.end(), line))
        elif not token.isascii():
            raise self._error(f"{shown(token)} is not ASCII, which PDDL demands outside comments")
        else:
            self._put(Word(token.lower(), match.start(), match.end(), self._line))

    def tree(self) -> Block:
        if self._open:
            raise InputError("the '(' of this line has no ')'", self._place, self._open[-1][1])
        if self._tree is None or self._tree.head != "define":
            raise InputError("this file holds no '(define ...)'", self._place)
        return self._tree

    def _put(self, node: Node) -> None:
        if self._open:
            self._open[-1][2].append(node)
        elif isinstance(node, Block):
            self._tree = node

    def _error(self, message: str) -> InputError:
        return InputError(message, self._place, self._line)

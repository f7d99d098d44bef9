"""The outer form of PDDL, with positions, for messages that name a line and for edits of a text.

Grounding reads PDDL with Fast Downward's translator, which knows no lines. Words are in lower case,
``;`` comments run to the end of their line, and ``?`` always begins a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError
from plancost.values import shown

_BLANK = r" \t\n\r\f\v\x1c-\x1f"
_TOKEN = re.compile(rf";[^\r\n]*|[()]|\?[^{_BLANK}();?]*|[^{_BLANK}();?]+")
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case, and the characters from `start` to `end` that it stands for."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A list in brackets; `start` is its ``(`` and `end` is just behind its ``)``."""

    items: tuple[Node, ...]
    start: int
    end: int

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
    unclosed: list[tuple[int, list[Node]]] = []  # start, items so far
    found: Block | None = None

    def wrong(position: int, message: str) -> InputError:
        line = len(_LINE_END.findall(text, 0, position)) + 1
        return InputError(message, place, line)

    for match in _TOKEN.finditer(text):
        token, start, end = match[0], match.start(), match.end()
        if token[0] == ";":
            continue
        if found:
            raise wrong(start, f"{shown(token)} stands behind the ')' that ends the definition")
        if token == "(":
            unclosed.append((start, []))
        elif not unclosed:
            raise wrong(start, f"expected '(define ...)', found {shown(token)}")
        elif token == ")":
            start, items = unclosed.pop()
            block = Block(tuple(items), start, end)
            if unclosed:
                unclosed[-1][1].append(block)
            else:
                found = block
        elif not token.isascii():
            raise wrong(start, f"{shown(token)} is not ASCII, which PDDL demands in its code")
        else:
            unclosed[-1][1].append(Word(token.lower(), start, end))
    if unclosed:
        raise wrong(unclosed[-1][0], "the '(' of this line has no ')'")
    if not found or found.head != "define":
        raise InputError("this file holds no '(define ...)'", place)
    return found


def render(node: Node) -> str:
    """A node in one spelling: lower case, single spaces, no comments."""
    if isinstance(node, Word):
        return node.text
    return "(" + " ".join(map(render, node.items)) + ")"

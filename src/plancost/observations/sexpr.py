"""S-expressions with positions: the outer form of every PDDL file.

Each word and each list remembers where it stands in the original text, so that
messages can name a line and so that PDDL can be written by splicing into the
user's own text instead of printing it anew.

Words are lower-cased (PDDL does not tell cases apart), ``;`` comments run to the
end of their line, and ``?`` always starts a new word, as the translator reads it.
The reader keeps its own stack and refuses lists nested deeper than
`DEEPEST_NESTING`; functions that walk a tree may therefore recurse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError

DEEPEST_NESTING = 200
"""Far above any real PDDL, and far below Python's limit on recursion."""

_BLANK = r" \t\n\r\f\v\x1c-\x1f"
_TOKEN = re.compile(
    rf"(?P<newline>\r\n?|\n)|;[^\r\n]*|[()]|\?[^{_BLANK}();?]*|[^{_BLANK}();?]+",
)
_SECTIONS = frozenset(
    {":requirements", ":types", ":constants", ":predicates", ":functions", ":action", ":derived"}
    | {":durative-action", ":domain", ":objects", ":init", ":goal", ":metric"}
)


@dataclass(frozen=True, slots=True)
class Atom:
    """A word, in lower case, and the characters `start` to `end` it stands for."""

    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class SList:
    """A parenthesised list; `start` is its ``(`` and `end` is just behind its ``)``."""

    items: tuple[Node, ...]
    start: int
    end: int
    line: int


Node = Atom | SList


def head(node: Node) -> str:
    """The word that a list starts with, or "" if there is none."""
    if isinstance(node, SList) and node.items and isinstance(node.items[0], Atom):
        return node.items[0].text
    return ""


def render(node: Node) -> str:
    """The node in one spelling: lower case, single spaces, no comments."""
    if isinstance(node, Atom):
        return node.text
    return "(" + " ".join(map(render, node.items)) + ")"


def words(node: Node) -> tuple[str, ...] | None:
    """The words of a list that holds nothing else, or None."""
    if isinstance(node, Atom):
        return None
    texts = tuple(item.text for item in node.items if isinstance(item, Atom))
    return texts if len(texts) == len(node.items) else None


def all_lists(node: Node) -> Iterator[SList]:
    """The list itself and every list inside it."""
    if isinstance(node, SList):
        yield node
        for item in node.items:
            yield from all_lists(item)


def sections(tree: SList, keyword: str) -> list[SList]:
    """The parts of ``(define ...)`` that start with a keyword such as ``:init``."""
    return [item for item in tree.items if isinstance(item, SList) and head(item) == keyword]


class PddlError(Exception):
    """What is wrong with a node; `errors_in` adds the file."""

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.line = node.line


@contextmanager
def errors_in(path: Path) -> Iterator[None]:
    """Turn a `PddlError` into an `InputError` that names the file and the line."""
    try:
        yield
    except PddlError as error:
        raise InputError(str(error), path, error.line) from error


def read(text: str, path: Path) -> SList:
    """Read the single ``(define ...)`` that a PDDL file holds."""
    tree: SList | None = None
    unfinished: list[tuple[int, int, list[Node]]] = []  # start, line and items so far
    misplaced_section: int | None = None
    line = 1
    for match in _TOKEN.finditer(text, 1 if text.startswith("\ufeff") else 0):
        token = match.group()
        if match.lastgroup == "newline":
            line += 1
        elif token[0] == ";":
            continue
        elif tree is not None:
            raise InputError(
                f"'{token[:40]}' stands behind the ')' that ends the definition; "
                "perhaps there is one ')' too many above",
                path,
                line,
            )
        elif token == "(":
            if len(unfinished) == DEEPEST_NESTING:
                raise InputError(
                    f"parentheses are nested more than {DEEPEST_NESTING} deep", path, line
                )
            unfinished.append((match.start(), line, []))
        elif not unfinished:
            raise InputError(f"expected '(define ...)', found '{token[:40]}'", path, line)
        elif token == ")":
            start, first_line, items = unfinished.pop()
            finished = SList(tuple(items), start, match.end(), first_line)
            if unfinished:
                unfinished[-1][2].append(finished)
            else:
                tree = finished
        else:
            atom = _atom(match, line, path)
            if atom.text in _SECTIONS and not unfinished[-1][2] and len(unfinished) != 2:
                misplaced_section = misplaced_section or line
            unfinished[-1][2].append(atom)
    if unfinished:
        hint = f"; it seems to be missing before line {misplaced_section}"
        raise InputError(
            f"the '(' of this line has no ')'{hint if misplaced_section else ''}",
            path,
            unfinished[-1][1],
        )
    if tree is None:
        raise InputError("this file is empty: expected '(define ...)'", path)
    if head(tree) != "define":
        raise InputError("expected '(define ...)'", path, tree.line)
    return tree


def _atom(match: re.Match[str], line: int, path: Path) -> Atom:
    word = match.group()
    if not word.isascii():
        raise InputError(
            f"'{word[:40]}' holds a character outside ASCII, which PDDL allows only in comments",
            path,
            line,
        )
    return Atom(word.lower(), match.start(), match.end(), line)

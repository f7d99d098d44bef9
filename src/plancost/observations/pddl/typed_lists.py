"""Typed lists: ``a b - location c - (either van truck) d``.

A name may belong to any of several types, so a type is always a tuple of
alternatives; a name without one is an ``object``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from plancost.errors import InputError
from plancost.observations.sexpr import Atom, Node, words

TypeNames = tuple[str, ...]
"""The alternatives of a type; mostly one."""

OBJECT: TypeNames = ("object",)


def read_typed_list(
    items: Sequence[Node], path: Path, default: TypeNames = OBJECT
) -> list[tuple[Node, TypeNames]]:
    """Each entry with its type. Entries of ``:functions`` are lists, all others words."""
    result: list[tuple[Node, TypeNames]] = []
    untyped: list[Node] = []
    position = 0
    while position < len(items):
        item = items[position]
        position += 1
        if not (isinstance(item, Atom) and item.text == "-"):
            untyped.append(item)
            continue
        if position == len(items):
            raise InputError("a type is missing behind '-'", path, item.line)
        types = _type_names(items[position], path)
        position += 1
        result += [(name, types) for name in untyped]
        untyped = []
    return result + [(name, default) for name in untyped]


def read_names(items: Sequence[Node], path: Path) -> list[tuple[str, TypeNames]]:
    """A typed list whose entries must be words."""
    result = []
    for name, types in read_typed_list(items, path):
        if not isinstance(name, Atom):
            raise InputError("expected a name, found '('", path, name.line)
        result.append((name.text, types))
    return result


def with_supertypes(types: Iterable[str], parents: Mapping[str, TypeNames]) -> set[str]:
    """The types and all they are kinds of; declarations that go in circles do no harm."""
    found = set(OBJECT)
    waiting = list(types)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += parents.get(name, ())
    return found


def _type_names(node: Node, path: Path) -> TypeNames:
    if isinstance(node, Atom):
        return (node.text,)
    names = words(node)
    if names is None or len(names) < 2 or names[0] != "either":
        raise InputError("expected a type or '(either TYPE ...)' behind '-'", path, node.line)
    return tuple(dict.fromkeys(names[1:]))

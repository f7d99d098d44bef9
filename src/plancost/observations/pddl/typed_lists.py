"""Typed lists: ``a b - location c - (either van truck) d``.

A name may belong to any of several types, so a type is always a tuple of
alternatives; a name without one is an ``object``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from plancost.observations.sexpr import Atom, Node, PddlError, words

TypeNames = tuple[str, ...]
"""The alternatives of a type; mostly one."""

OBJECT: TypeNames = ("object",)


def read_typed_list(items: Sequence[Node]) -> list[tuple[Node, TypeNames]]:
    """Each entry with its type. Entries of ``:functions`` are lists, all others words."""
    result: list[tuple[Node, TypeNames]] = []
    untyped: list[Node] = []
    rest = iter(items)
    for item in rest:
        if not (isinstance(item, Atom) and item.text == "-"):
            untyped.append(item)
            continue
        kind = next(rest, None)
        if kind is None:
            raise PddlError("a type is missing behind '-'", item)
        types = _type_names(kind)
        result += [(name, types) for name in untyped]
        untyped = []
    return result + [(name, OBJECT) for name in untyped]


def read_names(items: Sequence[Node]) -> list[tuple[str, TypeNames]]:
    """A typed list whose entries must be words."""
    result = []
    for name, types in read_typed_list(items):
        if not isinstance(name, Atom):
            raise PddlError("expected a name, found '('", name)
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


def _type_names(node: Node) -> TypeNames:
    if isinstance(node, Atom):
        return (node.text,)
    names = words(node)
    if names is None or len(names) < 2 or names[0] != "either":
        raise PddlError("expected a type or '(either TYPE ...)' behind '-'", node)
    return tuple(dict.fromkeys(names[1:]))

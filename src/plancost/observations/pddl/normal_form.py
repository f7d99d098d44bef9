"""Conditions in one spelling, so that two ways to write a goal are one goal.

Negations are moved inwards and implications written out; nested and repeated conjuncts
(disjuncts) are merged and sorted; bound variables are numbered from outside in; nested
quantifiers of one kind become one. Conditions of one normal form mean the same. The converse
does not hold: the order of quantified variables counts, for instance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plancost.observations.pddl.typed_lists import TypeNames, read_names
from plancost.observations.sexpr import Atom, Node, PddlError, SList, head

_DUAL = {"and": "or", "or": "and", "forall": "exists", "exists": "forall"}

_Scope = tuple[str, ...]
"""The variables that are bound, from outside in."""


@dataclass(frozen=True)
class _Joined:
    """A conjunction or disjunction."""

    connective: str
    parts: frozenset[_Form]


@dataclass(frozen=True)
class _Quantified:
    """What holds for all or some objects of these types."""

    quantifier: str
    types: tuple[TypeNames, ...]
    body: _Form


_Form = str | _Joined | _Quantified
"""A literal is its text."""


def normal_form(condition: Node) -> str:
    """The one spelling of a condition."""
    return _text(_form(condition, True, ()))


def _form(node: Node, positive: bool, scope: _Scope) -> _Form:
    word = head(node)
    items = node.items[1:] if isinstance(node, SList) else ()
    if word == "not" and len(items) == 1:
        return _form(items[0], not positive, scope)
    if word in ("and", "or"):
        parts = [_form(item, positive, scope) for item in items]
        return _joined(word if positive else _DUAL[word], parts)
    if word == "imply" and len(items) == 2:
        parts = [_form(items[0], not positive, scope), _form(items[1], positive, scope)]
        return _joined("or" if positive else "and", parts)
    if word in ("forall", "exists") and len(items) == 2:
        variables = _variables(items[0])
        if variables is not None:
            inside = (*scope, *(name for name, _ in variables))
            types = tuple(tuple(sorted(types)) for _, types in variables)
            body = _form(items[1], positive, inside)
            return _quantified(word if positive else _DUAL[word], types, body)
    text = _renamed(node, scope)
    return text if positive else f"(not {text})"


def _joined(connective: str, parts: Iterable[_Form]) -> _Form:
    found: set[_Form] = set()
    for part in parts:
        if isinstance(part, _Joined) and part.connective == connective:
            found |= part.parts
        else:
            found.add(part)
    return found.pop() if len(found) == 1 else _Joined(connective, frozenset(found))


def _quantified(quantifier: str, types: tuple[TypeNames, ...], body: _Form) -> _Form:
    if isinstance(body, _Quantified) and body.quantifier == quantifier:
        return _Quantified(quantifier, types + body.types, body.body)
    return _Quantified(quantifier, types, body) if types else body


def _variables(node: Node) -> list[tuple[str, TypeNames]] | None:
    """The variables behind a quantifier, or None if that is no list of them."""
    try:
        return read_names(node.items) if isinstance(node, SList) else None
    except PddlError:
        return None


def _renamed(node: Node, scope: _Scope) -> str:
    """A literal with numbers for its variables; ``;`` is in no name of PDDL."""
    if isinstance(node, Atom):
        places = [number for number, variable in enumerate(scope) if variable == node.text]
        return f"?;{places[-1]}" if places else node.text
    texts = [_renamed(item, scope) for item in node.items]
    if texts[:1] == ["="]:
        texts = ["=", *sorted(texts[1:])]
    return f"({' '.join(texts)})"


def _text(form: _Form) -> str:
    if isinstance(form, str):
        return form
    if isinstance(form, _Joined):
        return f"({' '.join([form.connective, *sorted(map(_text, form.parts))])})"
    variables = " ".join(";".join(types) for types in form.types)
    return f"({form.quantifier} ({variables}) {_text(form.body)})"

"""Derived atoms: which axioms matter, and in which order they are evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plancost.case.model import Axiom, Condition, Operator
from plancost.errors import InputError


def layered(
    rules: Iterable[tuple[int, Condition]],
    operators: Sequence[Operator],
    goals: Iterable[Condition],
) -> tuple[Axiom, ...]:
    """The axioms (an atom, and when it holds) that operators and goals rest on, with layers.

    An atom is in a higher layer than all that its axioms forbid.
    """
    read = [operator.condition for operator in operators]
    read += [effect.condition for operator in operators for effect in operator.effects]
    needed = _needed(list(rules), [*read, *goals])
    layers = dict.fromkeys((atom for atom, _ in needed), 0)
    is_open = bool(needed)
    while is_open:
        is_open = False
        for atom, condition in needed:
            least = max(
                [layers[atom]]
                + [layers[other] for other in condition.needs if other in layers]
                + [layers[other] + 1 for other in condition.forbids if other in layers]
            )
            if least > len(layers):
                raise InputError("the derived predicates depend on their own negation")
            is_open |= least > layers[atom]
            layers[atom] = least
    return tuple(Axiom(layers[atom], atom, condition) for atom, condition in needed)


def _needed(
    rules: Sequence[tuple[int, Condition]], read: Iterable[Condition]
) -> list[tuple[int, Condition]]:
    """The axioms for atoms that some condition reads, perhaps over other axioms."""
    bodies: dict[int, list[Condition]] = {}
    for atom, condition in rules:
        bodies.setdefault(atom, []).append(condition)
    open_conditions = list(read) if bodies else []
    found = []
    while open_conditions:
        condition = open_conditions.pop()
        for atom in sorted(condition.needs | condition.forbids):
            own = bodies.pop(atom, [])
            found += [(atom, body) for body in own]
            open_conditions += own
    return found

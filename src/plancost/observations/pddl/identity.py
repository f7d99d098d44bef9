"""When two problem files are one task, and when two tasks share a state space.

Keys are hashes of a normal form: file names, problem names, comments, case, metrics, numbers
and the order of objects, facts and conjuncts do not count. Two tasks with the same
`task_key` have the same plans; two with the same `world_key` have the same
objects and static facts, so that their states are nodes of one graph.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from plancost.observations.pddl.actions import NUMERIC_EFFECTS
from plancost.observations.pddl.model import Domain, Problem, Term
from plancost.observations.pddl.normal_form import normal_form
from plancost.observations.sexpr import Atom, Node, head, render


def static_predicates(domain: Domain) -> frozenset[str]:
    """The predicates that no action and no derived rule changes."""
    changed = set(domain.derived)
    for schema in domain.schemas.values():
        if schema.effect is not None:
            changed |= set(_changed(schema.effect, domain))
    return frozenset(domain.predicates) - changed


def task_key(domain: Domain, problem: Problem) -> str:
    """Equal for problems with the same objects, initial facts and goal.

    Nothing that is said about costs counts: they are what is learned. The two constants keep
    the keys of problems without costs as they always were, since saved states name tasks by them.
    """
    return _digest(
        "task",
        _domain_content(domain),
        _objects(problem),
        sorted(problem.init_atoms),
        (),
        normal_form(problem.goal),
        False,
    )


def world_key(domain: Domain, problem: Problem) -> str:
    """Equal for problems with the same objects and static facts."""
    static = static_predicates(domain)
    facts: Iterable[Term] = (atom for atom in problem.init_atoms if atom[0] in static)
    return _digest("world", _domain_content(domain), _objects(problem), sorted(facts))


def _digest(*parts: Any) -> str:  # noqa: ANN401 (anything JSON can hold)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _domain_content(domain: Domain) -> list[str]:
    return sorted(map(render, domain.tree.items[2:]))


def _objects(problem: Problem) -> list[tuple[str, list[str]]]:
    return sorted((name, sorted(types)) for name, types in problem.objects.items())


def _changed(effect: Node, domain: Domain) -> Iterator[str]:
    if isinstance(effect, Atom):
        return
    word = head(effect)
    if word in ("and", "not"):
        inner = effect.items[1:]
    elif word in ("forall", "when"):
        inner = effect.items[2:]
    else:
        if word in domain.predicates or word not in NUMERIC_EFFECTS:
            yield word
        return
    for item in inner:
        yield from _changed(item, domain)

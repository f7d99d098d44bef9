"""Costs that the user gives: C̄ from the PDDL, or costs by the names of actions."""

from __future__ import annotations

import difflib
import enum
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from statistics import median_low

from plancost.errors import InputError, UsageError
from plancost.observations.case import Case
from plancost.observations.pddl import Problem, initial_cost

LARGEST_COST = 10**12
"""What users may give. Sums stay far below 2**53, up to which they are counted exactly."""
LARGEST_LEARNED_COST = 2**53 - 1
"""What learning may make of them, and what is read back: one action instead of many dear ones.

Sums may be more than can be counted exactly then; a search says that it does not know.
"""


_LIKELY_MISSPELT = 0.85
"""How alike two names have to be for a typing error."""
_MOST_LOOKED_AT = 300
"""So many names are compared with so many others: a hint is not worth minutes."""


class CostConflicts(enum.StrEnum):
    """What to do where two problems give one action two initial costs."""

    ERROR = "error"
    FIRST = "first"
    MEDIAN = "median"


def initial_costs_from_pddl(
    case: Case, conflicts: CostConflicts = CostConflicts.ERROR
) -> tuple[int, ...]:
    """C̄ of every action of A, from the ``increase (total-cost)`` effects."""
    if case.domain is None:
        raise UsageError("there is no PDDL to take initial costs from")
    given: dict[str, list[tuple[int, Problem]]] = {name: [] for name in case.actions}
    for problem, task in case.problems:
        for name in case.tasks[task].actions:
            given[name].append((initial_cost(case.domain, problem, name), problem))
    costs = []
    for name in case.actions:
        values = [value for value, _ in given[name]]
        if conflicts is CostConflicts.ERROR and len(set(values)) > 1:
            first, other = given[name][0], next(g for g in given[name] if g[0] != values[0])
            raise InputError(
                f"{name} costs {first[0]} in {first[1].path} and {other[0]} in {other[1].path}; "
                "choose with --cost-conflicts first or median"
            )
        value = values[0] if conflicts is CostConflicts.FIRST else median_low(values)
        if value > LARGEST_COST:
            raise InputError(_too_much(name, value, LARGEST_COST), given[name][0][1].path)
        costs.append(value)
    return tuple(costs)


def costs_of(
    case: Case,
    given: Mapping[str, int],
    *,
    least: int,
    default: int | None,
    path: Path | None = None,
    largest: int = LARGEST_COST,
) -> tuple[int, ...]:
    """The costs of all actions of A from a mapping of names; `path` is where it was read.

    `default` is for actions that are missing in it.
    """
    missing = [name for name in case.actions if name not in given]
    known = set(case.actions)
    unknown = (name for name in given if missing and name not in known)
    for name in islice(unknown, _MOST_LOOKED_AT):
        near = difflib.get_close_matches(
            name, missing[:_MOST_LOOKED_AT], n=1, cutoff=_LIKELY_MISSPELT
        )
        if near:
            raise InputError(f"there is no action {name} in this case; is {near[0]} meant?", path)
    costs = []
    for name in case.actions:
        value = given.get(name, default)
        if value is None:
            raise InputError(
                f"there is no cost for {name}; add it, or add --default-cost N for all such", path
            )
        if value < least:
            raise InputError(f"the cost of {name} is {value}; it must be {least} or more", path)
        if value > largest:
            raise InputError(_too_much(name, value, largest), path)
        costs.append(value)
    return tuple(costs)


def _too_much(name: str, cost: int, largest: int) -> str:
    return f"{name} costs {cost}; costs are counted exactly up to {largest}"

"""Costs that the user gives: C̄ from the PDDL, or a JSON file of costs."""

from __future__ import annotations

import difflib
import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import median_low
from typing import Any

from plancost.errors import InputError, UsageError
from plancost.files import input_files
from plancost.observations.case import Case
from plancost.observations.features import Weights, costs_from_weights
from plancost.observations.pddl import Problem, initial_cost
from plancost.observations.planfile import action_name
from plancost.observations.shares import ClassCosts

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


def read_costs(path: Path, group: str | None = None) -> dict[str, int]:
    """Read a costs file: the ``costs`` of a RESULT.json, or a plain object of them.

    Of a result with several groups, those of one `group`.
    """
    return _costs_in(read_json(path), path, group)


@dataclass(frozen=True)
class LearnedCosts:
    """Costs by action, and what a RESULT.json says of actions that were never seen."""

    costs: dict[str, int]
    shared: Mapping[str, int] = field(default_factory=dict)
    """The costs of classes of actions."""
    weights: Weights = field(default_factory=dict)
    """The weights of linear costs, by schema."""


def read_learned_costs(path: Path, group: str | None = None) -> LearnedCosts:
    """Read a costs file with all that it says."""
    content = read_json(path)  # once: it may be a pipe
    costs = _costs_in(content, path, group)
    return LearnedCosts(costs, _shared_costs(content), _weights(content, path))


def _costs_in(content: Any, path: Path, group: str | None = None) -> dict[str, int]:  # noqa: ANN401
    groups = _costs_of_groups(content)
    if groups or group is not None:
        if group not in groups:
            asked = "this file has several groups" if group is None else f"there is no '{group}'"
            named = f"say which one with --group: {', '.join(groups)}" if groups else "no groups"
            raise InputError(f"{asked}; {named}", path)
        content = groups[group]
    elif isinstance(content, dict) and "costs" in content:
        content = content["costs"]
    return checked_costs(content, path)


def _costs_of_groups(content: object) -> dict[str, object]:
    """The costs of each group of a RESULT.json that has plans, by its name."""
    listed = content.get("groups") if isinstance(content, dict) else None
    return {
        str(item["name"]): item["costs"]
        for item in (listed if isinstance(listed, list) else ())
        if isinstance(item, dict) and "name" in item and "costs" in item and item.get("plans")
    }


def read_json(path: Path) -> Any:  # noqa: ANN401 (whatever stands there)
    """The content of a costs file, without checks of what it says."""
    return input_files.read_json(path, "this costs file")


def checked_costs(content: object, path: Path) -> dict[str, int]:
    """The costs in an object from a file, if that is what it holds."""
    if not isinstance(content, dict):
        raise InputError('expected an object such as {"(move a b)": 1, ...}', path)
    costs: dict[str, int] = {}
    for key, value in content.items():
        if isinstance(value, bool) or not isinstance(value, int):
            shown = json.dumps(value)[:40]
            raise InputError(f"the cost of {key} must be a whole number, not {shown}", path)
        name = action_name(key)
        if costs.setdefault(name, value) != value:
            raise InputError(f"{name} has two costs in this file", path)
    return costs


def costs_for(
    case: Case, path: Path, *, least: int, default: int | None, largest: int = LARGEST_COST
) -> tuple[int, ...]:
    """The costs of all actions of A from a file; `default` is for actions missing in it.

    An action that the file does not name has the cost of its class if costs are shared there, and
    what its features say if costs are linear.
    """
    learned = read_learned_costs(path)
    given = dict(learned.costs)
    missing = [name for name in case.actions if name not in given]
    classes = ClassCosts(learned.shared)
    for name in missing if learned.shared else ():
        cost = classes.cost(name)
        if cost is not None:
            given[name] = cost
    given |= costs_from_weights(case, learned.weights, missing)
    return costs_of(case, given, least=least, default=default, path=path, largest=largest)


def costs_of(
    case: Case,
    given: Mapping[str, int],
    *,
    least: int,
    default: int | None,
    path: Path | None = None,
    largest: int = LARGEST_COST,
) -> tuple[int, ...]:
    """The same from a mapping of names; `path` is where it was read, for messages."""
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
                f"there is no cost for {name}; add it, or say --default-cost N for all such", path
            )
        if value < least:
            raise InputError(f"the cost of {name} is {value}; it must be {least} or more", path)
        if value > largest:
            raise InputError(_too_much(name, value, largest), path)
        costs.append(value)
    return tuple(costs)


def _too_much(name: str, cost: int, largest: int) -> str:
    return f"{name} costs {cost}; costs are counted exactly up to {largest}"


def _shared_costs(content: object) -> dict[str, int]:
    """The costs of classes of actions in a RESULT.json, which fit actions never seen as well."""
    shared = content.get("shared") if isinstance(content, dict) and "costs" in content else None
    if not isinstance(shared, dict):
        return {}
    return {action_name(name): cost for name, cost in shared.items() if isinstance(cost, int)}


def _weights(content: object, path: Path) -> dict[str, dict[str, int]]:
    """The weights of linear costs in a RESULT.json."""
    linear = content.get("linear") if isinstance(content, dict) and "costs" in content else None
    if linear is None:
        return {}
    if not isinstance(linear, dict) or not all(
        isinstance(own, dict)
        and all(
            type(weight) is int and 0 <= weight <= LARGEST_LEARNED_COST for weight in own.values()
        )
        for own in linear.values()
    ):
        raise InputError(
            "'linear' must give each action schema an object of whole numbers from 0 on", path
        )
    return linear

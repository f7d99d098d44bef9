"""Costs that somebody gives by the names of actions: a mapping, a file of them, a result."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plancost.case.model import Case
from plancost.case.tables import read_json
from plancost.case.values import LARGEST_COST, shown, whole
from plancost.errors import InputError

Costs = Path | str | Mapping[str, Any] | Any
"""RESULT.json or a JSON mapping, a mapping, or an object with `costs`."""


def given_costs(
    case: Case, costs: Costs, *, least: int = 1
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The costs of all actions of a case, and notes; an action that is missing costs 1.

    A result may know actions of other cases; a mapping made by hand may not.
    """
    path = Path(costs) if isinstance(costs, Path | str) else None
    document = costs if path is None else read_json(path)
    if isinstance(groups := _member(document, "groups"), list | tuple) and groups:
        raise InputError("this result has costs for each group, not one for all plans", path)
    in_result = _member(document, "costs")
    given = in_result if isinstance(in_result, Mapping) else document
    if not isinstance(given, Mapping):
        raise InputError(f"costs must be given by action, not as {shown(document)}", path)
    found = dict.fromkeys(case.actions, -1)
    for name, value in given.items():
        action = action_name(case, name)
        cost = whole(value, f"the cost of {action}", least=least, most=LARGEST_COST, path=path)
        if action not in found and given is document:
            raise InputError(f"this case has no action {shown(action)}", path)
        if found.get(action, -1) not in (-1, cost):
            raise InputError(f"{action} is given two costs", path)
        if action in found:
            found[action] = cost
    missing = [action for action, cost in found.items() if cost < 0]
    if not missing:
        return tuple(found.values()), ()
    if len(missing) == len(found):
        raise InputError("no action of this case is given a cost", path)
    note = f"{len(missing)} actions are given no cost and have 1, such as {missing[0]}"
    return tuple(1 if cost < 0 else cost for cost in found.values()), (note,)


def action_name(case: Case, name: object) -> str:
    """A name as the case writes it: PDDL in lower case with single blanks, streets as they are."""
    if case.streets is not None:
        return str(name)
    words = " ".join(str(name).lower().split())
    return words if words.startswith("(") or words == "*" else f"({words})"


def _member(document: object, name: str) -> Any:
    if isinstance(document, Mapping):
        return document.get(name)
    return getattr(document, name, None)

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
    case: Case, costs: Costs, *, least: int = 1, most: int = LARGEST_COST
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The costs of all actions of a case, and notes; an action that is missing costs 1.

    A result may know actions of other cases; a mapping made by hand may not.
    """
    path = Path(costs) if isinstance(costs, Path | str) else None
    document: Any = costs if path is None else read_json(path)
    is_mapping = isinstance(document, Mapping)
    inner = document.get("costs") if is_mapping else getattr(document, "costs", None)
    given = inner if isinstance(inner, Mapping) else document
    if not isinstance(given, Mapping):
        raise InputError(f"costs must be given by action, not as {shown(document)}", path)
    known = set(case.actions)
    found: dict[str, int] = {}
    for name, value in given.items():
        action = action_name(case, name)
        if action in found:
            raise InputError(f"{action} is given two costs", path)
        if action not in known and given is document:
            raise InputError(f"this case has no action {shown(action)}", path)
        found[action] = whole(value, f"the cost of {action}", least=least, most=most, path=path)
    missing = [action for action in case.actions if action not in found]
    if missing and len(missing) == len(case.actions):
        raise InputError("no action of this case is given a cost", path)
    note = (
        f"{len(missing)} actions are given no cost and have 1, such as {next(iter(missing), None)}"
    )
    return tuple(found.get(name, 1) for name in case.actions), (note,) if missing else ()


def action_name(case: Case, name: object) -> str:
    """A name as the case writes it: PDDL in lower case with single blanks, streets as they are."""
    if case.streets is not None:
        return str(name)
    words = " ".join(str(name).lower().split())
    return words if words.startswith("(") or words == "*" else f"({words})"

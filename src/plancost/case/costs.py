"""What is known of costs before learning: features, bounds and approximate values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plancost.case.cost_models import NOT_FEATURES, TURNS, feature_model, whole_column
from plancost.case.cost_models import plain_model as plain_model
from plancost.case.given import Costs, action_name, given_costs
from plancost.case.model import UNBOUNDED, Case, CostModel
from plancost.case.tables import read_json
from plancost.case.turns import with_turns
from plancost.case.values import LARGEST_GIVEN, shown, whole
from plancost.errors import InputError, UsageError


def with_costs(
    case: Case,
    *,
    refine: bool | Costs = False,
    bounds: Path | str | Mapping[str, Any] | None = None,
    features: Sequence[str] = (),
) -> Case:
    """The case with the cost model that these options of `learn` describe.

    `refine` is True (the costs of the PDDL), a column of links.csv, or costs; `bounds` a JSON file
    or mapping such as ``{"(drive * b)": [2, 5]}``; `features` say what costs are made of.
    """
    specs = list(dict.fromkeys(" ".join(spec.split()) for spec in features))
    if TURNS in specs and case.streets is not None:
        case = with_turns(case)
    model, notes = feature_model(case, specs) if specs else (plain_model(case.actions), ())
    if bounds is not None:
        model = _bounded(case, model, bounds)
    if refine is not False:
        initial, more = _initial(case, refine)
        model, notes = replace(model, initial=np.array(initial, dtype=np.int64)), (*notes, *more)
    return replace(case, costs=model, notes=tuple(dict.fromkeys((*case.notes, *notes))))


# Approximately known costs


def _initial(case: Case, refine: bool | Costs) -> tuple[Sequence[int], tuple[str, ...]]:
    table = case.streets
    if table is None:
        return (_of_pddl(case), ()) if refine is True else _given(case, refine)
    columns = [name for name in table.columns if name not in NOT_FEATURES]
    if isinstance(refine, str) and refine in columns:
        values, notes = whole_column(table, refine)
        turns = [1] * (len(case.actions) - len(values))
        return (*values, *turns), notes
    if refine is True or (isinstance(refine, str) and not Path(refine).exists()):
        named = ", ".join(columns) or "there is none"
        raise UsageError(f"`refine` needs a file of costs or a column of links ({named})")
    return _given(case, refine)


def _given(case: Case, costs: Costs) -> tuple[Sequence[int], tuple[str, ...]]:
    return given_costs(case, costs, least=0, most=LARGEST_GIVEN)


def _of_pddl(case: Case) -> list[int]:
    if case.pddl is None:
        raise UsageError("there is no PDDL that says what actions cost")
    for name in case.actions:
        if name in case.pddl.contradictions:
            raise InputError(case.pddl.contradictions[name])
    usual = 0 if case.pddl.initial else 1
    return [case.pddl.initial.get(name, usual) for name in case.actions]


# Bounds


def _bounded(case: Case, model: CostModel, bounds: Path | str | Mapping[str, Any]) -> CostModel:
    path = Path(bounds) if isinstance(bounds, Path | str) else None
    given = bounds if path is None else read_json(path)
    if not isinstance(given, Mapping):
        raise InputError(f"bounds must be given by action, not as {shown(given)}", path)
    number = {action: place for place, action in enumerate(case.actions)}
    least, greatest = model.least.copy(), model.greatest.copy()
    for pattern, value in given.items():
        low, high = _range(value, f"the bound on {shown(pattern)}", path)
        named = _named(action_name(case, pattern), number)
        if not named:
            raise InputError(f"no action is meant by the bound on {shown(pattern)}", path)
        least[named] = np.maximum(least[named], low)
        greatest[named] = np.minimum(greatest[named], high)
    for place in np.flatnonzero(least > greatest):
        message = f"the bounds on {case.actions[place]} contradict each other: "
        raise InputError(f"{message}at least {least[place]}, at most {greatest[place]}", path)
    return replace(model, least=least, greatest=greatest)


def _range(value: object, what: str, path: Path | None) -> tuple[int, int]:
    """The least and the greatest cost that a bound allows."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        cost = whole(value, what, least=1, most=LARGEST_GIVEN, path=path)
        return cost, cost
    low, high = value
    return (
        1 if low is None else whole(low, what, most=LARGEST_GIVEN, path=path),
        UNBOUNDED if high is None else whole(high, what, least=1, most=LARGEST_GIVEN, path=path),
    )


def _named(pattern: str, number: Mapping[str, int]) -> list[int]:
    """The actions that a pattern stands for: in it ``*`` is any text, all else stands for itself.

    The name of an action stands for it alone.
    """
    if pattern in number:
        return [number[pattern]]
    fits = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL).fullmatch
    return [place for action, place in number.items() if fits(action)]

"""What is known of costs before learning: features, bounds and approximate values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plancost.case.columns import whole_column
from plancost.case.cost_models import TURNS, feature_model
from plancost.case.cost_models import plain_model as plain_model
from plancost.case.given import Costs, action_name, given_costs
from plancost.case.model import UNBOUNDED, Case, CostModel, Ints
from plancost.case.tables import read_json
from plancost.case.turns import with_turns
from plancost.case.values import LARGEST_GIVEN, shown, whole
from plancost.errors import InputError, UsageError

_NAMES = ("link", "from", "to")


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
    specs = (features,) if isinstance(features, str) else tuple(features)
    specs = tuple(" ".join(str(spec).split()) for spec in specs)
    if TURNS in specs and case.streets is not None:
        case = with_turns(case)
    model, notes = feature_model(case, specs) if specs else (plain_model(case.actions), ())
    if bounds is not None:
        model = _bounded(case, model, bounds)
    if refine is not None and refine is not False:
        initial, more = _initial(case, refine)
        model, notes = replace(model, initial=initial), (*notes, *more)
    kept = tuple(note for note in notes if note not in case.notes)
    return replace(case, costs=model, notes=(*case.notes, *kept))


# Approximately known costs


def _initial(case: Case, refine: bool | Costs) -> tuple[Ints, tuple[str, ...]]:
    table = case.streets
    columns = () if table is None else tuple(name for name in table.columns if name not in _NAMES)
    if refine is True:
        if table is not None:
            raise UsageError(
                f"say which column is refined: {', '.join(columns) or 'there is none'}"
            )
        return _of_pddl(case), ()
    if table is None or refine not in columns:
        if table is not None and isinstance(refine, str) and not Path(refine).exists():
            named = ", ".join(columns) or "none"
            raise UsageError(f"{shown(refine)} is neither a file nor a column of links ({named})")
        found, notes = given_costs(case, refine, least=0)
        return _exact(found, "given cost"), notes
    values, notes = whole_column(table, str(refine))
    turns = [1] * (len(case.actions) - len(values))
    return _exact((*values, *turns), f"number of {refine}"), notes


def _of_pddl(case: Case) -> Ints:
    if case.pddl is None:
        raise UsageError("there is no PDDL that says what actions cost")
    wrong = next((name for name in case.actions if name in case.pddl.contradictions), None)
    if wrong is not None:
        raise InputError(case.pddl.contradictions[wrong])
    if not case.pddl.initial:
        return np.ones(len(case.actions), dtype=np.int64)
    return _exact((case.pddl.initial.get(name, 0) for name in case.actions), "cost of the PDDL")


def _exact(costs: Iterable[int], what: str) -> Ints:
    found = list(costs)
    if max(found, default=0) > LARGEST_GIVEN:
        raise InputError(f"the {what} {max(found)} is too large: at most {LARGEST_GIVEN}")
    return np.array(found, dtype=np.int64)


# Bounds


def _bounded(case: Case, model: CostModel, bounds: Path | str | Mapping[str, Any]) -> CostModel:
    path = Path(bounds) if isinstance(bounds, Path | str) else None
    given = bounds if path is None else read_json(path)
    if not isinstance(given, Mapping):
        raise InputError(f"bounds must be given by action, not as {shown(given)}", path)
    number = {action: place for place, action in enumerate(case.actions)}
    least, greatest = model.least.copy(), model.greatest.copy()
    for pattern, value in given.items():
        low, high = _range(pattern, value, path)
        named = _named(case, str(pattern), number)
        if not named:
            raise InputError(f"no action is meant by the bound on {shown(pattern)}", path)
        least[named] = np.maximum(least[named], low)
        greatest[named] = np.minimum(greatest[named], high)
    wrong = np.flatnonzero(least > greatest)
    if len(wrong):
        action = int(wrong[0])
        message = f"the bounds on {case.actions[action]} contradict each other: "
        raise InputError(f"{message}at least {least[action]}, at most {greatest[action]}", path)
    found = replace(model, least=least, greatest=greatest)
    _check_shared(case, found, path)
    return found


def _range(pattern: object, value: object, path: Path | None) -> tuple[int, int]:
    """The least and the greatest cost that a bound allows."""
    what = f"the bound on {shown(pattern)}"
    if not isinstance(value, list | tuple):
        cost = whole(value, what, least=1, most=LARGEST_GIVEN, path=path)
        return cost, cost
    if len(value) != 2:
        raise InputError(f"{what} must be a number or two, not {shown(value)}", path)
    low, high = value
    return (
        1 if low is None else whole(low, what, most=LARGEST_GIVEN, path=path),
        UNBOUNDED if high is None else whole(high, what, least=1, most=LARGEST_GIVEN, path=path),
    )


def _named(case: Case, pattern: str, number: Mapping[str, int]) -> list[int]:
    """The actions that a pattern stands for; the name of an action stands for it alone."""
    name = action_name(case, pattern)
    if name in number:
        return [number[name]]
    if "*" not in name:
        return []
    fits = _pattern(name, is_street=case.streets is not None).fullmatch
    return [place for action, place in number.items() if fits(action)]


def _pattern(name: str, *, is_street: bool) -> re.Pattern[str]:
    """``*`` stands for one argument or a part of a word; all other characters for themselves.

    A last ``*`` that is a word of its own stands for all remaining arguments. Names of links are
    one word.
    """
    if is_street or name == "*":
        return re.compile(".*".join(map(re.escape, name.split("*"))), re.DOTALL)
    has_rest = name.endswith(" *)")
    words = name[1:-3] if has_rest else name[1:-1]
    body = "[^ ]*".join(map(re.escape, words.split("*")))
    return re.compile(rf"\({body}(?: .*)?\)" if has_rest else rf"\({body}\)")


def _check_shared(case: Case, model: CostModel, path: Path | None) -> None:
    """Actions that cost just the same parameter must have bounds in common."""
    parts = np.diff(model.matrix.indptr)
    alone = np.flatnonzero(parts == 1)
    first = model.matrix.indptr[alone]
    alone, first = alone[model.matrix.data[first] == 1], first[model.matrix.data[first] == 1]
    parameter = model.matrix.indices[first]
    count = len(model.parameters)
    least, greatest = np.zeros(count, dtype=np.int64), np.full(count, UNBOUNDED, dtype=np.int64)
    np.maximum.at(least, parameter, model.least[alone])
    np.minimum.at(greatest, parameter, model.greatest[alone])
    wrong = np.flatnonzero(least > greatest)
    if len(wrong):
        name = model.parameters[int(wrong[0])]
        raise InputError(f"the bounds on actions that cost {name} contradict each other", path)

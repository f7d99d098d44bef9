"""What is known of costs: those that somebody gives by the names of actions, bounds, features."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plancost.case.cost_models import (
    NOT_FEATURES,
    TURNS,
    feature_model,
    plain_model,
    value_of,
    whole_column,
)
from plancost.case.model import UNBOUNDED, Case, CostModel, PddlTexts
from plancost.case.tables import read_json
from plancost.case.turns import with_turns
from plancost.case.values import (
    LARGEST_COST,
    LARGEST_GIVEN,
    at,
    decimal,
    shown,
    whole,
)
from plancost.errors import InputError, UsageError

Costs = Path | str | Mapping[str, Any] | Any
"""RESULT.json or a JSON mapping, a mapping, or an object with `costs`."""


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
        path, given = _read(bounds)
        with at(path):
            model = _bounded(case, model, given)
    if refine is not False:
        initial, more = _initial(case, refine)
        model, notes = replace(model, initial=np.array(initial, dtype=np.int64)), (*notes, *more)
    return replace(case, costs=model, notes=tuple(dict.fromkeys((*case.notes, *notes))))


def given_costs(
    case: Case, costs: Costs, *, least: int = 1, most: int = LARGEST_COST
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The costs of all actions of a case, and notes; an action that is missing costs 1.

    A result may know actions of other cases; a mapping made by hand may not.
    """
    path, document = _read(costs)
    is_mapping = isinstance(document, Mapping)
    inner = document.get("costs") if is_mapping else getattr(document, "costs", None)
    given = inner if isinstance(inner, Mapping) else document
    known = set(case.actions)
    found: dict[str, int] = {}
    with at(path):
        if not isinstance(given, Mapping):
            raise InputError(f"costs must be given by action, not as {shown(document)}")
        for name, value in given.items():
            action = _action_name(case, name)
            if action in found:
                raise InputError(f"{action} is given two costs")
            if action not in known and given is document:
                raise InputError(f"this case has no action {shown(action)}")
            found[action] = whole(value, f"the cost of {action}", least=least, most=most)
        missing = [action for action in case.actions if action not in found]
        if missing and len(missing) == len(case.actions):
            raise InputError("no action of this case is given a cost")
    values = tuple(found.get(name, 1) for name in case.actions)
    note = f"{len(missing)} actions are given no cost and have 1, such as {[*missing, ''][0]}"
    return values, (note,) if missing else ()


def _read(given: Any) -> tuple[Path | None, Any]:
    """Costs or bounds, and the file that they are from."""
    path = Path(given) if isinstance(given, Path | str) else None
    return path, given if path is None else read_json(path)


def _action_name(case: Case, name: object) -> str:
    """A name as the case writes it: PDDL in lower case with single blanks, streets as they are."""
    if case.streets is not None:
        return str(name)
    words = " ".join(str(name).lower().split())
    return words if words.startswith("(") or words == "*" else f"({words})"


# Approximately known costs


def _initial(case: Case, refine: bool | Costs) -> tuple[Sequence[int], tuple[str, ...]]:
    table, texts = case.streets, case.pddl
    if refine is True and texts is not None:
        return [_cost_of_action(texts, action) for action in case.actions], ()
    if table is not None:
        columns = [name for name in table.columns if name not in NOT_FEATURES]
        if isinstance(refine, str) and refine in columns:
            values, notes = whole_column(table, refine)
            turns = [1] * (len(case.actions) - len(values))
            return (*values, *turns), notes
        if refine is True or (isinstance(refine, str) and not Path(refine).exists()):
            named = ", ".join(columns) or "there is none"
            raise UsageError(f"`refine` needs a file of costs or a column of links ({named})")
    return given_costs(case, refine, least=0, most=LARGEST_GIVEN)


def _cost_of_action(texts: PddlTexts, action: str) -> int:
    """C̄ of an action: 1 if no schema adds to the costs, 0 if only its own does not."""
    name, *arguments = action[1:-1].split()
    schema = texts.schemas[name]
    words = schema.cost
    if words is None:
        return 1 if all(other.cost is None for other in texts.schemas.values()) else 0
    if not words:
        raise InputError(
            f"the cost of '{name}' must be one (increase (total-cost) ...) at the top level of its "
            "effect, by a number or a function such as (distance ?a ?b)",
            texts.domain_place,
        )
    if decimal(words[0]) is not None:
        with at(texts.domain_place):
            return whole(words[0], f"the cost of '{name}'", most=LARGEST_GIVEN, text=True)
    ground = dict(zip(schema.parameters, arguments, strict=True))
    return value_of(texts, f"({' '.join(ground.get(word, word) for word in words)})", action)


# Bounds


def _bounded(case: Case, model: CostModel, bounds: object) -> CostModel:
    if not isinstance(bounds, Mapping):
        raise InputError(f"bounds must be given by action, not as {shown(bounds)}")
    number = {action: place for place, action in enumerate(case.actions)}
    least, greatest = model.least.copy(), model.greatest.copy()
    for pattern, value in bounds.items():
        low, high = _range(value, f"the bound on {shown(pattern)}")
        named = _named(_action_name(case, pattern), number)
        if not named:
            raise InputError(f"no action is meant by the bound on {shown(pattern)}")
        least[named] = np.maximum(least[named], low)
        greatest[named] = np.minimum(greatest[named], high)
    for place in np.flatnonzero(least > greatest):
        message = f"the bounds on {case.actions[place]} contradict each other: "
        raise InputError(f"{message}at least {least[place]}, at most {greatest[place]}")
    return replace(model, least=least, greatest=greatest)


def _range(value: object, what: str) -> tuple[int, int]:
    """The least and the greatest cost that a bound allows."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        cost = whole(value, what, least=1, most=LARGEST_GIVEN)
        return cost, cost
    low, high = value
    return (
        1 if low is None else whole(low, what, most=LARGEST_GIVEN),
        UNBOUNDED if high is None else whole(high, what, least=1, most=LARGEST_GIVEN),
    )


def _named(pattern: str, number: Mapping[str, int]) -> list[int]:
    """The actions that a pattern stands for: in it ``*`` is any text, all else stands for itself.

    The name of an action stands for it alone.
    """
    if pattern in number:
        return [number[pattern]]
    fits = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL).fullmatch
    return [place for action, place in number.items() if fits(action)]

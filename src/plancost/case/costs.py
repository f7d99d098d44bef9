"""What is known of costs, and what they are made of: given costs, bounds, features."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plancost.case.model import (
    UNBOUNDED,
    Case,
    CostModel,
    Part,
    PddlTexts,
    StreetTable,
    linear_model,
    plain_model,
)
from plancost.case.streets import with_turns
from plancost.errors import InputError, UsageError
from plancost.files import read_json
from plancost.values import LARGEST_COST, LARGEST_GIVEN, at, decimal, shown, whole

TURNS = "turns"
"""The feature of streets that gives each class of turns a cost."""
NOT_FEATURES = ("link", "from", "to", "geometry")
"""Columns of links that say nothing of costs."""
Costs = Path | str | Mapping[str, Any] | Any
"""RESULT.json or a JSON mapping, a mapping, or an object with `costs`."""
_SCHEMA = "schema"
_TOKEN = re.compile(r"\([^()]*\)|[^\s()]+|\S")
_FINEST = 100_000
"""The smallest unit of numbers of links is one part in so many."""


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
    notes = list(case.notes)
    if not specs:
        model = plain_model(case.actions)
    elif case.streets is not None:
        model = linear_model(_street_parts(case, case.streets, specs, notes))
    else:
        assert case.pddl is not None
        model = linear_model(_pddl_parts(case, case.pddl, specs))
    if bounds is not None:
        path, given = _read(bounds)
        with at(path):
            model = _bounded(case, model, given)
    if refine is not False:
        initial = _initial(case, refine, notes)
        model = replace(model, initial=np.array(initial, dtype=np.int64))
    return replace(case, costs=model, notes=tuple(dict.fromkeys(notes)))


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
            raise InputError("these costs are of another case: none of its actions has one")
    values = tuple(found.get(name, 1) for name in case.actions)
    if not missing:
        return values, ()
    return values, (f"actions without a given cost have 1: {len(missing)}, such as {missing[0]}",)


def _read(given: Any) -> tuple[Path | None, Any]:
    """Costs or bounds, and the file that they are from."""
    if isinstance(given, Path | str):
        return Path(given), read_json(Path(given))
    return getattr(given, "path", None), given


def _action_name(case: Case, name: object) -> str:
    """A name as the case writes it: PDDL in lower case with single blanks, streets as they are."""
    if case.streets is not None:
        return str(name)
    words = " ".join(str(name).lower().split())
    return words if words.startswith("(") or words == "*" else f"({words})"


# Approximately known costs


def _initial(case: Case, refine: bool | Costs, notes: list[str]) -> Sequence[int]:
    table, texts = case.streets, case.pddl
    if refine is True and texts is not None:
        return [_cost_of_action(texts, action) for action in case.actions]
    if table is not None:
        columns = [name for name in table.columns if name not in NOT_FEATURES]
        if isinstance(refine, str) and refine in columns:
            values = _whole_column(table, refine, notes)
            return values + [1] * (len(case.actions) - len(values))
        if refine is True or (isinstance(refine, str) and not Path(refine).exists()):
            named = ", ".join(columns) or "there is none"
            raise UsageError(f"`refine` needs a file of costs or a column of links ({named})")
    given, more = given_costs(case, refine, least=0, most=LARGEST_GIVEN)
    notes += more
    return given


def _cost_of_action(texts: PddlTexts, action: str) -> int:
    """C̄ of an action: 1 if no schema adds to the costs, 0 if only its own does not."""
    name = action[1:-1].partition(" ")[0]
    words = texts.schemas[name].cost
    if words is None:
        return 1 if all(other.cost is None for other in texts.schemas.values()) else 0
    if not words:
        raise InputError(
            f"the cost of '{name}' must be one (increase (total-cost) ...) at the top level of its "
            "effect, by a number or a function such as (distance ?a ?b)",
            texts.domain_place,
        )
    if decimal(words[0]) is None:
        return _value(texts, words, action)
    with at(texts.domain_place):
        return whole(words[0], f"the cost of '{name}'", most=LARGEST_GIVEN, text=True)


def _value(texts: PddlTexts, words: Sequence[str], action: str) -> int:
    """What problems say that a function of the parameters of an action is."""
    term = f"({' '.join(_ground(texts, words, action))})"
    found: dict[int, str] = {}
    for text, place in texts.values.get(term, {}).items():
        with at(place):
            found.setdefault(whole(text, term, most=LARGEST_GIVEN, text=True), place)
    if not found:
        raise InputError(f"no problem gives a value to {term}, on which the cost of {action} rests")
    (value, place), *others = found.items()
    for other, where in others:
        raise InputError(f"{where}: {term} is {other}, but {place} says {value}")
    return value


def _ground(texts: PddlTexts, words: Sequence[str], action: str) -> list[str]:
    """Words with the arguments of an action in place of its parameters."""
    schema, *arguments = action[1:-1].split()
    ground = dict(zip(texts.schemas[schema].parameters, arguments, strict=True))
    return [ground.get(word, word) for word in words]


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
        cost = whole(value, f"{what}, a cost or [least, greatest],", least=1, most=LARGEST_GIVEN)
        return cost, cost
    low, high = value
    return (
        1 if low is None else whole(low, what, most=LARGEST_GIVEN),
        UNBOUNDED if high is None else whole(high, what, least=1, most=LARGEST_GIVEN),
    )


def _named(pattern: str, number: Mapping[str, int]) -> list[int]:
    """The actions that a pattern stands for: in it ``*`` is any text and ``?`` any character.

    The name of an action stands for it alone.
    """
    if pattern in number:
        return [number[pattern]]
    words = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    fits = re.compile(words, re.DOTALL).fullmatch
    return [place for action, place in number.items() if fits(action)]


# Features of streets


def _street_parts(
    case: Case, table: StreetTable, features: Sequence[str], notes: list[str]
) -> list[list[Part]]:
    known = (*(name for name in table.columns if name not in NOT_FEATURES), TURNS)
    for spec in features:
        if spec not in known:
            raise UsageError(f"there is no feature {shown(spec)}, only {', '.join(known)}")
    columns = {name: table.column(name) for name in features if name != TURNS}
    # A column with a number is one of numbers, as all in it must then be; others name classes.
    numeric = [name for name in columns if any(decimal(t) is not None for t in columns[name])]
    rows: list[list[Part]] = []
    for link, action in enumerate(case.actions[: len(table.rows)]):
        named = [(f"{name}={columns[name][link]}", 1) for name in columns if name not in numeric]
        rows.append(named or [("link" if numeric else action, 1)])
    for name in numeric:
        for parts, value in zip(rows, _whole_column(table, name, notes), strict=True):
            if value:
                parts.append((name, value))
    if TURNS in features:
        if not all(table.turns.values()):
            raise InputError("the feature turns needs turns.csv, or coordinates of links or nodes")
        rows += [[(f"turn={name}", 1)] for name in table.turns.values()]
    return rows


def _whole_column(table: StreetTable, name: str, notes: list[str]) -> list[int]:
    """The numbers of a column in a unit that makes them whole; a note names the unit."""
    exact = []
    texts = zip(table.column("link"), table.column(name), table.lines, strict=True)
    for link, text, line in texts:
        number = decimal(text)
        if number is None or number < 0:
            what = f"the {name} of link {shown(link)} must be a number >= 0"
            raise InputError(f"{what}, not {shown(text)}", table.source, line)
        exact.append(number)
    scale, denominators = 1, {number.denominator for number in exact}
    while scale < _FINEST and any(scale % denominator for denominator in denominators):
        scale *= 10
    if scale > 1:
        notes.append(f"numbers of {name} are counted in whole units of 1/{scale}")
    values = [round(number * scale) for number in exact]
    if max(values) > LARGEST_GIVEN:
        raise InputError(f"the column {name} has numbers that are too large", table.source)
    return values


# Features of PDDL


def _pddl_parts(case: Case, texts: PddlTexts, features: Sequence[str]) -> list[list[Part]]:
    known: dict[str, list[str]] = {}
    for spec in features:
        if spec != _SCHEMA:
            schema, *items = _TOKEN.findall(spec.lower()) or [""]
            _check_feature(spec, schema, items, texts)
            if schema in known:
                raise UsageError(f"two features speak of the action {schema}")
            known[schema] = items
    rows = []
    for action in case.actions:
        schema = action[1:-1].partition(" ")[0]
        is_shared = schema in known or _SCHEMA in features
        parts = _parts(action, known.get(schema, []), texts) if is_shared else []
        rows.append(parts or [(action, 1)])
    return rows


def _check_feature(spec: str, schema: str, items: Sequence[str], texts: PddlTexts) -> None:
    """Of what the cost of a schema depends: on parameters of it, or on functions of these."""
    if schema not in texts.schemas:
        listed = ", ".join(texts.schemas)
        raise UsageError(f"the feature {shown(spec)} names no action; there are {listed}")
    parameters = texts.schemas[schema].parameters
    terms = [item[1:-1].split() for item in items if item.startswith("(")]
    words = [item for item in items if not item.startswith("(")]
    arguments = [word for term in terms for word in term[1:] if word.startswith("?")]
    is_twofold = (terms and words) or len(set(items)) < len(items)
    if is_twofold or not all(terms) or not {*words, *arguments} <= {*parameters}:
        raise UsageError(
            f"the feature {shown(spec)} must name different parameters of {schema} "
            f"({' '.join(parameters)}), or different functions of them such as (f ?a)"
        )


def _parts(action: str, items: Sequence[str], texts: PddlTexts) -> list[Part]:
    """One cost for all actions that agree in some parameters, or one linear in functions."""
    schema = action[1:-1].partition(" ")[0]
    if not any(item.startswith("(") for item in items):
        shared = [word if word in items else "*" for word in texts.schemas[schema].parameters]
        return [(f"({' '.join((schema, *_ground(texts, shared, action)))})", 1)]
    values = [(term, _value(texts, term[1:-1].split(), action)) for term in items]
    linear = [(f"{schema}: {term}", value) for term, value in values if value]
    return [(f"{schema}: constant", 1), *linear]

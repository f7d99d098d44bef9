"""What costs are made of: one parameter an action, or a few shared by many through features."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from plancost.case.model import UNBOUNDED, Case, CostModel, Ints, PddlTexts, StreetTable
from plancost.case.values import LARGEST_GIVEN, at, decimal, shown, whole
from plancost.errors import InputError, UsageError

TURNS = "turns"
"""The feature of streets that gives each class of turns a cost."""
NOT_FEATURES = ("link", "from", "to", "geometry")
"""Columns of links that say nothing of costs."""

Part = tuple[str, int]
"""A parameter, and how often it is in the cost of an action."""

_SCHEMA = "schema"
_TOKEN = re.compile(r"\([^()]*\)|[^\s()]+|\S")
_FINEST = 100_000
"""The smallest unit of numbers of links is one part in so many."""


def plain_model(actions: Sequence[str]) -> CostModel:
    """Every action has a cost of its own, of at least 1."""
    number = np.arange(len(actions) + 1)
    return _model(actions, np.ones(len(actions)), number[:-1], number)


def feature_model(case: Case, features: Sequence[str]) -> tuple[CostModel, tuple[str, ...]]:
    """Costs are made of what the features say, and notes; turns must be in the case already."""
    notes: tuple[str, ...] = ()
    if case.streets is not None:
        rows, notes = _street_parts(case, case.streets, features)
    else:
        assert case.pddl is not None
        rows = _pddl_parts(case, case.pddl, features)
    number: dict[str, int] = {}
    columns = [number.setdefault(name, len(number)) for row in rows for name, _ in row]
    times = [times for row in rows for _, times in row]
    return _model(list(number), times, columns, np.cumsum([0, *map(len, rows)])), notes


def whole_column(table: StreetTable, name: str) -> tuple[list[int], tuple[str, ...]]:
    """The numbers of a column in a unit that makes them whole, and a note that names the unit."""
    exact = []
    for link, text in zip(_column(table, "link"), _column(table, name), strict=True):
        number = decimal(text)
        if number is None or number < 0:
            what = f"the {name} of link {shown(link)}"
            raise InputError(f"{what} must be a number >= 0, not {shown(text)}")
        exact.append(number)
    scale, denominators = 1, {number.denominator for number in exact}
    while scale < _FINEST and any(scale % denominator for denominator in denominators):
        scale *= 10
    values = [round(number * scale) for number in exact]
    if max(values) > LARGEST_GIVEN:
        raise InputError(f"the column {name} has numbers that are too large")
    note = f"numbers of {name} are counted in whole units of 1/{scale}"
    return values, (note,) if scale > 1 else ()


def value_of(texts: PddlTexts, term: str, action: str) -> int:
    """The value that problems give to a function, on which the cost of an action depends."""
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


def _model(
    parameters: Sequence[str], times: npt.ArrayLike, columns: npt.ArrayLike, starts: Ints
) -> CostModel:
    count = len(starts) - 1
    entries, places = np.asarray(times, dtype=np.int64), np.asarray(columns, dtype=np.int64)
    return CostModel(
        tuple(parameters),
        csr_array((entries, places, starts), shape=(count, len(parameters))),
        np.ones(count, dtype=np.int64),
        np.full(count, UNBOUNDED, dtype=np.int64),
    )


# Streets


def _street_parts(
    case: Case, table: StreetTable, features: Sequence[str]
) -> tuple[list[list[Part]], tuple[str, ...]]:
    known = (*(name for name in table.columns if name not in NOT_FEATURES), TURNS)
    for spec in features:
        if spec not in known:
            raise UsageError(f"there is no feature {shown(spec)}, only {', '.join(known)}")
    columns = [spec for spec in features if spec != TURNS]
    # A column with a number is one of numbers, as all in it must then be; others name classes.
    numeric = [
        name for name in columns if any(decimal(t) is not None for t in _column(table, name))
    ]
    rows: list[list[Part]] = []
    for action, row in zip(case.actions, table.rows, strict=False):
        fields = dict(zip(table.columns, row, strict=True))
        classes = [(f"{name}={fields[name]}", 1) for name in columns if name not in numeric]
        rows.append(classes or [("link" if numeric else action, 1)])
    notes: tuple[str, ...] = ()
    for name in numeric:
        values, more = whole_column(table, name)
        notes += more
        for parts, value in zip(rows, values, strict=True):
            if value:
                parts.append((name, value))
    if TURNS in features:
        if not all(table.turns.values()):
            raise InputError("the feature turns needs turns.csv, or coordinates of links or nodes")
        rows += [[(f"turn={name}", 1)] for name in table.turns.values()]
    return rows, notes


def _column(table: StreetTable, name: str) -> list[str]:
    place = table.columns.index(name)
    return [row[place] for row in table.rows]


# PDDL


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
        raise UsageError(f"the feature {shown(spec)} is of none of the actions {listed}")
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
    schema, *arguments = action[1:-1].split()
    ground = dict(zip(texts.schemas[schema].parameters, arguments, strict=True))
    if not any(item.startswith("(") for item in items):
        words = [word if name in items else "*" for name, word in ground.items()]
        return [(f"({' '.join((schema, *words))})", 1)]
    parts = [(f"{schema}: constant", 1)]
    for term in items:
        own = f"({' '.join(ground.get(word, word) for word in term[1:-1].split())})"
        value = value_of(texts, own, action)
        if value:
            parts.append((f"{schema}: {term}", value))
    return parts

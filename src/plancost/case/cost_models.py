"""What costs are made of: one parameter an action, or a few shared by many through features."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from plancost.case.columns import is_numeric, whole_column
from plancost.case.model import UNBOUNDED, Case, CostModel, Ints, PddlTexts, StreetTable
from plancost.case.values import LARGEST_GIVEN, shown, whole
from plancost.errors import InputError, UsageError

TURNS = "turns"
"""The feature of streets that gives each class of turns a cost."""

Part = tuple[tuple[str, str], int]
"""A parameter, by its kind and name, and how often it is in the cost of an action."""

_SCHEMA = "schema"
_TOKEN = re.compile(r"\([^()]*\)|[^\s()]+|\S")
_NOT_FEATURES = ("link", "from", "to", "geometry")


def plain_model(actions: Sequence[str]) -> CostModel:
    """Every action has a cost of its own, of at least 1."""
    number = np.arange(len(actions) + 1)
    return _model_of(actions, np.ones(len(actions)), number[:-1], number)


def feature_model(case: Case, features: Sequence[str]) -> tuple[CostModel, tuple[str, ...]]:
    """Costs are made of what the features say, and notes; turns must be in the case already."""
    twice = next((spec for spec in features if features.count(spec) > 1), None)
    if twice is not None:
        raise UsageError(f"the feature {shown(twice)} is given twice")
    if case.streets is not None:
        return _street_model(case, case.streets, features)
    if case.pddl is None:
        raise UsageError("features need PDDL or streets")
    return _pddl_model(case, case.pddl, features), ()


def _model(rows: Sequence[Sequence[Part]]) -> CostModel:
    """The model in which the cost of each action has these parts."""
    number: dict[tuple[str, str], int] = {}
    columns = [number.setdefault(name, len(number)) for row in rows for name, _ in row]
    times = [times for row in rows for _, times in row]
    starts = np.cumsum([0, *map(len, rows)])
    return _model_of([name for _, name in number], times, columns, starts)


def _model_of(
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


def _street_model(
    case: Case, table: StreetTable, features: Sequence[str]
) -> tuple[CostModel, tuple[str, ...]]:
    count = len(table.rows)
    known = [name for name in table.columns if name not in _NOT_FEATURES]
    for spec in features:
        if spec != TURNS and spec not in known:
            listed = ", ".join((*known, TURNS))
            raise UsageError(f"there is no feature {shown(spec)}, only {listed}")
    columns = [spec for spec in features if spec != TURNS]
    rows: list[list[Part]] = [[] for _ in case.actions]
    numeric = [name for name in columns if is_numeric(table, name)]
    notes: list[str] = []
    for name in columns:
        if name not in numeric:
            place = table.columns.index(name)
            for row, fields in zip(rows, table.rows, strict=False):
                row.append((("class", f"{name}={fields[place]}"), 1))
    for number, row in enumerate(rows[:count]):
        if not row:
            row.append((("all", "link") if numeric else ("", case.actions[number]), 1))
    for name in numeric:
        values, more = whole_column(table, name)
        notes += more
        for row, value in zip(rows, values, strict=False):
            if value:
                row.append((("column", name), value))
    _add_turns(case, table, features, rows[count:])
    return _model(rows), tuple(notes)


def _add_turns(
    case: Case, table: StreetTable, features: Sequence[str], rows: Sequence[list[Part]]
) -> None:
    """Turns cost what their class does if that is a feature; otherwise each has its own cost."""
    if TURNS in features and not table.turns:
        raise InputError(
            "nothing is known of turns: coordinates of links or nodes are needed, or turns.csv"
        )
    count = len(table.rows)
    classes = list(table.turns.values()) if TURNS in features else []
    for number, row in enumerate(rows):
        own = ("turn", f"turn={classes[number]}") if classes else ("", case.actions[count + number])
        row.append((own, 1))


# PDDL


@dataclass(frozen=True)
class _Feature:
    """What the cost of a schema depends on."""

    kept: tuple[str, ...] = ()
    """Parameters; actions that agree in them have one cost."""
    terms: tuple[tuple[str, ...], ...] = ()
    """Functions with their arguments; if there are any, the cost is linear in them."""


def _pddl_model(case: Case, texts: PddlTexts, features: Sequence[str]) -> CostModel:
    every = _SCHEMA in features and _SCHEMA not in texts.schemas
    known: dict[str, _Feature] = {}
    for spec in features:
        if spec == _SCHEMA and every:
            continue
        schema, feature = _feature(spec, texts)
        if schema in known:
            raise UsageError(f"two features speak of the action {schema}")
        known[schema] = feature
    rows = []
    for action in case.actions:
        schema, *arguments = action[1:-1].split()
        usual = _Feature() if every else None
        rows.append(list(_parts(action, schema, arguments, known.get(schema, usual), texts)))
    return _model(rows)


def _feature(spec: str, texts: PddlTexts) -> tuple[str, _Feature]:
    schema, *items = _TOKEN.findall(spec.lower()) or [""]
    if schema not in texts.schemas:
        _wrong(spec, f"the domain has no action {shown(schema)}, only {', '.join(texts.schemas)}")
    terms = tuple(tuple(item[1:-1].split()) for item in items if item.startswith("("))
    words = [item for item in items if not item.startswith("(")]
    if terms and words:
        _wrong(spec, "name parameters or functions, not both")
    if not all(terms) or len(set(terms)) < len(terms) or len(set(words)) < len(words):
        _wrong(spec, "something in it is empty or named twice")
    arguments = (word for term in terms for word in term[1:] if word.startswith("?"))
    for word in (*words, *arguments):
        if word not in texts.schemas[schema]:
            parameters = " ".join(texts.schemas[schema])
            _wrong(spec, f"{schema} has no parameter {shown(word)}, only {parameters}")
    return schema, _Feature(tuple(words), terms)


def _parts(
    action: str,
    schema: str,
    arguments: Sequence[str],
    feature: _Feature | None,
    texts: PddlTexts,
) -> Iterator[Part]:
    if feature is None:
        yield ("", action), 1
        return
    parameters = texts.schemas[schema]
    if not feature.terms:
        paired = zip(parameters, arguments, strict=True)
        words = [word if name in feature.kept else "*" for name, word in paired]
        yield ("class", f"({' '.join((schema, *words))})"), 1
        return
    value_of = dict(zip(parameters, arguments, strict=True))
    yield ("weight", f"{schema}: constant"), 1
    for term in feature.terms:
        ground = f"({' '.join(value_of.get(word, word) for word in term)})"
        if ground in texts.contradictions:
            raise InputError(texts.contradictions[ground])
        if ground not in texts.functions:
            raise InputError(f"no problem gives {ground} a value, which {action} needs")
        value = whole(texts.functions[ground], ground, most=LARGEST_GIVEN)
        if value:
            yield ("weight", f"{schema}: ({' '.join(term)})"), value


def _wrong(spec: str, why: str) -> NoReturn:
    raise UsageError(f"the feature {shown(spec)}: {why}")

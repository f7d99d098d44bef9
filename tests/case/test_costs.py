from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from plancost.case.costs import given_costs, with_costs
from plancost.case.model import UNBOUNDED, Case, Network, PddlTexts, Schema, Task, plain_model
from plancost.case.streets import street_case
from plancost.errors import InputError, UsageError

ACTIONS = (
    "(drive van a b)",
    "(drive van a[1] b)",
    "(drive car b a)",
    "(load p1 van)",
    "(load p1 van a)",
    "(wait)",
    "(drive * a b)",
    "(unload.all van)",
)
PARAMETERS = {"drive": "?v ?from ?to", "load": "?p ?v", "wait": "", "unload.all": "?v"}


def pddl(
    actions: tuple[str, ...] = ACTIONS,
    costs: dict[str, str] | None = None,
    values: dict[str, dict[str, str]] | None = None,
) -> Case:
    """`costs` of schemas are numbers or functions; `values` of functions have their places."""
    none = np.zeros(0, dtype=np.int64)
    world = Network(("s",), none, none, none)
    task = Task("p", 0, frozenset({0}), goal_states=frozenset({0}))
    schemas = {name: Schema(tuple(words.split())) for name, words in PARAMETERS.items()}
    for name, words in (costs or {}).items():
        schemas[name] = Schema(schemas[name].parameters, tuple(words.split()))
    texts = PddlTexts("", {}, schemas, values or {})
    return Case("c", actions, (world,), (task,), (), plain_model(actions), pddl=texts)


LINKS = [
    {"link": "ab", "from": "a", "to": "b", "metres": 10, "class": "lane", "toll": 0},
    {"link": "bc", "from": "b", "to": "c", "metres": 2.5, "class": "road", "toll": 3},
    {"link": "cb", "from": "c", "to": "b", "metres": 2.5, "class": "lane", "toll": 0},
]
TURNS = [{"link": "ab", "next": "bc", "class": "left"}]


def streets(**columns: list[Any]) -> Case:
    links = [dict(link) for link in LINKS]
    for name, values in columns.items():
        for link, value in zip(links, values, strict=True):
            link[name] = value
    return street_case(links, [["ab", "bc"]], turns=TURNS)


def parts(case: Case) -> list[dict[str, int]]:
    """Of each action: its parameters with what they are multiplied with."""
    model = case.costs
    return [
        {name: int(times) for name, times in zip(model.parameters, row, strict=True) if times}
        for row in model.matrix.toarray()
    ]


# Bounds

BOUNDED = [
    ("(drive van a b)", {0}),
    ("(DRIVE  van a B)", {0}),
    ("drive van a b", {0}),
    ("(drive van a[1] b)", {1}),
    ("(drive * a b)", {6}),  # the name of an action
    ("(drive * * b)", {0, 1, 6}),
    ("(drive va* *)", {0, 1}),
    ("(drive *)", {0, 1, 2, 6}),
    ("(drive van a* b)", {0, 1}),
    ("(drive van ? b)", {0}),
    ("(drive ??? *)", {0, 1, 2, 6}),
    ("(drive van a[?] b)", {1}),
    ("(load *)", {3, 4}),
    ("(load * van)", {3}),
    ("(*load* *)", {3, 4, 7}),
    ("(unload.all *)", {7}),
    ("*", set(range(8))),
]


@pytest.mark.parametrize(("pattern", "expected"), BOUNDED)
def test_bounds_speak_of_actions(pattern: str, expected: set[int]) -> None:
    model = with_costs(pddl(), bounds={pattern: [2, 5]}).costs
    assert set(np.flatnonzero(model.least == 2).tolist()) == expected
    assert set(np.flatnonzero(model.greatest == 5).tolist()) == expected
    assert set(model.least.tolist()) <= {1, 2} and set(model.greatest.tolist()) <= {5, UNBOUNDED}


def test_all_bounds_hold(tmp_path: Path) -> None:
    path = tmp_path / "bounds.json"
    path.write_text(json.dumps({"*": [None, 9], "(drive * * b)": [2, 5], "(drive van *)": [3, 7]}))
    model = with_costs(pddl(), bounds=path).costs
    assert (model.least[:3].tolist(), model.greatest[:3].tolist()) == ([3, 3, 1], [5, 5, 9])
    assert not model.is_plain and with_costs(pddl()).costs.is_plain
    named = street_case(
        [{"link": n, "from": "x", "to": "y"} for n in ("a*", "a.b", "axb")], [["a*"]]
    )
    for pattern, found in (("a*", [7, 1, 1]), ("a.*", [1, 7, 1]), ("*b", [1, 7, 7])):
        assert with_costs(named, bounds={pattern: 7}).costs.least.tolist() == found
    one = with_costs(pddl(), bounds={"(wait)": np.int64(4), "(*t)": [0, None]}).costs
    assert (one.least[5], one.greatest[5]) == (4, 4)


@pytest.mark.parametrize(
    "bounds",
    [
        {"(fly *)": 3},
        {"(drive van a[1-9] b)": 3},
        {"(wait)": 3, "*": [None, 2]},
        {"(wait)": [3, 2]},
        {"(wait)": [3]},
        {"(wait)": {"least": 3}},
        *({"(wait)": value} for value in (0, -1, 1.5, True, None, "3", math.nan, math.inf, 10**13)),
        *({"(wait)": [1, value]} for value in (0, 1.5, True, "3", math.nan)),
        ["(wait)"],
    ],
)
def test_wrong_bounds(bounds: Any) -> None:
    with pytest.raises(InputError):
        with_costs(pddl(), bounds=bounds)


# Features


def test_schemas_share_costs() -> None:
    case = with_costs(pddl(ACTIONS[:4]), features=("schema", "drive ?to ?v"))
    shared = ["(drive van * b)", "(drive van * b)", "(drive car * a)", "(load * *)"]
    assert parts(case) == [{name: 1} for name in shared]
    alone = with_costs(pddl(ACTIONS[:4]), features=("drive",))
    assert [list(row) for row in parts(alone)] == [["(drive * * *)"]] * 3 + [["(load p1 van)"]]


def test_costs_are_linear_in_functions() -> None:
    functions = {"(km a b)": 4, "(km a[1] b)": 0, "(km b a)": 7, "(toll b)": 2, "(toll a)": 0}
    values = {name: {str(value): "p"} for name, value in functions.items()}
    case = pddl(ACTIONS[:4], values=values)
    spec = "drive (KM ?from ?to)  (toll ?to) (toll b)"
    constant, km, toll = "drive: constant", "drive: (km ?from ?to)", "drive: (toll ?to)"
    assert parts(with_costs(case, features=(spec,))) == [
        {constant: 1, km: 4, toll: 2, "drive: (toll b)": 2},
        {constant: 1, toll: 2, "drive: (toll b)": 2},
        {constant: 1, km: 7, "drive: (toll b)": 2},
        {"(load p1 van)": 1},
    ]
    missing = {name: value for name, value in values.items() if name != "(km b a)"}
    with pytest.raises(InputError, match=r"km b a.*drive car b a"):
        with_costs(pddl(ACTIONS[:4], values=missing), features=(spec,))
    twofold = pddl(ACTIONS[:4], values=values | {"(toll b)": {"2": "one", "3": "other"}})
    with pytest.raises(InputError, match=r"other: \(toll b\) is 3, but one says 2"):
        with_costs(twofold, features=(spec,))
    assert with_costs(twofold, features=("drive",)).costs.parameters


WRONG_FEATURES = (
    "|fly|drive ?x|drive ?v ?v|drive ?v (km ?from)|drive (km ?x)|drive ()|drive v|(drive ?v)|"
    "drive (km ?from|drive (km ?v) (km ?v)|schema ?v|link|lanes"
)


@pytest.mark.parametrize("specs", [*zip(WRONG_FEATURES.split("|")), ("drive ?v", "drive")])
def test_wrong_features(specs: tuple[str, ...]) -> None:
    for case in (pddl(), streets()):
        with pytest.raises(UsageError):
            with_costs(case, features=specs)


def test_columns_of_links_make_costs() -> None:
    by_number = with_costs(streets(), features=("metres", "toll"))
    assert parts(by_number) == [
        {"link": 1, "metres": 100},
        {"link": 1, "metres": 25, "toll": 3},
        {"link": 1, "metres": 25},
    ]
    assert any("metres" in note and "10" in note for note in by_number.notes)
    lane, road = {"class=lane": 1}, {"class=road": 1}
    assert parts(with_costs(streets(), features=["class"])) == [lane, road, lane]
    both = with_costs(streets(), features=["toll", "class"])
    assert parts(both) == [lane, {**road, "toll": 3}, lane]


def test_turns_have_costs_by_class() -> None:
    case = with_costs(streets(), features=("turns",))
    assert case.actions == ("ab", "bc", "cb", "ab>bc", "bc>cb", "cb>bc")
    rows = parts(case)
    assert rows[:4] == [{"ab": 1}, {"bc": 1}, {"cb": 1}, {"turn=left": 1}]
    assert rows[4] == rows[5] != rows[3] and len(rows[4]) == 1
    mixed = parts(with_costs(streets(), features=("turns", "toll")))
    assert mixed[:3] == [{"link": 1}, {"link": 1, "toll": 3}, {"link": 1}] and mixed[3:] == rows[3:]
    with pytest.raises(InputError):
        with_costs(street_case(LINKS, [["ab"]]), features=("turns",))
    assert not case.costs.is_plain and streets().costs.is_plain


@pytest.mark.parametrize("values", [[1, -1, 2], [1, "", 2], [1, "x", 2], [1, math.nan, 2]])
def test_columns_are_numbers(values: list[Any]) -> None:
    questions: list[dict[str, Any]] = [{"refine": "hours"}, {"features": ("hours",)}]
    for asked in questions:
        with pytest.raises(InputError, match=r"^links:2: .*bc"):
            with_costs(streets(hours=values), **asked)


# Approximately known costs


@pytest.mark.parametrize("seed", range(100))
def test_a_column_is_refined_in_whole_units(seed: int) -> None:
    draws = random.Random(seed)
    places = draws.randint(0, 8)
    values = [round(draws.choice([0, draws.expovariate(0.1)]), places) for _ in LINKS]
    case = with_costs(streets(hours=values), refine="hours")
    assert case.costs.initial is not None
    pairs = list(zip(case.costs.initial.tolist(), map(Fraction, map(str, values)), strict=True))
    most = Fraction(1, 2) if places > 5 else 0
    assert any(all(abs(units - v * 10**n) <= most for units, v in pairs) for n in range(6))


def test_refining_the_pddl() -> None:
    free = with_costs(pddl(), refine=True).costs.initial
    assert free is not None and set(free.tolist()) == {1}
    values = {"(fare a)": {"3": "p", "3.0": "q"}, "(fare b)": {"0": "q"}, "(fare a[1])": {"1": "p"}}
    costly = pddl(costs={"wait": "7", "drive": "fare ?from"}, values=values)
    some = with_costs(replace(costly, actions=ACTIONS[:6]), refine=True).costs.initial
    assert some is not None and some.tolist() == [3, 1, 0, 0, 0, 7]
    for wrong in ({"3": "p", "4": "q"}, {"2.5": "p"}, {"-1": "p"}, {}):
        case = pddl(costs={"wait": "fare a"}, values={"(fare a)": wrong})
        with pytest.raises(InputError, match=r"\(fare a\)"):
            with_costs(case, refine=True)
    with pytest.raises(UsageError):
        with_costs(streets(), refine=True)
    with pytest.raises(UsageError):
        with_costs(streets(), refine="hours")


def test_refining_given_costs(tmp_path: Path) -> None:
    case = with_costs(streets(), refine={"ab": 0, "bc": np.int64(5)}, bounds={"ab": 3})
    assert case.costs.initial is not None and case.costs.initial.tolist() == [0, 5, 1]
    assert len(case.notes) == 1 and "cb" in case.notes[0]
    path = tmp_path / "costs.json"
    path.write_text('{"(WAIT)": 4}')
    initial = with_costs(pddl(), refine=str(path)).costs.initial
    assert initial is not None and initial.tolist() == [1, 1, 1, 1, 1, 4, 1, 1]
    turned = with_costs(streets(), refine="toll", features=("turns",)).costs.initial
    assert turned is not None and turned.tolist() == [0, 3, 0, 1, 1, 1]


def test_given_costs(tmp_path: Path) -> None:
    case = pddl(ACTIONS[:3])
    costs = {"(drive van a b)": 3, "(DRIVE  van a[1] b)": 2.0, "(drive car b a)": np.int64(7)}
    path = tmp_path / "RESULT.json"
    result = {"costs": costs | {"(drive car b a)": 7, "(elsewhere)": 4}}
    path.write_text(json.dumps(result))
    for given in (costs, result, path, str(path), SimpleNamespace(costs=costs)):
        assert given_costs(case, given) == ((3, 2, 7), ())
    few, notes = given_costs(case, {"(drive van a b)": 3})
    assert few == (3, 1, 1) and len(notes) == 1


@pytest.mark.parametrize("value", [0, -1, 1.5, True, "3", None, math.nan, 2**53, [1]])
def test_wrong_given_costs(value: Any) -> None:
    with pytest.raises(InputError, match="wait"):
        given_costs(pddl(), {"(wait)": value})


WRONG_COSTS = [
    *("", "[1", "3", "[3]", "{}", '{"(wait)": NaN}', '{"costs": {"(fly)": 2}}'),
    *(f'{{"(wait)": 1, "{other}": 1}}' for other in ("(wait)", "(WAIT)", "(fly)")),
]


@pytest.mark.parametrize("text", WRONG_COSTS)
def test_wrong_files_of_costs(text: str, tmp_path: Path) -> None:
    path = tmp_path / "costs.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"costs\.json"):
        given_costs(pddl(), path)

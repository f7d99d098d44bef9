"""RESULT.json read back: the same result, or one sentence that says what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import load_case
from plancost.results.reading import check_fits, read_result
from plancost.results.result import Result
from support.examples_of_results import VALID, damaged, places


def test_undecided_is_said(example_1: Path) -> None:
    options = LearnOptions(concept=Concept(Solution.ICF), alternatives="baseline")
    assert learn(example_1, options).to_json()["exists"] is None
    assert "exists" not in learn(example_1).to_json()


def test_known_costs_are_read(example_1: Path, tmp_path: Path) -> None:
    plans = sorted(path.name for path in example_1.glob("*.plan"))
    rows = [
        f"{plan.split('.')[0]}.pddl,{plan},{cost}"
        for plan, cost in zip(plans, ("7.5", ""), strict=True)
    ]
    manifest = example_1 / "bills.csv"
    manifest.write_text("\n".join(["problem,plan,cost", *rows]) + "\n")
    options = LearnOptions(soft_costs=True)
    result = learn(manifest, options, domain=example_1 / "domain.pddl")
    path = tmp_path / "RESULT.json"
    result.write(path)
    found = read_result(path)
    assert found.observations == result.observations
    assert found.observations[0].known_cost == Fraction(15, 2)
    assert found.deviation == result.deviation


def read(content: object, folder: Path) -> Result:
    path = folder / "RESULT.json"
    path.write_text(json.dumps(content))
    return read_result(path)


def test_the_example_is_valid(tmp_path: Path) -> None:
    assert read(VALID, tmp_path).to_json() == VALID


def test_later_versions_add_keys(tmp_path: Path) -> None:
    assert read({**VALID, "colour": "green"}, tmp_path).to_json() == VALID


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 2}, "format must be 1, not 2"),
        ({"solution": None}, "solution must be a text, not null"),
        ({"plans": True}, "plans must be a whole number, not true"),
        ({"plans": 1.5}, "plans must be a whole number, not 1.5"),
        ({"costs": []}, "costs must be an object"),
        ({"costs": {"(a)": 0}}, r"costs\.\(a\) must be 1 or more, not 0"),
        ({"secondary": {"value": 1}}, r"secondary\.lower_bound is missing"),
        ({"observations": [{}]}, r"observations\[0\]\.problem is missing"),
        ({"observations": [1]}, r"observations\[0\] must be an object, not 1"),
        ({"seconds": {"total": "long"}}, r"seconds\.total must be a number"),
        ({"notes": [1]}, r"notes\[0\] must be a text, not 1"),
        ({"exists": "no"}, "exists must be true or false"),
    ],
)
def test_one_sentence_names_what_is_wrong(
    change: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        read({**VALID, **change}, tmp_path)
    assert caught.value.path == tmp_path / "RESULT.json"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"(move a b)": 1}', "[" * 100_000, '"\\ud800"'])
def test_files_that_are_no_result(text: str, tmp_path: Path) -> None:
    (tmp_path / "RESULT.json").write_text(text)
    with pytest.raises(InputError):
        read_result(tmp_path / "RESULT.json")
    with pytest.raises(InputError, match="cannot read"):
        read_result(tmp_path / "missing.json")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    place=st.sampled_from(list(places(VALID))),
    value=st.sampled_from([None, True, 0, -1, 1.5, "x", [], {}, [1], {"a": 1}, "missing"]),
)
def test_damage_is_found_or_harmless(tmp_path: Path, place: tuple[Any, ...], value: object) -> None:
    content = damaged(VALID, place, value)
    try:
        found = read(content, tmp_path)
    except InputError:
        return
    json.dumps(found.to_json())
    assert isinstance(found.costs, dict)


def test_a_result_of_another_case(table_1: Path) -> None:
    case = load_case(table_1)
    result = learn(case)
    path = Path("RESULT.json")
    check_fits(result, case, path)
    one_less = dict(list(result.costs.items())[1:])
    one_more = {**result.costs, "(move a z)": 1}
    first = result.observations[0]
    for wrong, words in [
        (replace(result, costs=one_less), "there is no cost for"),
        (replace(result, costs=one_more), r"there is no action \(move a z\)"),
        (replace(result, observations=result.observations[1:]), "1 observed plans"),
        (replace(result, observations=result.observations[::-1]), "speaks of the plan p2.plan"),
        (
            replace(
                result, observations=(replace(first, cost=first.cost + 1), result.observations[1])
            ),
            "learn again",
        ),
        (
            replace(
                result,
                observations=(replace(first, rival=("(move b a)",)), result.observations[1]),
            ),
            "no plan of p1.pddl",
        ),
    ]:
        with pytest.raises(InputError, match=words):
            check_fits(wrong, case, path)

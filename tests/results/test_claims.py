"""Files of costs, plain ones and RESULT.json, with every way in which they can be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from conftest import DOMAIN, graph_problem
from plancost.api.learn import learn
from plancost.errors import InputError, UsageError
from plancost.learning.problem.concept import Concept, Solution
from plancost.observations.case import Case, load_case
from plancost.results.claims import (
    LearnedCosts,
    claims_of,
    contradiction,
    costs_for,
    read_claims,
    read_learned_costs,
)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "domain.pddl").write_text(DOMAIN)
    lengths = {("a", "b"): 3, ("b", "c"): 0}
    (folder / "p1.pddl").write_text(graph_problem("p", "abc", lengths, "a", "c"))
    (folder / "p1.plan").write_text("(move a b)\n(move b c)\n")
    return load_case(folder)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "costs.json"
    path.write_text(text)
    return path


def test_a_plain_object_and_a_result_file(case: Case, tmp_path: Path) -> None:
    costs = {"(move a b)": 4, "(MOVE  b c)": 1, "(move z z)": 9}
    for content in (costs, {"format": 1, "costs": costs, "plans": 2}):
        path = write(tmp_path, json.dumps(content))
        assert costs_for(case, path, least=1, default=None) == (4, 1)


def test_a_missing_action(case: Case, tmp_path: Path) -> None:
    path = write(tmp_path, '{"(move a b)": 4}')
    with pytest.raises(InputError, match=r"costs\.json: there is no cost for \(move b c\); .*N"):
        costs_for(case, path, least=0, default=None)
    assert costs_for(case, path, least=0, default=7) == (4, 7)


def test_costs_below_the_least(case: Case, tmp_path: Path) -> None:
    path = write(tmp_path, '{"(move a b)": 0, "(move b c)": 2}')
    assert costs_for(case, path, least=0, default=None) == (0, 2)
    with pytest.raises(InputError, match=r"\(move a b\) is 0; it must be 1 or more"):
        costs_for(case, path, least=1, default=None)
    path = write(tmp_path, '{"(move a b)": -3, "(move b c)": 2}')
    with pytest.raises(InputError, match=r"\(move a b\) is -3; it must be 0 or more"):
        costs_for(case, path, least=0, default=None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"(a)": true}', r"the cost of \(a\) must be a whole number, not true"),
        ('{"(a)": "3"}', r'the cost of \(a\) must be a whole number, not "3"'),
        ('{"(a)": 1.5}', r"the cost of \(a\) must be a whole number, not 1\.5"),
        ('{"(a)": null}', r"the cost of \(a\) must be a whole number, not null"),
        ('{"(a)": NaN}', r"costs.json:1: NaN is no number that JSON knows"),
        ('{"(a)": 1, "(a)": 1}', r"'\(a\)' occurs twice in this file"),
        ('{"(a b)": 1, "(A  B)": 2}', r"\(a b\) has two costs, 1 and 2"),
        ('{"(a)": 1', r"costs\.json:1: this is not JSON"),
        ("", r"costs\.json:1: this is not JSON"),
        ("[1, 2]", r"expected an object such as"),
        ("[" * 100_000, r"this JSON is nested too deeply"),
        ('{"(a)": ' + "9" * 5000 + "}", r"costs\.json:1: .* has 5000 digits"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_learned_costs(write(tmp_path, text))
    assert str(tmp_path / "costs.json") in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read this costs file \(No such file"):
        read_learned_costs(tmp_path / "costs.json")
    with pytest.raises(InputError, match="cannot read this costs file"):
        read_learned_costs(tmp_path)
    path = tmp_path / "costs.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        read_learned_costs(path)


def test_a_byte_order_mark(tmp_path: Path) -> None:
    assert read_learned_costs(write(tmp_path, '\ufeff{"(a)": 2}')).costs == {"(a)": 2}


def test_costs_beyond_exact_arithmetic(case: Case, tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps({"(move a b)": 10**30, "(move b c)": 1}))
    with pytest.raises(InputError, match=r"costs\.json: \(move a b\) costs 10+; costs are counted"):
        costs_for(case, path, least=1, default=None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"costs": {"(a)": 1, "(b)": "x"}}, r'costs\.\(b\) must be a whole number, not "x"'),
        ({"costs": [1]}, r"costs must be an object, not \[1\]"),
        ({"shared": {"(a *)": 0}}, r"shared\.\(a \*\) must be 1 or more, not 0"),
        ({"linear": {"a": {"constant": -1}}}, r"linear\.a\.constant must be 0 or more, not -1"),
        ({"linear": {"a": {}, "b": 3}}, r"linear\.b must be an object, not 3"),
        ({"groups": [{"name": "g"}]}, r"groups\[0\]\.costs is missing"),
        ({"groups": {"g": {}}}, r"groups must be a list, not "),
        ({"observations": [{"plan": "x"}]}, r"observations\[0\]\.problem is missing"),
        (
            {"observations": [{"problem": "p", "plan": "x", "cost": 1.5}]},
            r"observations\[0\]\.cost must be a whole number, not 1\.5",
        ),
    ],
)
def test_results_that_are_wrong(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = write(tmp_path, json.dumps({"format": 1, "costs": {"(a)": 1}, **change}))
    with pytest.raises(InputError, match=message):
        read_claims(path)


def test_a_result_without_costs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="costs is missing"):
        read_learned_costs(write(tmp_path, '{"format": 1, "plans": 2}'))


def test_the_concept_of_a_result(tmp_path: Path) -> None:
    def concept(**keys: object) -> Concept:
        return read_claims(write(tmp_path, json.dumps({"format": 1, **keys}))).concept

    assert concept() == Concept()
    assert concept(solution="icf", strict=True) == Concept(Solution.ICF, strict=True)
    assert concept(solution="scf", strict=True) == Concept(Solution.SCF)
    with pytest.raises(InputError, match=r'solution must be one of .*, not "magic"'):
        concept(solution="magic")
    with pytest.raises(InputError, match=r"options\.ties must be one of .*, not 3"):
        concept(options={"ties": 3})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, None),
        ({"optimal_plans": 0}, "0 optimal plans; the check finds 1"),
        ({"optimal_plans": 0, "verified": False}, None),
        ({"observations": []}, None),
    ],
)
def test_a_claim_beside_a_check(
    case: Case, tmp_path: Path, change: dict[str, Any], said: str | None
) -> None:
    result = learn(case)
    claims = read_claims(write(tmp_path, json.dumps(result.to_json() | change)))
    assert contradiction(claims, result) == said


def test_a_claim_about_a_plan(case: Case, tmp_path: Path) -> None:
    result = learn(case)
    content = result.to_json()
    content["observations"][0] |= {"optimal": None, "cost": 7}
    said = contradiction(read_claims(write(tmp_path, json.dumps(content))), result)
    assert said == f"of p1.plan that cost is 7; the check finds {result.observations[0].cost}"


def test_costs_in_any_form(table_1: Path, tmp_path: Path) -> None:
    """A path, a text, a mapping, a Series, a result and its content say the same."""
    result = learn(table_1)
    file = tmp_path / "r.json"
    result.write(str(file))
    given: list[Any] = [file, str(file), result, result.costs, pd.Series(result.costs)]
    given += [result.to_json(), {name: np.int64(cost) for name, cost in result.costs.items()}]
    for some in given:
        claims = claims_of(some)
        assert claims.costs == result.costs and claims_of(claims) is claims
        assert {type(cost) for cost in (claims.costs or {}).values()} == {int}
        assert costs_for(load_case(table_1), some, least=1, default=None)
    learned = LearnedCosts({"(a)": 1}, {"(b *)": 2}, {"c": {"constant": 3}})
    assert claims_of(learned).learned() == learned
    assert claims_of({"Main St": 3}, exact_names=True).costs == {"Main St": 3}


@pytest.mark.parametrize(
    ("cost", "shown"),
    [(5.5, "5.5"), (float("nan"), "NaN"), ("5", '"5"'), (True, "true"), (None, "null")],
)
def test_a_mapping_is_checked_as_a_file_is(cost: object, shown: str, tmp_path: Path) -> None:
    message = rf"the cost of \(a\) must be a whole number, not {shown}$"
    with pytest.raises(InputError, match=f"^{message}"):
        claims_of({"(a)": cost})  # type: ignore[dict-item]
    if shown != "NaN":
        file = tmp_path / "costs.json"
        file.write_text(json.dumps({"(a)": cost}))
        with pytest.raises(InputError, match=message):
            claims_of(file)


def test_what_are_no_costs() -> None:
    with pytest.raises(UsageError, match="costs must be a path, a mapping or a Result, not 5"):
        claims_of(5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"an action is a text such as '\(move a b\)', not 3"):
        claims_of({3: 5})  # type: ignore[dict-item]

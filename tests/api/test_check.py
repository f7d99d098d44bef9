"""Checking costs that are given: for all plans, for parameters, for groups."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plancost.api.check import explain, verify
from plancost.api.learn import learn
from plancost.errors import InputError, UsageError
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import load_case


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content))
    return path


def test_costs_of_a_file_are_checked_and_explained(example_1: Path, tmp_path: Path) -> None:
    case = load_case(example_1)
    costs = {name: 2 if name == "(move a b)" else 1 for name in case.actions}
    file = written(tmp_path / "costs.json", costs)
    checked = verify(case, file)
    assert [item.optimal for item in checked.observations] == [True, False]
    assert (checked.costs, checked.alternatives, checked.upper_bound) == (costs, "given", 2)
    assert checked.observations[1].explanation is None
    explained = explain(case, file)
    assert explained.observations[0].explanation is None
    assert explained.observations[1].explanation is not None


def test_actions_that_are_missing(example_1: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "costs.json", {"(move a b)": 3})
    with pytest.raises(InputError, match=r"costs\.json"):
        verify(example_1, file)
    found = verify(example_1, file, LearnOptions(default_cost=1))
    assert (found.costs["(move a b)"], found.costs["(move b a)"]) == (3, 1)
    assert found.optimal_plans == 1


def test_costs_as_parameters(table_1: Path, tmp_path: Path) -> None:
    """One cost for all moves: costs that differ are none of those."""
    options = LearnOptions(share=("schema",))
    case = load_case(table_1)
    same = written(tmp_path / "same.json", dict.fromkeys(case.actions, 4))
    found = verify(case, same, options)
    assert set(found.costs.values()) == {4}
    other = written(
        tmp_path / "other.json", {name: n for n, name in enumerate(case.actions, start=1)}
    )
    with pytest.raises(InputError, match="but both share the cost of"):
        verify(case, other, options)


def test_each_plan_under_the_costs_of_its_group(example_1: Path, tmp_path: Path) -> None:
    result = learn(example_1, LearnOptions(groups=2))
    assert result.optimal_plans == 2
    file = written(tmp_path / "RESULT.json", result.to_json())
    again = verify(example_1, file)
    assert [item.optimal for item in again.observations] == [True, True]
    assert [item.group for item in again.observations] == [o.group for o in result.observations]


def test_groups_of_a_manifest_are_cases_of_their_own(example_1: Path, tmp_path: Path) -> None:
    manifest, domain = example_1 / "seen.csv", example_1 / "domain.pddl"
    manifest.write_text("problem,plan,group\np1.pddl,p1.plan,mara\np2.pddl,p2.plan,ole\n")
    result = learn(manifest, domain=domain)
    file = written(tmp_path / "RESULT.json", result.to_json())
    again = verify(manifest, file, domain=domain)
    assert [item.group for item in again.observations] == ["mara", "ole"]
    assert (again.optimal_plans, again.verified) == (2, True)
    assert [group.costs for group in again.groups] == [group.costs for group in result.groups]


def test_a_result_says_which_plans_count_as_optimal(example_1: Path) -> None:
    """As on the command line: unless options or keywords say otherwise."""
    result = learn(str(example_1), solution="icf", max_cost=9)
    assert verify(example_1, result).solution == "icf"
    assert verify(example_1, result, solution="mcf").solution == "mcf"
    assert verify(example_1, result, LearnOptions()).solution == "mcf"
    assert verify(example_1, result.costs).solution == "mcf"
    assert explain(example_1, result).options["max_cost"] == 9
    assert "max_cost" not in explain(example_1, result, LearnOptions()).options


def test_wrong_calls_are_one_sentence(example_1: Path) -> None:
    with pytest.raises(UsageError, match="case must be a path"):
        learn(5)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="options must be LearnOptions"):
        learn(example_1, {"jobs": 2})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="time_limit_s takes a number of seconds, not '60'"):
        learn(example_1, time_limit_s="60")


def test_initial_costs_in_any_form(table_1: Path, tmp_path: Path) -> None:
    first = learn(table_1)
    first.write(tmp_path / "r.json")
    found = [
        learn(table_1, initial_costs=given).to_json()
        for given in (first, first.costs, str(tmp_path / "r.json"))
    ]
    assert found[0]["secondary"] == found[1]["secondary"] == found[2]["secondary"]
    assert found[0]["secondary"]["value"] == 0 and found[0]["refined"]

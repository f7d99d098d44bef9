"""Plans that must be optimal: against all cost functions, and through the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from conftest import WriteGraphCase
from plancost.api.check import explain
from plancost.api.learn import learn
from plancost.cli.main import main
from plancost.errors import InputError, UsageError
from support.required import Example, check_answer, demanding_tasks

WAYS = {(a, b): 1 for a in "abc" for b in "abc" if a != b}
CLASH = ["acb", "abc"]
"""Each goes around by the other's way: at most one of them is optimal."""


@settings(max_examples=100, deadline=None)
@given(demanding_tasks())
def test_the_best_of_all_costs_under_which_they_are_optimal(example: Example) -> None:
    check_answer(example)


def test_one_of_two_that_clash(write_graph_case: WriteGraphCase) -> None:
    case = write_graph_case(WAYS, CLASH)
    names = [item.plan for item in learn(case).observations]
    for name in names:
        result = learn(case, require=[name])
        assert [item.plan for item in result.observations if item.optimal] == [name]
        assert (result.optimal_plans, result.upper_bound, result.proved) == (1, 1, True)
        assert result.secondary.proved and result.options["require"] == [name]
        assert result.history[-1][1:] == (1, 1)
    with pytest.raises(InputError, match=r"all of these plans optimal: .*do not require one of"):
        learn(case, require=names)


def test_alone_it_is_impossible(write_graph_case: WriteGraphCase) -> None:
    case = write_graph_case(WAYS, ["abac", "ab"])
    name = learn(case).observations[0].plan
    with pytest.raises(InputError, match=r"make this plan optimal: .*do not require it"):
        learn(case, require=[name])


def test_what_is_not_found_in_time_is_not_proven(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the bound nor the secondary cost speaks of costs that miss a required plan."""
    case = write_graph_case(WAYS, CLASH)
    monkeypatch.setattr("plancost.api.learn.learn_exactly", lambda *_: None)
    result = learn(case, require=["p1.plan"])
    assert (result.optimal_plans, result.upper_bound, result.proved) == (0, 2, False)
    assert not result.secondary.proved
    assert any("required and not optimal" in note and "p1.plan" in note for note in result.notes)
    assert main(["learn", str(case), "--require", "p1.plan", "--quiet"]) == 4


def test_what_it_does_not_go_with(write_graph_case: WriteGraphCase) -> None:
    case = write_graph_case(WAYS, CLASH)
    name = learn(case).observations[0].plan
    for options in ({"choose": "mean"}, {"groups": 2}, {"alternatives": "3"}):
        with pytest.raises(UsageError, match="require"):
            learn(case, require=[name], **options)
    with pytest.raises(InputError, match=r"require 'x\.plan': no observed plan is called so"):
        learn(case, require=["x.plan"])


def test_left_out_it_is_as_if_it_had_not_been_seen(
    write_graph_case: WriteGraphCase, tmp_path: Path
) -> None:
    case = write_graph_case(WAYS, CLASH)
    whole = learn(case)
    lost = next(item.plan for item in whole.observations if not item.optimal)
    file = tmp_path / "result.json"
    assert main(["learn", str(case), "--drop", lost, "--output", str(file), "--quiet"]) == 0
    result = learn(case, drop=[lost])
    assert (result.plans, result.optimal_plans, result.proved) == (1, 1, True)
    assert result.costs.keys() == whole.costs.keys()
    assert explain(case, file).plans == 1
    page = tmp_path / "page.html"
    words = ["report", str(case), str(file), "--output", str(page), "--quiet"]
    assert main(words) == 0
    with pytest.raises(InputError, match="leaves no plan"):
        learn(case, drop=[item.plan for item in whole.observations])

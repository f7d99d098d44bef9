"""The way from a strategy to a result: what ends early loses nothing, what is wrong counts not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from plancost.api import pipeline
from plancost.api.pipeline import check_given, learn_by, least_factors_of, not_learned
from plancost.errors import PlannerError, SolverError
from plancost.learning.diagnose.least_factors import LeastFactor, find_least_factor
from plancost.learning.exact.strategy import learn_exactly
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.verification import Verdict
from plancost.observations.case import load_case
from plancost.system.clock import Deadline, TimeIsUp


@pytest.fixture
def task(example_1: Path) -> LearningTask:
    """Two plans of which one can be optimal; under equal costs none is."""
    return LearningTask(load_case(example_1), Concept(), None)


def run_on(task: LearningTask, options: LearnOptions = LearnOptions()) -> Run:  # noqa: B008
    return Run.of(task.case, options)


def best_costs(task: LearningTask) -> tuple[int, ...]:
    """Costs that make the first plan optimal, and not the second."""
    dear = {"(move a b)": 2}
    return tuple(dear.get(name, 1) for name in task.case.actions)


def test_a_strategy_that_does_nothing_leaves_the_baseline(task: LearningTask) -> None:
    result = learn_by(lambda *_: None, run_on(task), Incumbent.baseline(task))
    assert (result.optimal_plans, result.upper_bound, result.proved) == (0, 2, False)
    assert result.verified
    assert set(result.costs.values()) == {1}


def test_what_was_found_before_ctrl_c_is_checked_and_kept(task: LearningTask) -> None:
    def interrupted(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
        incumbent.improve((frozenset([0]), best_costs(task)))
        raise KeyboardInterrupt

    result = learn_by(interrupted, run_on(task), Incumbent.baseline(task))
    assert result.interrupted
    assert result.verified
    assert (result.optimal_plans, result.upper_bound, result.proved) == (1, 2, False)
    assert result.costs["(move a b)"] == 2


def test_a_planner_that_fails_ends_learning_and_is_named(task: LearningTask) -> None:
    def fails(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
        incumbent.improve((frozenset([0]), best_costs(task)))
        raise PlannerError("the planner crashed")

    result = learn_by(fails, run_on(task), Incumbent.baseline(task))
    assert (result.optimal_plans, result.interrupted) == (1, False)
    assert result.failures == ("the planner crashed",)


def test_claims_that_the_check_refutes_do_not_count(task: LearningTask) -> None:
    def boasts(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
        incumbent.improve((frozenset([0, 1]), best_costs(task)))

    result = learn_by(boasts, run_on(task), Incumbent.baseline(task))
    assert (result.believed_optimal, result.optimal_plans, result.proved) == (2, 1, False)


def test_the_strategy_has_a_part_of_the_time(task: LearningTask) -> None:
    seen: list[float | None] = []
    run = run_on(task).until(Deadline.after(100.0))
    learn_by(lambda own, *_: seen.append(own.deadline.remaining()), run, Incumbent.baseline(task))
    (remaining,) = seen
    assert remaining is not None
    assert 50 < remaining < 100


def test_a_certificate_has_a_part_of_the_time(task: LearningTask) -> None:
    """On state graphs learning may otherwise take all but the time for the check."""
    seen: list[tuple[float | None, float | None]] = []
    for options in (LearnOptions(), LearnOptions(certificate=True)):
        run = run_on(task, options).until(Deadline.after(100.0))
        learn_by(
            lambda own, *_: seen.append((own.deadline.remaining(), own.ends.at)),
            run,
            Incumbent.baseline(task),
        )
    (plain, until), (certified, never) = seen
    assert plain is not None and certified is not None
    assert 50 < certified < 65 < 75 < plain
    assert until is not None and never is None


def test_ranges_need_a_proof(task: LearningTask) -> None:
    options = LearnOptions(ranges=True)
    open_result = learn_by(lambda *_: None, run_on(task, options), Incumbent.baseline(task))
    assert open_result.ranges is None
    assert any(note.startswith("no ranges: they need") for note in open_result.notes)
    proven = learn_by(learn_exactly, run_on(task, options), Incumbent.baseline(task))
    assert proven.ranges is not None
    assert proven.secondary.proved


def test_costs_outside_of_what_is_known_are_said(task: LearningTask) -> None:
    bounded = replace(task, ranges=((1, 1),) * len(task.case.actions))

    def breaks(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
        incumbent.improve((frozenset([0]), best_costs(task)))

    result = learn_by(breaks, run_on(bounded), Incumbent.baseline(bounded))
    assert "these costs do not keep to what is known: none were found in time" in result.notes


def test_a_plan_counts_in_the_group_that_claims_it(task: LearningTask) -> None:
    """It is optimal under both cost functions; the group with more optimal plans comes first."""

    def claims(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
        once, twice = best_costs(task), tuple(2 * cost for cost in best_costs(task))
        incumbent.improve((frozenset(), once), (frozenset([0]), twice))

    incumbent = Incumbent.baseline(task, ["group-1", "group-2"])
    first, second = learn_by(claims, run_on(task), incumbent).observations
    assert (first.group, first.cost, first.optimal) == ("group-1", 4, True)
    assert (second.group, second.cost, second.optimal) == ("group-2", 3, False)


@pytest.mark.parametrize("explaining", [False, True])
def test_given_costs_are_checked_and_perhaps_explained(
    task: LearningTask, explaining: bool
) -> None:
    incumbent = Incumbent.baseline(task)
    incumbent.only.costs = best_costs(task)
    result = check_given(run_on(task), incumbent, {}, explaining=explaining)
    assert [item.optimal for item in result.observations] == [True, False]
    explained = result.observations[1].explanation
    assert (explained is not None and "reason" in explained) is explaining


def test_ctrl_c_ends_a_check(task: LearningTask, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "check_incumbent", interrupted)
    with pytest.raises(KeyboardInterrupt):
        check_given(run_on(task), Incumbent.baseline(task), {}, explaining=False)


def test_a_check_that_is_ended_has_said_what_it_knows(
    task: LearningTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its time is up after one plan: that one is counted, the other is open."""

    def ended(_: Run, __: Incumbent, ___: object, found: list[list[Verdict]]) -> None:
        found[0][0] = replace(found[0][0], optimal=True, optimal_cost=found[0][0].cost)
        raise TimeIsUp

    monkeypatch.setattr(pipeline, "check_incumbent", ended)
    result = check_given(run_on(task), Incumbent.baseline(task), {}, explaining=False)
    assert [item.optimal for item in result.observations] == [True, None]
    assert result.optimal_plans == 1
    assert not result.verified


def test_what_was_not_come_to_is_open(task: LearningTask) -> None:
    result = not_learned(run_on(task), task)
    assert result.interrupted
    assert not result.verified
    assert [item.optimal for item in result.observations] == [None, None]


def test_one_factor_that_is_not_found_leaves_the_others(
    task: LearningTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_once(run: Run, task: LearningTask, candidate: int) -> LeastFactor:
        if candidate == 0:
            raise SolverError("HiGHS is tired")
        return find_least_factor(run, task, candidate)

    monkeypatch.setattr(pipeline, "find_least_factor", fails_once)
    failures: list[str] = []
    found = least_factors_of(run_on(task), task, failures)
    assert found[0] == LeastFactor(None, None)
    assert found[1].infimum == 1
    assert failures == ["HiGHS is tired"]

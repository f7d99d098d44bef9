"""Learning goes on for as long as the check of the answer does not need the time."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from plancost.api import pipeline
from plancost.api.learn import learn
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.exact.time_for_checking import end_of_learning
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.verify.incumbent import check_incumbent
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE
from support.grid_walks import grid_case, random_walks

NOW = 1000.0


def end(
    monkeypatch: pytest.MonkeyPatch,
    limit_s: float | None,
    check_s: float = 0.0,
    oracle: OracleName = OracleName.AUTO,
    used_s: float = 0.0,
) -> float | None:
    """When learning ends, in seconds from now, if the longest check so far took so long."""
    task = LearningTask(grid_case(3, random_walks(3, 2, 1, 0)), Concept(), None)
    options = LearnOptions(oracle=oracle)
    subproblem = first_subproblem(Run.of(task.case, options), task)
    subproblem.longest_check_s = check_s
    monkeypatch.setattr(time, "monotonic", lambda: NOW - used_s)
    run = Run.of(task.case, options)
    monkeypatch.setattr(time, "monotonic", lambda: NOW)
    whole = Deadline.after(limit_s)
    run = replace(run, deadline=whole.share(SCHEDULE.learning), ends=whole)
    found = end_of_learning(run, subproblem)
    return None if found.at is None else found.at - NOW


def test_the_check_gets_what_it_is_expected_to_need(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = SCHEDULE.checking_s + SCHEDULE.explaining_s
    assert end(monkeypatch, 120.0) == pytest.approx(120.0 - needed)
    needed = SCHEDULE.checking_times * 3.0 + SCHEDULE.explaining_s
    assert end(monkeypatch, 120.0, 3.0) == pytest.approx(120.0 - needed)


def test_after_a_long_time_explaining_gets_more(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = SCHEDULE.checking_s + SCHEDULE.least_explaining * 400.0
    assert end(monkeypatch, 120.0, used_s=400.0) == pytest.approx(120.0 - needed)


def test_no_more_is_set_aside_than_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    assert end(monkeypatch, 120.0, 50.0) == pytest.approx(120.0 * SCHEDULE.learning)
    assert end(monkeypatch, 5.0) == pytest.approx(5.0 * SCHEDULE.learning)
    assert end(monkeypatch, None) is None


def test_where_planners_check_it_is_a_fixed_part(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_s = 120.0
    found = end(monkeypatch, limit_s, oracle=OracleName.FAST_DOWNWARD)
    assert found == pytest.approx(limit_s * SCHEDULE.learning)


def test_the_longest_check_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    task = LearningTask(grid_case(3, random_walks(3, 2, 1, 0)), Concept(), None)
    subproblem = first_subproblem(Run.of(task.case, LearnOptions()), task)
    looks = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: 7.0 * next(looks))
    subproblem.check(task.baseline, frozenset([0]), Deadline())
    assert subproblem.longest_check_s >= 7.0


def test_a_run_uses_the_time_of_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question takes a second, so that nothing is proven: learning ends late, in time."""
    relax, real = Subproblem.relax, time.monotonic
    slept, checked = [0.0], []

    def slow(self: Subproblem, *arguments: object, **named: object) -> object:
        slept[0] += 1.0
        return relax(self, *arguments, **named)  # type: ignore[arg-type]

    def noted(*arguments: object) -> None:
        checked.append(time.monotonic())
        check_incumbent(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(time, "monotonic", lambda: real() + slept[0])
    monkeypatch.setattr(Subproblem, "relax", slow)
    monkeypatch.setattr(pipeline, "check_incumbent", noted)
    began = time.monotonic()
    case = grid_case(6, random_walks(6, 60, 10, 2))
    assert not learn(case, LearnOptions(time_limit_s=100.0, jobs=1)).proved
    assert 100 * SCHEDULE.learning + 5 < checked[0] - began < 100
    assert time.monotonic() - began < 100 + 2, "one more question after its time was up"

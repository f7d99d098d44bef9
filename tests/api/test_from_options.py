"""From options to the learning task: what each of them becomes."""

from __future__ import annotations

import logging
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from plancost.api.from_options import Request, learning_task, log_case
from plancost.errors import UsageError
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.observations.bounds_files import CostBound
from plancost.observations.case import Case, load_case
from plancost.observations.plan_costs import Tolerance
from plancost.system.clock import Deadline


@pytest.fixture
def case(table_1: Path) -> Case:
    return load_case(table_1)


def task_of(case: Case, **options: object) -> LearningTask:
    return learning_task(case, LearnOptions(**options), Deadline())  # type: ignore[arg-type]


def known(case: Case, *costs: str) -> Case:
    """The same case, with known costs of its first plans."""
    found = [
        replace(observation, source=replace(observation.source, cost=cost))
        for observation, cost in zip(case.observations, costs, strict=False)
    ]
    return replace(case, observations=(*found, *case.observations[len(found) :]))


def test_nothing_is_asked_beyond_the_concept(case: Case) -> None:
    task = task_of(case, concept=Concept(Solution.SCF))
    assert task == LearningTask(case, Concept(Solution.SCF), None)


def test_initial_costs(case: Case, tmp_path: Path) -> None:
    from_pddl = task_of(case, refine=True)
    assert from_pddl.initial_costs is not None
    lengths = dict(zip(case.actions, from_pddl.initial_costs, strict=True))
    assert (lengths["(move a b)"], lengths["(move d f)"]) == (2, 1)
    (tmp_path / "costs.json").write_text('{"(move a b)": 0}')
    from_file = task_of(case, initial_costs=tmp_path / "costs.json", default_cost=7)
    assert from_file.initial_costs is not None
    assert sorted(set(from_file.initial_costs)) == [0, 7]
    given = learning_task(case, LearnOptions(refine=True), Deadline(), dict.fromkeys(lengths, 5))
    assert set(given.initial_costs or ()) == {5}


def test_bounds_and_factors(case: Case) -> None:
    bounded = task_of(case, bounds=(CostBound("(move a *)", 2, 3),), max_cost=9)
    assert bounded.ranges is not None
    ranges = dict(zip(case.actions, bounded.ranges, strict=True))
    assert (ranges["(move a b)"], ranges["(move b a)"]) == ((2, 3), (1, 9))
    assert task_of(case, suboptimality=Fraction(3, 2)).factors == (Fraction(3, 2),) * 2
    assert task_of(case, suboptimality=Fraction(1)).factors is None
    with pytest.raises(UsageError, match="suboptimality goes with solution='mcf' or icf"):
        task_of(case, concept=Concept(Solution.SCF), suboptimality=Fraction(2))


def test_known_costs(case: Case) -> None:
    some = known(case, "7")
    (hard,) = task_of(some).known
    assert (hard.observation, hard.least, hard.greatest) == (0, Fraction(7), Fraction(7))
    assert task_of(some).most_deviation is None
    (wide,) = task_of(some, cost_tolerance=Tolerance(Fraction(1, 2))).known
    assert (wide.least, wide.greatest) == (Fraction(13, 2), Fraction(15, 2))
    assert task_of(some, ignore_costs=True).known == ()
    assert task_of(known(case, "1"), soft_costs=True).most_deviation == 1, "two steps cost 2"
    assert task_of(case, soft_costs=True).most_deviation is None


def test_shared_and_linear_costs(case: Case) -> None:
    assert task_of(case, share=("schema",)).parameters == ("(move * *)",)
    linear = task_of(case, linear=("move (length ?a ?b)",))
    assert linear.parameters == ("move: constant", "move: (length ?a ?b)")
    without = replace(case, domain=None)
    with pytest.raises(UsageError, match="linear speaks of the parameters in PDDL"):
        task_of(without, linear=("move (length ?a ?b)",))
    with pytest.raises(UsageError, match="share speaks of"):
        task_of(without, share=("schema",))


def test_a_run_on_files_and_on_a_loaded_case(table_1: Path, case: Case) -> None:
    options = LearnOptions(time_limit_s=50.0, jobs=2)
    with Request(case, options).run() as (run, loaded):
        assert loaded is case
        assert run.options is options
        remaining = run.deadline.remaining()
        assert remaining is not None
        assert 40 < remaining <= 50
        assert run.executor.width == 2
    with Request(table_1, options).run() as (run, loaded):
        assert loaded.actions == case.actions
        assert "grounding" in run.stopwatch.seconds()


def test_what_is_asked_is_logged(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="plancost"):
        log_case(case, LearnOptions("scf", time_limit_s=3), learning=True)  # type: ignore[arg-type]
        log_case(case, LearnOptions(), learning=False)
    assert caplog.messages[0] == "2 observed plans, 2 tasks, 14 actions"
    assert caplog.messages[1].startswith("scf, alternatives exact, oracle auto, time limit 3 s, ")
    assert caplog.messages[3].startswith("mcf, oracle auto, time limit none, memory limit none")

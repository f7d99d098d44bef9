"""One run: parts of it differ in their time alone, and plans known beforehand change no answer."""

from __future__ import annotations

import time
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.api.learn import learn
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.observations.parts import part_of_case
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.system.clock import Deadline
from plancost.system.executors import LocalExecutor
from support.grid_walks import grid_case, random_walks
from support.small_tasks import learning_tasks


@settings(max_examples=40, deadline=None)
@given(learning_tasks(), st.data())
def test_known_plans_do_not_change_the_answer(
    found: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, plans = found
    options = LearnOptions(concept=task.concept, jobs=1)
    plain = learn(task.case, options)
    known: dict[str, list[Plan]] = {"another task": [("(nothing)",)]}
    for item, own in zip(task.case.tasks, plans, strict=True):
        some = data.draw(st.lists(st.sampled_from(own), max_size=4))
        # What is no plan of the task must not count.
        known[item.key] = [*some, ("(nothing)",), (task.case.actions[0],) * 9]
    warm = learn(task.case, options, known_plans=known)
    assert warm.costs == plain.costs
    assert (warm.optimal_plans, warm.upper_bound) == (plain.optimal_plans, plain.upper_bound)
    assert warm.secondary == plain.secondary


@settings(max_examples=60, deadline=None)
@given(learning_tasks(), st.data())
def test_only_plans_that_solve_their_task_are_known(
    found: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, plans = found
    steps = st.lists(st.sampled_from(task.case.actions), max_size=3).map(tuple)
    known = {
        item.key: data.draw(st.lists(st.sampled_from(own) | steps, max_size=6))
        for item, own in zip(task.case.tasks, plans, strict=True)
    }
    run = Run(LearnOptions(), Run.of(task.case, LearnOptions()).oracles, known_plans=known)
    for item, valid in zip(task.case.tasks, run.valid_plans(task.case), strict=True):
        assert len(valid) == len(set(valid))
        assert set(valid) == {p for p in known[item.key] if replay(item.sas, p).is_valid}


@settings(max_examples=5, deadline=None)
@given(learning_tasks())
def test_a_part_of_a_run_is_the_same_run(found: tuple[LearningTask, list[list[Plan]]]) -> None:
    task, _ = found
    run = Run.of(task.case, LearnOptions(jobs=2), Deadline.after(100.0))
    other = run.on(part_of_case(task.case, [0]))
    changed = {
        "deadline": [run.share(0.5), run.until(Deadline.after(1.0))],
        "oracles": [other],
    }
    for name, parts in changed.items():
        for part in parts:
            for field in fields(run):
                same = getattr(part, field.name) is getattr(run, field.name)
                assert same == (field.name != name), field.name
    remaining = run.share(0.5).deadline.remaining()
    assert remaining is not None
    assert 45 < remaining <= 50
    assert other.executor is run.executor
    assert isinstance(run.executor, LocalExecutor)
    assert len(other.oracles.graphs.groups) == 1


def test_time_counts_although_the_block_fails() -> None:
    case = grid_case(2, random_walks(2, 2, 2, seed=1))
    told: list[tuple[object, ...]] = []
    run = replace(Run.of(case, LearnOptions()), progress=lambda *said: told.append(said))
    with pytest.raises(KeyboardInterrupt), run.lap("learning"):
        time.sleep(0.02)
        raise KeyboardInterrupt
    assert run.stopwatch.seconds()["learning"] >= 0.02
    run.progress_of("ranges")(1, 3)
    assert told == [("ranges", 1, 3)]

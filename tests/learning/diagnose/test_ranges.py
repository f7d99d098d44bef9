"""How much of an answer is forced, against all cost functions up to a largest cost."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings

from plancost.api.learn import learn
from plancost.learning.exact import second_objective
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from support.brute_force import LARGEST_COST, is_optimal
from support.small_tasks import learning_tasks


@settings(max_examples=60, deadline=None)
@given(learning_tasks(most_actions=5))
def test_ranges_over_all_optimal_answers(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, plans = example
    task = LearningTask(task.case, task.concept, None)
    result = learn(task.case, LearnOptions(task.concept, ranges=True))
    assert result.ranges is not None
    chosen = [number for number, item in enumerate(result.observations) if item.optimal]
    names = task.case.actions
    equally_good = [
        costs
        for costs in itertools.product(range(1, LARGEST_COST + 1), repeat=len(names))
        if sum(costs) == result.secondary.value
        and all(
            is_optimal(task, number, costs, plans[task.case.observations[number].task])
            for number in chosen
        )
    ]
    for position, name in enumerate(names):
        found = result.ranges[name]
        assert found.proved
        assert found.least <= result.costs[name] <= found.greatest
        tried = [costs[position] for costs in equally_good]
        if result.secondary.value - len(names) < LARGEST_COST:
            # No cost can be larger, so brute force has seen all answers.
            assert (found.least, found.greatest) == (min(tried), max(tried))
        elif tried:
            assert found.least <= min(tried)
            assert max(tried) <= found.greatest


def test_example_1(example_1: Path) -> None:
    """A-C-B is optimal iff A-B costs what A-C and C-B do; the rest is 1 in any case."""
    result = learn(example_1, LearnOptions(ranges=True))
    assert result.ranges is not None
    forced = {name: (r.least, r.greatest) for name, r in result.ranges.items() if r.greatest > 1}
    assert list(forced.values()) == [(2, 2)]
    assert all(r.proved for r in result.ranges.values())


def test_an_answer_that_is_not_proven_has_no_ranges(
    example_1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All plans are optimal, but nobody has looked for the least sum."""
    monkeypatch.setattr(second_objective, "find_least_costs", lambda *_, **__: None)
    result = learn(example_1, LearnOptions(ranges=True))
    assert result.proved
    assert not result.secondary.proved
    assert result.ranges is None
    (note,) = result.notes
    assert note.startswith("no ranges: they need --alternatives exact and an answer that is proven")

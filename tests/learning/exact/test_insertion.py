"""Inserting plans one by one: what is left can be had, what is rejected cannot."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact import insertion, minimal_conflicts
from plancost.learning.exact.insertion import Inserter
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.separation.protocol import Separator
from plancost.learning.subproblem.conflict import Possible
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.small_tasks import learning_tasks


def _sets(task: LearningTask) -> Subproblem:
    options = LearnOptions(concept=task.concept)
    return first_subproblem(Run.of(task.case, options, Deadline()), task)


class _Costly:
    """A separator that claims that looking at all plans takes many searches."""

    description = "costly"

    def __init__(self, inner: Separator, never: PlanSet = frozenset()) -> None:
        self._inner = inner
        self._never = never
        self._asked: PlanSet = frozenset()

    def graphs(self) -> None:
        return None

    def paths(self) -> None:
        return None

    def effort(self, chosen: Sequence[int]) -> int:
        return 3

    def undecided(self) -> PlanSet:
        return self._never & self._asked

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut] | None:
        self._asked = frozenset(chosen)
        found = self._inner.violated(costs, chosen, exact=exact, deadline=deadline)
        return None if exact and not found and self.undecided() else found


def _check(task: LearningTask, subproblem: Subproblem, order: Sequence[int]) -> PlanSet:
    """Insert all plans; every conflict must hold, and the costs do what they should."""
    inserter = Inserter(subproblem)
    found = inserter.insert(order, Deadline(), 0)
    reference = _sets(task)
    for conflict in found.conflicts:
        assert not isinstance(
            reference.decide(conflict.members(frozenset(order)), Deadline()), Possible
        )
    if found.costs is not None:
        assert reference.check(found.costs, found.chosen, Deadline())
    return found.chosen if found.costs is not None else frozenset()


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.randoms(use_true_random=False))
def test_what_is_left_can_be_had_and_nothing_fits_beside_it(
    example: tuple[LearningTask, list[list[Plan]]], generator: random.Random
) -> None:
    task, _ = example
    order = list(range(len(task.candidates)))
    generator.shuffle(order)
    chosen = _check(task, _sets(task), order)
    reference = _sets(task)
    for number in set(order) - chosen:
        assert not isinstance(reference.decide(chosen | {number}, Deadline()), Possible)


@settings(max_examples=150, deadline=None)
@given(
    learning_tasks(),
    st.randoms(use_true_random=False),
    st.integers(1, 3),
    st.sampled_from([0, 1, 3000]),
)
def test_the_same_in_blocks_with_small_and_large_programs(
    example: tuple[LearningTask, list[list[Plan]]],
    generator: random.Random,
    size: int,
    many_rows: int,
) -> None:
    task, _ = example
    order = list(range(len(task.candidates)))
    generator.shuffle(order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(insertion, "_MANY", 0)
        patch.setattr(insertion, "_LEAST_BLOCK", size)
        patch.setattr(insertion, "_MANY_ROWS", many_rows)
        chosen = _check(task, _sets(task), order)
    reference = _sets(task)
    for number in set(order) - chosen:
        assert not isinstance(reference.decide(chosen | {number}, Deadline()), Possible)


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.randoms(use_true_random=False))
def test_conflicts_in_blocks_have_no_plan_too_many(
    example: tuple[LearningTask, list[list[Plan]]], generator: random.Random
) -> None:
    task, _ = example
    order = list(range(len(task.candidates)))
    generator.shuffle(order)
    inserter = Inserter(_sets(task))
    inserter.is_costly = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(insertion, "_MANY", 0)
        patch.setattr(minimal_conflicts, "_MOST_EFFORT", 1000)
        found = inserter.insert(order, Deadline(), 0)
    reference = _sets(task)
    for conflict in found.conflicts:
        members = conflict.members(frozenset(order))
        for number in members:
            fewer = reference.decide(members - {number}, Deadline())
            assert isinstance(fewer, Possible) or conflict.contains(members - {number})


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.randoms(use_true_random=False))
def test_the_same_where_all_plans_are_seldom_looked_at(
    example: tuple[LearningTask, list[list[Plan]]], generator: random.Random
) -> None:
    task, _ = example
    order = list(range(len(task.candidates)))
    generator.shuffle(order)
    subproblem = _sets(task)
    assert subproblem.separator is not None
    subproblem.separator = _Costly(subproblem.separator)
    chosen = _check(task, subproblem, order)
    alone = [
        n for n in order if isinstance(_sets(task).decide(frozenset([n]), Deadline()), Possible)
    ]
    assert bool(chosen) == bool(alone)


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.data())
def test_plans_that_nobody_can_decide_do_not_cost_the_others(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, _ = example
    order = list(range(len(task.candidates)))
    never = data.draw(st.frozensets(st.sampled_from(order)))
    subproblem = _sets(task)
    assert subproblem.separator is not None
    subproblem.separator = _Costly(subproblem.separator, never)
    chosen = _check(task, subproblem, order)
    assert chosen.isdisjoint(never)
    others = [n for n in order if n not in never]
    alone = [
        n for n in others if isinstance(_sets(task).decide(frozenset([n]), Deadline()), Possible)
    ]
    rest = Inserter(subproblem).insert(others, Deadline(), 0)
    assert (rest.costs is not None) == bool(alone)


@settings(max_examples=60, deadline=None)
@given(learning_tasks())
def test_a_block_that_time_is_too_short_for_is_not_all_lost(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    """The plans that the costs come to so far make optimal are an answer."""
    task, _ = example
    subproblem, everyone = _sets(task), range(len(task.candidates))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(insertion, "_MANY", 1)
        patch.setattr(Inserter, "_settled", lambda *_: None)
        inserter = Inserter(subproblem)
        inserter.is_costly = True
        found = inserter.insert(everyone, Deadline(), 0)
    plain = _sets(task).satisfying(subproblem.start, everyone, Deadline())
    assert found.chosen == frozenset(plain)
    assert not plain or (found.costs and _sets(task).check(found.costs, found.chosen, Deadline()))
    assert not inserter.index.chosen

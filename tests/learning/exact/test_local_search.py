"""Forcing plans in and others out: what comes out can be had, what is learned holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.insertion import Inserter
from plancost.learning.exact.local_search import Guide, LocalSearch
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.feasible_sets import feasible_sets
from support.small_tasks import learning_tasks


def _search(task: LearningTask, guide: Guide, start: PlanSet, *, costly: bool) -> LocalSearch:
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    inserter = Inserter(first_subproblem(run, task))
    inserter.is_costly = costly
    search = LocalSearch(inserter, guide, Deadline())
    search.improve(start, task.weight(start))
    return search


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.data(), st.booleans())
def test_better_sets_can_be_had_and_conflicts_hold(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject, costly: bool
) -> None:
    task, plans = example
    possible = feasible_sets(task, plans)
    everyone = range(len(task.candidates))
    values = np.array(
        data.draw(st.lists(st.floats(0, 1), min_size=len(everyone), max_size=len(everyone)))
    )
    alone = [number for number in everyone if frozenset([number]) in possible]
    start = data.draw(st.sampled_from(possible))
    guide = Guide(values, alone, 40, data.draw(st.integers(0, 3)))
    found = _search(task, guide, start, costly=costly).found
    again = _search(task, guide, start, costly=costly).found
    assert (found.chosen, found.costs) == (again.chosen, again.costs)
    assert [c.classes for c in found.conflicts] == [c.classes for c in again.conflicts]
    for conflict in found.conflicts:
        assert conflict.certificate is None or conflict.certificate.is_valid()
        assert not any(conflict.contains(chosen) for chosen in possible)
    if found.costs is not None:
        assert task.weight(found.chosen) > task.weight(start)
        run = Run.of(task.case, LearnOptions(concept=task.concept))
        assert first_subproblem(run, task).check(found.costs, found.chosen, Deadline())


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.integers(0, 3))
def test_from_nothing_a_set_is_found_that_nothing_fits_beside(
    example: tuple[LearningTask, list[list[Plan]]], seed: int
) -> None:
    task, plans = example
    possible = feasible_sets(task, plans)
    everyone: Sequence[int] = range(len(task.candidates))
    alone = [number for number in everyone if frozenset([number]) in possible]
    guide = Guide(np.ones(len(everyone)), alone, 60, seed)
    found = _search(task, guide, frozenset(), costly=False).found
    assert (found.costs is not None) == bool(alone)
    for number in set(alone) - found.chosen:
        assert found.chosen | {number} not in possible

"""Smaller conflicts: they hold, and no plan can be left out, by brute force over all sets."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.minimal_conflicts import ConflictShrinker
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Conflict
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.feasible_sets import feasible_sets
from support.small_tasks import learning_tasks


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.data())
def test_a_conflict_is_cut_down_to_plans_that_are_all_needed(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, plans = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    subproblem = first_subproblem(run, task)
    everyone = range(len(task.candidates))
    chosen = data.draw(st.frozensets(st.sampled_from(everyone), min_size=1))
    values = data.draw(st.lists(st.floats(0, 1), min_size=len(everyone), max_size=len(everyone)))
    conflict = subproblem.relax(chosen, Deadline())
    possible = feasible_sets(task, plans)
    assert isinstance(conflict, Conflict) == (chosen not in possible)
    if not isinstance(conflict, Conflict):
        return
    program = subproblem.program
    needed = frozenset(plan for plan in chosen if chosen - {plan} in possible)
    told = data.draw(st.sampled_from([frozenset(), needed]))
    shrinker = ConflictShrinker(subproblem)
    smaller = shrinker.shrink(conflict, chosen, values.__getitem__, Deadline(), told)
    assert subproblem.program is program
    assert smaller.certificate is not None
    assert smaller.certificate.is_valid()
    members = smaller.members(chosen)
    assert members <= chosen
    assert members not in possible
    assert needed <= members
    for member in members:
        assert members - {member} in possible


@settings(max_examples=50, deadline=None)
@given(learning_tasks())
def test_without_time_a_conflict_stays_as_it_is(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, _ = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    subproblem = first_subproblem(run, task)
    chosen = frozenset(range(len(task.candidates)))
    conflict = subproblem.relax(chosen, Deadline())
    if isinstance(conflict, Conflict):
        shrinker = ConflictShrinker(subproblem)
        assert shrinker.shrink(conflict, chosen, float, Deadline.after(0)) is conflict

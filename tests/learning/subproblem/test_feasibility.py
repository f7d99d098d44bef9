"""Whether plans can be optimal together, against one linear program for every set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.subproblems import first_subproblem, full_subproblem
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.separation.combined import build_separator
from plancost.learning.separation.protocol import Separator
from plancost.learning.subproblem.conflict import Conflict, Possible, Undecided
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import is_optimal
from support.feasible_sets import feasible_sets
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def _check_conflict(found: object, chosen: PlanSet) -> None:
    assert isinstance(found, Conflict)
    assert found.contains(chosen)
    assert found.certificate is not None
    assert found.certificate.is_valid()


@settings(max_examples=60, deadline=None)
@given(learning_tasks())
def test_every_set_of_up_to_three_plans_is_decided(example: Example) -> None:
    task, plans = example
    feasible = set(feasible_sets(task, plans))
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    numbers = range(len(task.candidates))
    for subproblem in (first_subproblem(run, task), full_subproblem(run, task)):
        for chosen in {frozenset([a, b, c]) for a in numbers for b in numbers for c in numbers}:
            found = subproblem.decide(chosen, Deadline())
            if chosen in feasible:
                assert isinstance(found, Possible)
                for number in chosen:
                    candidate = task.candidates[number]
                    for member in candidate.observations:
                        assert is_optimal(task, member, found.costs, plans[candidate.task])
            else:
                _check_conflict(found, chosen)


@settings(max_examples=30, deadline=None)
@given(learning_tasks(), st.integers(0, 2**20))
def test_where_a_search_begins_changes_no_answer(example: Example, seed: int) -> None:
    task, plans = example
    feasible = set(feasible_sets(task, plans))
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    subproblem = first_subproblem(run, task)
    numbers, numbers_of_costs = range(len(task.candidates)), range(len(task.parameters))
    for chosen in [frozenset(numbers), *(frozenset([a, b]) for a in numbers for b in numbers)]:
        costs = np.random.default_rng(seed).uniform(0.0, 9.0, len(task.parameters))
        before = subproblem.start
        subproblem.begin_near(costs, chosen)
        unused = sorted(set(numbers_of_costs) - task.kept_actions(chosen))
        assert subproblem.program.row_count == 0
        assert np.array_equal(subproblem.start[unused], before[unused])
        assert task.admits(tuple(subproblem.start.astype(int).tolist()))
        found = subproblem.decide(chosen, Deadline())
        if chosen in feasible:
            assert isinstance(found, Possible)
            assert subproblem.check(found.costs, chosen, Deadline())
        else:
            _check_conflict(found, chosen)


@settings(max_examples=30, deadline=None)
@given(learning_tasks(), st.integers(0, 2**20))
def test_whole_numbers_near_any_costs_make_these_plans_optimal(example: Example, seed: int) -> None:
    task, plans = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    everyone = frozenset(range(len(task.candidates)))
    costs = np.random.default_rng(seed).uniform(0.0, 9.0, len(task.parameters))
    found = first_subproblem(run, task).rounded(costs, everyone, Deadline())
    assert found is not None
    kept, integers = found
    assert min(integers) >= 1
    for number in everyone:
        candidate = task.candidates[number]
        member = candidate.observations[0]
        assert is_optimal(task, member, integers, plans[candidate.task]) == (number in kept)
    assert first_subproblem(run, task).rounded(costs, everyone, Deadline.after(0.0)) in (
        None,
        found,
    )


class Blind:
    """A separator that misses every cut of floating-point costs, as it may."""

    description = "blind"

    def __init__(self, inner: Separator) -> None:
        self._inner = inner
        self.graphs, self.paths = inner.graphs, inner.paths
        self.effort, self.undecided = inner.effort, inner.undecided

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut] | None:
        if not exact:
            return []
        return self._inner.violated(costs, chosen, exact=exact, deadline=deadline)


@settings(max_examples=60, deadline=None)
@given(learning_tasks())
def test_integer_costs_are_looked_at_again(example: Example) -> None:
    task, plans = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    separator = Blind(build_separator(run, task, None))
    for number, candidate in enumerate(task.candidates):
        subproblem = Subproblem(task, range(len(task.parameters)), separator)
        found = subproblem.decide(frozenset([number]), Deadline())
        if isinstance(found, Possible):
            for member in candidate.observations:
                assert is_optimal(task, member, found.costs, plans[candidate.task])
        else:
            assert frozenset([number]) not in feasible_sets(task, plans)


@settings(max_examples=10, deadline=None)
@given(learning_tasks())
def test_no_time_is_no_answer(example: Example) -> None:
    task, _ = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    subproblem, chosen = first_subproblem(run, task), frozenset([0])
    found = subproblem.decide(chosen, Deadline.after(0.0))
    assert isinstance(found, (Undecided, Conflict))
    if isinstance(found, Conflict):
        assert found.certificate is not None
        assert found.certificate.is_valid()


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_many_plans_are_looked_at_as_each_alone(example: Example, data: st.DataObject) -> None:
    task, _ = example
    costs = np.array([float(data.draw(st.integers(1, 4))) for _ in task.parameters])
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    everything = range(len(task.candidates))
    alone = full_subproblem(run, task)
    expected = [n for n in everything if alone.satisfies(costs, n, Deadline())]
    together = full_subproblem(run, task)
    assert together.satisfying(costs, everything, Deadline()) == expected
    assert together.satisfying(costs, everything, Deadline.after(0.0)) in ([], expected)

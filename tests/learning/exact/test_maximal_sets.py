"""Bounds for all sets of maximal weight, against every set."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.least_costs import find_least_costs
from plancost.learning.exact.maximal_sets import MaximalSets
from plancost.learning.incumbent import CostFunction
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.cuts import cuts_of
from plancost.learning.problem.task import LearningTask
from plancost.learning.separation.protocol import NoSeparator
from plancost.learning.subproblem.conflict import Conflict, Possible
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import LARGEST_COST, best_by_brute_force
from support.grid_walks import grid_case
from support.maximal_sets import maximal_sets
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def with_all_cuts(task: LearningTask, plans: list[list[Plan]]) -> Subproblem:
    subproblem = Subproblem(task, range(len(task.parameters)), NoSeparator())
    for number, candidate in enumerate(task.candidates):
        for cut in cuts_of(task, number, plans[candidate.task]):
            subproblem.add(cut)
    return subproblem


@settings(max_examples=60, deadline=None)
@given(learning_tasks(), st.data())
def test_no_set_costs_less_than_the_bound(example: Example, data: st.DataObject) -> None:
    """Whichever rows and conflicts are known by then."""
    task, plans = example
    known = maximal_sets(task, plans)
    least = ceil(min(known.least.values()) - 1e-6)
    some = [[plan for plan in found if data.draw(st.booleans())] for found in plans]
    conflicts = [conflict for conflict in known.conflicts if data.draw(st.booleans())]
    sets = MaximalSets(with_all_cuts(task, some), conflicts, known.weight)
    assert sets.bound(Deadline()) <= least
    choice = sets.cheapest(least, Deadline())
    assert choice is not None
    assert choice.bound <= least
    assert sets.bound(Deadline.after(-1)) <= least


@settings(max_examples=40, deadline=None)
@given(learning_tasks(), st.lists(st.integers(-3, 5), min_size=2, max_size=4))
def test_one_budget_after_another(example: Example, rooms: list[int]) -> None:
    """What was found for one budget says nothing wrong about a larger one."""
    task, plans = example
    known = maximal_sets(task, plans)
    least = ceil(min(known.least.values()) - 1e-6)
    sets = MaximalSets(with_all_cuts(task, plans), list(known.conflicts), known.weight)
    for room in rooms:
        assert sets.bound(Deadline(), by_sets=room % 2 == 0) <= least
        choice = sets.cheapest(least + room, Deadline())
        assert choice is not None
        assert choice.finished
        assert choice.bound == min(least, least + room + 1)
        assert (choice.chosen is None) == (room < 0)


@settings(max_examples=40, deadline=None)
@given(learning_tasks())
def test_rows_of_all_sets_bound_what_one_set_costs(example: Example) -> None:
    """If one set alone has the maximal weight, the bound is what its linear program says."""
    task, plans = example
    known = maximal_sets(task, plans)
    sets = MaximalSets(with_all_cuts(task, plans), list(known.conflicts), known.weight)
    for chosen in known.least:
        sets.add_set(chosen)
    choice = sets.cheapest(ceil(min(known.least.values()) - 1e-6) - 1, Deadline())
    assert choice is not None
    assert choice.finished
    assert choice.chosen is None
    if len(known.least) == 1:
        least = ceil(min(known.least.values()) - 1e-6)
        assert sets.bound(Deadline()) == least


@settings(max_examples=60, deadline=None)
@given(learning_tasks(most_actions=5))
def test_the_least_costs_of_all_sets(example: Example) -> None:
    """Beginning with any set of maximal weight, in integers."""
    task, plans = example
    known = maximal_sets(task, plans)
    subproblem = with_all_cuts(task, plans)
    for chosen in known.least:
        answer = subproblem.decide(chosen, Deadline())
        assert isinstance(answer, Possible)
        best = CostFunction(task, chosen, answer.costs, task.secondary_floor)
        find_least_costs(subproblem, list(known.conflicts), best, Deadline())
        assert best.is_least
        assert best.value == task.secondary(best.costs)
        assert best.value >= min(known.least.values()) - 1e-6
        if max(best.costs) < LARGEST_COST:
            assert best.value == best_by_brute_force(task, plans).secondary


def test_conflicts_alone_bound_sets_with_large_numbers(two_routes: LearningTask) -> None:
    """The program over plans and costs leaves out what is large; ranks of bounds do not."""
    subproblem = Subproblem(two_routes, range(len(two_routes.parameters)), NoSeparator())
    floor = two_routes.secondary_floor
    conflicts = [
        Conflict((frozenset([0]),), None, floor + 10**9),
        Conflict((frozenset([1]),), None, floor + 10**9 + 1),
    ]
    sets = MaximalSets(subproblem, conflicts, 1)
    by_rows = sets.cheapest(floor + 2 * 10**9, Deadline())
    assert by_rows is not None
    assert by_rows.bound == floor
    by_conflicts = sets.cheapest_by_conflicts(Deadline())
    assert by_conflicts is not None
    assert by_conflicts.chosen == frozenset([0])
    assert by_conflicts.bound == floor + 10**9


@pytest.fixture
def two_routes() -> LearningTask:
    routes = [[(0, 0), (0, 1), (1, 1)], [(0, 0), (1, 0), (1, 1)]]
    return LearningTask(grid_case(2, {((0, 0), (1, 1)): routes}), Concept(), None)


@settings(max_examples=20, deadline=None)
@given(learning_tasks())
def test_a_set_of_all_plans_is_the_only_one(example: Example) -> None:
    """What is known of its costs holds in general, also if the time ends before anything else."""
    task, plans = example
    everyone = frozenset(range(len(task.candidates)))
    subproblem = with_all_cuts(task, plans)
    found = subproblem.decide(everyone, Deadline())
    if not isinstance(found, Possible):
        return
    least = CostFunction(task, everyone, found.costs, task.secondary_floor)
    find_least_costs(subproblem, [], least, Deadline())
    assert least.is_least
    best = CostFunction(task, everyone, found.costs, task.secondary_floor)
    best.note_bound_of_set(everyone, least.value)
    find_least_costs(subproblem, [], best, Deadline.after(0.0))
    assert best.secondary_bound == least.value

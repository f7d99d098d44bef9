"""The master problem against brute force over all sets of seven plans."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.master.inequalities import Inequalities, Inequality
from plancost.learning.master.integer_program import cheapest_set, heaviest_set, preferred_set
from plancost.learning.master.relaxation import Relaxation
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.system.clock import Deadline

SIZE = 7
EVERY_SET = [
    frozenset(chosen)
    for count in range(SIZE + 1)
    for chosen in itertools.combinations(range(SIZE), count)
]
classes = st.lists(
    st.frozensets(st.integers(0, SIZE - 1), min_size=1, max_size=3), min_size=1, max_size=4
)
conflict_lists = st.lists(classes.map(lambda found: Conflict(tuple(found), None)), max_size=10)
weight_lists = st.lists(st.integers(1, 4), min_size=SIZE, max_size=SIZE)
points = st.lists(st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]), min_size=SIZE, max_size=SIZE).map(
    np.array
)


def _allowed(conflicts: list[Conflict]) -> list[PlanSet]:
    return [s for s in EVERY_SET if not any(conflict.contains(s) for conflict in conflicts)]


def _satisfies(chosen: PlanSet, inequality: Inequality) -> bool:
    coefficients, most = inequality
    return sum(value for plan, value in coefficients if plan in chosen) <= most


@given(conflict_lists, points)
def test_every_allowed_set_satisfies_every_inequality(
    conflicts: list[Conflict], point: np.ndarray
) -> None:
    inequalities = Inequalities(SIZE, conflicts)
    found = inequalities.separate(point)
    assert list(inequalities.found) == found
    for coefficients, most in found:
        assert sum(value * point[plan] for plan, value in coefficients) > most
    for chosen in _allowed(conflicts):
        assert chosen.isdisjoint(inequalities.infeasible_alone)
        assert all(_satisfies(chosen, inequality) for inequality in found)


@given(conflict_lists, st.sampled_from(EVERY_SET))
def test_a_set_breaks_an_inequality_unless_it_is_allowed(
    conflicts: list[Conflict], chosen: PlanSet
) -> None:
    inequalities = Inequalities(SIZE, conflicts)
    inequalities.separate(np.array([float(plan in chosen) for plan in range(SIZE)]))
    excluded = not chosen.isdisjoint(inequalities.infeasible_alone) or any(
        not _satisfies(chosen, inequality) for inequality in inequalities.found
    )
    assert excluded == any(conflict.contains(chosen) for conflict in conflicts)


@settings(deadline=None)
@given(conflict_lists, conflict_lists, weight_lists)
def test_relaxation_and_master_bound_the_heaviest_set(
    first: list[Conflict], later: list[Conflict], weights: list[int]
) -> None:
    inequalities = Inequalities(SIZE, first)
    relaxation = Relaxation(weights, inequalities)
    for conflicts in (first, [*first, *later]):
        for conflict in conflicts[len(first) :]:
            inequalities.add(conflict)
        best = max(sum(weights[plan] for plan in s) for s in _allowed(conflicts))
        relaxed = relaxation.solve(Deadline())
        assert relaxed is not None
        assert best <= relaxed.bound <= relaxed.weight + 1e-5
        choice = heaviest_set(weights, inequalities, Deadline(), start=frozenset())
        assert choice.finished
        assert choice.bound == best
        assert choice.chosen in _allowed(conflicts)
        assert sum(weights[plan] for plan in choice.chosen) == best


@settings(deadline=None)
@given(
    conflict_lists,
    st.lists(st.tuples(classes, st.integers(1, 9)), max_size=4),
    weight_lists,
    st.integers(0, 12),
)
def test_the_cheapest_set_has_the_least_known_bound(
    conflicts: list[Conflict],
    bounds: list[tuple[list[PlanSet], int]],
    weights: list[int],
    required: int,
) -> None:
    lifting = [Conflict(tuple(found), None, 10 + value) for found, value in bounds]
    known = [*conflicts, *lifting]
    choice = cheapest_set(weights, Inequalities(SIZE, known), known, required, 10, Deadline())
    values = {
        chosen: max((c.secondary or 0 for c in lifting if c.contains(chosen)), default=10)
        for chosen in _allowed(conflicts)
        if sum(weights[plan] for plan in chosen) >= required
    }
    assert choice.finished
    if not values:
        assert choice.chosen is None
        return
    assert choice.chosen is not None
    assert choice.bound == min(values.values()) == values[choice.chosen]


@settings(deadline=None)
@given(conflict_lists, weight_lists, weight_lists, st.integers(0, 12))
def test_the_preferred_set_is_the_most_liked_of_its_weight(
    conflicts: list[Conflict], weights: list[int], preferences: list[int], required: int
) -> None:
    chosen = preferred_set(
        weights, preferences, Inequalities(SIZE, conflicts), required, Deadline()
    )
    liked = [
        sum(preferences[plan] for plan in s)
        for s in _allowed(conflicts)
        if sum(weights[plan] for plan in s) >= required
    ]
    assert (chosen is None) == (not liked)
    if chosen is not None:
        assert sum(preferences[plan] for plan in chosen) == max(liked)

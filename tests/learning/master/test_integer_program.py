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
from plancost.observations.files import MOST_COUNT
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
small_weights = st.lists(st.integers(1, 4), min_size=SIZE, max_size=SIZE)
large_weights = st.lists(
    st.integers(1, MOST_COUNT) | st.integers(0, 3).map(lambda less: MOST_COUNT - less),
    min_size=SIZE,
    max_size=SIZE,
)
weight_lists = small_weights | large_weights
points = st.lists(st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]), min_size=SIZE, max_size=SIZE).map(
    np.array
)


def _allowed(conflicts: list[Conflict]) -> list[PlanSet]:
    return [s for s in EVERY_SET if not any(conflict.contains(s) for conflict in conflicts)]


def _satisfies(chosen: PlanSet, cut: Inequality) -> bool:
    coefficients, most = cut
    return sum(value for plan, value in coefficients if plan in chosen) <= most


@given(conflict_lists, points)
def test_every_allowed_set_satisfies_every_cut(
    conflicts: list[Conflict], point: np.ndarray
) -> None:
    cuts = Inequalities(SIZE, conflicts)
    found = cuts.separate(point)
    assert list(cuts.found) == found
    for coefficients, most in found:
        assert sum(value * point[plan] for plan, value in coefficients) > most
    for chosen in _allowed(conflicts):
        assert chosen.isdisjoint(cuts.infeasible_alone)
        assert all(_satisfies(chosen, cut) for cut in found)


@given(conflict_lists, st.sampled_from(EVERY_SET))
def test_a_set_breaks_a_cut_unless_it_is_allowed(
    conflicts: list[Conflict], chosen: PlanSet
) -> None:
    cuts = Inequalities(SIZE, conflicts)
    cuts.separate(np.array([float(plan in chosen) for plan in range(SIZE)]))
    excluded = not chosen.isdisjoint(cuts.infeasible_alone) or any(
        not _satisfies(chosen, cut) for cut in cuts.found
    )
    assert excluded == any(conflict.contains(chosen) for conflict in conflicts)


@settings(deadline=None)
@given(conflict_lists, conflict_lists, weight_lists)
def test_relaxation_and_master_bound_the_heaviest_set(
    first: list[Conflict], later: list[Conflict], weights: list[int]
) -> None:
    cuts = Inequalities(SIZE, first)
    relaxation = Relaxation(weights, cuts)
    for conflicts in (first, [*first, *later]):
        for conflict in conflicts[len(first) :]:
            cuts.add(conflict)
        best = max(sum(weights[plan] for plan in s) for s in _allowed(conflicts))
        relaxed = relaxation.solve(Deadline())
        assert relaxed is not None
        assert best <= relaxed.bound <= relaxed.weight + 1e-5
        choice = heaviest_set(weights, cuts, Deadline(), start=frozenset())
        assert choice.finished
        assert choice.bound == best
        assert choice.chosen in _allowed(conflicts)
        assert sum(weights[plan] for plan in choice.chosen) == best


@settings(deadline=None)
@given(
    conflict_lists,
    st.lists(st.tuples(classes, st.integers(1, 9)), max_size=4),
    weight_lists,
    st.sampled_from(EVERY_SET),
    st.integers(0, 1),
    st.sampled_from([1, 2**31, 10**12]),
)
def test_the_cheapest_set_has_the_least_known_bound(
    conflicts: list[Conflict],
    bounds: list[tuple[list[PlanSet], int]],
    weights: list[int],
    reached: PlanSet,
    more: int,
    base: int,
) -> None:
    required = sum(weights[plan] for plan in reached) + more
    lifting = [Conflict(tuple(found), None, base + value) for found, value in bounds]
    known = [*conflicts, *lifting]
    choice = cheapest_set(weights, Inequalities(SIZE, known), known, required, base, Deadline())
    values = {
        chosen: max((c.secondary or 0 for c in lifting if c.contains(chosen)), default=base)
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
@given(conflict_lists, weight_lists, small_weights, st.sampled_from(EVERY_SET), st.integers(0, 1))
def test_the_preferred_set_is_the_most_liked_of_its_weight(
    conflicts: list[Conflict],
    weights: list[int],
    preferences: list[int],
    reached: PlanSet,
    more: int,
) -> None:
    required = sum(weights[plan] for plan in reached) + more
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

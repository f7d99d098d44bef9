"""The master problem against brute force over all sets of seven plans."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.integer_program import SecondaryBounds, cheapest_set, heaviest_set
from plancost.learning.master.relaxation import Relaxation
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.system.clock import Deadline
from support.conflicts import (
    EVERY_SET,
    SIZE,
    allowed_sets,
    as_they_become_known,
    classes,
    conflict_lists,
    weight_lists,
)


@settings(deadline=None)
@given(conflict_lists, conflict_lists, weight_lists)
def test_the_heaviest_set_over_conflicts_that_become_known(
    first: list[Conflict], later: list[Conflict], weights: list[int]
) -> None:
    cuts = Inequalities(SIZE, first)
    relaxation = Relaxation(weights, cuts)
    for conflicts in as_they_become_known(first, later, cuts):
        best = max(sum(weights[plan] for plan in s) for s in allowed_sets(conflicts))
        relaxed = relaxation.solve(Deadline())  # which finds some of the inequalities
        assert relaxed is not None
        for near in (None, relaxed.values, np.zeros(SIZE)):
            choice = heaviest_set(weights, cuts, Deadline(), start=frozenset(), near=near)
            assert choice.finished
            assert choice.bound == best
            assert choice.chosen in allowed_sets(conflicts)
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
    inequalities = Inequalities(SIZE, [*conflicts, *lifting])
    known = SecondaryBounds(base, [(tuple(found), base + value) for found, value in bounds])
    choice = cheapest_set(weights, required, inequalities, known, Deadline())
    values = {
        chosen: max((c.secondary or 0 for c in lifting if c.contains(chosen)), default=base)
        for chosen in allowed_sets(conflicts)
        if sum(weights[plan] for plan in chosen) >= required
    }
    assert choice.finished
    if not values:
        assert choice.chosen is None
        return
    assert choice.chosen is not None
    assert choice.bound == min(values.values()) == values[choice.chosen]

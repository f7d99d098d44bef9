"""The linear relaxation bounds the heaviest set."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.relaxation import Relaxation
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.system.clock import Deadline
from support.conflicts import (
    EVERY_SET,
    SIZE,
    allowed_sets,
    as_they_become_known,
    conflict_lists,
    weight_lists,
)


def test_the_relaxation_of_a_clique() -> None:
    """Of five plans in conflict pair by pair, three groups can have three."""
    pairs = itertools.combinations(range(5), 2)
    conflicts = [Conflict((frozenset([a]), frozenset([b])), None) for a, b in pairs]
    bounds = []
    for count in (1, 2, 3, 4, 5, 6):
        relaxed = Relaxation([1] * 5, Inequalities(5, conflicts), count).solve(Deadline())
        assert relaxed is not None
        assert np.all(relaxed.values <= 1)
        bounds.append(relaxed.bound)
    assert bounds == [1, 2, 3, 4, 5, 5]


@settings(deadline=None)
@given(conflict_lists, conflict_lists, weight_lists)
def test_a_bound_over_conflicts_that_become_known(
    first: list[Conflict], later: list[Conflict], weights: list[int]
) -> None:
    cuts = Inequalities(SIZE, first)
    relaxation = Relaxation(weights, cuts)
    for conflicts in as_they_become_known(first, later, cuts):
        best = max(sum(weights[plan] for plan in s) for s in allowed_sets(conflicts))
        relaxed = relaxation.solve(Deadline())
        assert relaxed is not None
        assert best <= relaxed.bound <= relaxed.weight + 1e-5


@settings(deadline=None)
@given(conflict_lists, weight_lists, st.sampled_from(EVERY_SET))
def test_a_bound_without_some_plans(
    conflicts: list[Conflict], weights: list[int], without: PlanSet
) -> None:
    relaxation = Relaxation(weights, Inequalities(SIZE, conflicts))
    bound = relaxation.bound_without(without, Deadline())
    others = [s for s in allowed_sets(conflicts) if s.isdisjoint(without)]
    assert bound is not None
    assert bound >= max(sum(weights[plan] for plan in s) for s in others)
    assert bound <= sum(weights[plan] for plan in range(SIZE) if plan not in without)
    again = relaxation.solve(Deadline())
    assert again is not None
    best = max(sum(weights[plan] for plan in s) for s in allowed_sets(conflicts))
    assert again.bound >= best, "the plans are back"

"""Inequalities of conflicts, against all sets of seven plans."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plancost.learning.master.inequalities import Inequalities, Inequality
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from support.conflicts import EVERY_SET, SIZE, allowed_sets, conflict_lists, points


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
    for chosen in allowed_sets(conflicts):
        assert chosen.isdisjoint(cuts.infeasible_alone)
        assert all(_satisfies(chosen, cut) for cut in found)


@given(conflict_lists, st.sampled_from(EVERY_SET))
def test_a_set_breaks_a_cut_unless_it_isallowed_sets(
    conflicts: list[Conflict], chosen: PlanSet
) -> None:
    cuts = Inequalities(SIZE, conflicts)
    cuts.separate(np.array([float(plan in chosen) for plan in range(SIZE)]))
    excluded = not chosen.isdisjoint(cuts.infeasible_alone) or any(
        not _satisfies(chosen, cut) for cut in cuts.found
    )
    assert excluded == any(conflict.contains(chosen) for conflict in conflicts)


@given(conflict_lists, points, points, st.sampled_from([-0.5, 0.0, 0.4, 9.0]))
def test_inequalities_near_a_point_are_those_with_little_slack(
    conflicts: list[Conflict], first: np.ndarray, second: np.ndarray, slack: float
) -> None:
    cuts = Inequalities(SIZE, conflicts)
    for point in (first, second):
        cuts.separate(point)
        left = {
            (coefficients, most): most - sum(value * point[plan] for plan, value in coefficients)
            for coefficients, most in cuts.found
        }
        near = cuts.near(point, slack)
        assert {row for row, rest in left.items() if rest < slack - 1e-9} <= set(near)
        assert all(left[row] <= slack + 1e-9 for row in near)

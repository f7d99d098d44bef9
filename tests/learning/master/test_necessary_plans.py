"""Plans that every set of the required weight has one of, against every set."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.necessary_plans import NecessaryPlans
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


def heaviest(conflicts: list[Conflict], weights: list[int]) -> tuple[int, list[PlanSet]]:
    weigh = {s: sum(weights[plan] for plan in s) for s in allowed_sets(conflicts)}
    most = max(weigh.values())
    return most, [chosen for chosen, weight in weigh.items() if weight == most]


@settings(max_examples=60, deadline=None)
@given(
    conflict_lists,
    conflict_lists,
    weight_lists,
    st.lists(st.sampled_from(EVERY_SET), min_size=1, max_size=6),
)
def test_necessary_is_what_every_set_has(
    first: list[Conflict], later: list[Conflict], weights: list[int], asked: list[PlanSet]
) -> None:
    """By an integer program always, by the relaxation sometimes; and never otherwise."""
    inequalities = Inequalities(SIZE, first)
    required, _ = heaviest([*first, *later], weights)
    necessary = NecessaryPlans(weights, inequalities, required)
    for conflicts in as_they_become_known(first, later, inequalities):
        necessary.forget()
        allowed = [
            s for s in allowed_sets(conflicts) if sum(weights[plan] for plan in s) >= required
        ]
        for members in asked:
            truth = not any(map(members.isdisjoint, allowed))
            known = necessary.is_necessary(members, None, by_sets=True)
            relaxed = necessary.is_necessary(members, Deadline(), by_sets=False)
            assert known <= relaxed <= truth
            assert necessary.is_necessary(members, Deadline(), by_sets=True) == truth
            assert necessary.is_necessary(members, None, by_sets=False) == truth


@settings(max_examples=30, deadline=None)
@given(conflict_lists, weight_lists, st.sampled_from(EVERY_SET))
def test_a_set_that_was_found_needs_nothing_else(
    conflicts: list[Conflict], weights: list[int], members: PlanSet
) -> None:
    required, sets = heaviest(conflicts, weights)
    necessary = NecessaryPlans(weights, Inequalities(SIZE, conflicts), required)
    for chosen in sets:
        necessary.add_set(chosen)
    truth = not any(map(members.isdisjoint, sets))
    assert necessary.is_necessary(members, Deadline(), by_sets=True) == truth

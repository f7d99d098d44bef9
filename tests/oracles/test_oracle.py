"""Which plans do not count as alternatives."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from plancost.observations.planfile import Plan
from plancost.oracles.oracle import Allowed

plans = st.lists(st.sampled_from(["(a)", "(b)"]), max_size=4).map(tuple)


@given(st.frozensets(plans, max_size=3), plans)
def test_these_plans_or_all_their_orderings(allowed: frozenset[Plan], plan: Plan) -> None:
    assert Allowed(allowed, any_order=False).contains(plan) == (plan in allowed)
    orderings = {order for own in allowed for order in permutations(own)}
    assert Allowed(allowed, any_order=True).contains(plan) == (plan in orderings)

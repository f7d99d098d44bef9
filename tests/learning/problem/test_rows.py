"""Rows against the costs that come nearest to keeping, and to breaking, them."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from plancost.learning.problem.rows import (
    Row,
    difference,
    excess,
    is_infeasible,
    is_violated,
    is_void,
)

HUGE = 10**6
counts = st.dictionaries(st.integers(0, 3), st.integers(1, 3)).map(
    lambda found: tuple(sorted(found.items()))
)
rows = st.tuples(
    st.dictionaries(st.integers(0, 3), st.sampled_from([-3, -2, -1, 1, 2, 3])).map(
        lambda found: tuple(sorted(found.items()))
    ),
    st.integers(-4, 4),
)


@given(counts, counts, st.lists(st.integers(1, 9), min_size=4, max_size=4))
def test_a_difference_is_what_the_plan_costs_more(
    plan: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...], costs: list[int]
) -> None:
    found = difference(plan, other)
    assert all(count for _, count in found)
    assert list(found) == sorted(found)
    more = Counter(dict(plan))
    more.subtract(dict(other))
    assert excess((found, 0), costs) == sum(costs[a] * n for a, n in more.items())
    assert excess((found, 1), costs) == excess((found, 0), costs) + 1
    assert is_violated((found, 1), costs) == (excess((found, 0), costs) >= 0)


@given(rows)
def test_rows_that_no_costs_or_all_costs_satisfy(row: Row) -> None:
    coefficients, _ = row
    kindest = {action: 1 if value > 0 else HUGE for action, value in coefficients}
    harshest = {action: HUGE if value > 0 else 1 for action, value in coefficients}
    assert is_infeasible(row) == is_violated(row, kindest)
    assert is_void(row) == (not is_violated(row, harshest))

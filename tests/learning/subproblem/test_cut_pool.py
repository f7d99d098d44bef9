"""Rows checked many at a time, against one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plancost.learning.problem.rows import is_infeasible, is_violated
from plancost.learning.subproblem.cut_pool import CutPool

rows = st.tuples(
    st.dictionaries(st.integers(0, 4), st.sampled_from([-2, -1, 1, 2]), max_size=4).map(
        lambda found: tuple(sorted(found.items()))
    ),
    st.integers(0, 1),
)


@given(
    st.lists(st.tuples(rows, st.integers(0, 3)), max_size=12),
    st.sets(st.integers(0, 3)),
    st.lists(st.integers(1, 2**61) | st.integers(1, 9), min_size=5, max_size=5),
)
def test_the_pool_agrees_with_row_by_row_checks(
    found: list[tuple[tuple[tuple[tuple[int, int], ...], int], int]],
    chosen: set[int],
    costs: list[int],
) -> None:
    pool = CutPool(5, 4)
    for row, owner in found:
        pool.add(row, owner)
    owned = pool.induced(chosen)
    mine = {row for row, owner in found if owner in chosen}
    assert {pool.rows[n] for n in np.flatnonzero(owned).tolist()} == mine
    broken = {pool.rows[n] for n in pool.violated_exactly(costs, owned).tolist()}
    assert broken == {row for row in mine if is_violated(row, costs)}
    small = [min(cost, 9) for cost in costs]
    floats = {
        pool.rows[n] for n in pool.violated(np.array(small, dtype=np.float64), owned, 1e-7).tolist()
    }
    assert floats == {row for row in mine if is_violated(row, small)}
    assert (pool.infeasible(owned) is not None) == any(map(is_infeasible, mine))

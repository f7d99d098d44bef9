"""Whole values near real ones keep every row, ties too."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plancost.clock import Clock
from plancost.learn.interior import whole_near
from plancost.learn.rows import Alternative, Cut, RowPool, row_of


@pytest.mark.parametrize("seed", range(40))
def test_rows_hold(seed: int) -> None:
    """Rows that hidden costs satisfy, a third of them as ties, in both directions."""
    chance = random.Random(seed)
    count = chance.randint(3, 12)
    hidden = [chance.randint(1, 9) for _ in range(count)]
    pool = RowPool(1, count)
    for _ in range(3 * count):
        own = {p: chance.choice([-2, -1, 1, 2]) for p in chance.sample(range(count), 3)}
        excess = sum(times * hidden[p] for p, times in own.items())
        for sign in (1, -1):
            if sign * excess <= 0:
                row = row_of({p: sign * times for p, times in own.items()}, 0)
                pool.add([Cut(row, frozenset([0]), Alternative(0, 0, 0, ()))])
    values = np.array(hidden) * chance.choice([1 / 7, 1.0, np.pi])
    least = np.ones(count, dtype=np.int64)
    found = whole_near(np.maximum(values, 1.0), pool, pool.demanded([0]), least, Clock(10))
    if values.min() >= 1:  # else the values that it begins with break rows
        assert found is not None
    if found is not None:
        assert found.min() >= 1
        assert max(row.excess(found) for row in pool.rows) <= 0

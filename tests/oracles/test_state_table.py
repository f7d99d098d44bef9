"""The hash table of states, against a dictionary."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.oracles.state_table import StateTable


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 3), st.integers(0, 2**32), st.booleans())
def test_table_numbers_states_like_a_dictionary(words: int, seed: int, collide: bool) -> None:
    table = StateTable(words)
    if collide:  # every state starts at the same slot
        table._multipliers[:] = 0
    random = np.random.default_rng(seed)
    known: dict[tuple[int, ...], int] = {}
    for _ in range(4):
        size = 60 if collide else 3000
        columns = random.integers(0, 40 if words > 1 else 5000, (words, size), dtype=np.uint64)
        columns <<= np.uint64(58)
        columns |= random.integers(0, 40, (words, size), dtype=np.uint64)
        numbers = table.add(columns)
        for column, number in zip(columns.T.tolist(), numbers.tolist(), strict=True):
            assert known.setdefault(tuple(column), number) == number
        assert sorted(known.values()) == list(range(table.count))
    for state, number in known.items():
        assert tuple(table.states()[:, number].tolist()) == state

"""One Python process that learns again and again does not grow."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.memory import memory_after

MOST_GROWTH_MB = 8.0


def test_every_run_is_counted_and_compared(table_1: Path) -> None:
    (found,) = memory_after(table_1, 2, [2], load=False)
    assert found[0] == 2 and found[1] > 10.0


@pytest.mark.slow
@pytest.mark.parametrize("oracle", ["graph", "fast-downward"])
def test_a_hundred_runs_take_no_more_memory_than_twenty(oracle: str, table_1: Path) -> None:
    early, late = memory_after(table_1, 100, [20, 100], oracle, load=oracle == "graph")
    assert late[1] - early[1] < MOST_GROWTH_MB

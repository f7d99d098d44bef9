"""Grid tasks as in the paper: plans drawn at random from SymK's cheapest hundred."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plancost.generators.grid import Grid
from plancost.generators.pools import PoolOptions
from plancost.generators.tasks import Generated, generate


def write_grid_tasks(
    folder: Path, side: int, problems: int, sizes: Sequence[int], tasks: int, seed: int
) -> Generated:
    """Draw tasks of each size from one pool."""
    options = PoolOptions(problems=problems, seed=seed, jobs=2)
    return generate(Grid(side), folder, options, tasks=tasks, sizes=sizes)

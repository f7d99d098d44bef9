"""What a table or figure of the paper needs, as plain data: pools, sizes, rows and limits.

A *study* is all runs of one concept; Table 3 and Figure 2 are two views of the same one. All of it
follows from names and the scale, so that the same command finds its own records again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from experiments.worlds import Barman, Grid, Openstacks, Transport, World

BASELINE, ALL, EXACT = "baseline", "all", "exact"
"""Rows besides those of LACFIP^k, which are called by their k; `ALL` is k = infinity."""
ROWS = (BASELINE, "10", "100", "1000", "10000", ALL, EXACT)
DOMAINS = ("grid", "barman", "openstacks", "transport")
STUDY_OF = {"table2": "table2", "table3": "mcf", "figure2": "mcf"} | {
    name: name for name in ("scf", "mcfc", "scfc")
}
"""The study behind each name that can be asked for; Figure 1 is apart."""


@dataclass(frozen=True)
class PoolPlan:
    """A pool of problems, each with so many plans."""

    world: World
    problems: int
    plans: int
    seed: int = 0

    @property
    def name(self) -> str:
        """Says all that the pool depends on; a folder name."""
        sizes = "-".join(f"{name}{value}" for name, value in self.world.sizes.items())
        return f"{self.world.name}-{sizes}-{self.problems}x{self.plans}-seed{self.seed}"


@dataclass(frozen=True)
class Study:
    """All runs of one concept; the time limit is one for each run."""

    name: str
    pools: tuple[PoolPlan, ...]
    sizes: tuple[int, ...]
    tasks: int
    rows: tuple[str, ...]
    limit_s: float
    first_decides: bool = False
    """Whether a cell has more than its first task only if that one was solved in time."""

    @property
    def options(self) -> list[str]:
        """What makes it another question than that of other studies; mcfc and scfc refine."""
        refine = ["--refine"] if self.name.endswith("c") else []
        return ["--solution", "scf" if self.name.startswith("scf") else "mcf", *refine]

    def runs(self) -> Iterator[Run]:
        """Every run, cheap rows first."""
        for row in self.rows:
            for pool in self.pools:
                for plans in self.sizes_of(pool):
                    for task in range(1, self.tasks + 1):
                        yield Run(self, pool, plans, task, row)

    def sizes_of(self, pool: PoolPlan) -> list[int]:
        """The sizes that a pool has enough plans for."""
        return [size for size in self.sizes if size <= pool.problems * pool.plans]


@dataclass(frozen=True)
class Run:
    """One algorithm on one learning task of so many plans."""

    study: Study
    pool: PoolPlan
    plans: int
    task: int
    row: str

    @property
    def key(self) -> tuple[str, str, int, int, str]:
        """What its record is found by."""
        return self.study.name, self.pool.name, self.plans, self.task, self.row


@dataclass(frozen=True)
class _Scale:
    """How large the experiments are; the paper's numbers, unless others are given."""

    pools: tuple[PoolPlan, ...] = tuple(
        PoolPlan(world, 50, 100) for world in (Grid(), Barman(), Openstacks(), Transport())
    )
    small_grid: PoolPlan = PoolPlan(Grid(5), 10, 100)
    sizes: tuple[int, ...] = (10, 100, 1000)
    small_size: int = 10
    tasks: int = 10
    counts: tuple[str, ...] = ("10", "100", "1000", "10000")
    small_counts: tuple[str, ...] = ("10", "100", "1000", ALL)
    small_tasks: int = 10
    limit_s: float = 1800.0
    first_decides: bool = False


_SCALES = {
    "smoke": _Scale(
        pools=(
            PoolPlan(Grid(5), 4, 10),
            PoolPlan(Barman(ingredients=2, cocktails=1, shots=2), 4, 10),
            PoolPlan(Openstacks(orders=3, products=3), 4, 10),
            PoolPlan(Transport(places=4, vehicles=1, packages=1), 4, 10),
        ),
        small_grid=PoolPlan(Grid(4), 3, 10),
        sizes=(5, 10),
        small_size=5,
        tasks=2,
        counts=("10", "100"),
        small_counts=("10", ALL),
        small_tasks=2,
        limit_s=20.0,
    ),
    "small": _Scale(
        pools=(  # fewer problems where SymK takes a minute or more for the plans of one
            PoolPlan(Grid(), 50, 100),
            PoolPlan(Barman(), 12, 100),
            PoolPlan(Openstacks(), 50, 100),
            PoolPlan(Transport(), 25, 100),
        ),
        tasks=3,
        limit_s=300.0,
        first_decides=True,
    ),
    "paper": _Scale(),
}
SCALES = tuple(_SCALES)


def study_of(name: str, scale: str, limit_s: float | None = None) -> Study:
    """A study by its name, such as mcf; with another time limit if one is given."""
    usual = _SCALES[scale]
    limit_s = limit_s or usual.limit_s
    if name == "table2":
        rows = (BASELINE, *usual.small_counts, EXACT)
        sizes = (usual.small_size,)
        return Study(name, (usual.small_grid,), sizes, usual.small_tasks, rows, limit_s)
    rows = (BASELINE, *usual.counts, EXACT)
    return Study(name, usual.pools, usual.sizes, usual.tasks, rows, limit_s, usual.first_decides)

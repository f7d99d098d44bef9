"""What a table or figure of the paper needs: pools, sizes, rows and limits, as plain data.

A *study* is all runs of one concept. Table 3 and Figure 2 are two views of the same study.
Everything here follows from the names, the scale and the seed, so that the same command
finds the records of its own runs again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from plancost.generators.barman import Barman
from plancost.generators.grid import Grid
from plancost.generators.openstacks import Openstacks
from plancost.generators.transport import Transport
from plancost.generators.world import World

BASELINE, EXACT, ALL = "baseline", "exact", "all"
FIGURE_1 = "figure1"

STUDIES = {
    "table2": "table2",
    "table3": "mcf",
    "figure2": "mcf",
    "scf": "scf",
    "figure2-scf": "scf",
    "mcfc": "mcfc",
    "figure2-mcfc": "mcfc",
    "scfc": "scfc",
    "figure2-scfc": "scfc",
}
"""The study behind each name that can be asked for; Figure 1 is apart."""
TARGETS = (*STUDIES, FIGURE_1)
SCALES = ("smoke", "small", "paper")


@dataclass(frozen=True)
class Bounds:
    """Seconds for each algorithm and learning task, and megabytes for each process."""

    time_s: float
    memory_mb: int


@dataclass(frozen=True)
class PoolPlan:
    """A pool of problems with plans."""

    world: World
    problems: int
    plans: int
    seed: int

    @property
    def domain(self) -> str:
        """The name of its domain."""
        return self.world.name

    @property
    def name(self) -> str:
        """Says all that the pool depends on; a folder name."""
        sizes = "-".join(f"{name}{value}" for name, value in self.world.sizes().items())
        return f"{self.domain}-{sizes}-{self.problems}x{self.plans}-seed{self.seed}"


@dataclass(frozen=True)
class Study:
    """All runs of one concept on some pools."""

    name: str
    solution: str
    refine: bool
    pools: tuple[PoolPlan, ...]
    sizes: tuple[int, ...]
    tasks: int
    rows: tuple[str, ...]
    bounds: Bounds

    @property
    def costs(self) -> str:
        """Under which costs alternatives are the cheapest: all 1, or C̄ raised to 1."""
        return "initial" if self.refine else "unit"

    def sizes_of(self, pool: PoolPlan) -> tuple[int, ...]:
        """The sizes that are at most half of a pool; larger draws would be much the same."""
        most = pool.problems * pool.plans // 2
        return tuple(size for size in self.sizes if size <= most)

    def runs(self) -> Iterator[Run]:
        """Every run, cheap rows first."""
        for row in self.rows:
            for pool in self.pools:
                for size in self.sizes_of(pool):
                    for task in range(1, self.tasks + 1):
                        yield Run(self, pool, size, task, row)


@dataclass(frozen=True)
class Part:
    """Which runs of a study are to be done now; None is all."""

    domains: tuple[str, ...] | None = None
    sizes: tuple[int, ...] | None = None
    tasks: int | None = None
    rows: tuple[str, ...] | None = None

    def has_domain(self, pool: PoolPlan) -> bool:
        """Whether any run on a pool is to be done."""
        return self.domains is None or pool.domain in self.domains

    def has(self, run: Run) -> bool:
        """Whether a run is to be done."""
        return (
            self.has_domain(run.pool)
            and (self.sizes is None or run.size in self.sizes)
            and (self.tasks is None or run.task <= self.tasks)
            and (self.rows is None or run.row in self.rows)
        )


@dataclass(frozen=True)
class Run:
    """One algorithm on one learning task."""

    study: Study
    pool: PoolPlan
    size: int
    task: int
    row: str

    @property
    def uses_alternatives(self) -> bool:
        """Whether it is LACFIP^k."""
        return is_lacfip(self.row)

    @property
    def place(self) -> tuple[str, int, int, str]:
        """Where its outcome stands in a table: domain, size, task, row."""
        return self.pool.domain, self.size, self.task, self.row


def is_lacfip(row: str) -> bool:
    """Whether a row is the paper's algorithm, with some k."""
    return row not in (BASELINE, EXACT)


def alternative_count(row: str) -> int | None:
    """k of such a row; None for all."""
    return None if row == ALL else int(row)


@dataclass(frozen=True)
class _Scale:
    """How large the experiments are."""

    pools: tuple[PoolPlan, ...]
    small_grid: PoolPlan
    sizes: tuple[int, ...]
    small_size: int
    tasks: int
    counts: tuple[str, ...]
    small_counts: tuple[str, ...]
    bounds: Bounds


def _scale(name: str, seed: int) -> _Scale:
    if name == "smoke":
        worlds = (
            Grid(5),
            Barman(ingredients=2, cocktails=1, shots=2),
            Openstacks(orders=3, products=3),
            Transport(places=4, vehicles=1, packages=1),
        )
        return _Scale(
            tuple(PoolPlan(world, 4, 10, seed) for world in worlds),
            PoolPlan(Grid(4), 4, 10, seed),
            sizes=(5, 10),
            small_size=5,
            tasks=2,
            counts=("10", "100"),
            small_counts=("10", "100", ALL),
            bounds=Bounds(20.0, 8192),
        )
    if name == "small":
        return _Scale(
            (  # fewer problems where SymK takes a minute or more for the plans of one
                PoolPlan(Grid(), 50, 100, seed),
                PoolPlan(Barman(), 12, 100, seed),
                PoolPlan(Openstacks(), 50, 100, seed),
                PoolPlan(Transport(), 25, 100, seed),
            ),
            PoolPlan(Grid(5), 10, 100, seed),
            sizes=(10, 100, 1000),
            small_size=10,
            tasks=3,
            counts=("10", "100", "1000"),
            small_counts=("10", "100", "1000", ALL),
            bounds=Bounds(300.0, 8192),
        )
    worlds = (Grid(), Barman(), Openstacks(), Transport())
    return _Scale(
        tuple(PoolPlan(world, 50, 100, seed) for world in worlds),
        PoolPlan(Grid(5), 10, 100, seed),
        sizes=(10, 100, 1000),
        small_size=10,
        tasks=10,
        counts=("10", "100", "1000", "10000"),
        small_counts=("10", "100", "1000", ALL),
        bounds=Bounds(1800.0, 8192),
    )


def study_of(
    target: str,
    scale: str,
    seed: int = 0,
    *,
    time_s: float | None = None,
    memory_mb: int | None = None,
) -> Study:
    """The study behind a name at a scale, with other limits if asked for."""
    name = STUDIES[target]
    sizes = _scale(scale, seed)
    bounds = replace(
        sizes.bounds,
        time_s=time_s or sizes.bounds.time_s,
        memory_mb=memory_mb or sizes.bounds.memory_mb,
    )
    small = name == "table2"
    counts = sizes.small_counts if small else sizes.counts
    return Study(
        name,
        solution="scf" if name.startswith("scf") else "mcf",
        refine=name in ("mcfc", "scfc"),
        pools=(sizes.small_grid,) if small else sizes.pools,
        sizes=(sizes.small_size,) if small else sizes.sizes,
        tasks=sizes.tasks,
        rows=(BASELINE, *counts, EXACT),
        bounds=bounds,
    )

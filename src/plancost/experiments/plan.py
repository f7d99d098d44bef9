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
BASELINE_ALL, EXACT_ALL = "baseline, all tasks", "exact, all tasks"
OVER_ALL = {BASELINE_ALL: BASELINE, EXACT_ALL: EXACT}
"""Rows that stand a second time in a table, over all their tasks."""
UNIT, INITIAL = "unit", "initial"
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


@dataclass(frozen=True)
class Bounds:
    """Seconds for each algorithm and learning task, and megabytes for each process."""

    time_s: float
    memory_mb: int = 8192


@dataclass(frozen=True)
class PoolPlan:
    """A pool of problems with plans."""

    world: World
    problems: int
    plans: int
    seed: int = 0

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
    first_decides: bool = False
    """Whether a cell has more than its first task only if the run of that one ended by itself."""

    @property
    def costs(self) -> str:
        """Under which costs alternatives are the cheapest: all 1, or C̄ raised to 1."""
        return INITIAL if self.refine else UNIT

    @property
    def task_numbers(self) -> range:
        """The learning tasks of each size."""
        return range(1, self.tasks + 1)

    def sizes_of(self, pool: PoolPlan) -> tuple[int, ...]:
        """The sizes for which a pool has enough plans."""
        return tuple(size for size in self.sizes if size <= pool.problems * pool.plans)

    def runs(self) -> Iterator[Run]:
        """Every run, cheap rows first."""
        for row in self.rows:
            for pool in self.pools:
                for size in self.sizes_of(pool):
                    for task in self.task_numbers:
                        yield Run(self, pool, size, task, row)


@dataclass(frozen=True)
class Run:
    """One algorithm on one learning task."""

    study: Study
    pool: PoolPlan
    size: int
    task: int
    row: str

    @property
    def place(self) -> tuple[str, int, int, str]:
        """Where its outcome stands in a table: domain, size, task, row."""
        return self.pool.domain, self.size, self.task, self.row


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


def is_lacfip(row: str) -> bool:
    """Whether a row is the paper's algorithm LACFIP^k, with some k."""
    return row not in (BASELINE, EXACT, *OVER_ALL)


def row_title(row: str) -> str:
    """A row in plain text."""
    if row == ALL:
        return "k = ∞"
    return f"k = {row}" if is_lacfip(row) else row


@dataclass(frozen=True)
class _Scale:
    """How large the experiments are: as in the paper, unless another value is given."""

    pools: tuple[PoolPlan, ...] = tuple(
        PoolPlan(world, 50, 100) for world in (Grid(), Barman(), Openstacks(), Transport())
    )
    small_grid: PoolPlan = PoolPlan(Grid(5), 10, 100)
    sizes: tuple[int, ...] = (10, 100, 1000)
    small_size: int = 10
    tasks: int = 10
    counts: tuple[str, ...] = ("10", "100", "1000", "10000")
    small_counts: tuple[str, ...] = ("10", "100", "1000", ALL)
    time_s: float = 1800.0
    first_decides: bool = False


_SCALES = {
    "smoke": _Scale(
        pools=(
            PoolPlan(Grid(5), 4, 10),
            PoolPlan(Barman(ingredients=2, cocktails=1, shots=2), 4, 10),
            PoolPlan(Openstacks(orders=3, products=3), 4, 10),
            PoolPlan(Transport(places=4, vehicles=1, packages=1), 4, 10),
        ),
        small_grid=PoolPlan(Grid(4), 4, 10),
        sizes=(5, 10),
        small_size=5,
        tasks=2,
        counts=("10", "100"),
        small_counts=("10", "100", ALL),
        time_s=20.0,
    ),
    "small": _Scale(
        pools=(  # fewer problems where SymK takes a minute or more for the plans of one
            PoolPlan(Grid(), 50, 100),
            PoolPlan(Barman(), 12, 100),
            PoolPlan(Openstacks(), 50, 100),
            PoolPlan(Transport(), 25, 100),
        ),
        tasks=3,
        time_s=300.0,
        first_decides=True,
    ),
    "paper": _Scale(),
}
SCALES = tuple(_SCALES)


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
    usual = _SCALES[scale]
    small = name == "table2"
    bounds = Bounds(time_s or usual.time_s)
    return Study(
        name,
        solution="scf" if name.startswith("scf") else "mcf",
        refine=name in ("mcfc", "scfc"),
        pools=tuple(
            replace(pool, seed=seed) for pool in ((usual.small_grid,) if small else usual.pools)
        ),
        sizes=(usual.small_size,) if small else usual.sizes,
        tasks=usual.tasks,
        rows=(BASELINE, *(usual.small_counts if small else usual.counts), EXACT),
        bounds=replace(bounds, memory_mb=memory_mb) if memory_mb else bounds,
        first_decides=usual.first_decides,
    )

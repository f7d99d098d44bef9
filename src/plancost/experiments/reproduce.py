"""Everything that a study needs and that has no record yet, in three steps.

Pools with their learning tasks; the alternatives of each problem (`listings`); the runs.
Every step leaves its records as it goes, so the same command after a kill goes on where it
was, and does nothing when all is done.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plancost.errors import InputError
from plancost.experiments.layout import Layout
from plancost.experiments.listings import Ladder, forget_lost, list_plans
from plancost.experiments.plan import Part, PoolPlan, Run, Study, is_lacfip
from plancost.experiments.record_content import Content
from plancost.experiments.records import run_key
from plancost.experiments.runs import do_run, has_failed
from plancost.files.input_files import csv_rows, read_text
from plancost.generators.pools import PoolOptions
from plancost.generators.tasks import generate
from plancost.system.progress import Progress, no_progress
from plancost.system.workers import Workers

Ladders = dict[tuple[str, str], Ladder]
"""By pool and problem."""


@dataclass(frozen=True)
class Done:
    """How much was done now, and how much had been done before."""

    runs: int
    runs_before: int
    listings: int


def reproduce(
    study: Study,
    layout: Layout,
    part: Part = Part(),  # noqa: B008 (frozen)
    *,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> Done:
    """Do all that is missing of a study, or of a part of it."""
    fill_pools(study, layout, part, jobs=jobs, progress=progress)
    runs = [run for run in study.runs() if part.has(run)]
    left = [run for run in runs if layout.records.load(run_key(run)) is None]
    ladders = ladders_of(study, layout, part)

    def do(runs: Sequence[Run], stage: str) -> None:
        _work(
            [(run.row, partial(_run, run, layout, ladders)) for run in runs], stage, jobs, progress
        )

    do([run for run in left if not run.uses_alternatives], "runs")  # these wait for nobody
    listings = 0
    for row in filter(is_lacfip, study.rows):  # one after the other: each looks at the one before
        waiting = [run for run in left if run.row == row]
        listings += _list_row(row, waiting, layout, ladders, jobs, progress)
        do(waiting, f"runs, k = {row}")
    return Done(len(left), len(runs) - len(left), listings)


def _list_row(
    row: str,
    waiting: Sequence[Run],
    layout: Layout,
    ladders: Ladders,
    jobs: int,
    progress: Progress,
) -> int:
    """List the alternatives that these runs wait for; how many listings there were to do.

    One that only runs wait for that have failed by others is left out.
    """
    users: dict[Ladder, list[Run]] = {}
    for run in waiting:
        for ladder in _ladders_of_run(run, layout, ladders):
            users.setdefault(ladder, []).append(run)
    for ladder in users:
        forget_lost(ladder, layout)
    todo = [item for item in users if layout.records.load(item.key(row)) is None]

    def do(ladder: Ladder) -> bool:
        if all(has_failed(run, _listings(run, layout, ladders)) for run in users[ladder]):
            return True
        return list_plans(ladder, row, layout)

    _work([(row, partial(do, ladder)) for ladder in todo], f"k = {row}", jobs, progress)
    return len(todo)


def fill_pools(
    study: Study,
    layout: Layout,
    part: Part = Part(),  # noqa: B008 (frozen)
    *,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> None:
    """Write the pools and tasks of a study, or what is missing of them."""
    for pool in filter(part.has_domain, study.pools):
        _fill_pool(study, pool, layout, jobs, progress)


def _fill_pool(study: Study, pool: PoolPlan, layout: Layout, jobs: int, progress: Progress) -> None:
    """Write a pool and its tasks, or what is missing of them."""
    options = PoolOptions(
        problems=pool.problems,
        plans=pool.plans,
        seed=pool.seed,
        memory_limit_mb=study.bounds.memory_mb,
        jobs=jobs,
        use_cache=False,
    )
    layout.make_pools()
    generated = generate(
        pool.world,
        layout.pool(pool),
        options,
        tasks=study.tasks,
        sizes=study.sizes_of(pool),
        progress=lambda stage, done, total, known="": progress(pool.domain, done, total, known),
    )
    for size in study.sizes_of(pool):
        if size not in generated.tasks:
            raise InputError(
                f"this pool has only {generated.pool.plan_count} plans, too few for learning "
                f"tasks of {size}; try another --seed",
                layout.pool(pool),
            )


def ladders_of(
    study: Study,
    layout: Layout,
    part: Part = Part(),  # noqa: B008 (frozen)
) -> Ladders:
    """The listings of every problem that a task observes, by pool and problem.

    They are those of the whole study, so that its other parts find them again.
    """
    found = {}
    rows = tuple(row for row in study.rows if is_lacfip(row))
    for pool in filter(part.has_domain, study.pools):
        most: Counter[str] = Counter()
        for run in study.runs():
            if run.pool == pool and run.row == study.rows[0]:
                most |= _observed(layout.manifest(run))  # the greater of both
        for problem, observed in sorted(most.items()):
            found[pool.name, problem] = Ladder(
                pool, problem, study.costs, rows, observed, study.bounds
            )
    return found


def _observed(manifest: Path) -> Counter[str]:
    """How many plans of each problem a learning task holds."""
    try:
        _, rows = csv_rows(read_text(manifest, "this learning task"), manifest)
        return Counter(Path(row["problem"]).stem for _, row in rows)
    except (KeyError, TypeError) as error:
        raise InputError("this is not a learning task of a pool", manifest) from error


def _ladders_of_run(run: Run, layout: Layout, ladders: Ladders) -> list[Ladder]:
    problems = sorted(_observed(layout.manifest(run)))
    return [ladders[run.pool.name, problem] for problem in problems]


def _listings(run: Run, layout: Layout, ladders: Ladders) -> list[Content | None]:
    """The records of the alternatives of a run's problems; None where there is none yet."""
    if not run.uses_alternatives:
        return []
    found = _ladders_of_run(run, layout, ladders)
    return [layout.records.load(ladder.key(run.row)) for ladder in found]


def _run(run: Run, layout: Layout, ladders: Ladders) -> bool:
    """Do one run and record it; False if it was called off."""
    listings = _listings(run, layout, ladders)
    if None in listings and not has_failed(run, listings):
        raise InputError("a record of alternatives is gone; start again", layout.records.folder)
    content = do_run(run, layout, [listing for listing in listings if listing is not None])
    if content is None:
        return False
    layout.records.save(run_key(run), content)
    return True


def _work(
    pieces: Sequence[tuple[str, Callable[[], bool]]], stage: str, jobs: int, progress: Progress
) -> None:
    """Do all pieces, so many at a time; each has a kind, for the estimate of what is left."""
    estimate = TimeLeft([kind for kind, _ in pieces], jobs)
    progress(stage, 0, len(pieces))
    with Workers(jobs) as workers:
        running = {workers.submit(partial(_timed, piece)): kind for kind, piece in pieces}
        done = 0
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                done += 1
                estimate.took(running.pop(future), future.result())
                progress(stage, done, len(pieces), estimate.words())


def _timed(piece: Callable[[], bool]) -> float:
    started = time.monotonic()
    piece()
    return time.monotonic() - started


class TimeLeft:
    """How long the rest takes, if pieces of a kind take as long as those done."""

    def __init__(self, kinds: Sequence[str], jobs: int) -> None:
        self._left = Counter(kinds)
        self._seconds: dict[str, list[float]] = {}
        self._jobs = jobs

    def took(self, kind: str, seconds: float) -> None:
        """A piece is done."""
        self._left[kind] -= 1
        self._seconds.setdefault(kind, []).append(seconds)

    def seconds(self) -> float:
        """The estimate; kinds not met yet count as the slowest that was."""
        means = {kind: sum(all_) / len(all_) for kind, all_ in self._seconds.items()}
        slowest = max(means.values(), default=0.0)
        total = sum(count * means.get(kind, slowest) for kind, count in self._left.items())
        return total / self._jobs

    def words(self) -> str:
        """As it is shown."""
        seconds = self.seconds()
        if seconds < 1:
            return ""
        for unit, length in (("h", 3600), ("min", 60)):
            if seconds >= 2 * length:
                return f"about {seconds / length:.0f} {unit} left"
        return f"about {seconds:.0f} s left"

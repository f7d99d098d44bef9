"""Everything that a study needs and that has no record yet, in three steps.

Pools with their learning tasks; the alternatives of each problem (`listings`); the runs, in
the order of `agenda`. Runs whose end follows from others are recorded without being done.
Every step leaves its records as it goes, so the same command after a kill resumes where it
was, and does nothing when all is done.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from plancost.errors import InputError
from plancost.experiments.agenda import Agenda
from plancost.experiments.inference import inferred
from plancost.experiments.layout import Layout
from plancost.experiments.listings import Ladder, forget_lost, list_plans
from plancost.experiments.plan import Part, PoolPlan, Run, Study, is_lacfip, row_title
from plancost.experiments.records import Content, run_key
from plancost.experiments.runs import do_run, has_failed
from plancost.files.input_files import csv_rows, read_text
from plancost.generators.pools import PoolOptions
from plancost.generators.tasks import generate
from plancost.system.progress import Progress, no_progress
from plancost.system.workers import Workers


@dataclass(frozen=True)
class Done:
    """How much was done now, and how much had been done before."""

    runs: int
    runs_before: int
    listings: int
    inferred: int = 0
    """How many of the runs were not needed, since a smaller k implies how they end."""


@dataclass(frozen=True)
class Reproduction:
    """A study, or a part of it, in a folder."""

    study: Study
    layout: Layout
    part: Part = Part()  # noqa: RUF009 (frozen)
    jobs: int = 1
    progress: Progress = no_progress

    def run(self) -> Done:
        """Do all that is missing."""
        records = self.layout.records
        agenda = Agenda(self.study, records, self.part)
        before = sum(records.load(run_key(run)) is not None for run in agenda.runs())
        if not agenda.without_record():
            return Done(0, before, 0)
        self.fill_pools()
        done = Done(0, before, 0)
        for stage in agenda.stages():  # one after the other: each looks at those before
            row = stage[0].row
            implied = {run: content for run in stage if (content := inferred(run, records))}
            for run, content in implied.items():
                records.save(run_key(run), content)
            waiting = [run for run in stage if run not in implied]
            listings = self._list_row(row, waiting) if is_lacfip(row) else 0
            self._do_runs(f"{row_title(row)}, {stage[0].size} plans", waiting)
            done = Done(
                done.runs + len(stage),
                before,
                done.listings + listings,
                done.inferred + len(implied),
            )
        return done

    def fill_pools(self) -> None:
        """Write the pools and their learning tasks, or what is missing of them."""
        self.layout.make()
        for pool in self._pools:
            folder, sizes = self.layout.pool(pool), self.study.sizes_of(pool)
            options = PoolOptions(
                problems=pool.problems,
                plans=pool.plans,
                seed=pool.seed,
                memory_limit_mb=self.study.bounds.memory_mb,
                jobs=self.jobs,
                use_cache=False,
            )
            generated = generate(
                pool.world,
                folder,
                options,
                tasks=self.study.tasks,
                sizes=sizes,
                progress=partial(self._pool_progress, pool),
            )
            for size in sizes:
                if size not in generated.tasks:
                    raise InputError(
                        f"this pool has only {generated.pool.plan_count} plans, too few for "
                        f"learning tasks of {size}; try another --seed",
                        folder,
                    )

    @cached_property
    def ladders(self) -> Mapping[tuple[PoolPlan, str], Ladder]:
        """The listings of every problem that a task observes, by pool and problem.

        They are those of the whole study, so that its other parts find them again.
        """
        found = {}
        study = self.study
        for pool in self._pools:
            most: Counter[str] = Counter()
            for run in study.runs():
                if run.pool == pool and run.row == study.rows[0]:
                    most |= _observed(self.layout.manifest(run))  # the greater of both
            for problem, observed in sorted(most.items()):
                found[pool, problem] = Ladder(
                    pool, problem, study.costs, self._lacfip_rows, observed, study.bounds
                )
        return found

    @property
    def _pools(self) -> list[PoolPlan]:
        return [pool for pool in self.study.pools if self.part.has_domain(pool)]

    @property
    def _lacfip_rows(self) -> tuple[str, ...]:
        return tuple(filter(is_lacfip, self.study.rows))

    def _pool_progress(
        self, pool: PoolPlan, stage: str, done: int, total: int, known: str = ""
    ) -> None:
        self.progress(pool.domain, done, total, known)

    def _list_row(self, row: str, waiting: Sequence[Run]) -> int:
        """List the alternatives that these runs wait for; how many listings there were to do.

        Those that only runs need which have failed already are left out.
        """
        users: dict[Ladder, list[Run]] = {}
        for run in waiting:
            for ladder in self._ladders_of(run):
                users.setdefault(ladder, []).append(run)
        for ladder in users:
            forget_lost(ladder, self.layout)
        todo = [item for item in users if self.layout.records.load(item.key(row)) is None]

        def do(ladder: Ladder) -> None:
            if not all(has_failed(run, self._listings(run)) for run in users[ladder]):
                list_plans(ladder, row, self.layout)

        self._work(f"k = {row}", [(row, partial(do, ladder)) for ladder in todo])
        return len(todo)

    def _ladders_of(self, run: Run) -> list[Ladder]:
        problems = sorted(_observed(self.layout.manifest(run)))
        return [self.ladders[run.pool, problem] for problem in problems]

    def _listings(self, run: Run) -> list[Content | None]:
        """The records of the alternatives of a run's problems; None where there is none yet."""
        if not is_lacfip(run.row):
            return []
        found = self._ladders_of(run)
        return [self.layout.records.load(ladder.key(run.row)) for ladder in found]

    def _do_runs(self, stage: str, runs: Sequence[Run]) -> None:
        self._work(stage, [(run.row, partial(self._do_run, run)) for run in runs])

    def _do_run(self, run: Run) -> None:
        """Do one run and record it, unless it is called off."""
        listings = self._listings(run)
        known = [listing for listing in listings if listing is not None]
        records = self.layout.records
        if len(known) < len(listings) and not has_failed(run, known):
            raise InputError("a record of alternatives is gone; start again", records.folder)
        content = do_run(run, self.layout, known)
        if content is not None:
            records.save(run_key(run), content)

    def _work(self, stage: str, pieces: Sequence[tuple[str, Callable[[], None]]]) -> None:
        """Do all pieces, `jobs` at a time; each has a kind, for the estimate of what is left."""
        estimate = TimeLeft([kind for kind, _ in pieces], self.jobs)
        self.progress(stage, 0, len(pieces))
        with Workers(self.jobs) as workers:
            running = {workers.submit(partial(_timed, piece)): kind for kind, piece in pieces}
            done = 0
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    done += 1
                    estimate.took(running.pop(future), future.result())
                    self.progress(stage, done, len(pieces), estimate.words())


def _observed(manifest: Path) -> Counter[str]:
    """How many plans of each problem a learning task holds."""
    try:
        _, rows = csv_rows(read_text(manifest, "this learning task"), manifest)
        return Counter(Path(row["problem"]).stem for _, row in rows)
    except (KeyError, TypeError) as error:
        raise InputError("this is not a learning task of a pool", manifest) from error


def _timed(piece: Callable[[], None]) -> float:
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

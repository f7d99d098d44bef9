"""What the cells of a table are: which tasks count, their mean and deviation.

As in the paper, a cell speaks of the tasks that at least one row of LACFIP^k solved, and of
those that its own row solved among them; the deviation is that of the population. A cell
without any such task is grey. The baseline and the exact row stand a second time over all tasks
that they solved, since they need no row of LACFIP^k to be there.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plancost.experiments.plan import ALL, EXACT, OVER_ALL, Study, is_lacfip
from plancost.experiments.records import Content, Recorded, run_key


@dataclass(frozen=True)
class Outcome:
    """What became of one run, as its record says."""

    solved: bool
    ratio: float | None
    """Plans that the check found optimal, out of all; None if there was no answer."""
    proved: bool
    seconds: float
    reason: str | None
    inferred_from: str | None = None
    """The smaller k whose failure implies this one."""
    finished: bool = True
    """Whether nothing was left to prove when it ended."""

    @classmethod
    def of(cls, content: Content) -> Outcome:
        """From a record."""
        plans = content.get("plans")
        return cls(
            content["status"] == "solved",
            None if not plans else content["optimal_plans"] / plans,
            content.get("proved") is True,
            float(content["seconds"]["total"]),
            content["reason"],
            content.get("inferred_from"),
            (content.get("secondary") or {}).get("proved") is not False,
        )

    @property
    def why(self) -> str:
        """Why it failed."""
        words = self.reason or ""
        return f"{words} (inferred from k = {self.inferred_from})" if self.inferred_from else words


@dataclass(frozen=True)
class Cell:
    """One cell: grey (no mean) or a mean and a deviation over some tasks."""

    mean: float | None
    deviation: float | None
    tasks: int
    """How many tasks the mean is over."""
    unproved: int = 0
    """In how many of them the row did not prove that no more plans can be optimal."""
    runs: int = 0
    """How many runs of the cell have a record."""
    reasons: tuple[tuple[str, int], ...] = ()
    """Why runs of the cell failed, and how many."""
    inferred: int = 0
    """How many of them were not done, because a smaller k implies how they end."""


@dataclass(frozen=True)
class Results:
    """A study and what became of its runs, by domain, size, task and row."""

    study: Study
    outcomes: Mapping[tuple[str, int, int, str], Outcome]

    @classmethod
    def load(cls, study: Study, records: Recorded) -> Results:
        """All runs of a study that have a record."""
        contents = {run.place: records.load(run_key(run)) for run in study.runs()}
        found = {place: Outcome.of(content) for place, content in contents.items() if content}
        return cls(study, found)

    @property
    def columns(self) -> list[tuple[str, int]]:
        """Domain and size of each column of the study's table."""
        study = self.study
        return [(pool.domain, size) for pool in study.pools for size in study.sizes_of(pool)]

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows of the study's table."""
        rows = self.study.rows
        return (*rows, *(name for name, row in OVER_ALL.items() if row in rows))

    def by_task(self, domain: str, size: int, row: str) -> dict[int, Outcome]:
        """What became of the runs of a cell."""
        places = {task: (domain, size, task, row) for task in self.study.task_numbers}
        return {n: self.outcomes[place] for n, place in places.items() if place in self.outcomes}

    def counted_tasks(self, domain: str, size: int) -> list[int]:
        """The tasks that at least one row of LACFIP^k solved."""
        solved = {
            task
            for row in filter(is_lacfip, self.study.rows)
            for task, outcome in self.by_task(domain, size, row).items()
            if outcome.solved
        }
        return sorted(solved)

    def cell(self, domain: str, size: int, row: str) -> Cell:
        """One cell of a table; `row` may be one of `OVER_ALL`."""
        if row in OVER_ALL:
            row, tasks = OVER_ALL[row], list(self.study.task_numbers)
        else:
            tasks = self.counted_tasks(domain, size)
        runs = self.by_task(domain, size, row)
        solved = [runs[task] for task in tasks if task in runs and runs[task].solved]
        failures = Counter(outcome.why for outcome in runs.values() if not outcome.solved)
        mean, deviation = mean_and_deviation([outcome.ratio or 0.0 for outcome in solved])
        return Cell(
            mean,
            deviation,
            len(solved),
            unproved=sum(not outcome.proved for outcome in solved),
            runs=len(runs),
            reasons=tuple(sorted(failures.items())),
            inferred=sum(outcome.inferred_from is not None for outcome in runs.values()),
        )

    def comparable(self, domain: str, size: int, row: str) -> bool:
        """Whether exact is proven in all tasks of a cell, so that its mean is a bound there."""
        exact = self.by_task(domain, size, EXACT)
        runs = self.by_task(domain, size, row)
        counted = [task for task in self.counted_tasks(domain, size) if task in runs]
        return all(
            task in exact and exact[task].solved and exact[task].proved
            for task in counted
            if runs[task].solved
        )

    def tasks_with_proof(self) -> int:
        """How many tasks exact is proven in and some row of LACFIP^k solved."""
        return sum(
            outcome.solved and outcome.proved and task in self.counted_tasks(domain, size)
            for (domain, size, task, row), outcome in self.outcomes.items()
            if row == EXACT
        )

    def contradictions(self) -> list[str]:
        """Tasks where a row is above the proven optimum, or all alternatives miss it."""
        found = []
        for (domain, size, task, row), outcome in self.outcomes.items():
            best = self.outcomes.get((domain, size, task, EXACT))
            if not (best and best.solved and best.proved and outcome.solved):
                continue
            ratio, optimum = outcome.ratio or 0.0, best.ratio or 0.0
            if ratio > optimum or (row == ALL and ratio < optimum):
                where = f"{domain}, {size} plans, task {task}, row {row}"
                found.append(f"{where}: {ratio:.3f}, exact {optimum:.3f}")
        return found


def mean_and_deviation(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Mean and population deviation; None of nothing."""
    if not values:
        return None, None
    return statistics.fmean(values), statistics.pstdev(values)

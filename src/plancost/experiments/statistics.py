"""What the cells of a table are: which tasks count, their mean and deviation.

As in the paper, a cell speaks of the tasks that at least one row of LACFIP^k solved, and of
those that its own row solved among them; the deviation is that of the population. A cell
without any such task is grey. The exact row stands a second time over all tasks that it
solved, since it needs no row of LACFIP^k to be there.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from plancost.experiments.plan import ALL, EXACT, Study, is_lacfip
from plancost.experiments.records import Content, Key, run_key

EXACT_ALL = "exact, all tasks"


@dataclass(frozen=True)
class Outcome:
    """What became of one run, as its record says."""

    solved: bool
    ratio: float | None
    """Plans that the check found optimal, out of all; None if there was no answer."""
    proved: bool
    seconds: float
    reason: str | None

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
        )


Outcomes = Mapping[tuple[str, int, int, str], Outcome]
"""By domain, size, task and row."""


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


class Recorded(Protocol):
    """Where records are found: a folder, or a packed file."""

    def load(self, key: Key) -> Content | None:
        """The record of a key, or None."""


def load_outcomes(study: Study, records: Recorded) -> dict[tuple[str, int, int, str], Outcome]:
    """All runs of a study that have a record."""
    contents = {run.place: records.load(run_key(run)) for run in study.runs()}
    return {place: Outcome.of(content) for place, content in contents.items() if content}


def outcomes_of(
    study: Study, outcomes: Outcomes, domain: str, size: int, row: str
) -> dict[int, Outcome]:
    """What became of the runs of a cell, by task."""
    found = {task: outcomes.get((domain, size, task, row)) for task in study.task_numbers}
    return {task: outcome for task, outcome in found.items() if outcome is not None}


def counted_tasks(study: Study, outcomes: Outcomes, domain: str, size: int) -> list[int]:
    """The tasks that at least one row of LACFIP^k solved."""
    solved = {
        task
        for row in filter(is_lacfip, study.rows)
        for task, outcome in outcomes_of(study, outcomes, domain, size, row).items()
        if outcome.solved
    }
    return sorted(solved)


def cell(study: Study, outcomes: Outcomes, domain: str, size: int, row: str) -> Cell:
    """One cell of a table; `row` may be `EXACT_ALL`."""
    if row == EXACT_ALL:
        row, tasks = EXACT, list(study.task_numbers)
    else:
        tasks = counted_tasks(study, outcomes, domain, size)
    runs = outcomes_of(study, outcomes, domain, size, row)
    solved = [runs[task] for task in tasks if task in runs and runs[task].solved]
    failures = Counter(outcome.reason or "" for outcome in runs.values() if not outcome.solved)
    mean, deviation = mean_and_deviation([outcome.ratio or 0.0 for outcome in solved])
    return Cell(
        mean,
        deviation,
        len(solved),
        unproved=sum(not outcome.proved for outcome in solved),
        runs=len(runs),
        reasons=tuple(sorted(failures.items())),
    )


def contradictions(study: Study, outcomes: Outcomes) -> list[str]:
    """Tasks where a row is above the proven optimum, or all alternatives miss it."""
    found = []
    for (domain, size, task, row), outcome in outcomes.items():
        best = outcomes.get((domain, size, task, EXACT))
        if not (best and best.solved and best.proved and outcome.solved):
            continue
        ratio, optimum = outcome.ratio or 0.0, best.ratio or 0.0
        if ratio > optimum or (row == ALL and ratio < optimum):
            found.append(
                f"{domain}, {size} plans, task {task}, row {row}: {ratio:.3f}, exact {optimum:.3f}"
            )
    return found


def mean_and_deviation(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Mean and population deviation; None of nothing."""
    if not values:
        return None, None
    return statistics.fmean(values), statistics.pstdev(values)


def table_rows(study: Study) -> tuple[str, ...]:
    """The rows of a study's table."""
    return (*study.rows, EXACT_ALL)

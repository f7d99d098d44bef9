"""What stands in a cell of a table: mean and deviation over the tasks that the row solved.

The deviation is that of the population, as the paper's. A cell without such a task is grey and has
only reasons.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from experiments.records import Record, Records
from experiments.studies import EXACT, PoolPlan, Run, Study


@dataclass(frozen=True)
class Cell:
    """The runs of one row on the tasks of one domain and size that have records."""

    records: tuple[Record, ...]

    @property
    def solved(self) -> list[Record]:
        """Those that count."""
        return [record for record in self.records if record.reason is None]

    @property
    def mean(self) -> float | None:
        """Of the ratio of optimal plans; None if the cell is grey."""
        return statistics.fmean(r.ratio for r in self.solved) if self.solved else None

    @property
    def deviation(self) -> float | None:
        """Of the same."""
        return statistics.pstdev(r.ratio for r in self.solved) if self.solved else None

    @property
    def is_proved(self) -> bool:
        """Whether in all tasks no costs make more plans optimal."""
        return all(record.is_proved for record in self.solved)

    @property
    def seconds(self) -> float | None:
        """The median of all that were solved."""
        return statistics.median(r.seconds for r in self.solved) if self.solved else None

    @property
    def reasons(self) -> dict[str, int]:
        """Why runs failed, and how many of them."""
        return dict(Counter(record.reason for record in self.records if record.reason))

    @property
    def is_implied(self) -> bool:
        """Whether no run of it was needed to know that it fails."""
        return bool(self.records) and all(record.implied_by for record in self.records)


def columns(study: Study) -> list[tuple[PoolPlan, int]]:
    """Pool and size of each column of a table."""
    return [(pool, plans) for pool in study.pools for plans in study.sizes_of(pool)]


def cell(study: Study, place: tuple[PoolPlan, int], row: str, records: Records) -> Cell:
    """One cell."""
    first = Run(study, *place, 1, row)
    runs = (replace(first, task=task) for task in range(1, study.tasks + 1))
    found = (records.get(run.key) for run in runs)
    return Cell(tuple(record for record in found if record is not None))


def has_records(study: Study, records: Records) -> bool:
    """Whether there is anything to show."""
    return any(cell(study, place, row, records).records for place, row in _all(study))


def contradictions(studies: Sequence[Study], records: Records) -> list[str]:
    """Runs that make more plans optimal than is proven possible."""
    found = []
    for run in (run for study in studies for run in study.runs()):
        one, best = records.get(run.key), records.get(replace(run, row=EXACT).key)
        if one is None or best is None or one.reason or best.reason:
            continue
        if one.optimal > best.at_most:
            found.append(f"{'/'.join(map(str, run.key))}: {one.optimal} of {best.at_most}")
    return found


def _all(study: Study) -> list[tuple[tuple[PoolPlan, int], str]]:
    return [(place, row) for place in columns(study) for row in study.rows]

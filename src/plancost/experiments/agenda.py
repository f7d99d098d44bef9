"""Which runs of a study are left, in which order, and how long they can take.

The first task of every cell comes first, small tasks before large ones and small k before
large ones, since they are the shortest. At a scale where the first task decides
(`Study.first_decides`), a cell has more tasks only if the run of its first one ended by
itself: cells in which runs end in their limits have one record, the others all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from plancost.experiments.plan import EXACT, Part, Run, Study
from plancost.experiments.records import Content, Recorded, run_key
from plancost.system.schedule import SCHEDULE

Stage = tuple[Run, ...]
"""Runs of the same round, size and row, which can be done at the same time."""


def ended_by_itself(run: Run, content: Content) -> bool:
    """Whether a run was solved within its limits; exact also proves both objectives then."""
    if content["status"] != "solved":
        return False
    secondary = content.get("secondary") or {}
    return run.row != EXACT or bool(content.get("proved") and secondary.get("proved"))


@dataclass(frozen=True)
class Agenda:
    """The runs of a study, or of a part of it, and which of them have records."""

    study: Study
    records: Recorded
    part: Part = Part()  # noqa: RUF009 (frozen)

    def runs(self) -> list[Run]:
        """All runs, with or without a record, also those that may turn out not to be wanted."""
        found = [run for run in self.study.runs() if self.part.has(run)]
        return sorted(found, key=self._place)

    def without_record(self) -> list[Run]:
        """The runs that are still to be done, or may be; in the order in which they are done."""
        return [
            run
            for run in self.runs()
            if self.records.load(run_key(run)) is None and self._is_wanted(run) is not False
        ]

    def stages(self) -> Iterator[Stage]:
        """Runs to be done now, stage by stage; which those are is asked when it is their turn."""
        for _, group in groupby(self.runs(), key=self._stage):
            stage = tuple(
                run
                for run in group
                if self.records.load(run_key(run)) is None and self._is_wanted(run)
            )
            if stage:
                yield stage

    def _is_wanted(self, run: Run) -> bool | None:
        """Whether a run belongs to the study; None as long as the first task is not decided."""
        if not self.study.first_decides or run.task == 1:
            return True
        first = replace(run, task=1)
        content = self.records.load(run_key(first))
        return None if content is None else ended_by_itself(first, content)

    def _stage(self, run: Run) -> tuple[bool, int, int]:
        return run.task > 1, run.size, self.study.rows.index(run.row)

    def _place(self, run: Run) -> tuple[bool, int, int, int, int]:
        return *self._stage(run), self.study.pools.index(run.pool), run.task


def most_seconds(runs: Sequence[Run]) -> float:
    """What these runs can take at most, one after the other; pools are not part of it."""
    return sum(run_limit_s(run.study.bounds.time_s) for run in runs)


def run_limit_s(limit_s: float) -> float:
    """When a run is ended from outside: learning, checking and a margin."""
    whole_s = limit_s / SCHEDULE.learning
    return whole_s + max(SCHEDULE.run_margin_s, whole_s * SCHEDULE.run_margin)

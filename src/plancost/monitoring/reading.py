"""The rows of a stream as cases of one plan each, many grounded at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from plancost.errors import InputError
from plancost.evaluation.measures import Measurer
from plancost.learning.problem.options import LearnOptions
from plancost.monitoring.monitor import Recent
from plancost.observations.case import Case, Task
from plancost.observations.files import ObservedFile
from plancost.observations.parts import part_of_case
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_AT_ONCE = 50
"""So many plans of the stream are read and grounded together."""

Load = Callable[[Sequence[ObservedFile], dict[str, Task]], Case]
"""The case of some rows; tasks that are known are not grounded again."""


@dataclass(frozen=True)
class Read:
    """A row of the stream and its plan as a case; None for one that is wrong and left out."""

    row: ObservedFile
    case: Case | None
    measurer: Measurer | None = None
    number: int = 0
    """Of the plan in the case that the measurer knows."""


class Reader:
    """Reads rows of the stream, many at once, and grounds each task only once."""

    def __init__(
        self, load: Load, learning: LearnOptions, note: Callable[[str], None], deadline: Deadline
    ) -> None:
        self._load = load
        self._learning = learning
        self._note = note
        self._deadline = deadline
        self._tasks: dict[str, Task] = {}

    def read(self, rows: Sequence[ObservedFile]) -> Iterator[Read]:
        """The rows in their order."""
        for first in range(0, len(rows), _AT_ONCE):
            batch = rows[first : first + _AT_ONCE]
            try:
                case = self._load(batch, self._tasks)
            except InputError:
                yield from self._one_by_one(batch)
                continue
            measurer = Measurer(case, self._learning, self._deadline.share(SCHEDULE.monitor_graphs))
            for number, row in enumerate(batch):
                yield Read(row, part_of_case(case, [number]), measurer, number)

    def last(self, rows: Sequence[ObservedFile], count: int) -> list[Recent]:
        """The last so many plans of rows; rows that are left out are none, so it reads on."""
        found: list[Recent] = []
        end = len(rows)
        while end and len(found) < count:
            start = max(0, end - (count - len(found)))
            read = enumerate(self.read(rows[start:end]), start=start + 1)
            plans = [
                Recent(position, item.case) for position, item in read if item.case is not None
            ]
            found = plans + found
            end = start
        return found

    def _one_by_one(self, rows: Sequence[ObservedFile]) -> Iterator[Read]:
        """The same where some row is wrong: those before it are dealt with first."""
        for row in rows:
            case = None
            try:
                case = self._load([row], self._tasks)
            except InputError as error:
                if not self._learning.skip_invalid:
                    raise
                self._note(f"left out: {error}")
            yield Read(row, case)

"""Records: one line of JSON for each run, in a file to which lines are only ever added.

A line is added by a single write, so that a command that is killed leaves whole lines behind, and
the same command goes on with the runs that have none. A later line about a run takes the place of
an earlier one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from experiments.studies import EXACT

Key = tuple[str, str, int, int, str]

PLANNER_OUT_OF_TIME = "planner out of time"
"""Not all alternatives were listed."""


@dataclass(frozen=True)
class Record:
    """What became of a run. It has failed if there is a reason for that."""

    study: str
    pool: str
    plans: int
    task: int
    row: str
    by: str
    """The commit that ran it."""
    limit_s: float
    seconds: float
    optimal: int = 0
    at_most: int = 0
    """No costs make more plans optimal; proven."""
    first_s: float | None = None
    """Until that was proven for as many as were found."""
    ended: bool = False
    """Whether nothing was left to do when it ended."""
    reason: str | None = None
    implied_by: str | None = None
    """The row whose failure implies this one, so that it was not run."""
    costs: dict[str, int] | None = None
    """Those above 1; of Figure 1 only."""

    @property
    def key(self) -> Key:
        """What it is found by."""
        return self.study, self.pool, self.plans, self.task, self.row

    @property
    def domain(self) -> str:
        """The name of its domain."""
        return self.pool.partition("-")[0]

    @property
    def ratio(self) -> float:
        """The share of the plans that are optimal."""
        return self.optimal / self.plans

    @property
    def is_proved(self) -> bool:
        """Whether no costs make more plans optimal."""
        return self.optimal == self.at_most

    @property
    def is_final(self) -> bool:
        """Whether more time would not change a cell: it ended, or no more is possible."""
        is_best = self.row == EXACT and self.reason is None and self.is_proved
        return self.ended or is_best or self.implied_by is not None

    def is_settled(self, limit_s: float) -> bool:
        """Whether another run with this limit would not change a cell."""
        return self.is_final or self.limit_s >= limit_s

    def line(self) -> str:
        """As JSON, without what is usual."""
        usual = asdict(Record(self.study, self.pool, self.plans, 0, "", "", 0.0, 0.0))
        needed = ("study", "pool", "plans")
        values = asdict(self).items()
        content = {n: v for n, v in values if n in needed or v != usual[n]}
        return json.dumps(content, separators=(",", ":"), sort_keys=True)


class Records:
    """The records of some files, by their keys."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._found = {record.key: record for path in paths for record in read(path)}

    def get(self, key: Key) -> Record | None:
        """The latest record of a run."""
        return self._found.get(key)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._found.values())


def read(path: Path) -> list[Record]:
    """All records of a file, if it exists; a line that was cut off is passed over."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Record(**content) for line in lines if (content := _content(line)) is not None]


def append(path: Path, record: Record) -> None:
    """Add a record by a single write, behind the end of a line."""
    number = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        end = os.lseek(number, 0, os.SEEK_END)
        was_cut_off = end > 0 and os.pread(number, 1, end - 1) != b"\n"
        os.write(number, ("\n" * was_cut_off + record.line() + "\n").encode())
    finally:
        os.close(number)


def _content(line: str) -> dict[str, Any] | None:
    try:
        content: dict[str, Any] = json.loads(line)
    except ValueError:
        return None
    return content

"""Runs: each is the command `plancost learn` as a process of its own, and leaves one record.

So a crash, or time or memory that ran out, is a record with a reason and touches no other run. The
first task of every cell comes first, small tasks before large ones, small k before large ones. On
a cluster all workers must see the folder, by the same path.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from experiments.pools import Pool
from experiments.records import PLANNER_OUT_OF_TIME, Record, Records, append
from experiments.studies import ALL, BASELINE, EXACT, Run
from plancost.processes import Ending, Finished, Limits, private_directory
from plancost.processes import run as run_program
from plancost.result.model import Result, read_result

MEMORY_MB = 8192
"""Of each process, as in the paper."""
_MARGIN = 1.1
"""A run that has not ended after this many times its limit is ended."""
_START_S = 10.0

STOP = threading.Event()
"""Set to end the processes that run now; they leave no records."""


@dataclass(frozen=True)
class Place:
    """The folder of an experiment: its pools, and its records."""

    folder: Path

    @property
    def records(self) -> Path:
        """The file of all records."""
        return self.folder / "records.jsonl"

    def pool(self, run: Run) -> Pool:
        """The pool of a run."""
        return Pool(run.pool, self.folder / "pools")


def stages(runs: Sequence[Run], place: Place) -> Iterator[list[Run]]:
    """Runs to be done now, which can be done at the same time; asked when it is their turn."""

    def stage(run: Run) -> tuple[bool, int, int]:
        return run.task > 1, run.plans, run.study.rows.index(run.row)

    for _, group in groupby(sorted(runs, key=stage), key=stage):
        records = Records([place.records])
        wanted = [run for run in group if is_wanted(run, records)]
        todo = []
        for run in wanted:
            implied = _implied(run, records)
            if implied is None:
                todo.append(run)
            else:
                append(place.records, implied)
        if todo:
            yield todo


def is_wanted(run: Run, records: Records) -> bool | None:
    """Whether a run is still to be done; None as long as its cell's first task decides that."""
    record = records.get(run.key)
    if record is not None and record.is_settled(run.study.limit_s):
        return False
    if not run.study.first_decides or run.task == 1:
        return True
    first = records.get(replace(run, task=1).key)
    return None if first is None else first.reason is None and first.is_final


def _implied(run: Run, records: Records) -> Record | None:
    """The record of a run that must fail, since SymK did not even list fewer plans in time."""
    if run.row in (BASELINE, EXACT):
        return None
    for row in run.study.rows[1 : run.study.rows.index(run.row)]:
        smaller = records.get(replace(run, row=row).key)
        if (
            smaller is not None
            and smaller.reason == PLANNER_OUT_OF_TIME
            and smaller.limit_s >= run.study.limit_s
        ):
            return replace(smaller, row=run.row, implied_by=smaller.implied_by or row)
    return None


@dataclass(frozen=True)
class Job:
    """A run in its place; `by` is the commit."""

    run: Run
    place: Place
    by: str

    def do(self) -> None:
        """Run it, keep its record, and print what came out."""
        run, limit_s = self.run, self.run.study.limit_s
        with private_directory() as directory:
            output = directory / "RESULT.json"
            limits = Limits(limit_s * _MARGIN + _START_S, MEMORY_MB)
            finished = run_program(
                self._command(output), directory=directory, limits=limits, stop=STOP.is_set
            )
            result = read_result(output) if output.exists() else None
        if finished.ending is Ending.STOPPED:
            return
        record = self._record(finished, result)
        append(self.place.records, record)
        outcome = record.reason or f"{record.optimal} of {record.plans}, at most {record.at_most}"
        print(f"{_words(run)}: {outcome}, {record.seconds:.1f} s", flush=True)

    def _command(self, output: Path) -> list[str]:
        run, pool = self.run, self.place.pool(self.run)
        manifest = pool.folder / "tasks" / f"{run.plans}-{run.task:02d}.csv"
        return [
            *(sys.executable, "-m", "plancost", "learn", str(manifest.resolve())),
            *("--domain", str((pool.folder / "domain.pddl").resolve())),
            *("--alternatives", run.row, "--output", str(output), "--no-proof", "--quiet"),
            *("--time-limit", f"{run.study.limit_s:g}", "--memory-limit", str(MEMORY_MB)),
            *("--jobs", "1"),
            *run.study.options,
        ]

    def _record(self, finished: Finished, result: Result | None) -> Record:
        run = self.run
        record = Record(*run.key, self.by, run.study.limit_s, round(finished.seconds, 1))
        if result is None:
            return replace(record, reason=_without_result(finished))
        points = (point.seconds for point in result.history if point.optimal == point.bound)
        return replace(
            record,
            optimal=result.optimal_plans,
            at_most=result.upper_bound,
            first_s=next((round(seconds, 1) for seconds in points), None),
            ended=result.ending == "done",
            reason=why_failed(run.row, result),
        )


def why_failed(row: str, result: Result) -> str | None:
    """The reason why an answer does not count, if it does not.

    One of LACFIP^k counts if all alternatives were listed and both programs were solved; one of
    exact always, with the plans that the check confirmed.
    """
    if row == EXACT:
        return None
    notes = " ".join(result.notes)
    if row != BASELINE:
        if "SymK did not finish" in notes:
            return PLANNER_OUT_OF_TIME
        if "integer program" in notes or result.ending == "time limit":
            return "solver out of time"
    if result.ending in ("failed", "out of memory", "gave up"):
        return result.ending
    return None if result.verified else "not verified in time"


def _without_result(finished: Finished) -> str:
    if finished.ending is Ending.OUT_OF_TIME:
        return "out of time"
    if finished.ending is Ending.KILLED or "memory" in finished.output.lower():
        return "out of memory"
    lines = finished.output.strip().splitlines()
    return f"failed: {lines[-1] if lines else finished.exit_code}"[:100]


def _words(run: Run) -> str:
    row = {ALL: "k = infinity"}.get(run.row, run.row)
    return f"{run.study.name}, {run.pool.world.name}, {run.plans} plans, task {run.task}, {row}"


def commit() -> str:
    """The commit that these files are of, if it is known."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()

"""``python -m benchmarks.soak``: run for a set time, and say what came of it."""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.soak.commands import memory_mb, mind_interrupts, repeat_command
from benchmarks.soak.large import EVERY, LargeRun
from benchmarks.soak.page import read_records, summed, take_over
from benchmarks.soak.records import Record
from benchmarks.soak.runs import Run
from benchmarks.soak.tally import MOST_GROWTH_MB, WARM_UP, Tally

_EVERY_S = 60.0
"""How often a line is printed."""


def main() -> int:
    """Run, print, and return 1 if anything was wrong."""
    arguments = _arguments()
    mind_interrupts()
    base = arguments.folder or Path(tempfile.mkdtemp(prefix="soak-"))
    if arguments.sum is not None:
        print(summed(read_records(arguments.sum)).markdown())
        return 0
    if arguments.take_over is not None:
        take_over(arguments.take_over)
        return 0
    if arguments.only is not None:
        tally = Tally(arguments.seed)
        _one(tally, arguments.only, base, arguments.pace, keep=arguments.keep)
        return 0 if tally.is_clean else 1
    tally = soak(
        arguments.seed,
        60 * arguments.minutes,
        base,
        runs=arguments.runs,
        first=arguments.first,
        pace=arguments.pace,
        figures=arguments.figures,
    )
    print(f"\n{tally.markdown()}\n")
    if tally.growth_mb > MOST_GROWTH_MB:
        print(f"the soak itself has grown by {tally.growth_mb:.0f} MB")
    if arguments.output is not None:
        arguments.output.write_text(json.dumps(tally.to_json(), indent=1) + "\n")
    if not tally.failed:
        shutil.rmtree(base, ignore_errors=True)
    return 0 if tally.is_clean else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="default: %(default)g")
    parser.add_argument("--runs", type=int, default=None, help="stop after so many runs")
    parser.add_argument("--first", type=int, default=1, help="the number of the first run")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument(
        "--pace", type=float, default=1.0, help="time limits times this, on a machine that is busy"
    )
    parser.add_argument("--only", type=int, metavar="RUN", help="do this run alone")
    parser.add_argument("--keep", action="store_true", help="with --only: keep its folder")
    parser.add_argument("--folder", type=Path, help="where to work (default: a temporary folder)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the counts as JSON")
    parser.add_argument(
        "--figures", type=Path, metavar="FILE", help="append a line of JSON for each run"
    )
    parser.add_argument(
        "--sum", type=Path, nargs="+", metavar="FILE", help="run nothing: add up such files"
    )
    parser.add_argument(
        "--take-over",
        type=Path,
        nargs="*",
        metavar="FILE",
        help="run nothing: add such files to the figures in the repository, and write its page",
    )
    return parser.parse_args()


def soak(
    seed: int,
    seconds: float,
    base: Path,
    *,
    runs: int | None = None,
    first: int = 1,
    pace: float = 1.0,
    figures: Path | None = None,
) -> Tally:
    """One run after the other until the time is over, or Ctrl-C."""
    tally = Tally(seed)
    began = said = time.monotonic()
    start_mb = None
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C: that was long enough
        while time.monotonic() - began < seconds and (runs is None or tally.runs < runs):
            record = _one(tally, first + tally.runs, base, pace)
            record.memory_mb = memory_mb()
            if figures is not None:
                with figures.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(record.to_json()) + "\n")
            tally.seconds = time.monotonic() - began
            if tally.runs == WARM_UP:
                start_mb = memory_mb()
            if time.monotonic() - said >= _EVERY_S:
                said = time.monotonic()
                print(tally.line(), flush=True)
    if start_mb is not None:
        tally.growth_mb = max(0.0, memory_mb() - start_mb)
    print(tally.line(), flush=True)
    return tally


def _one(tally: Tally, number: int, base: Path, pace: float, *, keep: bool = False) -> Record:
    kind = LargeRun if number % EVERY == 0 else Run
    record = kind(tally.seed, number, base, pace).go(keep=keep)
    tally.add(record)
    if record.findings:
        print(f"run {number} ({record.world}, {record.kind}, injected: {record.injection})")
        for finding in record.findings:
            print(f"  {finding.kind.value}: {finding.text}")
        print(
            f"  kept in {record.folder}; again: {repeat_command(tally.seed, number, pace)}",
            flush=True,
        )
    return record


if __name__ == "__main__":
    sys.exit(main())

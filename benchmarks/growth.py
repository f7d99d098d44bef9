"""What more plans and larger grids cost: seconds, memory, optimal plans and bound.

Each run is a process of its own (``plancost learn``), so that its memory can be measured, with
grounding and the check of the answer included. Memory is that of plancost and all its
children together, at its highest, sampled.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import numpy as np

from benchmarks.grids import write_grid_tasks

_GAP = 0.05
_SAMPLE_S = 0.2


@dataclass(frozen=True)
class Run:
    """One run of plancost and what it took."""

    size: int
    seconds: float
    megabytes: float
    result: dict[str, Any]

    def reaches(self, gap: float) -> float:
        """After how many seconds the bound was within this part of the answer."""
        return next(
            (
                entry["seconds"]
                for entry in self.result.get("history", ())
                if entry["bound"] - entry["optimal"] <= gap * entry["optimal"]
            ),
            math.inf,
        )


def main() -> None:
    """Print one table over the number of plans and one over the side of the grid."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, nargs="*", default=[10, 30, 100, 300, 1000, 3000])
    parser.add_argument("--sides", type=int, nargs="*", default=[5, 10, 20, 40])
    parser.add_argument("--side", type=int, default=10, help="the grid for the plans' table")
    parser.add_argument("--time-limit", type=float, default=300.0, help="seconds a run")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.plans:
            generated = write_grid_tasks(
                Path(folder) / "plans", arguments.side, 50, arguments.plans, 1, arguments.seed
            )
            _heading(f"{arguments.side}x{arguments.side} grid, by number of plans")
            runs = [
                _run(size, task, generated.pool.domain, arguments.time_limit)
                for size, (task,) in generated.tasks.items()
            ]
            _fit("plans", runs)
        if arguments.sides:
            _heading("10 plans, by side of the grid")
            runs = []
            for side in arguments.sides:
                generated = write_grid_tasks(
                    Path(folder) / f"side-{side}", side, 10, [10], 1, arguments.seed
                )
                task = generated.tasks[10][0]
                runs.append(_run(side, task, generated.pool.domain, arguments.time_limit))
            _fit("side", runs)


def _heading(title: str) -> None:
    print(f"\n{title}")
    print(
        f"{'':>6} {'seconds':>8} {'MB':>6} {'baseline':>8} {'optimal':>8} {'at most':>8}"
        f" {'5% gap s':>9}"
        f" {'sum':>7} {'at least':>9}"
    )


def _run(size: int, case: Path, domain: Path, time_limit_s: float) -> Run:
    baseline = learn(size, case, domain, "baseline", time_limit_s).result["optimal_plans"]
    run = learn(size, case, domain, "exact", time_limit_s)
    result = run.result
    print(
        f"{size:>6} {run.seconds:>8.1f} {run.megabytes:>6.0f} {baseline:>8}"
        f" {result['optimal_plans']:>8} {result['upper_bound']:>8} {run.reaches(_GAP):>9.1f}"
        f" {result['secondary']['value']:>7} {result['secondary']['lower_bound']:>9}",
        flush=True,
    )
    return run


def learn(size: int, case: Path, domain: Path, alternatives: str, time_limit_s: float) -> Run:
    """Run plancost on a task and watch it."""
    command = [
        str(Path(sys.executable).parent / "plancost"),
        *("learn", str(case), "--domain", str(domain), "--alternatives", alternatives),
        *("--json", "--no-cache", "--time-limit", str(time_limit_s)),
    ]
    started = time.monotonic()
    with Popen(command, stdout=PIPE) as process:
        memory = _Memory(process.pid)
        memory.start()
        assert process.stdout is not None
        output = process.stdout.read()
        memory.stop()
    return Run(size, time.monotonic() - started, memory.highest_mb, json.loads(output))


def _fit(name: str, runs: Sequence[Run]) -> None:
    """The exponent of a power law through the times at which the gap was small."""
    points = [(run.size, run.reaches(_GAP)) for run in runs if run.reaches(_GAP) < math.inf]
    if len(points) < 2:
        return
    sizes, seconds = np.log(np.array(points)).T
    slope, _ = np.polyfit(sizes, seconds, 1)
    print(f"seconds until the gap is at most 5 % grow like {name} ** {slope:.2f}")


class _Memory(threading.Thread):
    """Watches what a process and all its children use together."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._ended = threading.Event()
        self.highest_mb = 0.0

    def run(self) -> None:
        """Sample until told to stop."""
        while not self._ended.wait(_SAMPLE_S):
            used = sum(_resident_mb(pid) for pid in _family(self._pid))
            self.highest_mb = max(self.highest_mb, used)

    def stop(self) -> None:
        """End the watch."""
        self._ended.set()
        self.join()


def _family(pid: int) -> Iterator[int]:
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            numbers = children.read_text().split()
        except OSError:
            continue
        for child in numbers:
            yield from _family(int(child))


def _resident_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    used = [line for line in lines if line.startswith("VmRSS:")]
    return int(used[0].split()[1]) / 1000 if used else 0.0


if __name__ == "__main__":
    main()

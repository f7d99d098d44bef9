"""What more plans and larger grids cost: seconds, memory, optimal plans and bound.

Each run is a process of its own (``plancost learn``), so that its memory can be measured, with
grounding and the check of the answer included.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from subprocess import PIPE, Popen

from benchmarks.grids import write_grid_tasks


def main() -> None:
    """Print one table over the number of plans and one over the side of the grid."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, nargs="*", default=[10, 30, 100, 300, 1000])
    parser.add_argument("--sides", type=int, nargs="*", default=[5, 10, 20])
    parser.add_argument("--side", type=int, default=10, help="the grid for the plans' table")
    parser.add_argument("--time-limit", type=float, default=300.0, help="seconds a run")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.plans:
            generated = write_grid_tasks(
                Path(folder) / "plans", arguments.side, 50, arguments.plans, 1, arguments.seed
            )
            _heading(f"{arguments.side}x{arguments.side} grid")
            for size, (case,) in generated.tasks.items():
                _row(str(size), case, generated.pool.domain, arguments.time_limit)
        if arguments.sides:
            _heading("10 plans, by side of the grid")
            for side in arguments.sides:
                generated = write_grid_tasks(
                    Path(folder) / f"side-{side}", side, 10, [10], 1, arguments.seed
                )
                _row(str(side), generated.tasks[10][0], generated.pool.domain, arguments.time_limit)


def _heading(title: str) -> None:
    print(f"\n{title}")
    print(
        f"{'':>6} {'seconds':>8} {'MB':>6} {'optimal':>8} {'at most':>8} {'sum':>7} {'at least':>9}"
    )


def _row(label: str, case: Path, domain: Path, time_limit_s: float) -> None:
    command = [
        str(Path(sys.executable).parent / "plancost"),
        *("learn", str(case), "--domain", str(domain)),
        *("--json", "--no-cache", "--time-limit", str(time_limit_s)),
    ]
    started = time.monotonic()
    process = Popen(command, stdout=PIPE)
    assert process.stdout is not None
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    result = json.loads(output)
    print(
        f"{label:>6} {seconds:>8.1f} {usage.ru_maxrss / 1000:>6.0f} {result['optimal_plans']:>8}"
        f" {result['upper_bound']:>8} {result['secondary']['value']:>7}"
        f" {result['secondary']['lower_bound']:>9}",
        flush=True,
    )


if __name__ == "__main__":
    main()

"""What several cost functions cost: optimal plans, bound and seconds by plans and groups.

Each run is ``plancost learn --groups K`` on one core, with grounding and the check included. Beside
the seconds that passed stand those that the processor worked, which other work on the machine does
not change.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.grids import write_grid_tasks


def main() -> None:
    """Print one line for each number of plans and of groups."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, nargs="*", default=[20, 50, 100])
    parser.add_argument("--groups", type=int, nargs="*", default=[1, 2, 3])
    parser.add_argument("--side", type=int, default=10, help="the side of the grid")
    parser.add_argument("--time-limit", type=float, default=120.0, help="seconds a run")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        generated = write_grid_tasks(
            Path(folder), arguments.side, 50, arguments.plans, 1, arguments.seed
        )
        print("plans  groups  optimal  at most  seconds  worked  found by, bound from")
        for size, (task,) in generated.tasks.items():
            for count in arguments.groups:
                _run(size, count, task, generated.pool.domain, arguments.time_limit)


def _run(size: int, count: int, case: Path, domain: Path, time_limit_s: float) -> None:
    started, worked = time.monotonic(), _worked_s()
    result = learn(case, domain, count, time_limit_s)
    seconds, worked = time.monotonic() - started, _worked_s() - worked
    options = result["options"]
    how = ", ".join(options[key] for key in ("answer_from", "bound_from") if key in options)
    print(
        f"{size:>5}  {count:>6}  {result['optimal_plans']:>7}  {result['upper_bound']:>7}"
        f"  {seconds:>7.1f}  {worked:>6.1f}  {how}",
        flush=True,
    )


def _worked_s() -> float:
    """What all runs so far have taken of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def learn(case: Path, domain: Path, count: int, time_limit_s: float) -> dict[str, Any]:
    """Run plancost to its end, with one job."""
    command = [
        str(Path(sys.executable).parent / "plancost"),
        *("learn", str(case), "--domain", str(domain), "--groups", str(count)),
        *("--json", "--no-cache", "--jobs", "1", "--time-limit", str(time_limit_s)),
    ]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    found: dict[str, Any] = json.loads(output)
    return found


if __name__ == "__main__":
    main()

"""How well the time limit holds: seconds over it, for each command and option, on generated cases.

The cases would take far longer than the limit. Promised is to end within a tenth of the limit or
5 s after it, whichever is longer, and to leave no process and no temporary directory behind. On a
machine that does other work as well the seconds say as much about that.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.grids import write_grid_tasks

PLANCOST = str(Path(sys.executable).parent / "plancost")
PROMISED_SHARE, PROMISED_S = 0.1, 5.0
OPTIONS: dict[str, tuple[str, ...]] = {
    "learn (mcf)": (),
    "learn --solution scf": ("--solution", "scf"),
    "learn --solution icf": ("--solution", "icf"),
    "learn --refine": ("--refine",),
    "learn --groups 3": ("--groups", "3"),
    "learn --share schema --compare-unshared": ("--share", "schema", "--compare-unshared"),
    "learn --suboptimality 1.1": ("--suboptimality", "1.1"),
    "learn --max-cost 5": ("--max-cost", "5"),
    "learn --ranges --least-factors --jobs 2": ("--ranges", "--least-factors", "--jobs", "2"),
    "learn --alternatives 1000": ("--alternatives", "1000"),
    "learn --oracle symk": ("--oracle", "symk"),
}


@dataclass(frozen=True)
class Measured:
    """One run."""

    name: str
    limit_s: float
    seconds: float
    status: int
    left: int
    """Temporary directories that are still there."""

    @property
    def holds(self) -> bool:
        """Whether the promise was kept."""
        allowed = self.limit_s + max(PROMISED_S, PROMISED_SHARE * self.limit_s)
        return self.seconds <= allowed and not self.left


def main() -> None:
    """Print one row of a Markdown table for each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limits", type=float, nargs="*", default=[3.0, 20.0])
    parser.add_argument("--plans", type=int, default=1000)
    parser.add_argument("--only", default="", help="the runs whose names have this in them")
    parser.add_argument("--case", type=Path, help="a case folder of your own in place of grids")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        case = [str(arguments.case)]
        if arguments.case is None:
            made = write_grid_tasks(Path(folder), 10, 50, [arguments.plans], 1, 1)
            ((task,),) = made.tasks.values()
            case = [str(task), "--domain", str(made.pool.domain)]
        print("| command | limit | took | exit status | holds |\n|---|---|---|---|---|")
        for limit_s in arguments.time_limits:
            for item in _runs(case, limit_s, Path(folder), arguments.only):
                mark = "yes" if item.holds else "**no**"
                print(
                    f"| `{item.name}` | {limit_s:g} s | {item.seconds:.1f} s | {item.status} "
                    f"| {mark} |",
                    flush=True,
                )


def _runs(case: list[str], limit_s: float, folder: Path, only: str) -> Iterator[Measured]:
    costs = folder / "RESULT.json"
    quick = [PLANCOST, "learn", *case, "--alternatives", "baseline", "--output", str(costs)]
    subprocess.run([*quick, "--quiet"], check=False)
    runs = {name: ["learn", *case, *words] for name, words in OPTIONS.items()}
    for command in ("verify", "explain"):
        runs[command] = [command, case[0], str(costs), *case[1:]]
    runs["evaluate"] = ["evaluate", *case, "--methods", "ours,strict,maxent"]
    for name, words in runs.items():
        if only in name:
            yield _run(name, words, limit_s)


def _run(name: str, words: list[str], limit_s: float) -> Measured:
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "TMPDIR": place}
        command = [PLANCOST, *words, "--quiet", "--no-cache", "--time-limit", str(limit_s)]
        started = time.monotonic()
        done = subprocess.run(command, env=environment, stderr=subprocess.DEVNULL, check=False)
        seconds = time.monotonic() - started
        left = len(list(Path(place).iterdir()))
    return Measured(name, limit_s, seconds, done.returncode, left)


if __name__ == "__main__":
    main()

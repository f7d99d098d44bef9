"""``python -m benchmarks.memory``: does one Python process grow with the runs that it makes?

Each run reads the case, grounds it, learns, verifies and explains, as a service would do that stays
up for months. The memory that the process takes is printed after some of the runs.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Collection, Iterator
from pathlib import Path

import plancost
from benchmarks.soak.commands import memory_mb
from plancost import LearnOptions
from plancost.learning.problem.options import OracleName

_ROOT = Path(__file__).resolve().parents[1]


def memory_after(
    case: Path, runs: int, marks: Collection[int], oracle: str = "graph", *, load: bool = True
) -> Iterator[tuple[int, float, float]]:
    """After each of the marks: the number of runs, megabytes, and seconds of CPU time."""
    options = LearnOptions(oracle=OracleName(oracle), jobs=1)
    read = plancost.load_case(case)
    first = plancost.learn(read, options)
    for number in range(1, runs + 1):
        if load:
            read = plancost.load_case(case)
        result = plancost.learn(read, options)
        if result.optimal_plans != first.optimal_plans or result.costs != first.costs:
            raise AssertionError(f"run {number} has another answer")
        if number in marks:
            gc.collect()
            yield number, memory_mb(), time.process_time()


def main() -> None:
    """Print a line for each mark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("case", type=Path, nargs="?", default=_ROOT / "examples/avoid-the-centre")
    parser.add_argument("--marks", type=int, nargs="+", default=[10, 100, 500, 1000])
    parser.add_argument("--oracle", default="graph", help="default: %(default)s")
    parser.add_argument("--loaded", action="store_true", help="read and ground the case only once")
    given = parser.parse_args()
    found = memory_after(
        given.case, max(given.marks), given.marks, given.oracle, load=not given.loaded
    )
    for number, size_mb, seconds in found:
        print(f"{number} runs: {size_mb:.1f} MB, {seconds:.0f} s of CPU time", flush=True)


if __name__ == "__main__":
    main()

"""What learning takes, by links and trips of a made-up city.

    python -m benchmarks.scale --links 1000 10000 100000 --trips 1000 10000 100000
    python -m benchmarks.scale --solution mcf --links 1000 10000 --trips 100 1000

Prints a table in Markdown: seconds and the most memory of `plancost learn`, trips that are optimal,
and how many can be at most (`mcf`) or how likely a trip is (`likely`).
Each city has its tables written to a folder that is gone afterwards.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import product
from pathlib import Path

from benchmarks.beside import Run, Version
from benchmarks.city import Traffic, write_city


def measured(links: int, traffic: Traffic, seed: int, asked: list[str]) -> Run:
    """One run on a new city."""
    program = Version("this", (sys.executable, "-m", "plancost"), False)
    with tempfile.TemporaryDirectory() as folder:
        write_city(Path(folder), links, traffic, seed)
        return program.run(Path(folder), asked)


def row(links: int, trips: int, run: Run) -> str:
    """A line of the table."""
    if run.result is None:
        return (
            f"| {links} | {trips} | {run.seconds:.0f} | {run.megabytes:.0f} | {run.complaint} | |"
        )
    likelihood = run.result.get("likely", {}).get("log_likelihood")
    fits = run.result["upper_bound"]
    if likelihood is not None:
        fits = f"{likelihood / run.result['plans']:.2f}"
    cells = [links, trips, f"{run.seconds:.0f}", f"{run.megabytes:.0f}"]
    shown = [*map(str, cells), str(run.result["optimal_plans"]), str(fits)]
    return f"| {' | '.join(shown)} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--links", "--trips"):
        parser.add_argument(name, type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--solution", default="likely")
    parser.add_argument("--goals", type=int, default=300, help="places that are gone to")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time-limit", default="1800")
    chosen = parser.parse_args()
    print("| links | trips | s | MB | optimal | at most, or log-likelihood of a trip |")
    print("|---:|---:|---:|---:|---:|---:|", flush=True)
    asked = ["--solution", chosen.solution, "--time-limit", chosen.time_limit]
    for links, trips in product(chosen.links, chosen.trips):
        traffic = Traffic(trips, noise=0.1, goals=chosen.goals)
        print(row(links, trips, measured(links, traffic, chosen.seed, asked)), flush=True)


if __name__ == "__main__":
    main()

"""The exact learner beside LACFIP^k on ten-plan grids: seconds, belief and truth.

Every row is measured in one run on the same cases, without the cache. "After grounding" is
what the ratios compare: planner and MILP for LACFIP^k, both objectives for the exact learner,
and the check of the answer for both.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from benchmarks.grids import write_grid_tasks
from plancost.api.learn import learn
from plancost.generators.tasks import Generated
from plancost.learning.problem.options import LearnOptions
from plancost.results.result import Result

_ROWS = ("exact", "10", "100", "1000")


def main() -> None:
    """Print one table for each grid side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=3, help="cases for each grid side")
    parser.add_argument("--sides", type=int, nargs="+", default=[5, 10])
    parser.add_argument("--plans", type=int, default=10)
    parser.add_argument("--time-limit", type=float, default=300.0, help="seconds a run")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for side in arguments.sides:
        with tempfile.TemporaryDirectory() as folder:
            generated = write_grid_tasks(
                Path(folder),
                side,
                problems=10 if side <= 5 else 50,
                sizes=[arguments.plans],
                tasks=arguments.cases,
                seed=arguments.seed,
            )
            _table(side, generated, arguments)


def _table(side: int, generated: Generated, arguments: argparse.Namespace) -> None:
    cases = generated.tasks[arguments.plans]
    print(
        f"\n{side}x{side} grid, {len(cases)} cases of {arguments.plans} plans, medians of seconds"
    )
    print(f"{'k':>6} {'total':>8} {'planner':>8} {'milp':>8} {'after':>8} {'ratio':>7}"
          f" {'believed':>9} {'verified':>9} {'proved both':>12}")  # fmt: skip
    exact_after = 0.0
    for row in _ROWS:
        results = [
            learn(
                case,
                LearnOptions(
                    alternatives=row,
                    jobs=arguments.jobs,
                    use_cache=False,
                    time_limit_s=arguments.time_limit,
                ),
                domain=generated.pool.domain,
            )
            for case in cases
        ]
        after = statistics.median(map(_after_grounding, results))
        if row == "exact":
            exact_after = after
        print(
            f"{row:>6} {_median(results, 'total'):>8.2f} {_median(results, 'planner'):>8.2f}"
            f" {_median(results, 'milp'):>8.2f} {after:>8.2f} {after / exact_after:>7.1f}"
            f" {sum(r.believed_optimal for r in results):>9}"
            f" {sum(r.optimal_plans for r in results):>9}"
            f" {sum(r.proved and r.secondary.proved for r in results):>12}"
        )


def _after_grounding(result: Result) -> float:
    return result.seconds["total"] - result.seconds["grounding"]


def _median(results: list[Result], stage: str) -> float:
    return statistics.median(result.seconds.get(stage, 0.0) for result in results)


if __name__ == "__main__":
    main()

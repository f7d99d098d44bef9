"""Peers on the same small tasks: InvOpt and the paper's algorithm beside both questions.

    pip install invopt
    python -m benchmarks.peers --seeds 5

Grids as in `benchmarks.prediction`: hidden costs, drivers who take the cheapest ways or draw them.
InvOpt (first-order methods on the suboptimality loss) is drawn towards costs that are all the same;
its step and its regularizer are those that predict a quarter of the trips best, left out for that.
Prints a table in Markdown: seconds, observed trips that are optimal under the costs, and on new
pairs of places what predicted trips truly cost by the least cost and how many are truly optimal.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import plancost
from benchmarks.prediction import NATS, NEW_PAIRS, Floats, Grid, Pairs, grid_of, pairs_of

_STEPS, _WEIGHTS, _ITERATIONS = (0.1, 1.0, 10.0), (0.001, 0.01, 0.1), 200
_LEAST = 0.01
"""Of a cost: ways must not go round in circles."""
Trips = list[list[int]]
Method = Callable[[Grid, Trips, Pairs], Floats]


def invopt(grid: Grid, trips: Trips, pairs: Pairs) -> Floats:
    """Costs by InvOpt, tuned on a quarter of the trips."""
    kept = -(-3 * len(trips) // 4)

    def hits(chosen: tuple[float, float]) -> int:
        costs = _fit(grid, trips[:kept], pairs[:kept], *chosen)
        return sum(map(list.__eq__, grid.cheapest(costs, pairs[kept:]), trips[kept:]))

    return _fit(grid, trips, pairs, *max(product(_STEPS, _WEIGHTS), key=hits))


def _fit(grid: Grid, trips: Trips, pairs: Pairs, step: float, weight: float) -> Floats:
    from invopt import FOM

    count = len(grid.hidden)
    last: list[tuple[bytes, Trips]] = [(b"", [])]

    def uses(_: int, trip: list[int]) -> Floats:
        return np.bincount(trip, minlength=count).astype(float)

    def cheapest(costs: Floats, number: int) -> list[int]:
        if last[0][0] != costs.tobytes():  # one search for all trips
            last[0] = costs.tobytes(), grid.cheapest(np.maximum(costs, _LEAST), pairs)
        return last[0][1][number]

    found = FOM(
        list(enumerate(trips)),
        uses,
        np.ones(count),
        cheapest,
        lambda iteration: step / np.sqrt(1 + iteration),
        _ITERATIONS,
        Theta="nonnegative",
        reg_param=weight,
        theta_hat=np.ones(count),
        averaged=2,
    )
    costs: Floats = np.maximum(np.asarray(found, dtype=float), _LEAST)
    return costs


def ours(grid: Grid, trips: Trips, pairs: Pairs, **options: Any) -> Floats:
    """Costs by plancost."""
    case = grid.case(trips)
    result = plancost.learn(case, time_limit=60, **options)
    return np.array([result.costs[name] for name in case.actions], dtype=float)


METHODS: dict[str, Method] = {
    "all costs 1": lambda grid, trips, pairs: np.ones(len(grid.hidden)),
    "InvOpt": invopt,
    "LACFIP^10": partial(ours, alternatives=10),
    "`mcf`": partial(ours, solution="mcf"),
    "`likely`": partial(ours, solution="likely", features="none"),
}


def row(method: Method, seed: int, count: int, *, is_noisy: bool) -> list[float]:
    """Seconds, trips optimal, cost by the least cost, truly optimal."""
    grid, random = grid_of(seed)
    pairs, new = pairs_of(count, random), pairs_of(NEW_PAIRS, random)
    if is_noisy:
        trips = grid.drawn(NATS["noisy"], pairs, random)
    else:
        trips = grid.cheapest(grid.hidden + random.uniform(0, 1e-3, len(grid.hidden)), pairs)
    began = time.perf_counter()
    costs = method(grid, trips, pairs)
    seconds = time.perf_counter() - began
    least = np.array([costs[trip].sum() for trip in grid.cheapest(costs, pairs)])
    own = np.array([costs[trip].sum() for trip in trips])
    spent, truly = (
        np.array([grid.hidden[trip].sum() for trip in grid.cheapest(by, new)])
        for by in (costs, grid.hidden)
    )
    optimal = np.mean(own <= least * (1 + 1e-9))
    return [seconds, float(optimal), float((spent / truly).mean()), float((spent == truly).mean())]


def table(seeds: int) -> Iterator[str]:
    """Means over grids."""
    yield "| plans | method | s | observed plans optimal | true regret | truly optimal |"
    yield "|---|---|---:|---:|---:|---:|"
    for (count, is_noisy), name in product([(10, False), (30, False), (30, True)], METHODS):
        rows = [row(METHODS[name], seed, count, is_noisy=is_noisy) for seed in range(seeds)]
        seconds, optimal, regret, exact = np.mean(rows, axis=0)
        plans = f"{count} noisy" if is_noisy else f"{count}"
        yield f"| {plans} | {name} | {seconds:.1f} | {optimal:.2f} | {regret:.3f} | {exact:.2f} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    for line in table(parser.parse_args().seeds):
        print(line, flush=True)


if __name__ == "__main__":
    main()

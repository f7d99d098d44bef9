"""How well most likely costs predict: on real trips held out, and where the truth is known.

    python -m benchmarks.prediction folds FOLDER... --methods likely maxent
    python -m benchmarks.prediction hidden --seeds 2
    python -m benchmarks.prediction coverage --seeds 4

`folds` learns by each method from four fifths of the trips of a folder (links.csv, trips.csv,
turns.csv) and predicts the others, from place to place. `hidden` and `coverage` draw a cost from 1
to 9 for each link of a grid; drivers take the cheapest ways, or they draw them with so many nats a
unit. All print tables in Markdown.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import plancost
from plancost.case.streets import street_case
from plancost.progress import Step

Floats = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.int64]

SIDE = 10
NEW_PAIRS = 200
NATS = {"noisy": 1.5, "coverage": 0.5}
"""What a unit of hidden cost is to drivers who draw their ways."""
ODD = 1.645
"""Standard errors at the ends of an interval of 90 %."""


class Stopwatch:
    """Seconds between the steps that are reported, by the method that each begins with."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}
        self._method, self._began = "", time.perf_counter()

    def __call__(self, step: Step) -> None:
        """The next step begins."""
        self.stop()
        self._method = step.doing.partition(",")[0]

    def stop(self) -> None:
        """The last step ends, too."""
        now = time.perf_counter()
        if self._method:
            self.seconds.setdefault(self._method, []).append(now - self._began)
        self._began = now


def folds(folder: Path, methods: Sequence[str], parts: int) -> Iterator[str]:
    """Scores of methods on the same folds; how much better the first is than the others."""
    watch = Stopwatch()
    found = plancost.evaluate(folder, methods, folds=parts, time_limit=None, progress=watch)
    watch.stop()
    yield f"{folder.name}, {parts} folds"
    yield ""
    yield "| | F1 | exact | optimal | log-likelihood | seconds a fold (worst) |"
    yield "|---|---:|---:|---:|---:|---:|"
    for method, scores in found.scores.items():
        took = watch.seconds[method]
        numbers = scores.overlap, scores.exact, scores.optimal, scores.log_likelihood
        shown = [f"{number:.3f}" for number in numbers if number is not None]
        shown.append(f"{np.mean(took):.0f} ({max(took):.0f})")
        yield f"| `{method}` | {' | '.join(shown)} |"
    for told in found.differences:
        if told.method == methods[0]:
            words = f"{told.score} {told.mean:+.3f} [{told.low:+.3f}, {told.high:+.3f}]"
            yield f"{told.method} - {told.than}: {words}"
    yield from found.notes


@dataclass(frozen=True)
class Grid:
    """Links both ways between neighbours, and what they truly cost."""

    hidden: Floats

    @cached_property
    def ends(self) -> Pairs:
        """Where links begin and end."""
        number = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
        across = np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()])
        down = np.stack([number[:-1].ravel(), number[1:].ravel()])
        return np.concatenate([across, across[::-1], down, down[::-1]], axis=1)

    def case(self, trips: Sequence[Sequence[int]]) -> plancost.Case:
        """What a learner sees."""
        links = [
            {"link": f"l{n}", "from": f"p{a}", "to": f"p{b}"}
            for n, (a, b) in enumerate(self.ends.T)
        ]
        return street_case(links, [{"links": [f"l{link}" for link in trip]} for trip in trips])

    def cheapest(self, costs: Floats, pairs: Pairs) -> list[list[int]]:
        """A cheapest trip between each pair of places."""
        size = SIDE * SIDE
        graph = csr_array((costs, tuple(self.ends)), shape=(size, size))
        link = {(int(a), int(b)): number for number, (a, b) in enumerate(self.ends.T)}
        _, before = dijkstra(graph, return_predecessors=True)
        trips = []
        for start, end in pairs.tolist():
            way = [end]
            while way[-1] != start:
                way.append(int(before[start, way[-1]]))
            trips.append([link[move] for move in pairwise(reversed(way))])
        return trips

    def drawn(self, nats: float, pairs: Pairs, random: np.random.Generator) -> list[list[int]]:
        """A trip between each pair of places, as probable as the model says."""
        weight, size = np.exp(-nats * self.hidden), SIDE * SIDE
        moves = np.zeros((size, size))
        moves[tuple(self.ends)] = weight
        walks = np.linalg.inv(np.eye(size) - moves)
        trips = []
        for start, end in pairs.tolist():
            place, trip = start, list[int]()
            while True:
                links = np.flatnonzero(self.ends[0] == place)
                onward = self.ends[1][links]
                chances = weight[links] * walks[onward, end] / walks[place, end]
                stop = max(0.0, 1 - chances.sum())
                taken = random.choice(len(links) + 1, p=[*chances, stop] / (chances.sum() + stop))
                if taken == len(links):
                    break
                trip.append(int(links[taken]))
                place = int(onward[taken])
            trips.append(trip)
        return trips


def grid_of(seed: int) -> tuple[Grid, np.random.Generator]:
    """A grid and the numbers to draw its trips by."""
    random = np.random.default_rng(seed)
    return Grid(random.integers(1, 10, 4 * SIDE * (SIDE - 1)).astype(float)), random


def pairs_of(count: int, random: np.random.Generator) -> Pairs:
    """Different places."""
    found = random.integers(0, SIDE * SIDE, (2 * count + 20, 2))
    return np.asarray(found[found[:, 0] != found[:, 1]][:count])


def learned(case: plancost.Case) -> tuple[plancost.Result, Floats]:
    """Most likely costs, with one constant a link."""
    result = plancost.learn(case, solution="likely", features="none", time_limit=None)
    return result, np.array([result.costs[name] for name in case.actions], dtype=float)


def hidden(seeds: int) -> Iterator[str]:
    """True regret and share of truly optimal predictions on new pairs of places."""
    yield "| plans | true regret | truly optimal | observed plans optimal | seconds |"
    yield "|---|---:|---:|---:|---:|"
    for count, is_noisy in ((10, False), (30, False), (100, False), (30, True)):
        rows = np.array([_regret(seed, count, is_noisy=is_noisy) for seed in range(seeds)])
        regret, exact, optimal, seconds = rows.mean(axis=0)
        name = f"{count} noisy" if is_noisy else f"{count}"
        yield f"| {name} | {regret:.3f} | {exact:.2f} | {optimal:.2f} | {seconds:.1f} |"


def _regret(seed: int, count: int, *, is_noisy: bool) -> tuple[float, float, float, float]:
    """Of new pairs: cost by the least cost, and how many are equal; plans optimal; seconds."""
    grid, random = grid_of(seed)
    pairs, new = pairs_of(count, random), pairs_of(NEW_PAIRS, random)
    if is_noisy:
        trips = grid.drawn(NATS["noisy"], pairs, random)
    else:  # of equal ways a driver takes any
        trips = grid.cheapest(grid.hidden + random.uniform(0, 1e-3, len(grid.hidden)), pairs)
    began = time.perf_counter()
    result, costs = learned(grid.case(trips))
    seconds = time.perf_counter() - began
    spent, least = (
        np.array([grid.hidden[trip].sum() for trip in grid.cheapest(own, new)])
        for own in (costs, grid.hidden)
    )
    optimal = (result.optimal_plans or 0) / result.plans
    return float((spent / least).mean()), float((spent == least).mean()), optimal, seconds


def coverage(seeds: int, counts: Sequence[int]) -> Iterator[str]:
    """How many intervals of 90 % hold the true cost."""
    links = 4 * SIDE * (SIDE - 1)
    yield f"| plans of {links} links | coverage of 90 % intervals, by seed | mean | told |"
    yield "|---:|---|---:|---|"
    for count in counts:
        found, told = [], set[str]()
        for seed in range(seeds):
            grid, random = grid_of(seed)
            trips = grid.drawn(NATS["coverage"], pairs_of(count, random), random)
            case = grid.case(trips)
            result, costs = learned(case)
            assert result.likely
            errors = np.array([result.likely.standard_errors[name] for name in case.actions])
            true = NATS["coverage"] * grid.hidden * result.likely.units_per_nat
            found.append(float(np.mean(np.abs(costs - true) <= ODD * errors)))
            told |= {note for note in result.notes if "standard errors" in note}
        shown = " ".join(f"{share:.2f}" for share in found)
        yield f"| {count} | {shown} | {np.mean(found):.2f} | {'too small' if told else ''} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    asked = commands.add_parser("folds")
    asked.add_argument("folders", type=Path, nargs="+")
    asked.add_argument("--methods", nargs="+", default=["likely", "maxent"])
    asked.add_argument("--folds", type=int, default=5)
    commands.add_parser("hidden").add_argument("--seeds", type=int, default=2)
    asked = commands.add_parser("coverage")
    asked.add_argument("--seeds", type=int, default=4)
    asked.add_argument("--plans", type=int, nargs="+", default=[30, 100, 300, 400, 1000])
    chosen = parser.parse_args()
    if chosen.command == "folds":
        tables = [folds(folder, chosen.methods, chosen.folds) for folder in chosen.folders]
    elif chosen.command == "hidden":
        tables = [hidden(chosen.seeds)]
    else:
        tables = [coverage(chosen.seeds, chosen.plans)]
    for line in (line for table in tables for line in table):
        print(line, flush=True)


if __name__ == "__main__":
    main()

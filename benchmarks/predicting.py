"""How well costs predict where the truth is known: least, mean, strict and maximum entropy.

    python -m benchmarks.predicting run grid 0 20 RECORDS.jsonl
    python -m benchmarks.predicting show RECORDS.jsonl

Worlds, true costs and plans are those of ``plancost evaluate --synthetic``. One line of the records
is one method with so many plans of one seed: mean true regret and truly optimal share over the
held-out tasks, how many of the plans learned from are optimal, and for the mean the share of true
costs in the 90 % intervals.
"""

from __future__ import annotations

import json
import math
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from plancost.api.learn import learn
from plancost.evaluation.measures import Measurer, regret
from plancost.evaluation.methods import Found, Method, find_costs
from plancost.evaluation.recovery import SMALL_WORLDS
from plancost.generators.hidden import HiddenWorld, TruePlans, hidden_world
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.observations.parts import part_of_case
from plancost.observations.planfile import plan_cost
from plancost.results.result import Result

Record = dict[str, Any]
SIZES = (5, 10, 20, 40)
HELD_OUT = 20
METHODS = (Method.OURS, Method.MEAN, Method.STRICT, Method.MAXENT)


def run(world: str, first: int, last: int, records: Path) -> None:
    """Append the records of some seeds."""
    hidden = hidden_world(SMALL_WORLDS[world], max(SIZES) + HELD_OUT)
    for seed in range(first, last):
        with records.open("a") as file:
            for line in _of_seed(hidden, world, seed):
                file.write(json.dumps(line) + "\n")
                file.flush()


def _of_seed(hidden: HiddenWorld, world: str, seed: int) -> list[dict[str, object]]:
    true = hidden.true_costs(seed)
    source = TruePlans(hidden, true)
    generator = random.Random(f"ties-{seed}")
    case = hidden.case([(n, source.draw(n, generator)) for n in range(len(hidden.tasks))])
    options = LearnOptions()
    measurer = Measurer(case, options)
    test = range(max(SIZES), len(hidden.tasks))
    found = []
    for size in SIZES:
        train = part_of_case(case, range(size))
        for method in METHODS:
            started = time.process_time()
            covered = None
            if method is Method.MEAN:
                result = learn(train, LearnOptions(choose=Choose.MEAN))
                if result.choice is None:
                    found.append({"world": world, "seed": seed, "plans": size, "method": method})
                    continue
                covered = _covered(result, true)
                unknown = max(1, round(result.choice["unknown_cost"]))
                costs = Found(result.costs, unknown)
            else:
                learned = find_costs(method, train, case, options)
                assert isinstance(learned, Found)
                costs = learned
            seconds = time.process_time() - started
            measures = measurer.measure(costs.of, test)
            regrets = [
                regret(plan_cost(item.predicted or (), true), source.optimal_cost(item.observation))
                for item in measures
            ]
            own = measurer.measure(costs.of, range(size))
            found.append(
                {
                    "world": world,
                    "seed": seed,
                    "plans": size,
                    "method": method.value,
                    "regret": round(statistics.fmean(regrets), 5),
                    "optimal": round(statistics.fmean(value == 1.0 for value in regrets), 4),
                    "kept": sum(bool(item.optimal) for item in own),
                    "covered": covered,
                    "seconds": round(seconds, 2),
                }
            )
    return found


def _covered(result: Result, true: dict[str, int]) -> float:
    """The share of true costs within the intervals, with the sums of costs made equal."""
    known = result.uncertainty or {}
    scale = sum(item.mean for item in known.values()) / sum(true[name] for name in known)
    inside = [item.least <= scale * true[name] <= item.greatest for name, item in known.items()]
    return round(statistics.fmean(inside), 4)


def show(records: Path) -> None:
    """Print tables: each method, and how much more regret it has than maximum entropy."""
    lines = [json.loads(text) for text in records.read_text().splitlines()]
    print(
        "| world | plans | method | seeds | true regret | against maxent | truly optimal |", end=""
    )
    print(" training plans optimal | true costs in 90 % intervals | CPU s |")
    print("|---|---:|---|---:|---:|---|---:|---:|---:|---:|")
    by = {(x["world"], x["plans"], x["method"], x["seed"]): x for x in lines if "regret" in x}
    for world in sorted({x["world"] for x in lines}):
        for size in SIZES:
            for method in METHODS:
                own = {s: x for (w, n, m, s), x in by.items() if (w, n, m) == (world, size, method)}
                if own:
                    print(_row(world, size, method, own, by))


def _row(world: str, size: int, method: str, own: dict[int, Record], by: dict[Any, Record]) -> str:
    def mean(key: str) -> float:
        return statistics.fmean(x[key] for x in own.values())

    pairs = [
        x["regret"] - by[world, size, "maxent", seed]["regret"]
        for seed, x in own.items()
        if (world, size, "maxent", seed) in by
    ]
    cells = (
        *(world, str(size), method, str(len(own)), f"{mean('regret'):.3f}", _interval(pairs)),
        f"{100 * mean('optimal'):.0f} %",
        f"{sum(x['kept'] for x in own.values())} of {size * len(own)}",
        f"{100 * mean('covered'):.0f} %" if method == "mean" else "",
        f"{mean('seconds'):.1f}",
    )
    return "| " + " | ".join(cells) + " |"


def _interval(values: list[float]) -> str:
    """The mean difference with its 95 % interval (twice the standard error)."""
    if len(values) < 2:
        return ""
    error = statistics.stdev(values) / math.sqrt(len(values))
    return f"{statistics.fmean(values):+.3f} ± {2 * error:.3f}"


if __name__ == "__main__":
    if sys.argv[1] == "run":
        run(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
    else:
        show(Path(sys.argv[2]))

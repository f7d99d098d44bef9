"""How well costs predict where the truth is known, over seeds of true costs.

    python -m benchmarks.predicting RECORDS.jsonl FIRST LAST [SCENARIO ...]

Each seed draws true costs and tasks, plans for some of the tasks to learn from, and other tasks to
predict. One line of the records is one method with so many plans of one seed: mean true regret and
truly optimal share over the tasks to predict, how many of the plans learned from are optimal, and
for the mean the share of true costs in the 90 % intervals. Lines that are there are not run again.
`predicting_page` makes tables and pictures of them.
"""

from __future__ import annotations

import json
import math
import random
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from plancost.api.learn import learn
from plancost.evaluation.measures import Measure, Measurer, regret
from plancost.evaluation.methods import Found, Method, find_costs
from plancost.evaluation.recovery import SMALL_WORLDS
from plancost.generators.hidden import HiddenWorld, TruePlans, any_cheapest, hidden_world
from plancost.generators.world import World
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.observations.case import Case
from plancost.observations.parts import part_of_case
from plancost.observations.planfile import Plan, plan_cost
from plancost.oracles.shortest_paths import CostToGo
from plancost.results.result import Result

Record = dict[str, Any]
KEYS = ("scenario", "world", "seed", "plans", "method")
SIZES = (5, 10, 20, 40)
POOL = 160
"""Tasks of a world that seeds choose from."""
HELD_OUT = 40
_TIME_LIMIT_S = 3600.0
"""Much more than is needed, so that the work of others on the machine changes nothing."""
_FINE = 1000
"""Perturbed costs are whole numbers of this part of 1."""
LIKELY = {"likely 0": 0.0, "likely 1/2": 0.5, "likely 2/3": 2 / 3, "likely 1": 1.0}
"""Points of the path, by the name of the method in the records."""


@dataclass(frozen=True)
class Scenario:
    """What is wrong with the plans, and who learns from how many of them."""

    noise: float = 0.0
    """Each plan is optimal under costs of its own: the true ones, each times the exponential of a
    normal number with this standard deviation."""
    outliers: float = 0.0
    """So many of the plans go by a state that was drawn at random."""
    sizes: tuple[int, ...] = (40,)
    methods: tuple[str, ...] = ("ours", "maxent", "likely", *LIKELY)


SCENARIOS = {
    "clean": Scenario(sizes=SIZES, methods=("ours", "mean", "strict", "maxent", "likely")),
    "noise 0.1": Scenario(noise=0.1),
    "noise 0.3": Scenario(noise=0.3),
    "noise 1": Scenario(noise=1.0),
    "outliers 10 %": Scenario(outliers=0.1),
    "outliers 30 %": Scenario(outliers=0.3),
}


@dataclass(frozen=True)
class _Draw:
    """One seed: true costs, and a case with the plans to learn from before the tasks to predict."""

    true: Mapping[str, int]
    case: Case
    optima: tuple[int, ...]
    """For each observation what is truly optimal."""

    @classmethod
    def of(cls, hidden: HiddenWorld, scenario: Scenario, seed: int) -> _Draw:
        true = hidden.true_costs(seed)
        source, generator = TruePlans(hidden, true), random.Random(f"ties-{seed}")
        learned = max(SIZES)
        tasks = random.Random(f"tasks-{seed}").sample(range(POOL), learned + HELD_OUT)
        plans = [
            (task, _observed(hidden, true, scenario, task, generator)) for task in tasks[:learned]
        ]
        plans += [(task, source.draw(task, generator)) for task in tasks[learned:]]
        return cls(true, hidden.case(plans), tuple(map(source.optimal_cost, tasks)))

    def truly_optimal(self, size: int) -> int:
        """How many of the first plans are truly optimal."""
        plans = zip(self.case.observations[:size], self.optima, strict=False)
        return sum(plan_cost(seen.plan, self.true) == optimum for seen, optimum in plans)


def _observed(
    hidden: HiddenWorld,
    true: Mapping[str, int],
    scenario: Scenario,
    task: int,
    generator: random.Random,
) -> Plan:
    """A plan of a task, as the scenario has it."""
    if generator.random() < scenario.outliers:
        return _by_way_of(hidden, true, task, generator)
    costs = {
        name: max(1, round(_FINE * cost * math.exp(scenario.noise * generator.gauss())))
        for name, cost in true.items()
    }
    return TruePlans(hidden, costs).draw(task, generator)


def _by_way_of(
    hidden: HiddenWorld, true: Mapping[str, int], task: int, generator: random.Random
) -> Plan:
    """Truly cheapest to a state drawn at random, and from there to the goal."""
    graph = hidden.graph
    costs = np.array([true[name] for name in hidden.actions], dtype=np.int64)
    start, on = graph.initial[task], CostToGo(graph, graph.goals[task], costs)
    while True:
        state = generator.randrange(graph.state_count)
        there = CostToGo(graph, np.array([state]), costs)
        if np.isfinite(there.values[start]) and np.isfinite(on.values[state]):
            return any_cheapest(there, start, generator) + any_cheapest(on, state, generator)


def _learned(method: str, train: Case, draw: _Draw) -> tuple[Found, float | None] | None:
    """Costs, and for the mean how many true costs are in its intervals; None: it gave up."""
    if method in ("ours", "strict", "maxent"):
        found = find_costs(Method(method), train, draw.case, LearnOptions())
        return (found, None) if isinstance(found, Found) else None
    choose = Choose.MEAN if method == "mean" else Choose.LIKELY
    options = LearnOptions(
        choose=choose, optimality_weight=LIKELY.get(method), time_limit_s=_TIME_LIMIT_S
    )
    result = learn(train, options)
    if result.choice is None:
        return None
    unknown = max(1, round(result.choice["unknown_cost"]))
    covered = None if result.uncertainty is None else _covered(result, draw.true)
    return Found(result.costs, unknown, likely=result.tie_break), covered


def _covered(result: Result, true: Mapping[str, int]) -> float:
    """The share of true costs within the intervals."""
    known, scaled = result.uncertainty or {}, in_scale_of(result, true)
    inside = [item.least <= scaled[name] <= item.greatest for name, item in known.items()]
    return round(statistics.fmean(inside), 4)


def in_scale_of(result: Result, true: Mapping[str, int]) -> dict[str, float]:
    """True costs, scaled so that their sum is that of the means."""
    known = result.uncertainty or {}
    scale = sum(item.mean for item in known.values()) / sum(true[name] for name in known)
    return {name: scale * true[name] for name in known}


def mean_costs(world: World, seed: int, sizes: Sequence[int]) -> Iterator[tuple[Result, _Draw]]:
    """What the mean makes of the first plans of a seed without noise."""
    draw = _Draw.of(hidden_world(world, POOL), SCENARIOS["clean"], seed)
    options = LearnOptions(choose=Choose.MEAN, time_limit_s=_TIME_LIMIT_S)
    for size in sizes:
        yield learn(part_of_case(draw.case, range(size)), options), draw


def _records_of(draw: _Draw, wanted: Sequence[tuple[int, str]]) -> Iterator[Record]:
    """A record for each number of plans and method."""
    measurer = Measurer(draw.case, LearnOptions())
    to_predict = range(max(SIZES), len(draw.case.observations))
    for size, method in wanted:
        started = time.process_time()
        found = _learned(method, part_of_case(draw.case, range(size)), draw)
        seconds = round(time.process_time() - started, 2)
        record: Record = {"plans": size, "method": method, "truly": draw.truly_optimal(size)}
        if found is not None:
            costs, covered = found
            own = measurer.measure(costs.of, range(size))
            predicted = measurer.measure(costs.of, to_predict, second=costs.second)
            record |= {
                **_of_predictions(draw, predicted),
                "kept": sum(bool(item.optimal) for item in own),
                "covered": covered,
                "seconds": seconds,
            }
        yield record


def _of_predictions(draw: _Draw, predicted: Sequence[Measure]) -> Record:
    regrets = [
        regret(plan_cost(item.predicted or (), draw.true), draw.optima[item.observation])
        for item in predicted
    ]
    return {
        "regret": round(statistics.fmean(regrets), 5),
        "optimal": round(statistics.fmean(value == 1.0 for value in regrets), 4),
    }


def read_records(file: Path) -> list[Record]:
    """All records, the last one of each run; none if there is no file yet.

    `earlier` marks those of an earlier version of plancost: they are run again.
    """
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return list({key_of(record): record for record in map(json.loads, lines)}.values())


def key_of(record: Record) -> tuple[Any, ...]:
    """What a record is about."""
    return tuple(record[key] for key in KEYS)


def run(file: Path, seeds: range, scenarios: Sequence[str]) -> None:
    """Append the records of some seeds that are not there yet."""
    grounded = cache(lambda world: hidden_world(SMALL_WORLDS[world], POOL))
    there = {key_of(record) for record in read_records(file) if "earlier" not in record}
    for seed, name, world in product(seeds, scenarios, SMALL_WORLDS):
        scenario, where = SCENARIOS[name], (name, world, seed)
        wanted = product(scenario.sizes, scenario.methods)
        missing = [(size, method) for size, method in wanted if (*where, size, method) not in there]
        if not missing:
            continue
        draw = _Draw.of(grounded(world), scenario, seed)
        for record in _records_of(draw, missing):
            with file.open("a") as lines:
                lines.write(json.dumps(dict(zip(KEYS, where, strict=False)) | record) + "\n")


if __name__ == "__main__":
    run(
        Path(sys.argv[1]),
        range(int(sys.argv[2]), int(sys.argv[3])),
        sys.argv[4:] or list(SCENARIOS),
    )

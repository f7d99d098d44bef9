"""Do plans teach more where ``plancost ask`` asks for them than on tasks at random?

    python -m benchmarks.asking run grid 0 20 RECORDS.jsonl
    python -m benchmarks.asking show RECORDS.jsonl
    python -m benchmarks.asking draw RECORDS.jsonl PICTURE.svg

A world with hidden costs, 60 tasks to choose from and 40 held out. Learning begins with the
plans of four tasks at random, the same for both ways. Then four more tasks are chosen again and
again, by `ask` with that budget or at random; a plan that is truly optimal is observed on each, and
the mean costs are learned again. One line of the records is one way with so many plans of one
seed: the mean true regret over the held-out tasks, and the share predicted truly optimal.
"""

from __future__ import annotations

import json
import math
import random
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plancost.api.learn import learn
from plancost.evaluation.measures import regret
from plancost.evaluation.recovery import SMALL_WORLDS
from plancost.generators.hidden import HiddenWorld, TruePlans, hidden_world
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.observations.case import Case
from plancost.observations.planfile import Plan, plan_cost
from plancost.probability.outlook import Searcher, outlooks
from plancost.probability.ranking import Candidate, rank_tasks
from plancost.probability.sampled_costs import sampled_costs
from plancost.results.result import Result
from plancost.results.samples import samples_of
from plancost.system.clock import Deadline

Record = dict[str, Any]
POOL, HELD_OUT = 60, 40
STEP, ROUNDS = 4, 3
SIZES = tuple(STEP * (number + 1) for number in range(ROUNDS + 1))
WAYS = ("ask", "random")


@dataclass
class Study:
    """One seed of a world: its truth, and what is learned from some of its tasks."""

    world: HiddenWorld
    seed: int
    whole: Case
    searcher: Searcher
    _learned: dict[tuple[int, ...], Result] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.true = self.world.true_costs(self.seed)
        source = TruePlans(self.world, self.true)
        generator = random.Random(f"plans-{self.seed}")
        self._plans = [source.draw(task, generator) for task in range(POOL)]
        self._optimal = [source.optimal_cost(task) for task in range(POOL + HELD_OUT)]
        self.order = random.Random(f"order-{self.seed}").sample(range(POOL), POOL)

    def learned(self, tasks: Sequence[int]) -> Result:
        """The mean costs from a plan of each of these tasks."""
        key = tuple(sorted(tasks))
        if key not in self._learned:
            case = self.world.case([(task, self._plans[task]) for task in key])
            self._learned[key] = learn(case, LearnOptions(choose=Choose.MEAN))
        return self._learned[key]

    def more(self, way: str, seen: list[int]) -> list[int]:
        """The next tasks to look at."""
        left = [task for task in self.order if task not in seen]
        if way == "random":
            return left[:STEP]
        left.sort()
        drawn = sampled_costs(samples_of(self.learned(seen)), self.whole.actions)
        looks = outlooks(self.searcher, left, drawn, Deadline())
        candidates = [Candidate(str(task), look) for task, look in zip(left, looks, strict=True)]
        return [int(task.name) for task in rank_tasks(candidates, drawn.count, STEP).tasks]

    def regrets(self, result: Result) -> list[float]:
        """The true regret of what is predicted for each held-out task."""
        unknown = round((result.choice or {})["unknown_cost"])
        costs = {name: result.costs.get(name, unknown) for name in self.whole.actions}
        held_out = range(POOL, POOL + HELD_OUT)
        plans: list[Plan] = [
            self.searcher.cheapest(task, costs, Deadline()).plan or () for task in held_out
        ]
        return [
            regret(plan_cost(plan, self.true), self._optimal[task])
            for task, plan in zip(held_out, plans, strict=True)
        ]

    def records(self) -> Iterator[Record]:
        """All ways and sizes; a way ends where no samples could be drawn."""
        for way in WAYS:
            seen = self.order[:STEP]
            for size in SIZES:
                result = self.learned(seen)
                record: Record = {"seed": self.seed, "way": way, "plans": size}
                if result.samples is None:
                    yield record
                    break
                regrets = self.regrets(result)
                record["regret"] = round(statistics.fmean(regrets), 5)
                record["optimal"] = round(statistics.fmean(item == 1.0 for item in regrets), 4)
                yield record
                seen = [*seen, *self.more(way, seen)]


def run(world: str, first: int, last: int, records: Path) -> None:
    """Append the records of some seeds."""
    hidden = hidden_world(SMALL_WORLDS[world], POOL + HELD_OUT)
    numbered = tuple((hidden.problem(number), number) for number in range(len(hidden.tasks)))
    whole = Case(Path(), hidden.domain, numbered, hidden.tasks, (), ())
    searcher = Searcher.of(whole, LearnOptions(), Deadline())
    for seed in range(first, last):
        with records.open("a") as file:
            for record in Study(hidden, seed, whole, searcher).records():
                file.write(json.dumps({"world": world, **record}) + "\n")
                file.flush()


def by_size(records: Path) -> dict[tuple[str, int], dict[str, dict[int, Record]]]:
    """For each world and number of plans the records of each way, by seed; only whole pairs."""
    found: dict[tuple[str, int], dict[str, dict[int, Record]]] = {}
    for text in records.read_text().splitlines():
        record = json.loads(text)
        if "regret" in record:
            ways = found.setdefault((record["world"], record["plans"]), {way: {} for way in WAYS})
            ways[record["way"]][record["seed"]] = record
    for ways in found.values():
        common = set.intersection(*(set(own) for own in ways.values()))
        for way, own in ways.items():
            ways[way] = {seed: own[seed] for seed in sorted(common)}
    return found


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and twice its standard error."""
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return statistics.fmean(values), 2 * error


def show(records: Path) -> None:
    """Print a table: both ways, and their difference seed by seed."""
    print(
        "| world | plans | seeds | true regret, ask | random | difference | lower with ask |",
        end="",
    )
    print(" truly optimal, ask | random |")
    print("|---|---:|---:|---:|---:|---|---:|---:|---:|")
    for (world, size), ways in sorted(by_size(records).items()):
        ask, other = (list(ways[way].values()) for way in WAYS)
        if not ask:
            continue
        pairs = [one["regret"] - two["regret"] for one, two in zip(ask, other, strict=True)]
        mean, error = interval(pairs)
        cells = [
            *(world, str(size), str(len(pairs))),
            *(f"{statistics.fmean(x['regret'] for x in own):.3f}" for own in (ask, other)),
            f"{mean:+.3f} ± {error:.3f}",
            f"{sum(pair < 0 for pair in pairs)} of {len(pairs)}",
            *(f"{100 * statistics.fmean(x['optimal'] for x in own):.0f} %" for own in (ask, other)),
        ]
        print(f"| {' | '.join(cells)} |")


def draw(records: Path, picture: Path) -> None:
    """Draw the true regret over the number of plans, with twice the standard error."""
    from plancost.pictures.panel import new_figure

    found = by_size(records)
    worlds = sorted({world for world, _ in found})
    figure = new_figure(4.6 * len(worlds), 3.4)
    panels = figure.subplots(1, len(worlds), squeeze=False)[0]
    for panel, world in zip(panels, worlds, strict=True):
        sizes = sorted(size for name, size in found if name == world)
        for way, colour in zip(WAYS, ("tab:blue", "tab:gray"), strict=True):
            points = [
                interval([record["regret"] for record in found[world, size][way].values()])
                for size in sizes
            ]
            means, errors = zip(*points, strict=True)
            panel.errorbar(sizes, means, errors, color=colour, capsize=3, marker="o", label=way)
        panel.set_title(world)
        panel.set_xlabel("observed plans")
        panel.set_xticks(sizes)
    panels[0].set_ylabel("true regret of predicted plans")
    panels[0].legend(frameon=False)
    _write(figure, picture)


def _write(figure: Any, picture: Path) -> None:  # noqa: ANN401 (matplotlib)
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "plancost"}):
        figure.savefig(picture, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    command, *words = sys.argv[1:]
    if command == "run":
        run(words[0], int(words[1]), int(words[2]), Path(words[3]))
    elif command == "draw":
        draw(Path(words[0]), Path(words[1]))
    else:
        show(Path(words[0]))

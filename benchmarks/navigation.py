"""Streams of trips on a grid, with outliers that are known and a change at a known time.

Drivers first avoid the middle of the town: entering one of its cells is expensive. At the change
the middle is opened and the border becomes expensive instead. Plans are optimal under the true
costs of their time, with ties broken at random, except for outliers: trips that somebody takes for
reasons of their own, which cost at least a fifth more than the optimum. The first plans are for
training; they have no outliers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from plancost.files.output_files import write_file
from plancost.generators.hidden import HiddenWorld, TruePlans
from plancost.generators.record import make_empty_folder
from plancost.observations.planfile import Plan, plan_cost, write_plan

_MOVE = re.compile(r"\(move x(\d+)y(\d+) x(\d+)y(\d+)\)")
_EXPENSIVE = 5
_USUAL = 2
"""Costs of cells are drawn from 1 to this, and `_EXPENSIVE` more where drivers avoid them."""
_LEAST_EXCESS = 1.2
_MOST_ATTEMPTS = 200
_OWN_REASONS = 20


@dataclass(frozen=True)
class StreamPlan:
    """A plan of a task by its number in the world."""

    task: int
    plan: Plan
    outlier: bool = False


@dataclass(frozen=True)
class Stream:
    """Plans for training, and the stream; from `change` on other true costs hold."""

    world: HiddenWorld
    training: tuple[StreamPlan, ...]
    plans: tuple[StreamPlan, ...]
    change: int | None


def navigation_stream(
    world: HiddenWorld,
    seed: int,
    *,
    training: int = 60,
    before: int = 100,
    after: int = 100,
    outliers: float = 0.05,
) -> Stream:
    """A stream on tasks of a grid; with `after` 0 nothing ever changes."""
    generator = random.Random(f"stream-{seed}")
    middle, border = (avoiding(world, generator, place) for place in ("middle", "border"))
    first, second = TruePlans(world, middle), TruePlans(world, border)

    def usual(source: TruePlans) -> StreamPlan:
        task = generator.randrange(len(world.tasks))
        return StreamPlan(task, source.draw(task, generator))

    def next_plan(source: TruePlans, costs: Mapping[str, int]) -> StreamPlan:
        if generator.random() < outliers:
            found = _outlier(world, source, costs, generator)
            if found is not None:
                return found
        return usual(source)

    return Stream(
        world,
        tuple(usual(first) for _ in range(training)),
        (
            *(next_plan(first, middle) for _ in range(before)),
            *(next_plan(second, border) for _ in range(after)),
        ),
        before if after else None,
    )


def avoiding(world: HiddenWorld, generator: random.Random, place: str) -> dict[str, int]:
    """True costs: entering a cell costs what the cell does, more in the place to avoid."""
    entered = {}
    for name in world.actions:
        move = _MOVE.fullmatch(name)
        assert move is not None  # only grids have streams
        entered[name] = int(move[3]), int(move[4])
    last = max(max(cell) for cell in entered.values())
    cells = [(x, y) for x in range(last + 1) for y in range(last + 1)]
    costs = {cell: generator.randint(1, _USUAL) for cell in cells}
    for x, y in cells:
        on_border = min(x, y) == 0 or max(x, y) == last
        if on_border is (place == "border"):
            costs[x, y] += _EXPENSIVE
    return {name: costs[cell] for name, cell in entered.items()}


def _outlier(
    world: HiddenWorld, source: TruePlans, costs: Mapping[str, int], generator: random.Random
) -> StreamPlan | None:
    """A plan that is optimal for reasons of its own, and far from optimal for all others."""
    for _ in range(_MOST_ATTEMPTS):
        task = generator.randrange(len(world.tasks))
        own = {name: generator.randint(1, _OWN_REASONS) for name in world.actions}
        plan = TruePlans(world, own).draw(task, generator)
        if plan_cost(plan, costs) >= _LEAST_EXCESS * source.optimal_cost(task):
            return StreamPlan(task, plan, outlier=True)
    return None


def write_stream(stream: Stream, folder: Path) -> None:
    """Files for `plancost learn` and `plancost monitor`.

    ``domain.pddl``, the problems, a plan file for each plan, ``training.csv`` and ``stream.csv``
    (with a ``time``, the number of the plan). The folder must be new or empty.
    """
    make_empty_folder(folder)
    write_file(folder / "domain.pddl", stream.world.domain.text)
    for number, text in enumerate(stream.world.problems):
        write_file(folder / stream.world.problem(number).path.name, text)
    for name, plans in (("training", stream.training), ("stream", stream.plans)):
        rows = ["problem,plan,time\n"]
        for number, item in enumerate(plans, start=1):
            plan = f"plans/{name}-{number:03d}.plan"
            write_file(folder / plan, write_plan(item.plan))
            rows.append(f"{stream.world.problem(item.task).path.name},{plan},{number}\n")
        write_file(folder / f"{name}.csv", "".join(rows))

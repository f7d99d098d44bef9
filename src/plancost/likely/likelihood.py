"""How likely the plans of a case are under some costs, and which costs are likely without them.

Goals are independent of each other. They are dealt into crowds, a fixed number, so that the answer
does not depend on how many workers there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress

import numpy as np
from scipy.sparse import csr_array, eye_array, hstack, vstack

from plancost.case.model import Actions, Case, Observation
from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.executor import Threads, Workers
from plancost.likely.walks import SLACK, Field, Plan, Vector
from plancost.search.transitions import state_graph

MOST_STATES = 2_000_000
"""Of all worlds together."""
_CROWDS = 16
_HARDLY = 1e-5
_STEP = 2.0
"""The mean of the cost of an action of which nothing is known."""
_WIDE, _OF_CLASSES, _OF_ACTIONS = 5.0, 1.0, 0.8


@dataclass(frozen=True, eq=False)
class Outlook:
    """What is expected of a task."""

    log_z: float
    """What exp(-cost) of a plan is to be divided by."""
    cost: float
    """The mean cost of plans."""
    uses: csr_array
    """A row: how often plans are expected to use each action; 0 is hardly ever."""

    def hits(self, plan: Actions) -> float:
        """The share of the actions of a plan that is expected in the next one."""
        return float(np.minimum(1.0, self.uses.toarray()[0, list(plan)]).mean()) if plan else 1.0


class Crowd:
    """Plans of some goals."""

    def __init__(self, plans: Sequence[Sequence[Plan]], costs: Vector, slack: float) -> None:
        self._plans = plans
        self._fields = [Field(own, costs, slack) for own in plans]

    def evaluate(self, costs: Vector) -> tuple[Vector, Vector]:
        """log z of each plan, and the expected uses of actions by all."""
        uses = np.zeros(len(costs))
        return np.concatenate([field.evaluate(costs, uses) for field in self._fields]), uses

    def look(self, costs: Vector) -> dict[int, Outlook]:
        """What is expected of each task, unless its sum over walks is infinite."""
        found: dict[int, Outlook] = {}
        for field, plans in zip(self._fields, self._plans, strict=True):
            log_z = field.evaluate(costs, np.zeros(len(costs)))
            for number, plan in enumerate(plans):
                if plan.task not in found and np.isfinite(log_z[number]):
                    uses = field.uses_from(number, len(costs))
                    row = csr_array(np.where(uses > _HARDLY, uses, 0.0).reshape(1, -1))
                    found[plan.task] = Outlook(float(log_z[number]), float(uses @ costs), row)
        return found


class Likelihood:
    """Of plans, under costs near those that the fields are made for.

    It is 0, and its logarithm infinite, where costs are so low that a sum over walks is infinite.
    """

    def __init__(
        self, plans: list[Plan], costs: Vector, workers: Workers | None = None, slack: float = SLACK
    ) -> None:
        self._workers = workers or Threads()
        goals = list(by_goal(plans))
        crowds = [goals[number::_CROWDS] for number in range(min(_CROWDS, len(goals)))]
        self._crowds = self._workers.place(Crowd, [(crowd, costs, slack) for crowd in crowds])
        self._plans = plans = [plan for crowd in crowds for own in crowd for plan in own]
        self._count = np.array([plan.count for plan in plans])
        self.plan_count = float(self._count.sum())
        actions = np.fromiter(chain.from_iterable(plan.actions for plan in plans), dtype=np.int64)
        first = np.cumsum([0, *(len(plan.actions) for plan in plans)])
        self._seen = csr_array((np.ones(len(actions)), actions, first), (len(plans), len(costs)))
        self.observed: Vector = self._count @ self._seen
        """How often plans use each action."""

    def __call__(self, costs: Vector) -> tuple[float, Vector]:
        """Minus the log-likelihood, and its slope by the cost of each action."""
        log_z, uses = self._evaluated(costs)
        return float(self.observed @ costs + self._count @ log_z), self.observed - uses

    def total(self, costs: Vector) -> float:
        """The log-likelihood of all plans."""
        return -self(costs)[0]

    def each(self, costs: Vector) -> dict[Plan, float]:
        """The log-likelihood of each plan."""
        found = -self._seen @ costs - self._evaluated(costs)[0]
        return dict(zip(self._plans, found.tolist(), strict=True))

    def look(self, costs: Vector) -> dict[int, Outlook]:
        """What is expected of each task, but of none whose sum over walks is infinite."""
        answers = self._workers.call(self._crowds, "look", costs)
        return {task: outlook for found in answers for task, outlook in found.items()}

    def scores(self, costs: Vector) -> csr_array:
        """A row for each plan: by what its uses of actions differ from what is expected of its
        task, times the root of its count.
        """
        expected = self.look(costs)
        uses = vstack([expected[plan.task].uses for plan in self._plans])
        return csr_array((self._seen - uses) * np.sqrt(self._count)[:, None])

    def _evaluated(self, costs: Vector) -> tuple[Vector, Vector]:
        """log z of each plan, and the expected uses of actions by all."""
        log_z, uses = zip(*self._workers.call(self._crowds, "evaluate", costs), strict=True)
        return np.concatenate(log_z), sum(uses)


def by_goal(plans: Iterable[Plan]) -> Iterable[list[Plan]]:
    """The plans of each goal of each world."""
    found: dict[tuple[int, bytes], list[Plan]] = defaultdict(list)
    for plan in plans:
        found[id(plan.moves), plan.goal.tobytes()].append(plan)
    return found.values()


def plans_of(case: Case, clock: Clock) -> list[Plan]:
    """The observed plans of a case, world by world; an error if the states do not fit."""
    every, left = np.ones(len(case.actions), dtype=bool), MOST_STATES
    by_world: dict[int, list[Observation]] = defaultdict(list)
    for item in case.observations:
        by_world[case.tasks[item.task].world].append(item)
    plans = []
    for world, members in by_world.items():
        tasks = sorted({item.task for item in members})
        own = [case.tasks[task] for task in tasks]
        reached = state_graph(case.worlds[world], own, every, left, clock)
        if reached is None:
            raise LimitError(
                f"likely costs need all states of {own[0].name} in memory, and there are more than "
                f"{MOST_STATES:,}, or derived predicates, or too little time: take solution mcf"
            )
        graph = reached.graph
        left -= graph.size
        first = np.searchsorted(graph.source, np.arange(graph.size + 1)).astype(np.int32)
        moves = csr_array((graph.action, graph.target, first), shape=(graph.size, graph.size))
        ends = dict(zip(tasks, zip(reached.starts, reached.goals, strict=True), strict=True))
        for item in members:
            start, goal = ends[item.task]
            states = np.array(graph.follow(start, item.actions))
            actions = tuple(compress(item.actions, np.diff(states)))
            plans.append(Plan(moves, item.task, goal, states, actions, float(item.count)))
    return plans


@dataclass(frozen=True, eq=False)
class Prior:
    """Costs are ``matrix @ theta``, theta is near `mean`: first what is shared, then constants."""

    matrix: csr_array
    names: tuple[str, ...]
    """Of what is shared."""
    scale: Vector
    """Of each of these what its numbers were divided by."""
    mean: Vector
    spread: Vector

    def with_spread(self, spread: float) -> Prior:
        """The same with another spread of the constants of actions."""
        count = len(self.names)
        spreads = np.append(self.spread[:count], np.full(len(self.mean) - count, spread))
        return replace(self, spread=spreads)


def prior_of(case: Case) -> Prior:
    """A constant of all steps (turns are none), and what the cost model says or known costs."""
    model, count = case.costs, len(case.actions)
    links = count if case.streets is None else len(case.streets.rows)
    steps = (np.arange(count) < links).astype(np.float64).reshape(-1, 1)
    names: tuple[str, ...] = ()
    shared = csr_array((count, 0))
    if model.initial is not None:
        names, shared = ("known costs",), csr_array(model.initial.reshape(-1, 1) * steps)
    elif not model.is_plain:
        names, shared = model.parameters, model.matrix
    scale = shared.sum(axis=0) / np.diff(shared.tocsc().indptr)
    spread = np.where(scale == 1, _OF_CLASSES, _WIDE)
    columns = csr_array(steps), csr_array(shared / scale), eye_array(count)
    return Prior(
        csr_array(hstack(columns, format="csr")),
        ("step", *names),
        np.append(1.0, scale),
        np.append(_STEP, np.zeros(len(names) + count)),
        np.concatenate([[_WIDE], spread, np.full(count, _OF_ACTIONS)]),
    )

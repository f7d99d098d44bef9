"""Which plan comes next? The cheapest one; under most likely costs it is the most probable one.

Predictions are scored where plans were observed, by what both have in common.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from plancost.case.costs import given_costs
from plancost.case.model import Case, Observation
from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.result.given import divided, fitting
from plancost.result.model import Result
from plancost.search.cheapest import cheapest_plans
from plancost.search.transitions import Reached, can_be_explored, state_graph

if TYPE_CHECKING:
    from plancost.likely.likelihood import Outlook

Costs = npt.NDArray[np.int64]
Given = Result | Mapping[str, Any]
Actions = tuple[int, ...]
MOST_STATES = 4_000_000


@dataclass(frozen=True)
class PredictedPlan:
    """One of the cheapest plans of a task."""

    task: str
    group: str
    rank: int
    cost: int
    actions: tuple[str, ...]
    """Of streets only the links."""
    probability: float | None = None
    """Under most likely costs."""
    hits: float | None = None
    """The share of these actions that is expected in the plan that will be observed."""


@dataclass(frozen=True)
class Scores:
    """Means over observed plans; each number is between 0 and 1 but the log-likelihood."""

    plans: int
    overlap: float
    """Twice what predicted and observed plan have in common, by the lengths of both (F1)."""
    exact: float
    """How many were predicted action by action."""
    optimal: float
    """How many cost no more than the predicted plan."""
    log_likelihood: float | None
    """Of an observed plan, under most likely costs."""


@dataclass(frozen=True)
class Prediction:
    """Plans in the order of tasks and ranks, and scores if plans were observed."""

    plans: tuple[PredictedPlan, ...]
    scores: Scores | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Priced:
    """A case whose actions have costs; `units` of them are a nat, None if nothing is likely."""

    case: Case
    costs: Costs
    units: float | None = None

    def links(self, actions: Sequence[int]) -> Actions:
        """The actions that count: of streets no turns."""
        table = self.case.streets
        return tuple(a for a in actions if table is None or a < len(table.rows))

    def graphs(
        self, tasks: Sequence[int], clock: Clock
    ) -> Iterator[tuple[list[int], Reached | None]]:
        """The tasks of each world with their graph, None if it is too large."""
        by_world: dict[int, list[int]] = defaultdict(list)
        for task in tasks:
            by_world[self.case.tasks[task].world].append(task)
        every = np.ones(len(self.case.actions), dtype=bool)
        for number, members in by_world.items():
            world, own = self.case.worlds[number], [self.case.tasks[n] for n in members]
            fits = can_be_explored(world)
            yield members, state_graph(world, own, every, MOST_STATES, clock) if fits else None

    def cheapest(
        self, tasks: Sequence[int], alternatives: int, clock: Clock
    ) -> dict[int, list[tuple[int, Actions]]]:
        """The cheapest plans of tasks with their costs; none if there is none."""
        found: dict[int, list[tuple[int, Actions]]] = {}
        for members, reached in self.graphs(tasks, clock):
            if reached is not None:
                found.update(
                    zip(members, cheapest_plans(reached, self.costs, alternatives), strict=True)
                )
                continue
            if alternatives > 1:
                raise LimitError("the states are too many for `alternatives`: leave it out")
            from plancost.search.planners import Planners

            planners = Planners(self.case)
            for place, task in enumerate(members):
                share = clock.part(clock.remaining / (len(members) - place))
                answer = planners.cheapest(task, self.costs, share)
                if answer.cost is None:
                    raise LimitError(
                        f"{self.case.tasks[task].name}: no cheapest plan within the limits"
                    )
                found[task] = [(answer.cost, answer.plans[0])]
        return found


def predict_case(case: Case, given: Given, alternatives: int, clock: Clock) -> Prediction:
    """The cheapest plans of the tasks of a case, with several groups those of each group."""
    plans: list[PredictedPlan] = []
    scores: list[PlanScore] = []
    counts: list[int] = []
    notes: dict[str, None] = {}
    for name, part, own in parts_of(case, given):
        priced, said = priced_case(part, own)
        notes.update(dict.fromkeys(said))
        used = {observation.task for observation in part.observations} or range(len(part.tasks))
        found = priced.cheapest(sorted(used), alternatives, clock)
        expected = outlooks(priced, {n: [p for _, p in own] for n, own in found.items()}, clock)
        plans += _predicted(priced, name, found, expected)
        scores += score_plans(priced, found, {n: own.log_z for n, own in expected.items()})
        counts += [observation.count for observation in part.observations]
    return Prediction(tuple(plans), mean_scores(scores, counts), tuple(notes))


def parts_of(case: Case, given: Given) -> Sequence[tuple[str, Case, Given]]:
    """The observations of each group with its costs; without any, all tasks for each group."""
    whole = fitting(case, given)
    if not isinstance(given, Result) or not given.groups:
        return [("", whole, given)]
    if case.observations:
        return divided(whole, given.groups)
    return [(own.group or "", whole, own) for own in given.groups]


def priced_case(case: Case, given: Given) -> tuple[Priced, tuple[str, ...]]:
    """A case with given costs, and notes; under most likely costs an action that nobody has seen
    costs as much as others of its schema.
    """
    costs, notes = given_costs(case, given)
    if not isinstance(given, Result) or not given.likely:
        return Priced(case, np.array(costs, dtype=np.int64)), notes
    own: dict[str, list[int]] = defaultdict(list)
    for action, cost in given.costs.items():
        own[action.partition(" ")[0] if case.streets is None else ""].append(cost)
    every = list(given.costs.values())
    found = [
        cost if name in given.costs else int(median(own.get(name.partition(" ")[0], every)))
        for name, cost in zip(case.actions, costs, strict=True)
    ]
    said = [note.replace("and have 1", "and have that of similar ones") for note in notes]
    return Priced(case, np.array(found), float(given.likely.units_per_nat)), tuple(said)


@dataclass(frozen=True)
class PlanScore:
    """How well one observed plan was predicted; see `Scores`."""

    overlap: float
    exact: bool
    optimal: bool
    log_likelihood: float | None


def score_plans(
    priced: Priced, found: Mapping[int, Sequence[tuple[int, Actions]]], log_z: Mapping[int, float]
) -> list[PlanScore]:
    """Of each observed plan of a case."""
    scores = []
    for item in priced.case.observations:
        best, plan = found[item.task][0]
        own, other = priced.links(item.actions), priced.links(plan)
        common = (Counter(own) & Counter(other)).total()
        cost = priced.case.cost(item.actions, priced.costs)
        likelihood = None
        if priced.units is not None and item.task in log_z:
            likelihood = -cost / priced.units - log_z[item.task]
        overlap = 2 * common / max(1, len(own) + len(other)) if own or other else 1.0
        scores.append(PlanScore(overlap, own == other, cost == best, likelihood))
    return scores


def mean_scores(scores: Sequence[PlanScore], counts: Sequence[int]) -> Scores | None:
    """Weighed by how often each plan was seen; None if there are none."""
    total = sum(counts)
    if not total:
        return None

    def mean(values: Iterator[float]) -> float:
        return sum(v * n for v, n in zip(values, counts, strict=True)) / total

    likelihoods = [score.log_likelihood for score in scores]
    known = [value for value in likelihoods if value is not None]
    return Scores(
        total,
        mean(score.overlap for score in scores),
        mean(score.exact for score in scores),
        mean(score.optimal for score in scores),
        mean(iter(known)) if len(known) == len(scores) else None,
    )


def outlooks(
    priced: Priced, plans: Mapping[int, Sequence[Actions]], clock: Clock
) -> dict[int, Outlook]:
    """What is expected of tasks and plans under most likely costs; nothing if that diverges."""
    if priced.units is None:
        return {}
    from plancost.executor import Threads
    from plancost.likely.tracks import PlansOnTracks
    from plancost.likely.walks import DivergesError

    shown = tuple(
        Observation(f"{task}.{rank}", task, actions)
        for task, own in plans.items()
        for rank, actions in enumerate(own)
    )
    case, costs = replace(priced.case, observations=shown), priced.costs / priced.units
    try:
        on_tracks = PlansOnTracks(case, Threads(), clock)
        return on_tracks.builder()(costs).look(costs, plans)
    except (DivergesError, LimitError):
        return {}


def _predicted(
    priced: Priced,
    group: str,
    found: Mapping[int, Sequence[tuple[int, Actions]]],
    expected: Mapping[int, Outlook],
) -> Iterator[PredictedPlan]:
    for task, own in found.items():
        outlook = expected.get(task)
        for rank, (cost, actions) in enumerate(own):
            names = tuple(priced.case.actions[a] for a in priced.links(actions))
            chance = hits = None
            if outlook is not None and priced.units is not None and actions:
                chance = math.exp(-cost / priced.units - outlook.log_z)
                hits = outlook.hits[rank]
            name = priced.case.tasks[task].name
            yield PredictedPlan(name, group, rank + 1, cost, names, chance, hits)

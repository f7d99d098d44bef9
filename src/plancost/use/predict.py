"""Which plan comes next? The cheapest one; under most likely costs it is the most probable one.

It is predicted for the tasks of a case or for others. Predictions are scored where plans were
observed, by what both have in common.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from plancost.case.costs import given_costs
from plancost.case.model import Actions, Case, Ints, Network, Observation, Task
from plancost.case.read import other_problems, read_case
from plancost.case.streets import street_case
from plancost.case.tables import read_table
from plancost.clock import Clock
from plancost.errors import InputError, LimitError, UsageError
from plancost.result.given import divided, fitting
from plancost.result.model import Result
from plancost.search.cheapest import cheapest_plans
from plancost.search.transitions import state_graph
from plancost.values import first_of

if TYPE_CHECKING:
    from plancost.likely.likelihood import Outlook

Given = Result | Mapping[str, Any]
Cheapest = dict[int, list[tuple[int, Actions]]]
"""Of tasks their cheapest plans with costs; none if there is none."""
SCORES = ("overlap", "exact", "optimal", "log_likelihood")
MOST_STATES = 4_000_000
NO_PROBABILITIES = "plans have no probabilities: their sum is infinite, or states are too many"


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
    observed: tuple[str, ...] = ()
    """The plans that were observed on this task."""


@dataclass(frozen=True)
class Scores:
    """Of one observed plan, or means; each number is between 0 and 1 but the log-likelihood."""

    plans: int
    """How many, each as often as it was seen."""
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
    costs: Ints
    units: float | None = None

    def links(self, actions: Sequence[int]) -> Actions:
        """The actions that count: of streets no turns."""
        table = self.case.streets
        return tuple(a for a in actions if table is None or a < len(table.rows))

    def foreseen(self, alternatives: int, clock: Clock) -> tuple[Cheapest, dict[int, Outlook]]:
        """Of each task with observations, or else of all, the cheapest plans and the outlook."""
        cheapest = self._cheapest(alternatives, clock)
        return cheapest, {} if self.units is None else self._outlooks(self.units, cheapest, clock)

    def _cheapest(self, alternatives: int, clock: Clock) -> Cheapest:
        tasks = {observation.task for observation in self.case.observations}
        by_world: dict[int, list[int]] = defaultdict(list)
        for task in sorted(tasks or range(len(self.case.tasks))):
            by_world[self.case.tasks[task].world].append(task)
        every = np.ones(len(self.case.actions), dtype=bool)
        found: Cheapest = {}
        for number, members in by_world.items():
            world, own = self.case.worlds[number], [self.case.tasks[n] for n in members]
            reached = state_graph(world, own, every, MOST_STATES, clock)
            if reached is not None:
                plans = cheapest_plans(reached, self.costs, alternatives)
                found.update(zip(members, plans, strict=True))
            elif alternatives > 1:
                raise LimitError("the states are too many for `alternatives`: leave it out")
            else:
                found.update(self._by_planners(members, clock))
        return found

    def _by_planners(
        self, tasks: Sequence[int], clock: Clock
    ) -> Iterator[tuple[int, list[tuple[int, Actions]]]]:
        from plancost.search.planners import Planners

        planners = Planners(self.case)
        for place, task in enumerate(tasks):
            share = clock.part(clock.remaining / (len(tasks) - place))
            answer = planners.cheapest(task, self.costs, share)
            if answer.cost is None:
                name = self.case.tasks[task].name
                raise LimitError(f"{name}: no cheapest plan within the limits")
            yield task, [(answer.cost, answer.plans[0])]

    def _outlooks(self, units: float, plans: Cheapest, clock: Clock) -> dict[int, Outlook]:
        """What is expected of tasks and plans; of none whose sum over walks is infinite."""
        from plancost.likely.likelihood import Likelihood, plans_of

        items = ((task, actions) for task, own in plans.items() for _, actions in own)
        shown = tuple(Observation(f"{n}", *item) for n, item in enumerate(items))
        costs = self.costs / units
        try:
            seen = plans_of(replace(self.case, observations=shown), clock)
        except LimitError:
            return {}
        return Likelihood(seen, costs).look(costs) if seen else {}


def predict_case(case: Case, given: Given, alternatives: int, clock: Clock) -> Prediction:
    """The cheapest plans of the tasks of a case, with several groups those of each group."""
    if alternatives < 1:
        raise UsageError("`alternatives` must be at least 1")
    plans: list[PredictedPlan] = []
    scores: list[Scores] = []
    notes: dict[str, None] = {}
    for name, part, own in parts_of(case, given):
        priced, said = priced_case(part, own)
        found, expected = priced.foreseen(alternatives, clock)
        notes.update(dict.fromkeys((*part.notes, *said, *_missing(priced, found, expected))))
        plans += _predicted(priced, name, found, expected)
        scores += score_plans(priced, found, expected)
    return Prediction(tuple(plans), mean_scores(scores) if scores else None, tuple(notes))


def _missing(priced: Priced, found: Cheapest, expected: Mapping[int, Outlook]) -> Iterator[str]:
    """Notes about tasks without plans, and plans without probabilities."""
    without = [priced.case.tasks[task].name for task, own in found.items() if not own]
    if without:
        yield f"{len(without)} tasks have no plan: {first_of(without)}"
    if priced.units is not None and len(expected) < len(found) - len(without):
        yield NO_PROBABILITIES


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
    said = [note.replace("have 1:", "have that of similar ones:") for note in notes]
    return Priced(case, np.array(found), float(given.likely.units_per_nat)), tuple(said)


def score_plans(priced: Priced, found: Cheapest, expected: Mapping[int, Outlook]) -> list[Scores]:
    """How well each observed plan of a case was predicted."""
    scores = []
    for item in priced.case.observations:
        best, plan = found[item.task][0]
        own, other = priced.links(item.actions), priced.links(plan)
        common = (Counter(own) & Counter(other)).total()
        overlap = 2 * common / (len(own) + len(other)) if own or other else 1.0
        cost = priced.case.cost(item.actions, priced.costs)
        likelihood = None
        if priced.units is not None and item.task in expected:
            likelihood = -cost / priced.units - expected[item.task].log_z
        scores.append(Scores(item.count, overlap, own == other, cost == best, likelihood))
    return scores


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """Of all plans, of which there must be one."""
    counts = [score.plans for score in scores]

    def mean(name: str) -> float | None:
        values = [getattr(score, name) for score in scores]
        return None if None in values else float(np.average(values, weights=counts))

    return Scores(sum(counts), *(mean(name) for name in SCORES))  # type: ignore[arg-type]


def unlearned(case: Case, given: Given) -> tuple[Observation, ...]:
    """The plans that costs were not learned from, as far as they say."""
    parts = given.parts if isinstance(given, Result) else []
    learned = {item.key for part in parts for item in part.observations}
    return tuple(item for item in case.observations if case.key(item) not in learned)


def _predicted(
    priced: Priced, group: str, found: Cheapest, expected: Mapping[int, Outlook]
) -> Iterator[PredictedPlan]:
    observed: dict[int, list[str]] = defaultdict(list)
    for item in priced.case.observations:
        observed[item.task].append(item.name)
    for task, own in found.items():
        outlook = expected.get(task)
        for rank, (cost, actions) in enumerate(own):
            names = tuple(priced.case.actions[a] for a in priced.links(actions))
            chance = hits = None
            if outlook is not None and priced.units is not None:
                chance = math.exp(-cost / priced.units - outlook.log_z)
                hits = outlook.hits(actions)
            name = priced.case.tasks[task].name
            seen = tuple(observed[task])
            yield PredictedPlan(name, group, rank + 1, cost, names, chance, hits, seen)


def with_tasks(case: Case, tasks: Path | None, clock: Clock, memory_limit: int | None) -> Case:
    """The same case for other tasks, with observations where the tasks are trips.

    `tasks` is a problem of PDDL or a folder of them; for streets a table with from, to, or of
    trips.
    """
    if tasks is None:
        return case
    if case.streets is not None:
        return _on_streets(case, tasks)
    if case.pddl is None:
        raise UsageError("`tasks` needs a case of PDDL or streets")
    return other_problems(case, tasks, clock, memory_limit)


def stream_of(case: Case, stream: Case | Path, clock: Clock) -> Case:
    """New plans: a case, or for streets a table of trips on the same links."""
    if isinstance(stream, Case):
        return stream
    if case.streets is not None and stream.is_file():
        return _on_streets(case, stream)
    return read_case(stream, clock=clock)


def _on_streets(case: Case, tasks: Path) -> Case:
    table, network = case.streets, case.worlds[0]
    assert table is not None
    assert isinstance(network, Network)
    found = read_table(tasks, "tasks", ())
    if {"links", "nodes"} & set(found.columns):
        links = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        return replace(street_case(links, tasks), name=case.name, streets=table)
    if not {"from", "to"} <= set(found.columns):
        words = "the first line must name the columns from and to, or trip and links (or nodes)"
        raise InputError(words, tasks, 1)
    number = {name: place for place, name in enumerate(network.states)}
    own = []
    for line, row in found.rows:
        for column in ("from", "to"):
            if row[column] not in number:
                raise InputError(f"no link begins or ends at {row[column]!r}", tasks, line)
        start, end = number[row["from"]], number[row["to"]]
        name = f"{row['from']} -> {row['to']}"
        own.append(Task(name, 0, frozenset({start}), goal_states=frozenset({end})))
    return replace(case, tasks=tuple(own), observations=(), notes=())

"""How near to optimal can a plan be at best, whatever the other plans want?

The factor of a plan under costs is its cost over the optimum of its task. Over all free costs
its greatest lower bound (infimum) is a linear program: scale the optimum to 1; actions that the
plan does not use are priced out; so make the plan as cheap as possible while every plan made
of its own actions costs at least 1. There costs of 0 are allowed, which are not costs: the
infimum may be approached and not reached. Whether it is reached is an ordinary question of the
learner, whose plan has this factor. Value and dual (a packing of alternatives into the plan)
are both checked in exact arithmetic.

With a greatest cost for every action the least factor is that of some integer costs. It is
found by Dinkelbach's method: from a factor to costs with the least excess over it, whose own
factor is lower, until there is no excess left to lose. There the last step is the solver's word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, lcm

import numpy as np

from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Conflict, Possible
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.shortest_paths import CostToGo, cheapest_plan
from plancost.solver import highs
from plancost.solver.model import Model, Status
from plancost.system.clock import Deadline

Counts = Mapping[int, int]

_DENOMINATORS = (1, 60, 840, 10**4, 10**6)


@dataclass(frozen=True)
class LeastFactor:
    """How many times the optimum a plan costs at least. None: not found within the limits."""

    infimum: Fraction | None
    attained: bool | None
    """Whether some costs reach it."""
    within_bounds: Fraction | None = None
    """The least under the bounds, if every cost has a greatest value."""


def find_least_factor(run: Run, task: LearningTask, candidate: int) -> LeastFactor:
    """The least factor of one candidate, alone."""
    deadline = run.deadline
    if deadline.is_over:
        return LeastFactor(None, None)
    alone = _alone(task, candidate)
    if not alone.candidates[0].plan:
        return LeastFactor(Fraction(1), True, Fraction(1))
    run = run.on(alone.case)
    within = None
    if alone.ranges is not None and all(greatest is not None for _, greatest in alone.ranges):
        graph = run.oracles.graphs.graphs(None, deadline)[0]
        if isinstance(graph, TaskGraph):
            with suppress(OverflowError):
                within = _least_within_bounds(alone, graph, deadline)
    free = replace(alone, ranges=None)
    graph = run.oracles.graphs.graphs(free.deciding_names, deadline)[0]
    if not isinstance(graph, TaskGraph):
        return LeastFactor(None, None, within)
    infimum = None
    with suppress(OverflowError):  # costs beyond exact arithmetic: not found
        infimum = _infimum(free, graph, deadline)
    if infimum is None:
        return LeastFactor(None, None, within)
    return LeastFactor(infimum, _is_attained(run, free, infimum), within)


def _alone(task: LearningTask, candidate: int) -> LearningTask:
    """The same with this plan as the only one, and nothing known of its cost."""
    own = task.candidates[candidate]
    observed = task.case.observations[own.observations[0]]
    observation = replace(observed, task=0, source=replace(observed.source, count=1))
    case = replace(task.case, tasks=(task.case.tasks[own.task],), observations=(observation,))
    ranges = None
    if task.ranges is not None:
        by_name = dict(zip(task.case.actions, task.ranges, strict=True))
        ranges = tuple(by_name[name] for name in case.actions)
    composition = task.composition
    if composition is not None:
        composition = composition.only([task.action_number[name] for name in case.actions])
    return LearningTask(case, Concept(), None, ranges, composition=composition)


def _infimum(task: LearningTask, graph: TaskGraph, deadline: Deadline) -> Fraction | None:
    """The least cost of the plan such that every plan of its own actions costs 1 or more."""
    own = dict(task.candidates[0].counts)
    others: list[Counts] = [own]
    while not deadline.is_over:
        costs = _cheapest_costs(own, others, deadline)
        if costs is None:
            return None
        other = _cheapest(task, graph, costs)
        if not other:
            return None  # the empty plan is one: no factor will do
        if _cost(other, costs) >= 1:
            value = _cost(own, costs)
            return value if _packing(own, others, deadline) == value else None
        others.append(other)
    return None


def _cheapest_costs(
    own: Counts, others: Sequence[Counts], deadline: Deadline
) -> dict[int, Fraction] | None:
    """Rational costs of at least 0 that make the plan cheapest while all others cost 1 or more."""
    model = Model()
    columns = {action: model.add_column(objective=count) for action, count in own.items()}
    for other in others:
        model.add_row({columns[a]: float(count) for a, count in other.items()}, lower=1.0)
    outcome = highs.solve(model, time_limit_s=deadline.remaining())
    if outcome.values is None or outcome.status is not Status.OPTIMAL:
        return None
    for denominator in _DENOMINATORS:
        costs = {
            action: max(
                Fraction(0), Fraction(outcome.values[column]).limit_denominator(denominator)
            )
            for action, column in columns.items()
        }
        if all(_cost(other, costs) >= 1 for other in others):
            return costs
    return None


def _packing(own: Counts, others: Sequence[Counts], deadline: Deadline) -> Fraction | None:
    """How many of the others the plan contains, in parts: no costs make it cheaper than that."""
    model = Model()
    columns = [model.add_column(objective=-1.0) for _ in others]
    for action, count in own.items():
        line = {
            column: float(other[action])
            for column, other in zip(columns, others, strict=True)
            if action in other
        }
        model.add_row(line, upper=float(count))
    outcome = highs.solve(model, time_limit_s=deadline.remaining())
    if outcome.values is None or outcome.status is not Status.OPTIMAL:
        return None
    best: Fraction | None = None
    for denominator in _DENOMINATORS:
        parts = [
            max(Fraction(0), Fraction(value).limit_denominator(denominator))
            for value in outcome.values
        ]
        fits = all(
            sum((p * o.get(a, 0) for p, o in zip(parts, others, strict=True)), Fraction(0)) <= count
            for a, count in own.items()
        )
        if fits:
            total = sum(parts, Fraction(0))
            best = total if best is None else max(best, total)
    return best


def _cheapest(
    task: LearningTask, at: TaskGraph, costs: Mapping[int, Fraction]
) -> dict[int, int] | None:
    """A plan that is cheapest under rational costs of at least 0, as counts; None: the empty one.

    A state graph needs costs above 0. So each step costs a little more: too little for all
    steps of a plan without loops to matter.
    """
    unit = lcm(*(cost.denominator for cost in costs.values()))
    steps = at.graph.state_count + 1
    names = at.graph.action_names
    parts = [task.structure.parts[task.action_number[name]] for name in names]
    weights = [int(_cost(dict(own), costs) * unit) * steps + 1 for own in parts]
    to_go = CostToGo(at.graph, at.graph.goals[at.task], np.array(weights, dtype=np.int64))
    plan = cheapest_plan(to_go, at.graph.initial[at.task])
    assert plan is not None
    return dict(task.counts(tuple(names[action] for action in plan[0].tolist()))) or None


def _is_attained(run: Run, task: LearningTask, factor: Fraction) -> bool | None:
    """Whether costs of at least 1 reach a factor."""
    asked = replace(task, factors=(factor,))
    answer = first_subproblem(run, asked).decide(frozenset([0]), run.deadline)
    return True if isinstance(answer, Possible) else False if isinstance(answer, Conflict) else None


def _least_within_bounds(
    task: LearningTask, graph: TaskGraph, deadline: Deadline
) -> Fraction | None:
    """The least factor of integer costs within their bounds."""
    own = dict(task.candidates[0].counts)
    others: list[Counts] = []
    costs = task.baseline
    best: Fraction | None = None
    while not deadline.is_over:
        other = _cheapest(task, graph, dict(enumerate(map(Fraction, costs))))
        if not other:
            return None
        others.append(other)
        factor = Fraction(_total(own, costs), _total(other, costs))
        best = factor if best is None else min(best, factor)
        better = None if best == 1 else _least_excess(task, own, others, best, deadline)
        if better is None:
            return best
        if isinstance(better, Status):
            return None
        costs = better
    return None


def _least_excess(
    task: LearningTask, own: Counts, others: Sequence[Counts], factor: Fraction, deadline: Deadline
) -> Costs | Status | None:
    """Costs whose factor over the known alternatives is lower; None: there are none."""
    model = Model()
    columns = {
        action: model.add_column(term.least, term.greatest or inf, integer=True)
        for action, term in enumerate(task.terms)
    }
    saved = model.add_column(0, objective=-1.0)
    for coefficients, margin in task.limit_rows:
        line = {columns[action]: float(coefficient) for action, coefficient in coefficients}
        model.add_row(line, upper=float(-margin))
    for other in others:
        line = {saved: 1.0}
        for action, count in own.items():
            line[columns[action]] = float(factor.denominator * count)
        for action, count in other.items():
            column = columns[action]
            line[column] = line.get(column, 0.0) - float(factor.numerator * count)
        model.add_row(line, upper=0.0)
    outcome = highs.solve(model, time_limit_s=deadline.remaining())
    if outcome.status is Status.INFEASIBLE:
        return None
    if outcome.values is None or outcome.status is not Status.OPTIMAL:
        return Status.STOPPED
    values = outcome.values
    costs = tuple(round(values[columns[action]]) for action in range(len(task.terms)))
    worst = max(Fraction(_total(own, costs), _total(other, costs)) for other in others)
    return costs if worst < factor else None


def _cost(counts: Counts, costs: Mapping[int, Fraction]) -> Fraction:
    return sum((costs[action] * count for action, count in counts.items()), Fraction(0))


def _total(counts: Counts, costs: Costs) -> int:
    return sum(costs[action] * count for action, count in counts.items())

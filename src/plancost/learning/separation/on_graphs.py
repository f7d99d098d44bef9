"""Rows that costs break, found on state graphs.

One search backwards from a goal gives the cost to go of every state, and with it the
answer for every plan with that goal. A row is cut down to the stretch where plan and
alternative differ, and belongs to every plan that contains the same stretch (`paths`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from plancost.learning.problem.concept import Reorderings, Ties
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.separation.paths import Path, Paths
from plancost.learning.subproblem.feasibility import Finding
from plancost.learning.verify.verification import allowed_plans
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.other_plans import (
    cheapest_deviation,
    different_multiset_plan,
    unlisted_optimal_plan,
)
from plancost.oracles.shortest_paths import (
    CostToGo,
    Stretch,
    cheaper_stretches,
    cheapest_plan,
    costs_to_go,
)
from plancost.oracles.state_graph import Indices, StateGraph
from plancost.system.clock import Deadline

_TOLERANCE = 1e-6
"""Floating-point costs break a row only by more than this."""
_MOST_STRETCHES = 4
"""Rows of one plan that are taken from one search."""
_LARGEST_REMEMBERED = 5000
"""States of a graph whose costs to go are kept from one question to the next."""


@dataclass
class _UnderCosts:
    """What is known under the costs of the last question; the next is often about the same."""

    costs: np.ndarray
    plan_costs: np.ndarray
    to_go: dict[tuple[int, bytes], CostToGo] = field(default_factory=dict)


class GraphSeparator:
    """Finds rows for the candidates of tasks that have a state graph."""

    description = "state graphs"

    def __init__(self, task: LearningTask, graphs: Mapping[int, TaskGraph]) -> None:
        self._task = task
        self.graphs = graphs
        self.paths = Paths(task, graphs)
        self._all_cut = all(candidate.cuts for candidate in task.candidates)
        self._recent: _UnderCosts | None = None

    def effort(self, chosen: Sequence[int]) -> int:
        """One search for each graph."""
        return len(self.paths.by_graph(chosen))

    def undecided(self) -> PlanSet:
        """None by itself: graphs decide unless the time is up or the costs are huge."""
        return frozenset()

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Finding] | None:
        """See `plan_sets.Separator`."""
        try:
            return self._violated(costs, chosen, exact=exact, deadline=deadline)
        except OverflowError:
            return None  # the costs have grown beyond exact arithmetic

    def _violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Finding] | None:
        found: dict[tuple[int, Row], Finding] = {}
        recent = self._recent
        if recent is None or recent.costs is not costs:
            recent = self._recent = _UnderCosts(costs, self._task.count_matrix @ costs)
        for graph, numbers in self.paths.by_graph(chosen):
            if deadline.is_over:
                return None
            by_goal: dict[bytes, list[int]] = {}
            for number in numbers:
                by_goal.setdefault(self.paths[number].goal, []).append(number)
            groups = list(by_goal.values())
            for to_go, members in zip(self._to_go(recent, graph, groups), groups, strict=True):
                for number in self._suspects(to_go, members, recent.plan_costs, exact=exact):
                    for item in self._rows(to_go, number, exact=exact):
                        found.setdefault((item.candidate, item.row), item)
        return list(found.values())

    def _to_go(
        self, recent: _UnderCosts, graph: StateGraph, groups: Sequence[Sequence[int]]
    ) -> list[CostToGo]:
        """The costs to go for the goal of each group, from the last question or new."""
        vector = self.paths.costs(graph, recent.costs)
        if graph.state_count > _LARGEST_REMEMBERED:
            dearest = max(float(recent.plan_costs[number]) for group in groups for number in group)
            return costs_to_go(
                graph, [self._goal(members[0]) for members in groups], vector, dearest + 1.0
            )
        keys = [(id(graph), self.paths[members[0]].goal) for members in groups]
        new = [n for n, key in enumerate(keys) if key not in recent.to_go]
        goals = [self._goal(groups[n][0]) for n in new]
        for n, to_go in zip(new, costs_to_go(graph, goals, vector) if new else (), strict=True):
            recent.to_go[keys[n]] = to_go
        return [recent.to_go[key] for key in keys]

    def _goal(self, number: int) -> Indices:
        at = self.graphs[self._task.candidates[number].task]
        return at.graph.goals[at.task]

    def _suspects(
        self, to_go: CostToGo, members: Sequence[int], plan_costs: np.ndarray, *, exact: bool
    ) -> Sequence[int]:
        """Without strictness only plans that cost more than the optimum need a look."""
        if self._task.concept.is_strict:
            return members
        if not self._all_cut:
            return [n for n in members if self._is_dearer(to_go, n, plan_costs, exact=exact)]
        optimum = to_go.togo[[self.paths[number].states[0] for number in members]]
        dearer = plan_costs[members] > optimum + (0.0 if exact else _TOLERANCE)
        return [number for number, is_dearer in zip(members, dearer, strict=True) if is_dearer]

    def _is_dearer(
        self, to_go: CostToGo, number: int, plan_costs: np.ndarray, *, exact: bool
    ) -> bool:
        """Whether a plan costs more than its factor allows."""
        factor = self._task.candidates[number].factor
        optimum = to_go.cost_from(self.paths[number].states[0])
        if optimum is None:
            return False  # beyond the search's limit, so nothing is cheaper
        own = plan_costs[number].item()
        if exact:
            return bool(own * factor.denominator > optimum * factor.numerator)
        return bool(own > optimum * float(factor) + _TOLERANCE)

    def _rows(self, to_go: CostToGo, number: int, *, exact: bool) -> Iterable[Finding]:
        concept = self._task.concept
        if not self._task.candidates[number].cuts:
            return self._factor_rows(to_go, number)
        if not concept.is_strict:
            return self._maximal_rows(to_go, number, exact=exact)
        if concept.reorderings is Reorderings.DISTINCT and concept.ties is Ties.ALTERNATIVES:
            return self._strict_rows(to_go, number, exact=exact)
        return self._tolerant_rows(to_go, number, exact=exact)

    def _maximal_rows(self, to_go: CostToGo, number: int, *, exact: bool) -> Iterable[Finding]:
        path = self.paths[number]
        least = 0.0 if exact else _TOLERANCE
        stretches = cheaper_stretches(to_go, path.states, path.actions, least)
        for stretch in stretches[:_MOST_STRETCHES] + stretches[-1:]:
            yield from self.paths.lifted(number, stretch, margin=0)

    def _strict_rows(self, to_go: CostToGo, number: int, *, exact: bool) -> Iterable[Finding]:
        """The cheapest deviation, cut down to where it leaves and rejoins the plan."""
        path = self.paths[number]
        other = cheapest_deviation(to_go, path.states, path.actions)
        own = to_go.prefix_costs(path.actions)[-1]
        if other is None or other.cost > own + (0 if exact else 1 - _TOLERANCE):
            return
        stretch = self._cut(to_go, path, other.actions, least=0.0 if exact else _TOLERANCE)
        if stretch is not None:
            yield from self.paths.lifted(number, stretch, margin=1)
        else:
            row = self.paths.row(to_go.graph, path.actions, other.actions, margin=1)
            yield Finding(number, row, self.paths.names(to_go.graph, other.actions))

    def _tolerant_rows(self, to_go: CostToGo, number: int, *, exact: bool) -> Iterable[Finding]:
        """Some ties are allowed, so rows are those of whole plans."""
        path = self.paths[number]
        own = to_go.prefix_costs(path.actions)[-1]
        best = cheapest_plan(to_go, path.states[0])
        if best is None:
            return  # beyond the search's limit, so nothing is cheaper
        optimum = to_go.prefix_costs(best[0])[-1]
        if optimum < own - (0.0 if exact else _TOLERANCE):
            yield from self._whole(to_go, number, best[0].tolist())
            return
        if not exact:
            other = cheapest_deviation(to_go, path.states, path.actions)
            if other is not None and other.cost < own + 1 - _TOLERANCE:
                yield from self._whole(to_go, number, other.actions)
            return
        candidate = self._task.candidates[number]
        allowed = allowed_plans(self._task, candidate.task, candidate.plan)
        numbers = to_go.graph.action_number
        plans = [[numbers[name] for name in plan] for plan in allowed.plans]
        search = different_multiset_plan if allowed.any_order else unlisted_optimal_plan
        outside = search(to_go, path.states[0], plans)
        if outside is not None:
            yield from self._whole(to_go, number, outside)

    def _factor_rows(self, to_go: CostToGo, number: int) -> Iterable[Finding]:
        """With a factor nothing cancels: rows of whole plans.

        Those that follow the plan for a while and then take the cheapest rest of the way: from
        the start on, which is the cheapest of all, and from a few states further on.
        """
        path = self.paths[number]
        step = max(1, len(path.actions) // _MOST_STRETCHES)
        for start in range(0, len(path.actions), step):
            best = cheapest_plan(to_go, path.states[start])
            if best is not None:
                yield from self._whole(to_go, number, [*path.actions[:start], *best[0].tolist()])

    def _whole(self, to_go: CostToGo, number: int, actions: Sequence[int]) -> Iterable[Finding]:
        candidate = self._task.candidates[number]
        plan = self.paths.names(to_go.graph, actions)
        if self._task.is_alternative(candidate, plan):
            yield Finding(number, self._task.row(candidate, plan), plan)

    def _cut(
        self, to_go: CostToGo, path: Path, actions: Sequence[int], least: float
    ) -> Stretch | None:
        """The first stretch where another plan differs, if it alone breaks strictness."""
        state = path.states[0]
        start = 0
        while start < len(actions) and actions[start] == path.actions[start]:
            start += 1
        if start == len(actions):
            return Stretch(start, None, ())
        state = path.states[start]
        later = {s: position for position, s in enumerate(path.states) if position > start}
        for stop in range(start, len(actions)):
            after = to_go.graph.successor(state, actions[stop])
            assert after is not None
            state = after
            if state in later:
                stretch = Stretch(start, later[state], tuple(actions[start : stop + 1]))
                own = to_go.prefix_costs(path.actions[start : later[state]])[-1]
                other = to_go.prefix_costs(stretch.actions)[-1]
                return stretch if own + 1 > other + least else None
        return Stretch(start, None, tuple(actions[start:]))

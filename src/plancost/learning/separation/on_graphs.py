"""Cuts that costs break, found on state graphs.

One search backwards from a goal gives the cost-to-go of every state, and with it the
answer for every plan with that goal. A row is trimmed to the subpath where plan and
alternative differ, and belongs to every plan that contains the same subpath (`paths`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from plancost.learning.problem.concept import Reorderings, Ties
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.separation.paths import Path, Paths
from plancost.learning.separation.settled_goals import SettledGoals, least_cost
from plancost.learning.verify.verification import allowed_plans
from plancost.oracles.corridors import Corridors
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.other_plans import (
    cheapest_deviation,
    different_multiset_plan,
    unlisted_optimal_plan,
)
from plancost.oracles.shortest_paths import (
    CostToGo,
    PricedGraph,
    Subpath,
    cheaper_subpaths,
    cheapest_plan,
)
from plancost.oracles.state_graph import StateGraph
from plancost.system.clock import Deadline

_TOLERANCE = 1e-6
"""Floating-point costs break a row only by more than this."""
_MOST_SUBPATHS = 4
"""Rows of one plan that are taken from one search."""
_STATES_OF_A_SEARCH = 20_000
"""In smaller graphs, the searches for several goals count as one."""
_MOST_REMEMBERED = 5_000_000
"""Costs-to-go that are kept from one question to the next about the same costs."""
_LARGE_GRAPH = 20_000
_FULL_SEARCHES = 4
"""States from which on a corridor is worth its while, and how often a goal is searched without one:
to make it takes as long as a few searches."""
_SEARCHES_AT_ONCE = 64
"""How many searches there are between two looks at the clock."""
_SAME = 1e-9
"""Floating-point costs that differ by less are the same."""
_ROUNDING = 1e-3
"""By more than rounding, searches go further than plans cost."""


@dataclass
class _UnderCosts:
    """What is known under the costs of the last question; the next is often about the same."""

    costs: np.ndarray
    plan_costs: np.ndarray
    priced: dict[int, PricedGraph] = field(default_factory=dict)
    costs_to_go: dict[tuple[int, bytes], tuple[float, CostToGo]] = field(default_factory=dict)
    """With how far was searched."""
    noted: set[int] = field(default_factory=set)
    """Graphs whose settled goals know of these costs."""
    lifted: set[tuple[object, ...]] = field(default_factory=set)
    """Subpaths whose cuts are among the answers already, for all plans that contain them."""


class GraphSeparator:
    """Finds cuts for the candidates of tasks that have a state graph."""

    description = "state graphs"

    def __init__(self, task: LearningTask, graphs: Mapping[int, TaskGraph]) -> None:
        self._task = task
        self._graphs = graphs
        self._paths = Paths(task, graphs)
        self._all_cancel = all(candidate.cancels for candidate in task.candidates)
        self._recent: _UnderCosts | None = None
        self._settled: dict[int, SettledGoals] = {}
        self._corridors: dict[int, Corridors] = {}
        self._searches: Counter[tuple[int, bytes]] = Counter()

    def graphs(self) -> Mapping[int, TaskGraph] | None:
        """The state graphs, if every task has one."""
        return self._graphs if len(self._graphs) == len(self._task.case.tasks) else None

    def paths(self) -> Paths:
        """The candidates as paths through these graphs."""
        return self._paths

    def effort(self, chosen: Sequence[int]) -> int:
        """One search for each graph, or for as many goals as take about as long as one."""
        return sum(
            max(1, min(goals, goals * graph.state_count // _STATES_OF_A_SEARCH))
            for graph, numbers in self._paths.by_graph(chosen)
            for goals in [len({self._paths[number].goal for number in numbers})]
        )

    def undecided(self) -> PlanSet:
        """None by itself: graphs decide unless the time is up or the costs are huge."""
        return frozenset()

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut] | None:
        """See `protocol.Separator`."""
        try:
            return self._violated(costs, chosen, exact=exact, deadline=deadline)
        except OverflowError:
            return None  # the costs have grown beyond exact arithmetic

    def _violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut] | None:
        found: dict[tuple[int, Row], Cut] = {}
        recent = self._recent
        if recent is None or recent.costs is not costs:
            recent = self._recent = _UnderCosts(costs, self._task.count_matrix @ costs)
        recent.lifted.clear()
        strict = self._task.concept.is_strict
        for graph, numbers in self._paths.by_graph(chosen):
            settled = None if exact or strict else self._settled_goals(recent, graph)
            by_goal: dict[bytes, list[int]] = {}
            for number in numbers:
                by_goal.setdefault(self._paths[number].goal, []).append(number)
            costs_of = recent.plan_costs.item
            groups = [
                own
                for goal, own in by_goal.items()
                if settled is None or not settled.is_settled(goal, {n: costs_of(n) for n in own})
            ]
            limits = [self._limit(max(map(costs_of, own))) for own in groups]
            searches = self._costs_to_go(recent, graph, groups, limits)
            for done, (which, cost_to_go) in enumerate(searches):
                if done % _SEARCHES_AT_ONCE == 0 and deadline.is_over:
                    return None
                suspects = self._suspects(cost_to_go, groups[which], recent.plan_costs, exact=exact)
                for number in suspects:
                    for cut in self._cuts(cost_to_go, number, exact=exact):
                        found.setdefault((cut.candidate, cut.row), cut)
                if settled is not None and not suspects:
                    self._settle(settled, cost_to_go, groups[which], limits[which])
        return list(found.values())

    def _settled_goals(self, recent: _UnderCosts, graph: StateGraph) -> SettledGoals:
        """What need not be looked at again, under the costs at hand."""
        known = self._settled.get(id(graph))
        if known is None:
            known = self._settled[id(graph)] = SettledGoals()
        if id(graph) not in recent.noted:
            recent.noted.add(id(graph))
            known.change(self._paths.costs(graph, recent.costs).astype(np.float64))
        return known

    def _settle(
        self, settled: SettledGoals, cost_to_go: CostToGo, members: Sequence[int], limit: float
    ) -> None:
        """A search has found nothing about these plans with one goal."""
        factor = {n: float(self._task.candidates[n].factor) for n in members}
        value = cost_to_go.values.item
        allowed = {n: value(self._paths[n].states[0]) * factor[n] + _TOLERANCE / 2 for n in members}
        settled.settle(self._paths[members[0]].goal, cost_to_go, limit, allowed)

    def _limit(self, cost: float) -> float:
        """How far to search for alternatives to a plan of this cost."""
        return cost + 1.0 if self._task.concept.is_strict else cost * (1.0 + _SAME) + _ROUNDING

    def _costs_to_go(
        self,
        recent: _UnderCosts,
        graph: StateGraph,
        groups: Sequence[Sequence[int]],
        limits: Sequence[float],
    ) -> Iterator[tuple[int, CostToGo]]:
        """The costs-to-go for the goal of each group, from the last question or new."""
        if not groups:
            return
        priced = recent.priced.get(id(graph))
        if priced is None:
            priced = PricedGraph(graph, self._paths.costs(graph, recent.costs))
            recent.priced[id(graph)] = priced
        keys = [(id(graph), self._paths[members[0]].goal) for members in groups]
        known = recent.costs_to_go
        new = [n for n, key in enumerate(keys) if key not in known or known[key][0] < limits[n]]
        found = self._searched(priced, [groups[n][0] for n in new], [limits[n] for n in new])
        if graph.state_count * (len(known) + len(new)) > _MOST_REMEMBERED:
            others = sorted(set(range(len(groups))).difference(new))
            yield from ((n, known[keys[n]][1]) for n in others)
            yield from ((new[place], cost_to_go) for place, cost_to_go in found)
            return
        for place, cost_to_go in found:
            known[keys[new[place]]] = limits[new[place]], cost_to_go
        yield from ((n, known[key][1]) for n, key in enumerate(keys))

    def _searched(
        self, priced: PricedGraph, members: Sequence[int], limits: Sequence[float]
    ) -> Iterator[tuple[int, CostToGo]]:
        """The costs-to-go for the goals of some candidates.

        Under floating-point costs, what may be missed comes to light later. So searches in large
        graphs then stay where a plan that is cheap enough can pass.
        """
        graph, paths, goal = priced.graph, self._paths, self._paths.goal
        if priced.is_exact or self._task.concept.is_strict or graph.state_count <= _LARGE_GRAPH:
            yield from priced.costs_to_go([goal(n) for n in members], limits)
            return
        corridors = self._corridors.setdefault(id(graph), Corridors(graph))
        least = least_cost(priced.weights)
        for place, (number, limit) in enumerate(zip(members, limits, strict=True)):
            key = id(graph), paths[number].goal
            self._searches[key] += 1
            corridor = None
            if self._searches[key] > _FULL_SEARCHES:
                starts = paths.starts(graph, paths[number].goal)
                corridor = corridors.between(starts, goal(number), limit / least)
            narrow = PricedGraph(graph, priced.costs, corridor)
            yield place, CostToGo.of(narrow, narrow.distances(goal(number), limit))

    def _suspects(
        self, cost_to_go: CostToGo, members: Sequence[int], plan_costs: np.ndarray, *, exact: bool
    ) -> Sequence[int]:
        """Without strictness only plans that cost more than the optimum need a look."""
        if self._task.concept.is_strict:
            return members
        if not self._all_cancel:
            return [
                n for n in members if self._is_too_expensive(cost_to_go, n, plan_costs, exact=exact)
            ]
        optimum = cost_to_go.values[[self._paths[number].states[0] for number in members]]
        over = plan_costs[members] > optimum + (0.0 if exact else _TOLERANCE)
        return [number for number, is_over in zip(members, over, strict=True) if is_over]

    def _is_too_expensive(
        self, cost_to_go: CostToGo, number: int, plan_costs: np.ndarray, *, exact: bool
    ) -> bool:
        """Whether a plan costs more than its factor allows."""
        factor = self._task.candidates[number].factor
        optimum = cost_to_go.cost_from(self._paths[number].states[0])
        if optimum is None:
            return False  # beyond the search's limit, so nothing is cheaper
        own = plan_costs[number].item()
        if exact:
            return bool(own * factor.denominator > optimum * factor.numerator)
        return bool(own > optimum * float(factor) + _TOLERANCE)

    def _cuts(self, cost_to_go: CostToGo, number: int, *, exact: bool) -> Iterable[Cut]:
        concept = self._task.concept
        if not self._task.candidates[number].cancels:
            return self._factor_cuts(cost_to_go, number)
        if not concept.is_strict:
            return self._maximal_cuts(cost_to_go, number, exact=exact)
        if concept.reorderings is Reorderings.DISTINCT and concept.ties is Ties.ALTERNATIVES:
            return self._strict_cuts(cost_to_go, number, exact=exact)
        return self._tolerant_cuts(cost_to_go, number, exact=exact)

    def _maximal_cuts(self, cost_to_go: CostToGo, number: int, *, exact: bool) -> Iterable[Cut]:
        path = self._paths[number]
        least = 0.0 if exact else _TOLERANCE
        subpaths = cheaper_subpaths(cost_to_go, path.states, path.actions, least)
        assert self._recent is not None
        for subpath in subpaths[:_MOST_SUBPATHS] + subpaths[-1:]:
            key = self._paths.key(number, subpath)
            if key not in self._recent.lifted:
                self._recent.lifted.add(key)
                yield from self._paths.lifted(number, subpath, margin=0)

    def _strict_cuts(self, cost_to_go: CostToGo, number: int, *, exact: bool) -> Iterable[Cut]:
        """The cheapest deviation, trimmed to where it leaves and rejoins the plan."""
        path = self._paths[number]
        other = cheapest_deviation(cost_to_go, path.states, path.actions)
        own = cost_to_go.prefix_costs(path.actions)[-1]
        if other is None or other.cost > own + (0 if exact else 1 - _TOLERANCE):
            return
        subpath = self._first_difference(
            cost_to_go, path, other.actions, least=0.0 if exact else _TOLERANCE
        )
        if subpath is not None:
            yield from self._paths.lifted(number, subpath, margin=1)
        else:
            row = self._paths.row(cost_to_go.graph, path.actions, other.actions, margin=1)
            yield Cut(number, row, self._paths.names(cost_to_go.graph, other.actions))

    def _tolerant_cuts(self, cost_to_go: CostToGo, number: int, *, exact: bool) -> Iterable[Cut]:
        """Some ties are allowed, so rows are those of whole plans."""
        path = self._paths[number]
        own = cost_to_go.prefix_costs(path.actions)[-1]
        best = cheapest_plan(cost_to_go, path.states[0])
        if best is None:
            return  # beyond the search's limit, so nothing is cheaper
        optimum = cost_to_go.prefix_costs(best[0])[-1]
        if optimum < own - (0.0 if exact else _TOLERANCE):
            yield from self._whole(cost_to_go, number, best[0].tolist())
            return
        if not exact:
            other = cheapest_deviation(cost_to_go, path.states, path.actions)
            if other is not None and other.cost < own + 1 - _TOLERANCE:
                yield from self._whole(cost_to_go, number, other.actions)
            return
        candidate = self._task.candidates[number]
        allowed = allowed_plans(self._task, candidate.task, candidate.plan)
        numbers = cost_to_go.graph.action_number
        plans = [[numbers[name] for name in plan] for plan in allowed.plans]
        search = different_multiset_plan if allowed.any_order else unlisted_optimal_plan
        outside = search(cost_to_go, path.states[0], plans)
        if outside is not None:
            yield from self._whole(cost_to_go, number, outside)

    def _factor_cuts(self, cost_to_go: CostToGo, number: int) -> Iterable[Cut]:
        """With a factor nothing cancels: rows of whole plans.

        Those that follow the plan for a while and then take the cheapest rest of the way: from
        the start on, which is the cheapest of all, and from a few states further on.
        """
        path = self._paths[number]
        step = max(1, len(path.actions) // _MOST_SUBPATHS)
        for start in range(0, len(path.actions), step):
            best = cheapest_plan(cost_to_go, path.states[start])
            if best is not None:
                yield from self._whole(
                    cost_to_go, number, [*path.actions[:start], *best[0].tolist()]
                )

    def _whole(self, cost_to_go: CostToGo, number: int, actions: Sequence[int]) -> Iterable[Cut]:
        candidate = self._task.candidates[number]
        plan = self._paths.names(cost_to_go.graph, actions)
        if self._task.is_alternative(candidate, plan):
            yield Cut(number, self._task.row(candidate, plan), plan)

    def _first_difference(
        self, cost_to_go: CostToGo, path: Path, actions: Sequence[int], least: float
    ) -> Subpath | None:
        """The first subpath where another plan differs, if it alone breaks strictness."""
        state = path.states[0]
        start = 0
        while start < len(actions) and actions[start] == path.actions[start]:
            start += 1
        if start == len(actions):
            return Subpath(start, None, ())
        state = path.states[start]
        later = {s: position for position, s in enumerate(path.states) if position > start}
        for stop in range(start, len(actions)):
            after = cost_to_go.graph.successor(state, actions[stop])
            assert after is not None
            state = after
            if state in later:
                subpath = Subpath(start, later[state], tuple(actions[start : stop + 1]))
                own = cost_to_go.prefix_costs(path.actions[start : later[state]])[-1]
                other = cost_to_go.prefix_costs(subpath.actions)[-1]
                return subpath if own + 1 > other + least else None
        return Subpath(start, None, tuple(actions[start:]))

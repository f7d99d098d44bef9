"""Cuts that costs break, found on state graphs.

One search backwards from a goal gives the cost-to-go of every state, and with it the
answer for every plan with that goal. A row is trimmed to the subpath where plan and
alternative differ, and belongs to every plan that contains the same subpath (`paths`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from plancost.learning.problem.concept import Reorderings, Ties
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.separation.paths import Path, Paths
from plancost.learning.separation.settled_goals import SettledGoals
from plancost.learning.verify.verification import allowed_plans
from plancost.oracles.floors import Floors
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
    most_falls,
)
from plancost.oracles.state_graph import StateGraph
from plancost.oracles.two_ended import Ends, TwoEndedSearch
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
_MOST_STARTS = 4
"""In graphs with more states, searches are from both ends of a plan, if plans with its goal have no
more start states than that."""
_SEARCHES_AT_ONCE = 64
"""How many searches there are between two looks at the clock."""
_SAME = 1e-9
"""Floating-point costs that differ by less are the same."""
_ROUNDING = 1e-3
"""By more than rounding, searches go further than plans cost."""


_Ends = tuple[int, bytes, int]
"""What is searched for: a graph, a goal, and the start, or -1 if all states are searched."""


@dataclass(frozen=True)
class _Searched:
    """Costs-to-go, and how far was searched."""

    cost_to_go: CostToGo
    limit: float
    two_ended: TwoEndedSearch | None = None

    def most_falls(self) -> np.ndarray:
        """For each action the most that a lower bound of the costs-to-go falls along it."""
        if self.two_ended is not None:
            return self.two_ended.most_falls()
        return most_falls(self.cost_to_go, self.limit)


@dataclass
class _UnderCosts:
    """What is known under the costs of the last question; the next is often about the same."""

    costs: np.ndarray
    plan_costs: np.ndarray
    priced: dict[int, PricedGraph] = field(default_factory=dict)
    costs_to_go: dict[_Ends, _Searched] = field(default_factory=dict)
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
        self._factors = [float(candidate.factor) for candidate in task.candidates]
        self._recent: _UnderCosts | None = None
        self._settled: dict[int, SettledGoals] = {}
        self._ends: dict[int, _Ends] = {}
        self._parts: dict[_Ends, float] = {}
        baseline = np.asarray(task.baseline, dtype=np.float64)
        self._floors = Floors(lambda graph: self._paths.costs(graph, baseline))

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
            by_ends: dict[_Ends, list[int]] = {}
            for number in numbers:
                by_ends.setdefault(self._ends_of(number), []).append(number)
            costs_of = recent.plan_costs.item
            groups = [
                own
                for ends, own in by_ends.items()
                if settled is None
                or not settled.is_settled(ends, self._by_start(own, recent.plan_costs))
            ]
            limits = [self._limit(max(map(costs_of, own))) for own in groups]
            searches = self._costs_to_go(recent, graph, groups, limits)
            for done, (which, searched) in enumerate(searches):
                if done % _SEARCHES_AT_ONCE == 0 and deadline.is_over:
                    return None
                cost_to_go = searched.cost_to_go
                suspects = self._suspects(cost_to_go, groups[which], recent.plan_costs, exact=exact)
                for number in suspects:
                    for cut in self._cuts(cost_to_go, number, exact=exact):
                        found.setdefault((cut.candidate, cut.row), cut)
                # From both ends, what is found holds for all plans with these ends.
                if settled is not None and (searched.two_ended or not suspects):
                    self._settle(settled, searched, groups[which])
        return list(found.values())

    def _ends_of(self, number: int) -> _Ends:
        """What to search for, to know of a candidate whether it is optimal."""
        known = self._ends.get(number)
        if known is None:
            graph, path = self._paths.graph(number), self._paths[number]
            is_large = graph.state_count > _LARGE_GRAPH and not self._task.concept.is_strict
            one = is_large and len(self._paths.starts(graph, path.goal)) <= _MOST_STARTS
            known = self._ends[number] = id(graph), path.goal, path.states[0] if one else -1
        return known

    def _settled_goals(self, recent: _UnderCosts, graph: StateGraph) -> SettledGoals:
        """What need not be looked at again, under the costs at hand."""
        known = self._settled.get(id(graph))
        if known is None:
            known = self._settled[id(graph)] = SettledGoals()
        if id(graph) not in recent.noted:
            recent.noted.add(id(graph))
            known.change(self._paths.costs(graph, recent.costs).astype(np.float64))
        return known

    def _settle(self, settled: SettledGoals, searched: _Searched, members: Sequence[int]) -> None:
        """Keep what a search has found about plans with the ends of these."""
        value = searched.cost_to_go.values.item
        starts = {self._paths[number].states[0] for number in members}
        optimum = {start: value(start) for start in starts}
        settled.settle(self._ends_of(members[0]), searched.most_falls(), optimum)

    def _by_start(self, members: Sequence[int], plan_costs: np.ndarray) -> dict[int, float]:
        """What the cheapest plan from each start must cost for these to be good enough."""
        needed: dict[int, float] = {}
        for number in members:
            start = self._paths[number].states[0]
            cost = (plan_costs.item(number) - _TOLERANCE / 2) / self._factors[number]
            needed[start] = max(cost, needed.get(start, cost))
        return needed

    def _limit(self, cost: float) -> float:
        """How far to search for alternatives to a plan of this cost."""
        return cost + 1.0 if self._task.concept.is_strict else cost * (1.0 + _SAME) + _ROUNDING

    def _costs_to_go(
        self,
        recent: _UnderCosts,
        graph: StateGraph,
        groups: Sequence[Sequence[int]],
        limits: Sequence[float],
    ) -> Iterator[tuple[int, _Searched]]:
        """The costs-to-go for the ends of each group, from the last question or new."""
        if not groups:
            return
        priced = recent.priced.get(id(graph))
        if priced is None:
            priced = PricedGraph(graph, self._paths.costs(graph, recent.costs))
            recent.priced[id(graph)] = priced
        keys = [self._ends_of(members[0]) for members in groups]
        known = recent.costs_to_go
        new = [n for n, key in enumerate(keys) if key not in known or known[key].limit < limits[n]]
        found = self._searched(priced, [groups[n][0] for n in new], [limits[n] for n in new])
        if graph.state_count * (len(known) + len(new)) > _MOST_REMEMBERED:
            others = sorted(set(range(len(groups))).difference(new))
            yield from ((n, known[keys[n]]) for n in others)
            yield from ((new[place], searched) for place, searched in found)
            return
        for place, searched in found:
            known[keys[new[place]]] = searched
        yield from ((n, known[key]) for n, key in enumerate(keys))

    def _searched(
        self, priced: PricedGraph, members: Sequence[int], limits: Sequence[float]
    ) -> Iterator[tuple[int, _Searched]]:
        """The costs-to-go for the ends of some candidates."""
        goal, whole = self._paths.goal, []
        for place, (number, limit) in enumerate(zip(members, limits, strict=True)):
            ends = self._ends_of(number)
            if ends[2] < 0:
                whole.append(place)
                continue
            floor = self._floors.of(priced.graph, ends[2], self._paths[number].actions)
            both = Ends(ends[2], goal(number), floor)
            part = self._parts.get(ends, 0.5)
            search = TwoEndedSearch(priced, both, limit, part)
            self._parts[ends] = search.next_part or part
            yield place, _Searched(search.cost_to_go, limit, search)
        for place, cost_to_go in priced.costs_to_go(
            [goal(members[n]) for n in whole], [limits[n] for n in whole]
        ):
            yield whole[place], _Searched(cost_to_go, limits[whole[place]])

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

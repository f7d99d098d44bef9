"""Is each plan optimal under these whole costs? A check that the learner did not steer.

It goes backwards from each goal by SciPy's Dijkstra over the actions that cost no more than the
dearest plan (others are in no cheaper one), and shares nothing with the learner's search but the
transitions. Where the states are too many, planners are asked. Strict concepts look at the
cheapest plans themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, vstack
from scipy.sparse.csgraph import dijkstra

from plancost.case.model import Task
from plancost.case.values import ratio
from plancost.clock import Clock
from plancost.errors import PlancostError
from plancost.learn.oracles import Oracles
from plancost.learn.outcome import Verdict
from plancost.search.graph import EXACT
from plancost.search.transitions import Reached, can_be_explored

Actions = tuple[int, ...]

_MOST_STATES = 3_000_000
"""Larger worlds are left to planners; 0.5 GB."""
_TOGETHER = 4_000_000
"""Distances that one call finds."""


def verify(
    costs: Sequence[int], oracles: Oracles, clock: Clock, first: Collection[int] = ()
) -> tuple[Verdict, ...]:
    """What is true of each observation; where the clock ends the check, some verdicts are open.

    The observations of `first`, say those claimed to be optimal, are looked at first.
    """
    return _Check(costs, oracles, clock, set(first)).verdicts()


class _Check:
    def __init__(
        self, costs: Sequence[int], oracles: Oracles, clock: Clock, first: set[int]
    ) -> None:
        self.oracles, self.clock, self.first = oracles, clock, first
        self.case, self.options = oracles.case, oracles.options
        self.costs = np.array(costs, dtype=np.int64)
        self.own = [self.case.cost(o.actions, costs) for o in self.case.observations]
        if max(self.own, default=0) >= EXACT:
            raise PlancostError("plans that cost 2^53 or more cannot be checked")

    def verdicts(self) -> tuple[Verdict, ...]:
        """One for each observation."""
        problems: dict[object, list[int]] = defaultdict(list)
        for number, observation in enumerate(self.case.observations):
            task = self.case.tasks[observation.task]
            problems[task.world, task.initial, task.goal, task.goal_states].append(number)
        worlds: dict[tuple[bool, int], list[list[int]]] = defaultdict(list)
        for members in problems.values():
            worlds[self.first.isdisjoint(members), self._task(members).world].append(members)
        found = {n: Verdict(cost, None, None) for n, cost in enumerate(self.own)}
        for (_, world), groups in sorted(worlds.items(), key=lambda item: item[0]):
            found.update(self._world(world, groups))
        return tuple(found[n] for n in range(len(self.own)))

    def _task(self, members: Sequence[int]) -> Task:
        return self.case.tasks[self.case.observations[members[0]].task]

    def _least(self, members: Sequence[int]) -> int:
        """No cheapest plan of a problem costs more."""
        return min(self.own[n] for n in members)

    def _world(self, world: int, groups: list[list[int]]) -> Iterator[tuple[int, Verdict]]:
        """Problems of one world.

        Actions that cost more than the least of every problem are in no cheapest plan. So problems
        of plans that are claimed to be optimal come first, without those whose plans have actions
        that are priced out: elevators-100_0 has some hundred states then instead of 30 million.
        """
        dearest = max(map(self._least, groups))
        tasks = [self._task(members) for members in groups]
        reached = None
        if self.options.oracle != "planners" and can_be_explored(self.case.worlds[world]):
            reached = self.oracles.wider_graph(
                world, tasks, self.costs <= dearest, _MOST_STATES, self.clock
            )
        if reached is not None:
            yield from self._on_graph(reached, groups)
        elif self.options.oracle != "graph":
            yield from self._by_planners(groups)

    def _on_graph(self, reached: Reached, groups: list[list[int]]) -> Iterator[tuple[int, Verdict]]:
        backwards = _Backwards(reached, self.costs)
        by_goal: dict[bytes, list[int]] = defaultdict(list)
        for place, goal in enumerate(reached.goals):
            by_goal[goal.tobytes()].append(place)
        waiting = iter(by_goal.values())
        while part := list(islice(waiting, max(1, _TOGETHER // reached.graph.size))):
            if self.clock.is_over:
                return
            limit = max(self._least(groups[place]) for places in part for place in places)
            goals = [reached.goals[places[0]] for places in part]
            for places, togo in zip(part, backwards.distances(goals, limit), strict=True):
                for place in places:
                    start = reached.starts[place]
                    ways = backwards.cheapest(start, togo, merge=self.options.ties == "reorderings")
                    yield from self._judged(groups[place], int(togo[start]), ways)

    def _by_planners(self, groups: list[list[int]]) -> Iterator[tuple[int, Verdict]]:
        from plancost.search.planners import Verdict as Answer

        planners = self.oracles.planners
        for place, members in enumerate(groups):
            share = self.clock.part(self.clock.remaining / (len(groups) - place))
            task = self.case.observations[members[0]].task
            least = self._least(members)
            if self.first.isdisjoint(members):
                soon = planners.any_below(task, self.costs, self._enough(members), share)
                if soon.cost is not None:
                    yield from ((n, Verdict(self.own[n], False, None)) for n in members)
                    continue
            found = planners.cheapest(task, self.costs, share, most=least)
            if found.verdict not in (Answer.FOUND, Answer.NONE):
                continue
            cost = least if found.cost is None else found.cost
            ways: list[Actions] = []
            if self.options.solution == "scf" and least == cost:
                plans = [self.case.observations[n].actions for n in members]
                reorderings = self.options.ties == "reorderings"
                known = {p for p in plans if self.case.cost(p, self.costs) == cost}
                others = planners.other_plans(
                    task, self.costs, cost, known, share, reorderings=reorderings
                )
                if others.verdict not in (Answer.FOUND, Answer.NONE):
                    continue
                ways = [*others.plans[:1], *known]
            yield from self._judged(members, cost, ways)

    def _enough(self, members: Sequence[int]) -> int:
        """None of these plans counts if another one costs less than this."""
        limits = ((self.own[n], self._factor(n)) for n in members)
        return min(-(-own * factor.denominator // factor.numerator) for own, factor in limits)

    def _judged(
        self, members: list[int], cost: int, ways: Iterable[Actions]
    ) -> Iterator[tuple[int, Verdict]]:
        """By the concept, from the cost of a cheapest plan and the cheapest plans."""
        plans = [self.case.observations[n].actions for n in members]
        others: list[Actions] = []
        if self.options.solution == "scf":
            # So many that one is among them that may not tie, if there is one.
            most = len(set(plans)) + 1 if self.options.ties == "observed" else 2
            others = list(islice(ways, most))
        for n, plan in zip(members, plans, strict=True):
            factor = self._factor(n)
            is_optimal = self.own[n] * factor.denominator <= cost * factor.numerator and all(
                self._may_tie(plan, other, plans) for other in others
            )
            yield n, Verdict(self.own[n], is_optimal, cost)

    def _may_tie(self, plan: Actions, other: Actions, observed: Sequence[Actions]) -> bool:
        if self.options.ties == "observed":
            return other in observed
        if self.options.ties == "reorderings":
            return sorted(other) == sorted(plan)
        return other == plan

    def _factor(self, number: int) -> Fraction:
        own = self.case.observations[number].factor
        if own is not None:
            return own
        given = self.options.suboptimality
        return Fraction(1) if given is None else ratio(given, "suboptimality")


class _Backwards:
    """Distances to goals, and the cheapest plans in the order of a walk along them.

    Each goal is a place of its own, one step away from its states, so that one call can search
    from many goals.
    """

    def __init__(self, reached: Reached, costs: npt.NDArray[np.int64]) -> None:
        self._graph, self._costs = reached.graph, costs.astype(np.float64)
        goals = {goal.tobytes(): goal for goal in reached.goals}
        self._place = {key: reached.graph.size + n for n, key in enumerate(goals)}
        ends = np.cumsum([0, *map(len, goals.values())])
        states = np.concatenate(list(goals.values()))
        arrivals = csr_array(
            (np.ones(len(states)), states, ends), shape=(len(goals), reached.graph.size)
        )
        self._matrix = vstack([reached.graph.backwards(self._costs), arrivals], format="csr")
        total = reached.graph.size + len(goals)
        self._matrix.resize(total, total)

    def distances(
        self, goals: Sequence[npt.NDArray[np.int64]], limit: int
    ) -> npt.NDArray[np.float64]:
        """Of each goal what a cheapest way costs from each state, if no more than the limit."""
        places = [self._place[goal.tobytes()] for goal in goals]
        found = dijkstra(self._matrix, indices=places, limit=limit + 1)
        return np.asarray(found[:, : self._graph.size] - 1)

    def cheapest(
        self, start: int, togo: npt.NDArray[np.float64], *, merge: bool
    ) -> Iterator[Actions]:
        """The cheapest plans; `merge`: one for each multiset of actions."""
        stack: list[tuple[int, Actions]] = [(start, ())]
        seen: set[tuple[int, Actions]] = set()
        while stack:
            state, actions = stack.pop()
            if togo[state] == 0:  # a step costs at least 1, so this is a goal state
                yield actions
            for after, action in self._graph.out_of(state):
                if togo[after] + self._costs[action] != togo[state]:
                    continue
                longer = (*actions, action)
                key = after, tuple(sorted(longer))
                if not merge or key not in seen:
                    seen.add(key)
                    stack.append((after, longer))

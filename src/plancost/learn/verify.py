"""Is each plan optimal under these whole costs? A check that the learner did not steer.

It goes backwards from each goal by SciPy's Dijkstra over the actions that cost no more than the
dearest plan (others are in no cheaper one), and shares nothing with the learner's search but the
transitions. Where the states are too many, planners are asked. Strict concepts look at the
cheapest plans themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from plancost.case.model import Case, Task
from plancost.case.values import ratio
from plancost.clock import Clock
from plancost.errors import PlancostError
from plancost.learn.oracles import Oracles
from plancost.learn.outcome import Verdict
from plancost.options import LearnOptions
from plancost.search.graph import EXACT
from plancost.search.transitions import Reached, can_be_explored

Actions = tuple[int, ...]

_MOST_STATES = 3_000_000
"""Larger worlds are left to planners; 0.5 GB."""


def verify(
    case: Case,
    costs: Sequence[int],
    options: LearnOptions,
    clock: Clock,
    oracles: Oracles | None = None,
) -> tuple[Verdict, ...]:
    """What is true of each observation; where the clock ends the check, some verdicts are open."""
    own = Oracles(case, options) if oracles is None else oracles
    return _Check(case, costs, own, clock).verdicts()


@dataclass(frozen=True)
class _Known:
    """Of one problem: what its cheapest plans cost, and all of them if somebody asked (None: not
    known).
    """

    cost: int
    others: Iterator[Actions] | None


class _Check:
    def __init__(self, case: Case, costs: Sequence[int], oracles: Oracles, clock: Clock) -> None:
        self.case, self.options, self.clock = case, oracles.options, clock
        self.oracles = oracles
        self.costs = np.array(costs, dtype=np.int64)
        self.own = [case.cost(o.actions, costs) for o in case.observations]
        self.problems: dict[object, list[int]] = defaultdict(list)
        """Observations of each world, initial state and goal."""
        for number, observation in enumerate(case.observations):
            task = case.tasks[observation.task]
            self.problems[task.world, task.initial, task.goal, task.goal_states].append(number)
        if max(self.own, default=0) >= EXACT:
            raise PlancostError("plans that cost 2^53 or more cannot be checked")

    def verdicts(self) -> tuple[Verdict, ...]:
        """One for each observation."""
        found: dict[int, Verdict] = {}
        worlds: dict[int, list[list[int]]] = defaultdict(list)
        for members in self.problems.values():
            worlds[self._task(members).world].append(members)
        for world, groups in worlds.items():
            for members, verdicts in self._world(world, groups):
                found.update(zip(members, verdicts, strict=True))
        open_ones = {n: Verdict(cost, None, None) for n, cost in enumerate(self.own)}
        return tuple((open_ones | found)[n] for n in range(len(self.own)))

    def _task(self, members: Sequence[int]) -> Task:
        return self.case.tasks[self.case.observations[members[0]].task]

    def _world(
        self, world: int, groups: list[list[int]]
    ) -> Iterator[tuple[list[int], list[Verdict]]]:
        dearest = max(self.own[n] for members in groups for n in members)
        allowed = self.costs <= dearest
        tasks = [self._task(members) for members in groups]
        reached = None
        if self.options.oracle != "planners" and can_be_explored(self.case.worlds[world]):
            reached = self.oracles.graph(world, tasks, allowed, _MOST_STATES, self.clock)
        if reached is not None:
            yield from self._on_graph(reached, groups)
        elif self.options.oracle != "graph":
            yield from self._by_planners(groups)

    def _on_graph(
        self, reached: Reached, groups: list[list[int]]
    ) -> Iterator[tuple[list[int], list[Verdict]]]:
        backwards = _Backwards(reached, self.costs)
        by_goal: dict[bytes, list[int]] = defaultdict(list)
        for place, goal in enumerate(reached.goals):
            by_goal[goal.tobytes()].append(place)
        for places in by_goal.values():
            if self.clock.is_over:
                return
            goal = reached.goals[places[0]]
            togo = backwards.distances(goal)
            for place in places:
                members, start = groups[place], reached.starts[place]
                cost = int(togo[start])
                ways = backwards.cheapest(
                    start, goal, togo, merge=self.options.ties == "reorderings"
                )
                yield members, self._judged(members, _Known(cost, ways))

    def _judged(self, members: list[int], known: _Known) -> list[Verdict]:
        """By the concept, from the cost of a cheapest plan and the cheapest plans."""
        strict = self.options.solution == "scf"
        plans = [self.case.observations[n].actions for n in members]
        others = [] if known.others is None or not strict else self._enough(plans, known)
        verdicts = []
        for n, plan in zip(members, plans, strict=True):
            factor = self._factor(n)
            is_optimal = self.own[n] * factor.denominator <= known.cost * factor.numerator
            if strict and is_optimal:
                is_optimal = all(self._may_tie(plan, other, plans) for other in others)
            verdicts.append(Verdict(self.own[n], is_optimal, known.cost))
        return verdicts

    def _enough(self, plans: Sequence[Actions], known: _Known) -> list[Actions]:
        """So many cheapest plans that one is among them that may not tie, if there is one."""
        assert known.others is not None
        most = len(set(plans)) + 1 if self.options.ties == "observed" else 2
        found: list[Actions] = []
        for other in known.others:
            found.append(other)
            if len(found) >= most:
                break
        return found

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

    def _by_planners(self, groups: list[list[int]]) -> Iterator[tuple[list[int], list[Verdict]]]:
        from plancost.search.planners import Verdict as Answer

        planners = self.oracles.planners
        for place, members in enumerate(groups):
            share = self.clock.part(self.clock.remaining / (len(groups) - place))
            task = self.case.observations[members[0]].task
            least = min(self.own[n] for n in members)
            found = planners.cheapest(task, self.costs, share, most=least)
            if found.verdict not in (Answer.FOUND, Answer.NONE):
                continue
            cost = least if found.cost is None else found.cost
            ways: Iterator[Actions] | None = None
            if self.options.solution == "scf" and least == cost:
                plans = [self.case.observations[n].actions for n in members]
                reorderings = self.options.ties == "reorderings"
                known = {p for p in plans if self.case.cost(p, self.costs) == cost}
                others = planners.other_plans(
                    task, self.costs, cost, known, share, reorderings=reorderings
                )
                if others.verdict not in (Answer.FOUND, Answer.NONE):
                    continue
                ways = iter([*others.plans[:1], *known])
            yield members, self._judged(members, _Known(cost, ways))


class _Backwards:
    """Distances to goals, and the cheapest plans in the order of a walk along them."""

    def __init__(self, reached: Reached, costs: npt.NDArray[np.int64]) -> None:
        graph = reached.graph
        self._graph, self._weights = graph, costs[graph.action].astype(np.float64)
        order = np.lexsort((self._weights, graph.source, graph.target))
        source, target = graph.source[order], graph.target[order]
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
        entries = self._weights[order][is_first], (target[is_first], source[is_first])
        self._matrix = csr_array(entries, shape=(graph.size, graph.size))
        self._begins = np.searchsorted(graph.source, np.arange(graph.size + 1))

    def distances(self, goal: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Of each state what a cheapest way to the goal costs."""
        return np.asarray(dijkstra(self._matrix, indices=goal, min_only=True))

    def cheapest(
        self, start: int, goal: npt.NDArray[np.int64], togo: npt.NDArray[np.float64], *, merge: bool
    ) -> Iterator[Actions]:
        """The cheapest plans; `merge`: one for each multiset of actions."""
        ends = set(goal.tolist())
        stack: list[tuple[int, Actions]] = [(start, ())]
        seen: set[tuple[int, Actions]] = set()
        while stack:
            state, actions = stack.pop()
            if state in ends and togo[state] == 0:
                yield actions
            first, last = self._begins[state], self._begins[state + 1]
            for edge in range(first, last):
                after = int(self._graph.target[edge])
                if togo[after] + self._weights[edge] != togo[state]:
                    continue
                longer = (*actions, int(self._graph.action[edge]))
                key = after, tuple(sorted(longer))
                if not merge or key not in seen:
                    seen.add(key)
                    stack.append((after, longer))

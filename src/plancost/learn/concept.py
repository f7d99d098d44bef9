"""When does a plan count as optimal? A concept answers with rows that costs break, or with none.

`Concept` does what all have in common: one search from each start, and rules that look at each
plan (`mcf`, `scf`). A new concept is one more rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array

from plancost.errors import SolverError
from plancost.learn.mcf import Maximal, Seen
from plancost.learn.paths import Paths
from plancost.learn.rows import Alternative, Costs, Cut, Vector, Whole
from plancost.learn.task import LearningTask
from plancost.search.cheapest import PlanOnGraph
from plancost.search.graph import EXACT, MANY_STATES, Distances, StateGraph

TOLERANCE = 1e-6
"""Floating-point costs break a row only by more than this; whole costs by anything."""


def uses(plans: Sequence[tuple[int, ...]], action_count: int) -> csr_array:
    """How often each action is in each plan."""
    actions = np.array([action for plan in plans for action in plan], dtype=np.int64)
    parts = np.ones(len(actions)), actions, np.cumsum([0, *map(len, plans)])
    return csr_array(parts, shape=(len(plans), action_count))


class Concept:
    """The rules of all plans, on state graphs."""

    def __init__(self, task: LearningTask, paths: Paths, rules: Sequence[Maximal]) -> None:
        self.task, self.paths, self.rules = task, paths, rules
        self._uses = uses([plan.actions for plan in task.plans], task.action_count)
        self._steps_to: dict[int, Vector] = {}
        self._strict = np.array([rule.margin > 0 for rule in rules])
        self._factor = np.array([float(plan.factor) for plan in task.plans])
        self._many_ends = np.array([len(goal) > 1 for goal in paths.goals] or [False])[paths.goal]

    def separate(self, costs: Costs, plans: Sequence[int], most: int = 6) -> dict[int, list[Cut]]:
        """The plans that do not count under these costs of actions (infinite: closed), with rows.

        Of each plan at most `most` stretches, and one to another goal state.
        """
        tolerance = 0.0 if costs.dtype == np.int64 else TOLERANCE
        weights = costs.astype(np.float64)
        found: dict[int, list[Cut]] = {}
        totals = self._uses @ weights
        asked = np.array(plans, dtype=np.int64)
        if costs.dtype == np.int64 and len(asked) and totals[asked].max() >= EXACT:
            raise SolverError("costs of 2^53 and more are beyond exact arithmetic")
        for world in np.unique(self.paths.world[asked]).tolist() if len(asked) else ():
            own = asked[self.paths.world[asked] == world]
            graph = self.paths.worlds[world].graph
            for group, distances in self._searches(graph, own, weights, totals):
                for plan in self._suspects(group, distances, totals, tolerance):
                    actions = self.task.plans[plan].actions
                    path = PlanOnGraph(graph, self.paths.states[plan], actions, weights)
                    goal = self.paths.goals[self.paths.goal[plan]]
                    seen = Seen(path, distances, goal, tolerance, most)
                    rule = self.rules[plan]
                    cuts = [rule.cut(why) for why in rule.alternatives(plan, seen)]
                    if cuts:
                        found[plan] = cuts
        return found

    def rebuild(self, why: Alternative) -> Cut | None:
        """The cut of an alternative from a file, if it is one: it is replayed here."""
        states = self.paths.states[why.plan]
        if not states or (why.end >= 0 and why.is_whole):
            return None
        graph = self.paths.worlds[int(self.paths.world[why.plan])].graph
        last = graph.leads(states[why.begin], why.other)
        goal = self.paths.goals[self.paths.goal[why.plan]]
        fits = last in goal if why.end < 0 else last == states[why.end]
        if not fits or why.other == self.task.plans[why.plan].actions:
            return None
        return self.rules[why.plan].cut(why)

    def _searches(
        self, graph: StateGraph, plans: Whole, weights: Vector, totals: Vector
    ) -> Iterator[tuple[Whole, Distances]]:
        """One search for each start, or on large graphs for each start and goal."""
        is_large = graph.size > MANY_STATES
        start, goal = self.paths.start[plans], self.paths.goal[plans] * is_large
        order = np.lexsort((goal, start))
        plans, start, goal = plans[order], start[order], goal[order]
        begins = np.flatnonzero(np.diff(start, prepend=-1) | np.diff(goal, prepend=-1))
        groups = np.split(plans, begins[1:])
        # A strict concept asks for plans that cost less than one more.
        limits = np.array([totals[group].max() for group in groups]) + 1 + TOLERANCE
        if not is_large:
            for place, distances in graph.search(weights, start[begins], limits):
                yield groups[place], distances
            return
        pairs = graph.pairs(weights)
        for group, limit in zip(groups, limits.tolist(), strict=True):
            plan = int(group[0])
            steps = self._steps(graph, int(self.paths.goal[plan]))
            yield group, graph.search_towards(pairs, int(self.paths.start[plan]), limit, steps)

    def _steps(self, graph: StateGraph, goal: int) -> Vector:
        """The fewest actions from each state to a goal."""
        if goal not in self._steps_to:
            self._steps_to[goal] = graph.distances_to(self.paths.goals[goal])
        return self._steps_to[goal]

    def _suspects(
        self, plans: Whole, found: Distances, totals: Vector, tolerance: float
    ) -> list[int]:
        """Plans that a rule must look at: all but those that are plainly cheapest."""
        nearest = found.value[self.paths.end[plans]]
        for place in np.flatnonzero(self._many_ends[plans]).tolist():
            nearest[place] = found.value[self.paths.goals[self.paths.goal[plans[place]]]].min()
        beaten = self._factor[plans] * nearest < totals[plans] - tolerance
        suspects: list[int] = plans[beaten | self._strict[plans]].tolist()
        return suspects

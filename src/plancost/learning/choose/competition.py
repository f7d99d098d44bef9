"""What competes with each observed plan, and how likely, how dear and how near it is.

Where a task has a state graph, all its walks compete. Where it has none, the plans of the task that
are known do: those observed, and the alternatives that planners found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.special import logsumexp

from plancost.learning.choose.likelihood import Likelihood, usual_cost
from plancost.learning.choose.passing import shortened
from plancost.learning.choose.walks import (
    Indices,
    Passage,
    Steps,
    Vector,
    by_inverse,
    by_steps,
    fits,
)
from plancost.learning.problem.rows import Counts
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.separation.paths import Path, Paths
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.oracles.shortest_paths import CostToGo, PricedGraph, cheapest_plan
from plancost.oracles.state_graph import StateGraph

_LEAST_HORIZON = 10
_FEW_STATES = 3000
_AS_A_MAP = 4
"""Graphs of few states, or with so few steps from each, are solved by their inverse."""
_FEW_GOAL_STATES = 8


@dataclass(frozen=True)
class _Graph:
    """A graph and its candidates: where each starts, its goal, and its steps up to there."""

    graph: StateGraph
    steps: Steps
    """Those that sums are over, between states by their `number`."""
    parameters: csr_array
    """How often each of these steps has each parameter as its cost."""
    number: Indices
    starts: dict[int, int]
    goals: dict[int, Indices]
    counts: dict[int, Counts]
    horizon: int | None
    """None: walks of any length."""

    def sums(self, costs: Vector, passages: Sequence[Passage]) -> tuple[float, Vector]:
        """The sum of log Z, and how often each parameter is expected."""
        weights = np.exp(-(self.parameters @ costs))
        if self.horizon is None:
            total, used = by_inverse(self.steps, weights, passages)
        else:
            total, used = by_steps(self.steps, weights, passages, self.horizon)
        return total, self.parameters.T @ used

    def passages(self, weights: Vector) -> list[Passage]:
        """The candidates with a weight, by goal."""
        entered = np.zeros(self.steps.size, dtype=np.bool_)
        entered[self.steps.target] = True
        found: dict[bytes, tuple[Indices, dict[int, float]]] = {}
        for number, start in self.starts.items():
            if weights[number]:
                goal = self.goals[number]
                _, starts = found.setdefault(goal.tobytes(), (self.number[goal], {}))
                begin = int(self.number[start])
                starts[begin] = starts.get(begin, 0.0) + float(weights[number])
        return [
            Passage(goal[entered[goal] | np.isin(goal, list(own))], *_starts(own))
            for goal, own in found.values()
        ]


def _starts(weights: dict[int, float]) -> tuple[Indices, Vector]:
    return np.array(list(weights), dtype=np.int64), np.array(list(weights.values()))


@dataclass(frozen=True)
class _Listed:
    """A task without a graph: its known plans, as rows of counts, and which are observed."""

    plans: Vector
    place: dict[int, int]
    """Of each candidate among the plans."""

    def sums(self, costs: Vector, weights: Vector) -> tuple[float, Vector]:
        """The sum of log Z, and how often each parameter is expected."""
        logits = -(self.plans @ costs)
        weight = float(sum(weights[number] for number in self.place))
        chances = np.exp(logits - logsumexp(logits))
        return weight * float(logsumexp(logits)), weight * (chances @ self.plans)


class Competition:
    """The candidates of a task, each with all that competes with it.

    Weights say how often each candidate counts; 0 leaves it out.
    """

    def __init__(self, subproblem: Subproblem) -> None:
        self.task = subproblem.task
        self.weights = np.array([float(item.weight) for item in self.task.candidates])
        paths = subproblem.separator.paths()
        self._paths = paths
        self._graphs = (
            []
            if paths is None
            else [_graph(self.task, paths, graph, numbers) for graph, numbers in paths.by_graph()]
        )
        self.on_graphs = frozenset(number for item in self._graphs for number in item.starts)
        """The candidates whose task has a state graph."""
        self._listed = _listed(subproblem, self.on_graphs)
        choices = [
            int(np.diff(item.graph.first_transition).max(initial=1)) for item in self._graphs
        ]
        choices += [len(item.plans) for item in self._listed]
        self.usual_cost = usual_cost(max(choices, default=1))

    @property
    def fits(self) -> bool:
        """Whether sums over walks stay within memory on all graphs."""
        return all(
            item.horizon is None or fits(item.graph.state_count, item.horizon)
            for item in self._graphs
        )

    def likelihood(
        self, weights: Vector, spread: float, centre: Vector | None = None
    ) -> Likelihood:
        """How likely the candidates are, as often as their weights say.

        Without a centre the prior is around one value.
        """
        observed = np.zeros(len(self.task.parameters))
        counts = [item.counts for item in self._graphs]
        counts += [
            {number: self.task.candidates[number].counts for number in item.place}
            for item in self._listed
        ]
        for own in counts:
            for number, steps in own.items():
                for parameter, count in steps:
                    observed[parameter] += count * weights[number]
        parts = [partial(item.sums, passages=item.passages(weights)) for item in self._graphs]
        parts += [partial(item.sums, weights=weights) for item in self._listed]

        def sums(costs: Vector) -> tuple[float, Vector]:
            total, expected = 0.0, np.zeros(len(costs))
            for part in parts:
                logarithms, used = part(costs)
                total += logarithms
                expected += used
            return total, expected

        if centre is None:
            centre = np.full(len(observed), self.usual_cost)
        return Likelihood(observed, sums, centre, spread)

    def regrets(self, costs: Vector, numbers: Iterable[int]) -> dict[int, float]:
        """By how much each candidate costs more than the cheapest plan."""
        found: dict[int, float] = {}
        own = self.task.count_matrix @ costs
        for cost_to_go, members in self.searches(costs, numbers):
            for number, path in members:
                found[number] = float(own[number] - cost_to_go.values[path.states[0]])
        wanted = frozenset(numbers)
        for item in self._listed:
            least = float((item.plans @ costs).min())
            found.update((n, float(own[n]) - least) for n in item.place if n in wanted)
        return found

    def overlaps(self, costs: Vector, numbers: Iterable[int]) -> dict[int, float]:
        """How near the cheapest plan is to each candidate: F1 of their actions."""
        found: dict[int, float] = {}
        for cost_to_go, members in self.searches(costs, numbers):
            of_action = self._parameters(cost_to_go.graph)
            for number, path in members:
                plan = cheapest_plan(cost_to_go, path.states[0])
                assert plan is not None
                predicted = Counter(of_action[plan[0]].tolist())
                found[number] = _overlap(
                    Counter(dict(self.task.candidates[number].counts)), predicted
                )
        wanted = frozenset(numbers)
        for item in self._listed:
            best = item.plans[int(np.argmin(item.plans @ costs))]
            predicted = Counter({int(n): int(best[n]) for n in np.flatnonzero(best)})
            for number in item.place.keys() & wanted:
                own = Counter(dict(self.task.candidates[number].counts))
                found[number] = _overlap(own, predicted)
        return found

    def searches(
        self, costs: Vector, numbers: Iterable[int]
    ) -> Iterator[tuple[CostToGo, list[tuple[int, Path]]]]:
        """For each goal what the rest of the way costs, and the candidates with their paths."""
        wanted = frozenset(numbers)
        for item in self._graphs:
            groups: dict[bytes, list[tuple[int, Path]]] = {}
            goals: dict[bytes, Indices] = {}
            for number in item.counts.keys() & wanted:
                goal = item.goals[number]
                goals[goal.tobytes()] = goal
                groups.setdefault(goal.tobytes(), []).append((number, self._path(number)))
            priced = PricedGraph(item.graph, costs[self._parameters(item.graph)])
            members = list(groups.values())
            for place, cost_to_go in priced.costs_to_go(list(goals.values())):
                yield cost_to_go, members[place]

    def _path(self, number: int) -> Path:
        assert self._paths is not None
        return self._paths[number]

    def _parameters(self, graph: StateGraph) -> Indices:
        assert self._paths is not None
        return _parameters(self.task, self._paths, graph)


def _parameters(task: LearningTask, paths: Paths, graph: StateGraph) -> Indices:
    """The parameter that the cost of each action of a graph is."""
    parts = task.structure.parts
    return np.array([parts[number][0][0] for number in paths.numbers(graph)], dtype=np.int64)


def _graph(task: LearningTask, paths: Paths, graph: StateGraph, numbers: list[int]) -> _Graph:
    of_action = _parameters(task, paths, graph)
    starts, goals, counts = {}, {}, {}
    longest = 0
    for number in numbers:
        path, goal = paths[number], paths.goal(number)
        states = np.array(path.states)
        reached = int(np.flatnonzero(np.isin(states, goal))[0])
        # A step that changes nothing is no step of the graph.
        moves = np.flatnonzero(states[1 : reached + 1] != states[:reached])
        own = Counter(of_action[np.array(path.actions, dtype=np.int64)[moves]].tolist())
        starts[number], goals[number] = path.states[0], goal
        counts[number] = tuple(sorted(own.items()))
        longest = max(longest, reached)
    few = max((len(goal) for goal in goals.values()), default=0) <= _FEW_GOAL_STATES
    sparse = len(graph.source) <= _AS_A_MAP * graph.state_count
    inverts = few and (graph.state_count <= _FEW_STATES or sparse)
    steps = Steps(graph.state_count, graph.source, graph.target)
    places: Indices = np.arange(graph.state_count)
    once = np.ones(len(graph.source)), (np.arange(len(graph.source)), of_action[graph.action])
    parameters = coo_array(once, shape=(len(graph.source), len(task.parameters))).tocsr()
    if inverts:
        short = shortened(
            steps, np.array(list(starts.values())), np.concatenate(list(goals.values()))
        )
        steps, places, parameters = short.steps, short.number, short.parts @ parameters
    horizon = None if inverts else max(_LEAST_HORIZON, 2 * longest)
    return _Graph(graph, steps, parameters, places, starts, goals, counts, horizon)


def _listed(subproblem: Subproblem, with_graph: PlanSet) -> list[_Listed]:
    """The tasks without a graph, with all plans of them that are known."""
    task = subproblem.task
    plans: dict[int, dict[Counts, None]] = {}
    place: dict[int, dict[int, Counts]] = {}
    for number, candidate in enumerate(task.candidates):
        if number not in with_graph:
            plans.setdefault(candidate.task, {})[candidate.counts] = None
            place.setdefault(candidate.task, {})[number] = candidate.counts
    for cut in subproblem.cuts():
        known = plans.get(task.candidates[cut.candidate].task)
        if known is not None:
            known[task.counts(cut.alternative)] = None
    found = []
    for at, known in plans.items():
        matrix = np.zeros((len(known), len(task.parameters)))
        for row, counts in enumerate(known):
            for parameter, count in counts:
                matrix[row, parameter] = count
        order = {counts: row for row, counts in enumerate(known)}
        found.append(_Listed(matrix, {n: order[counts] for n, counts in place[at].items()}))
    return found


def _overlap(own: Counter[int], other: Counter[int]) -> float:
    total = own.total() + other.total()
    return 2 * (own & other).total() / total if total else 1.0

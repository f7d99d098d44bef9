"""The truth about small cases, by enumeration.

All loopless plans of every task are listed, what makes a plan count is written down row by row
from the definitions, and every set of observed plans is tried, heaviest first, by an integer
program over all of its rows. Nothing is lazy and nothing is taken from the library but its types.
Loopless alternatives suffice: costs are at least 1, so whatever beats a plan and has a loop, or
goes on behind a goal, contains something shorter that beats it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp
from scipy.sparse import csr_array

from plancost.case.model import UNBOUNDED, Case, Ints, Network, Observation, Strips, Task, World
from plancost.options import LearnOptions

State = frozenset[int]
Plan = tuple[int, ...]
TaskKey = tuple[int, State, frozenset[int], frozenset[int], frozenset[int]]

MOST_PLANS = 600
"""Of one task; more are too many to list."""
MOST_UNITS = 8
"""Distinct observed plans: all of their subsets may be tried."""


class TooLargeError(Exception):
    """There is more to enumerate than is worth while, or a solver gave up."""


class ContradictionError(Exception):
    """No costs at all keep to the bounds and the known totals."""


@dataclass(frozen=True)
class Truth:
    """The right answer to one question about one case."""

    most: int
    """The greatest weight of plans that are optimal together (`icf` too)."""
    second: int
    """The least sum of costs, or distance from the known ones, with so many optimal plans."""
    all_optimal: bool
    """Whether that is all of them, as `icf` demands."""


def successors(world: World, state: State) -> list[tuple[int, State]]:
    """Each action that can be applied, with where it leads."""
    if isinstance(world, Network):
        (place,) = state
        rows = np.flatnonzero(world.source == place)
        return [(int(world.action[row]), frozenset({int(world.target[row])})) for row in rows]
    full = _with_derived(world, state)
    found = set()
    for operator in world.operators:
        if operator.condition.holds(full):
            happening = [e for e in operator.effects if e.condition.holds(full)]
            added = frozenset(effect.atom for effect in happening if effect.adds)
            deleted = frozenset(effect.atom for effect in happening if not effect.adds)
            found.add((operator.action, (state - deleted) | added))
    return sorted(found, key=lambda pair: (pair[0], sorted(pair[1])))


def is_goal(world: World, task: Task, state: State) -> bool:
    """Whether a plan may end here."""
    if isinstance(world, Network):
        return state <= task.goal_states
    return task.goal.holds(_with_derived(world, state))


def state_graph(
    world: World, start: State, most: int = 300
) -> dict[State, list[tuple[int, State]]]:
    """All states that can be reached, with what can be done in them."""
    graph: dict[State, list[tuple[int, State]]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in graph:
            graph[state] = successors(world, state)
            waiting.extend(target for _, target in graph[state])
        if len(graph) > most:
            raise TooLargeError(f"more than {most} states")
    return graph


def loopless_plans(case: Case, task: Task, most: int = MOST_PLANS) -> list[Plan]:
    """All plans that visit no state twice and stop at the first goal."""
    world = case.worlds[task.world]
    graph = state_graph(world, task.initial)
    goals = {state for state in graph if is_goal(world, task, state)}
    useful = _leading_to(graph, goals)
    found: set[Plan] = set()
    steps = 0

    def extend(state: State, visited: frozenset[State], plan: Plan) -> None:
        nonlocal steps
        steps += 1
        if steps > 100 * most or len(found) > most:
            raise TooLargeError(f"more than {most} plans")
        if state in goals:
            found.add(plan)
            return
        for action, target in graph[state]:
            if target in useful and target not in visited:
                extend(target, visited | {target}, (*plan, action))

    if task.initial in useful:
        extend(task.initial, frozenset({task.initial}), ())
    return sorted(found)


@dataclass(frozen=True, eq=False)
class BruteForce:
    """Everything that can be known about a small case under some options."""

    case: Case
    options: LearnOptions
    _infeasible: list[frozenset[int]] = field(default_factory=list)

    @cached_property
    def plans(self) -> tuple[list[Plan], ...]:
        """The loopless plans of each task."""
        known: dict[TaskKey, list[Plan]] = {}
        for task in self.case.tasks:
            if _key(task) not in known:
                known[_key(task)] = loopless_plans(self.case, task)
        return tuple(known[_key(task)] for task in self.case.tasks)

    def optimal(self, costs: Sequence[int]) -> tuple[bool, ...]:
        """Of each observation, whether it counts under these costs."""
        return tuple(
            bool((rows @ np.array(costs, dtype=object) + margins <= 0).all())
            for rows, margins in map(self._demands, self.case.observations)
        )

    def cheapest(self, observation: Observation, costs: Sequence[int]) -> int:
        """The cost of a cheapest plan of the observation's task."""
        return min(self.case.cost(plan, costs) for plan in self.plans[observation.task])

    def second(self, costs: Sequence[int]) -> int:
        """The second objective under these costs."""
        initial = self.case.costs.initial
        known = [0] * len(costs) if initial is None else [int(cost) for cost in initial]
        return sum(abs(int(cost) - base) for cost, base in zip(costs, known, strict=True))

    def keeps_to_rules(self, costs: Sequence[int], parameters: Sequence[int]) -> bool:
        """Whether costs are made of these parameters, and are within bounds and known totals."""
        model = self.case.costs
        made = model.matrix.toarray().astype(object) @ np.array(parameters, dtype=object)
        return bool(
            list(costs) == list(made)
            and all(value >= 0 for value in parameters)
            and (model.least <= costs).all()
            and (costs <= model.greatest).all()
            and all(
                observation.total in (None, self.case.cost(observation.actions, costs))
                for observation in self.case.observations
            )
        )

    @cached_property
    def truth(self) -> Truth:
        """Most optimal plans, then the least second objective."""
        everything = frozenset(range(len(self._units)))
        if len(everything) > MOST_UNITS:
            raise TooLargeError(f"{len(everything)} distinct plans")
        for weight, sets in self._sets_by_weight():
            values = [value for chosen in sets if (value := self._least(chosen)) is not None]
            if values:
                return Truth(weight, min(values), weight == self._weight(everything))
        raise ContradictionError

    def least_for(self, observations: Sequence[int]) -> int | None:
        """The least second objective with these observations optimal, if that is possible."""
        chosen = {n for n, unit in enumerate(self._units) if not set(observations).isdisjoint(unit)}
        return self._least(frozenset(chosen))

    @cached_property
    def _units(self) -> list[list[int]]:
        """Observations that are the same plan, task and factor are so together."""
        found: dict[tuple[TaskKey, Plan, Fraction], list[int]] = {}
        for number, seen in enumerate(self.case.observations):
            key = (_key(self.case.tasks[seen.task]), seen.actions, self._factor(seen))
            found.setdefault(key, []).append(number)
        return list(found.values())

    def _weight(self, chosen: frozenset[int]) -> int:
        return sum(self.case.observations[n].count for unit in chosen for n in self._units[unit])

    def _sets_by_weight(self) -> Iterator[tuple[int, list[frozenset[int]]]]:
        found: dict[int, list[frozenset[int]]] = {}
        for size in range(len(self._units) + 1):
            for members in combinations(range(len(self._units)), size):
                chosen = frozenset(members)
                found.setdefault(self._weight(chosen), []).append(chosen)
        yield from sorted(found.items(), reverse=True)

    def _factor(self, seen: Observation) -> Fraction:
        if seen.factor is not None:
            return seen.factor
        asked = self.options.suboptimality
        return Fraction(1) if asked is None else Fraction(str(asked))

    def _demands(self, seen: Observation) -> tuple[np.ndarray, np.ndarray]:
        """Rows over actions, and margins: rows @ costs + margin <= 0 where the plan counts."""
        factor = self._factor(seen)
        strict = self.options.solution == "scf"
        own = factor.denominator * self._counts(seen.actions)
        rows, margins = [], []
        for plan in self.plans[seen.task]:
            rows.append(own - factor.numerator * self._counts(plan))
            margins.append(int(strict and not self._may_tie(seen, plan)))
        return np.array(rows, dtype=object), np.array(margins, dtype=object)

    def _may_tie(self, seen: Observation, plan: Plan) -> bool:
        """Whether a plan may cost the same under `scf`."""
        if self.options.ties == "reorderings":
            return Counter(plan) == Counter(seen.actions)
        if self.options.ties != "observed":
            return plan == seen.actions
        tasks, key = self.case.tasks, _key(self.case.tasks[seen.task])
        return any(o.actions == plan and _key(tasks[o.task]) == key for o in self.case.observations)

    def _counts(self, plan: Plan) -> Ints:
        return np.bincount(np.array(plan, dtype=np.int64), minlength=len(self.case.actions))

    @cached_property
    def _unit_rows(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The demands of each unit, without those that every cost function satisfies."""
        found = []
        for unit in self._units:
            rows, margins = self._demands(self.case.observations[unit[0]])
            both = np.unique(np.column_stack([rows, margins]).astype(np.int64), axis=0)
            binding = (both[:, :-1] > 0).any(axis=1) | ~(both[:, :-1] < 0).any(axis=1)
            found.append((both[binding, :-1], both[binding, -1]))
        return found

    def _least(self, chosen: frozenset[int]) -> int | None:
        """The least second objective with these units optimal; None if they cannot be."""
        if any(part <= chosen for part in self._infeasible):
            return None
        program = _Program(self.case)
        for unit in sorted(chosen):
            program.demand(*self._unit_rows[unit])
        costs = program.solve()
        if costs is None:
            self._infeasible.append(chosen)
            return None
        optimal = self.optimal(costs)
        assert all(optimal[n] for unit in chosen for n in self._units[unit]), "solver is wrong"
        return self.second(costs)


class _Program:
    """Least costs that satisfy some rows, over the parameters and, refined, distances."""

    def __init__(self, case: Case) -> None:
        shape = len(case.actions), len(case.costs.parameters)
        made_of = case.costs.matrix.toarray().reshape(shape)
        # A column of zeros, in case that there are no actions at all: the solver wants one.
        self._matrix = np.hstack([made_of, np.zeros((len(made_of), 1), dtype=np.int64)])
        actions, parameters = self._matrix.shape
        greatest = np.where(case.costs.greatest >= UNBOUNDED, np.inf, case.costs.greatest)
        self._rows, self._upper = [self._matrix], [greatest]
        self._lower = [case.costs.least.astype(float)]
        for seen in case.observations:
            if seen.total is not None:
                counts = np.bincount(np.array(seen.actions, dtype=np.int64), minlength=actions)
                self._add(counts[None, :], np.array([seen.total]), np.array([seen.total]))
        self._initial, self._parameters = case.costs.initial, parameters

    def demand(self, rows: np.ndarray, margins: np.ndarray) -> None:
        """Rows @ costs + margins <= 0."""
        self._add(rows, np.full(len(rows), -np.inf), -margins)

    def solve(self) -> tuple[int, ...] | None:
        """Whole costs with the least second objective; None if there are none."""
        # Without whole numbers first: no costs at all is said at once.
        if self._run(whole=False).status == 2 or (found := self._run(whole=True)).status == 2:
            return None
        parameters = np.rint(found.x[: self._parameters]).astype(np.int64)
        return tuple(int(cost) for cost in self._matrix @ parameters)

    def _add(self, rows: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> None:
        self._rows.append(rows @ self._matrix)
        self._lower.append(lower.astype(float))
        self._upper.append(upper.astype(float))

    def _run(self, *, whole: bool) -> OptimizeResult:
        rows, lower, upper = self._with_distances()
        extra = rows.shape[1] - self._parameters
        objective = self._matrix.sum(axis=0) if not extra else np.zeros(self._parameters)
        integrality = np.concatenate([np.full(self._parameters, int(whole)), np.zeros(extra)])
        for presolve in (False, True):  # with it first, HiGHS in SciPy has crashed
            found = milp(
                np.concatenate([objective, np.ones(extra)]),
                integrality=integrality,
                bounds=Bounds(0, np.inf),
                constraints=LinearConstraint(csr_array(rows), lower, upper),
                options={"presolve": presolve, "mip_rel_gap": 0.0, "time_limit": 10.0},
            )
            if found.status in (0, 2):
                return found
        raise TooLargeError(str(found.message))

    def _with_distances(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows = np.vstack(self._rows)
        lower, upper = np.concatenate(self._lower), np.concatenate(self._upper)
        if self._initial is None:
            return rows, lower, upper
        size, known = len(self._matrix), self._initial.astype(float)
        own, distance, endless = self._matrix, np.eye(size), np.full(size, np.inf)
        wide = np.block([[rows, np.zeros((len(rows), size))], [own, -distance], [own, distance]])
        upper = np.concatenate([upper, known, endless])
        return wide, np.concatenate([lower, -endless, known]), upper


def _key(task: Task) -> TaskKey:
    """Tasks that agree in this are one task, whatever they are called."""
    return task.world, task.initial, task.goal.needs, task.goal.forbids, task.goal_states


def _with_derived(world: Strips, state: State) -> State:
    """The state with the atoms that axioms derive in it."""
    full = state
    for layer in sorted({axiom.layer for axiom in world.axioms}):
        rules = [axiom for axiom in world.axioms if axiom.layer == layer]
        while True:
            more = full | {axiom.atom for axiom in rules if axiom.condition.holds(full)}
            if more == full:
                break
            full = more
    return full


def _leading_to(graph: dict[State, list[tuple[int, State]]], goals: set[State]) -> set[State]:
    useful, more = set[State](), set(goals)
    while not more <= useful:
        useful |= more
        more = {s for s, steps in graph.items() if any(target in useful for _, target in steps)}
    return useful

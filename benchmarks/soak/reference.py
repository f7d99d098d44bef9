"""What the right answer is: every subset of the observed plans, and an integer program for each.

All simple plans of every task are listed, so there is nothing lazy and nothing to search for, and
what makes a plan optimal is taken from the definitions that the property tests use. A subset of
plans can be optimal if some whole-number costs satisfy its demands (costs may be made of shared or
linear parts), and the least secondary cost
is the optimum of the same program. Costs that the solver finds are checked in integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import inf

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from benchmarks.soak.findings import NoReferenceError
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from support.brute_force import demands, is_optimal

MISSED = "has to be optimal"

Unit = tuple[int, Plan, Fraction]
"""A task, a plan of it and its factor: observations that are the same."""


@dataclass(frozen=True)
class Known:
    """The interval in which the cost of an observed plan lies."""

    observation: int
    least: Fraction
    greatest: Fraction


@dataclass
class Reference:
    """The answers to one question about one case."""

    task: LearningTask
    """Case, concept, initial costs, ranges and factors; its other fields are not used."""
    plans: Sequence[Sequence[Plan]]
    parts: Mapping[str, Mapping[str, int]]
    """What the cost of each action is made of: so many times each parameter, all at least 0."""
    known: Sequence[Known] = ()
    soft: bool = False
    required: frozenset[int] = frozenset()
    """Observations that have to be optimal."""
    _values: dict[frozenset[Unit], int | None] = field(default_factory=dict)

    @cached_property
    def units(self) -> dict[Unit, list[int]]:
        """The distinct observed plans, and which observations are copies of them."""
        found: dict[Unit, list[int]] = {}
        for number, observation in enumerate(self.task.case.observations):
            unit = (observation.task, observation.plan, self.task.factor(number))
            found.setdefault(unit, []).append(number)
        return found

    def unit_of(self, observation: int) -> Unit:
        """The distinct plan that an observation is a copy of."""
        return next(unit for unit, members in self.units.items() if observation in members)

    @property
    def required_units(self) -> frozenset[Unit]:
        """The distinct plans that have to be optimal."""
        return frozenset(map(self.unit_of, self.required))

    def weight(self, chosen: frozenset[Unit]) -> int:
        """How many observed plans a set stands for."""
        observations = self.task.case.observations
        return sum(observations[n].count for unit in chosen for n in self.units[unit])

    @cached_property
    def least_deviation(self) -> Fraction | None:
        """By how much known costs must be missed at least; None: no costs at all fit."""
        if not self.known:
            return Fraction(0)
        costs = _Program(self).with_deviation(None).solve(minimise_deviation=True)
        return None if costs is None else self.deviation(costs)

    @property
    def is_contradictory(self) -> bool:
        """Whether what is known or required to hold cannot be."""
        if self.known and self.least_deviation is None:
            return True
        return (not self.soft and self.least_deviation != 0) or not self.feasible(frozenset())

    def deviation(self, costs: Mapping[str, int]) -> Fraction:
        """How far costs are from the known costs of plans, each copy counted."""
        total = Fraction(0)
        for item in self.known:
            observation = self.task.case.observations[item.observation]
            cost = sum(costs[name] for name in observation.plan)
            total += observation.count * max(item.least - cost, cost - item.greatest, Fraction(0))
        return total

    def admits(self, costs: Mapping[str, int]) -> str | None:
        """What is known about costs that these costs break, or None."""
        ranges = self.task.ranges or [(1, None)] * len(self.task.case.actions)
        for name, (least, greatest) in zip(self.task.case.actions, ranges, strict=True):
            if not least <= costs[name] <= (inf if greatest is None else greatest):
                return f"{name} costs {costs[name]}, not from {least} to {greatest}"
        for number in self.required:
            if not self.is_optimal(number, costs):
                return f"{self.task.case.observations[number].plan_file} {MISSED}"
        if _Program(self).with_costs(costs).solve() is None:
            return "no shared costs or weights give these costs"
        most = self.least_deviation if self.soft else 0
        if self.known and self.deviation(costs) != most:
            return f"known costs are missed by {self.deviation(costs)}, not by {most}"
        return None

    def secondary(self, costs: Mapping[str, int]) -> int:
        """The second objective."""
        initial = self.task.initial_costs or (0,) * len(self.task.case.actions)
        return sum(
            abs(costs[name] - base)
            for name, base in zip(self.task.case.actions, initial, strict=True)
        )

    def is_optimal(self, observation: int, costs: Mapping[str, int]) -> bool:
        """Whether costs make an observed plan optimal, by the definition."""
        line = [costs[name] for name in self.task.case.actions]
        task = self.task.case.observations[observation].task
        return is_optimal(self.task, observation, line, self.plans[task])

    def cheapest(self, observation: int, costs: Mapping[str, int]) -> int:
        """What the cheapest plan of the observation's task costs."""
        plans = self.plans[self.task.case.observations[observation].task]
        return min(sum(costs[name] for name in plan) for plan in plans)

    def least_secondary(self, chosen: frozenset[Unit]) -> int | None:
        """The least secondary cost that makes all of a set optimal; None: nothing does."""
        if chosen not in self._values:
            if any(part <= chosen and value is None for part, value in self._values.items()):
                self._values[chosen] = None
            else:
                costs = self._program(chosen).solve()
                self._values[chosen] = None if costs is None else self.secondary(costs)
        return self._values[chosen]

    def feasible(self, chosen: frozenset[Unit]) -> bool:
        """Whether all of a set can be optimal."""
        return self.least_secondary(chosen) is not None

    @cached_property
    def best(self) -> tuple[int, int]:
        """The most optimal plans, and the least secondary cost with so many."""
        for weight, sets in self._by_weight():
            values = [value for s in sets if (value := self.least_secondary(s)) is not None]
            if values:
                return weight, min(values)
        raise AssertionError("no costs fit, though nothing contradicts")

    @property
    def ideal(self) -> bool:
        """Whether all plans can be optimal."""
        return self.feasible(frozenset(self.units))

    def most_in_groups(self, count: int) -> int:
        """The most optimal plans with so many cost functions, over every way to divide them."""
        sets = [s for _, sets in self._by_weight() for s in sets if self.feasible(s)]
        largest = [one for one in sets if not any(one < other for other in sets)]
        return max(
            self.weight(frozenset[Unit]().union(*parts))
            for parts in combinations_with_replacement(largest, count)
        )

    def range_of(self, name: str, chosen: frozenset[Unit], most: int) -> tuple[int, int]:
        """The least and greatest cost of an action while a set is optimal at no more than this."""
        ends = []
        for sign in (1, -1):
            costs = self._program(chosen).with_secondary(most).solve((name, sign))
            assert costs is not None, "the answer itself is one"
            ends.append(costs[name])
        return ends[0], ends[1]

    def _by_weight(self) -> Iterator[tuple[int, list[frozenset[Unit]]]]:
        found: dict[int, list[frozenset[Unit]]] = {}
        free = [unit for unit in self.units if unit not in self.required_units]
        for size in range(len(free) + 1):
            for members in combinations(free, size):
                chosen = self.required_units | frozenset(members)
                found.setdefault(self.weight(chosen), []).append(chosen)
        yield from sorted(found.items(), reverse=True)

    def _program(self, chosen: frozenset[Unit]) -> _Program:
        program = _Program(self)
        if self.known:
            program.with_deviation(self.least_deviation if self.soft else Fraction(0))
        for unit in chosen | self.required_units:
            program.demand(self.units[unit][0])
        return program


class _Program:
    """An integer program over what the costs of actions are made of."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        task = reference.task
        self.names = task.case.actions
        parameters = sorted({part for name in self.names for part in reference.parts[name]})
        column = {parameter: number for number, parameter in enumerate(parameters)}
        self.cost = {
            name: {column[part]: float(times) for part, times in reference.parts[name].items()}
            for name in self.names
        }
        self.lower, self.upper = [0.0] * len(parameters), [inf] * len(parameters)
        self.integer = [1] * len(parameters)
        self.rows: list[tuple[dict[int, float], float, float]] = []
        ranges = task.ranges or [(1, None)] * len(self.names)
        for name, (least, greatest) in zip(self.names, ranges, strict=True):
            self._add(self.cost[name], least, inf if greatest is None else greatest)
        self.distances = self._add_distances()
        self.outside: dict[int, float] = {}

    def _add(self, row: dict[int, float], lower: float = -inf, upper: float = inf) -> None:
        self.rows.append((row, lower, upper))

    def _new_column(self) -> int:
        self.lower.append(0.0)
        self.upper.append(inf)
        self.integer.append(0)
        return len(self.lower) - 1

    def _add_distances(self) -> dict[int, float]:
        """The second objective, as columns."""
        initial = self.reference.task.initial_costs
        if initial is None:
            return self._counts(self.names)
        found = {}
        for name, base in zip(self.names, initial, strict=True):
            distance = self._new_column()
            self._add({**self.cost[name], distance: -1.0}, upper=base)
            self._add({**self.cost[name], distance: 1.0}, lower=base)
            found[distance] = 1.0
        return found

    def _counts(self, plan: Sequence[str], factor: int = 1) -> dict[int, float]:
        found: dict[int, float] = {}
        for name in plan:
            for column, times in self.cost[name].items():
                found[column] = found.get(column, 0.0) + factor * times
        return found

    def demand(self, observation: int) -> None:
        """An observation is to be optimal."""
        task = self.reference.task
        factor = task.factor(observation)
        seen = task.case.observations[observation]
        own = self._counts(seen.plan, factor.denominator)
        wanted = set()
        for plan, need in demands(task, observation, self.reference.plans[seen.task]):
            row = dict(own)
            for column, count in self._counts(plan, factor.numerator).items():
                row[column] = row.get(column, 0.0) - count
            wanted.add((tuple(sorted((c, v) for c, v in row.items() if v)), need))
        for line, need in sorted(wanted):
            self._add(dict(line), upper=-need)

    def with_deviation(self, most: Fraction | None) -> _Program:
        """Known costs may be missed by so much in all; None: by any amount."""
        observations = self.reference.task.case.observations
        for item in self.reference.known:
            seen, outside = observations[item.observation], self._new_column()
            counts = self._counts(seen.plan)
            self._add({**counts, outside: -1.0}, upper=float(item.greatest))
            self._add({**counts, outside: 1.0}, lower=float(item.least))
            self.outside[outside] = float(seen.count)
        if most is not None:
            self._add(self.outside, upper=float(most))
        return self

    def with_costs(self, costs: Mapping[str, int]) -> _Program:
        """Actions are to cost exactly this."""
        for name in self.names:
            self._add(self.cost[name], costs[name], costs[name])
        return self

    def with_secondary(self, most: int) -> _Program:
        """The second objective is to be at most this."""
        self._add(self.distances, upper=most)
        return self

    def solve(
        self, wanted_action: tuple[str, int] | None = None, *, minimise_deviation: bool = False
    ) -> dict[str, int] | None:
        """The best costs: of the second objective, or the least (or greatest: -1) of an action."""
        objective = np.zeros(len(self.lower))
        wanted = self.outside if minimise_deviation else self.distances
        if wanted_action is not None:
            name, sign = wanted_action
            wanted = self._counts([name], sign)
        for column, weight in wanted.items():
            objective[column] = weight
        matrix = np.zeros((len(self.rows), len(self.lower)))
        for line, (row, _, _) in zip(matrix, self.rows, strict=True):
            for column, value in row.items():
                line[column] = value
        limits = [LinearConstraint(matrix, [r[1] for r in self.rows], [r[2] for r in self.rows])]
        for presolve in (True, False):
            found = milp(
                objective,
                integrality=np.array(self.integer),
                bounds=Bounds(np.array(self.lower), np.array(self.upper)),
                constraints=limits if self.rows else (),
                options={"presolve": presolve, "mip_rel_gap": 0.0},
            )
            if found.status in (0, 2):
                break
        else:
            raise NoReferenceError(found.message)
        if found.status == 2:
            return None
        values = [round(x) for x, is_whole in zip(found.x, self.integer, strict=True) if is_whole]
        self._check(values)
        return {
            name: sum(int(times) * values[column] for column, times in parts.items())
            for name, parts in self.cost.items()
        }

    def _check(self, values: Sequence[int]) -> None:
        """The rounded parameters satisfy all rows that speak of them alone, exactly."""
        for row, lower, upper in self.rows:
            if all(column < len(values) for column in row):
                total = sum(int(value) * values[column] for column, value in row.items())
                assert lower <= total <= upper, "the solver's integers are none"

"""What is learned: parameters, of which the costs of actions are made.

The learner thinks in parameters. A plan is a vector of how often each parameter is in its cost;
rows are differences of such vectors. Usually each action has one parameter of its own. What else
is known of costs (bounds of costs that are made of several parameters, known totals of plans) are
rows that always hold. Refinement of such costs needs a parameter for each of them besides, kept
equal by rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from plancost.case.model import UNBOUNDED, Case
from plancost.learn.rows import Row, Whole

Counts = tuple[tuple[int, int], ...]
"""Numbers (of actions or parameters), and how often each."""


Column = tuple[int, int, int, float]
"""A part of a parameter that a linear program sees: its number, whether it adds to it (1) or takes
from it (-1), its price, and how large it may be."""


@dataclass(frozen=True)
class Piecewise:
    """A convex function of one parameter: ``weight * x``, or distances from `targets`."""

    weight: int
    targets: tuple[int, ...] = ()

    def value(self, x: int) -> int:
        """At a whole number."""
        return self.weight * x + sum(abs(x - target) for target in self.targets)

    def best(self, least: int, greatest: int) -> int:
        """Where it is least between bounds."""
        middle = self.targets[(len(self.targets) - 1) // 2] if self.targets else 0
        return min(max(middle, least), greatest)

    def turns(self, least: int, greatest: int) -> list[int]:
        """Bounds, and where its slope changes between them."""
        return sorted({least, *(t for t in self.targets if least < t < greatest), greatest})


class Parameters:
    """The parameters of a cost model, as the learner needs them."""

    def __init__(self, case: Case) -> None:
        model = case.costs
        matrix = model.matrix.tocsr()
        self.own_count = matrix.shape[1]
        """How many there are without those that refinement adds."""
        self.parts: list[Counts] = model.parts()
        """What the cost of each action is made of."""
        self.is_plain = all(parts == ((n, 1),) for n, parts in enumerate(self.parts))
        self._matrix = matrix
        self._initial = model.initial
        self.least = np.zeros(self.own_count, dtype=np.int64)
        self.greatest = np.full(self.own_count, UNBOUNDED, dtype=np.int64)
        self.always: list[Row] = list(
            dict.fromkeys([*self._bounded(model.least, model.greatest), *self._totals(case)])
        )
        """Rows that hold whatever the plans are."""
        self._free = self.greatest == UNBOUNDED
        """Which parameters may be as large as we like."""
        for row in self.always:
            self._free[[p for p, times in row.coefficients if times > 0]] = False
        self.linked: list[Counts] = []
        """What each added parameter is equal to."""
        self.functions: list[Piecewise] = self._objective()
        """Of each parameter what it adds to the second objective."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.least)

    @cached_property
    def scales(self) -> bool:
        """Whether costs may be multiplied by any factor."""
        is_open = bool((self.greatest == UNBOUNDED).all())
        return is_open and all(row.margin >= 0 for row in self.always)

    def combine(self, actions: Iterable[int]) -> Counter[int]:
        """How often each parameter is in the cost of some actions."""
        if self.is_plain:
            return Counter(actions)
        found: Counter[int] = Counter()
        for action, times in Counter(actions).items():
            for parameter, count in self.parts[action]:
                found[parameter] += times * count
        return found

    def costs(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The cost of each action."""
        if self.is_plain:
            return np.asarray(values[: self.own_count])
        return np.asarray(self._matrix @ values[: self.own_count])

    def completed(self, values: Whole) -> Whole:
        """The same values, with those of the added parameters as they follow."""
        found = values.copy()
        for place, parts in enumerate(self.linked, self.own_count):
            found[place] = sum(times * values[parameter] for parameter, times in parts)
        return found

    def allows(self, values: Whole) -> bool:
        """Whether values keep to bounds and to rows that always hold."""
        is_between = (self.least <= values).all() and (values <= self.greatest).all()
        return bool(is_between) and all(row.excess(values) <= 0 for row in self.always)

    def second(self, values: Whole) -> int:
        """The second objective, action by action."""
        costs = self.costs(values)
        return int(costs.sum() if self._initial is None else np.abs(costs - self._initial).sum())

    @cached_property
    def second_floor(self) -> int:
        """No values have less."""
        places = zip(self.functions, self._best(self.functions).tolist(), strict=True)
        return sum(function.value(x) for function, x in places)

    @cached_property
    def baseline(self) -> Whole:
        """Where every cost is 1, or C̄ raised to at least 1, or as near as its bounds allow.

        Costs that are made of several parameters begin with all of them at their least.
        """
        found = self._best(self.functions)
        for row in self.always:
            if row.margin > 0 and row.coefficients and row.excess(found) > 0:
                parameter, times = row.coefficients[0]
                found[parameter] += -(-row.excess(found) // -times)
        return self.completed(found)

    def columns(self, *, priced: bool) -> tuple[Whole, list[Column]]:
        """Where all columns are 0, and upwards and downwards from there a column for each slope:
        of the second objective if `priced`, else of the sum.
        """
        functions = self.functions if priced else [Piecewise(1)] * self.count
        origin = self._best(functions)
        columns: list[Column] = []
        for number, (function, begin) in enumerate(zip(functions, origin.tolist(), strict=True)):
            least, greatest = int(self.least[number]), int(self.greatest[number])
            turns = sorted({begin, *function.turns(least, greatest)})
            # What is fixed has a column too: HiGHS gives no dual ray for an empty row.
            for low, high in list(pairwise(turns)) or [(begin, begin)]:
                start, sign = (low, 1) if low >= begin else (high, -1)
                price = function.value(start + sign) - function.value(start)
                most = inf if high == UNBOUNDED else high - low
                columns.append((number, sign, price, most))
        return origin, columns

    def unused(self, used: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Which actions may cost as much as we like if only these parameters matter."""
        free = self._free & ~used
        return np.asarray(self._matrix @ free.astype(np.int64) > 0)

    def raised(self, values: Whole, used: npt.NDArray[np.bool_], cost: int) -> Whole:
        """The same values, where parameters that may be as large as we like are raised."""
        found = values.copy()
        free = np.flatnonzero(self._free & ~used)
        found[free] = np.maximum(found[free], cost)
        return self.completed(found)

    def _best(self, functions: list[Piecewise]) -> Whole:
        """Where each function is least."""
        bounds = zip(functions, self.least.tolist(), self.greatest.tolist(), strict=True)
        return np.array([own.best(least, most) for own, least, most in bounds], dtype=np.int64)

    def _bounded(self, least: Whole, greatest: Whole) -> Iterator[Row]:
        """Take the bounds of single parameters; those of other costs are rows."""
        for parts, low, high in zip(self.parts, least.tolist(), greatest.tolist(), strict=True):
            if _is_unit(parts):
                place = parts[0][0]
                self.least[place] = max(self.least[place], low)
                self.greatest[place] = min(self.greatest[place], high)
                continue
            yield Row(_negative(parts), low)
            if high < UNBOUNDED:
                yield Row(parts, -high)

    def _totals(self, case: Case) -> Iterator[Row]:
        """Known totals of plans."""
        for observation in case.observations:
            if observation.total is not None:
                counts = tuple(sorted(self.combine(observation.actions).items()))
                yield Row(counts, -observation.total)
                yield Row(_negative(counts), observation.total)

    def _objective(self) -> list[Piecewise]:
        """The functions; a cost made of several whose target is known is one more parameter."""
        if self._initial is None:
            weights = np.asarray(self._matrix.sum(axis=0)).ravel()
            return [Piecewise(int(weight)) for weight in weights]
        own: list[list[int]] = [[] for _ in range(self.own_count)]
        others: dict[Counts, list[int]] = defaultdict(list)
        for parts, target in zip(self.parts, self._initial.tolist(), strict=True):
            (own[parts[0][0]] if _is_unit(parts) else others[parts]).append(target)
        for place, parts in enumerate(others, self.own_count):
            self.linked.append(parts)
            self.always.append(Row((*parts, (place, -1)), 0))
            self.always.append(Row((*_negative(parts), (place, 1)), 0))
        self.least = np.append(self.least, np.ones(len(others), dtype=np.int64))
        self.greatest = np.append(self.greatest, np.full(len(others), UNBOUNDED))
        return [Piecewise(0, tuple(sorted(targets))) for targets in (*own, *others.values())]


def _is_unit(parts: Counts) -> bool:
    return len(parts) == 1 and parts[0][1] == 1


def _negative(parts: Counts) -> Counts:
    return tuple((number, -times) for number, times in parts)

"""What is learned: parameters, of which the costs of actions are made.

The learner thinks in parameters. A plan is a vector of how often each parameter is in its cost;
rows are differences of such vectors. Usually each action has one parameter of its own. What else
is known of costs (bounds of costs that are made of several parameters, known totals of plans) are
rows that always hold. Refinement of such costs needs a parameter for each of them besides, kept
equal by rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from plancost.case.model import UNBOUNDED, Case
from plancost.learn.rows import Row

Whole = npt.NDArray[np.int64]
Counts = tuple[tuple[int, int], ...]
"""Numbers (of actions or parameters), and how often each."""


@dataclass(frozen=True)
class Column:
    """A part of a parameter that a linear program sees: between 0 and `most`, at this price."""

    parameter: int
    sign: int
    price: int
    most: float


@dataclass(frozen=True)
class Piecewise:
    """A convex function of one parameter: ``weight * x``, or distances from `targets`."""

    weight: int
    targets: tuple[int, ...] = ()

    def value(self, x: int) -> int:
        """At a whole number."""
        return self.weight * x + sum(abs(x - target) for target in self.targets)


class Parameters:
    """The parameters of a cost model, as the learner needs them."""

    def __init__(self, case: Case) -> None:
        model = case.costs
        matrix = model.matrix.tocsr()
        self.own_count = matrix.shape[1]
        """How many there are without those that refinement adds."""
        self.parts: list[Counts] = [
            tuple(zip(matrix.indices[a:b].tolist(), matrix.data[a:b].tolist(), strict=True))
            for a, b in zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True)
        ]
        """What the cost of each action is made of."""
        self.is_plain = all(parts == ((n, 1),) for n, parts in enumerate(self.parts))
        self._matrix = matrix
        self._initial = model.initial
        self.least = np.zeros(self.own_count, dtype=np.int64)
        self.greatest = np.full(self.own_count, UNBOUNDED, dtype=np.int64)
        self.always: list[Row] = []
        """Rows that hold whatever the plans are."""
        self.functions: list[Piecewise] = []
        """Of each parameter what it adds to the second objective."""
        self._take_bounds(model.least, model.greatest)
        self._take_totals(case)
        self._take_objective()

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.least)

    @property
    def scales(self) -> bool:
        """Whether costs may be multiplied by any factor."""
        return bool((self.greatest == UNBOUNDED).all()) and not self._is_capped

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
        for place, parts in enumerate(self._linked, self.own_count):
            found[place] = sum(times * values[parameter] for parameter, times in parts)
        return found

    def second(self, values: Whole) -> int:
        """The second objective, action by action."""
        costs = self.costs(values)
        return int(costs.sum() if self._initial is None else np.abs(costs - self._initial).sum())

    @cached_property
    def second_floor(self) -> int:
        """No values have less."""
        places = [self._best(n) for n in range(self.count)]
        return sum(f.value(x) for f, x in zip(self.functions, places, strict=True))

    @cached_property
    def baseline(self) -> Whole:
        """Where every cost is 1, or C̄ raised to at least 1, or as near as its bounds allow.

        Costs that are made of several parameters begin with all of them at their least.
        """
        found = np.array([self._best(n) for n in range(self.own_count)], dtype=np.int64)
        short = [n for n, row in enumerate(self._least_rows) if row.excess(found) > 0]
        for n in short:
            row = self._least_rows[n]
            parameter, times = row.coefficients[0]
            found[parameter] += -(-row.excess(found) // -times)
        return self.completed(np.append(found, np.zeros(len(self._linked), dtype=np.int64)))

    def columns(self, *, priced: bool) -> tuple[Whole, list[Column]]:
        """Where all columns are 0, and the columns: `priced` by the second objective, or by 1."""
        if not priced:
            rooms = np.where(self.greatest == UNBOUNDED, inf, self.greatest - self.least)
            return self.least, [Column(n, 1, 1, room) for n, room in enumerate(rooms.tolist())]
        origin = np.array([self._best(n) for n in range(self.count)], dtype=np.int64)
        return origin, [c for n in range(self.count) for c in self._pieces(n, int(origin[n]))]

    def unused(self, used: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Which actions may cost as much as we like if only these parameters matter."""
        free = self._free & ~used[: self.own_count]
        if self.is_plain:
            return np.asarray(free)
        return np.asarray((self._incidence @ free.astype(np.int64)) > 0)

    def raised(self, values: Whole, used: npt.NDArray[np.bool_], cost: int) -> Whole:
        """The same values, where parameters that may be as large as we like are raised."""
        found = values.copy()
        free = np.flatnonzero(self._free & ~used[: self.own_count])
        found[free] = np.maximum(found[free], cost)
        return self.completed(found)

    def _take_bounds(self, least: Whole, greatest: Whole) -> None:
        self._least_rows: list[Row] = []
        self._is_capped = False
        """Whether a row that always holds does so for small costs only."""
        bounds: dict[Counts, tuple[int, int]] = {}
        for parts, low, high in zip(self.parts, least.tolist(), greatest.tolist(), strict=True):
            known = bounds.get(parts, (1, UNBOUNDED))
            bounds[parts] = max(known[0], low), min(known[1], high)
        for parts, (low, high) in bounds.items():
            if len(parts) == 1 and parts[0][1] == 1:
                place = parts[0][0]
                self.least[place] = max(self.least[place], low)
                self.greatest[place] = min(self.greatest[place], high)
                continue
            self._least_rows.append(Row(tuple((p, -times) for p, times in parts), low))
            if high < UNBOUNDED:
                self._is_capped = True
                self.always.append(Row(parts, -high))
        self.always += self._least_rows

    def _take_totals(self, case: Case) -> None:
        known = {(o.actions, o.total): None for o in case.observations if o.total is not None}
        totals: list[Row] = []
        for actions, total in known:
            counts = tuple(sorted(self.combine(actions).items()))
            totals.append(Row(counts, -total))
            totals.append(Row(tuple((p, -times) for p, times in counts), total))
        self._is_capped |= bool(totals)
        self.always += dict.fromkeys(totals)
        self._free = self.greatest == UNBOUNDED
        for row in self.always:
            if row not in self._least_rows:
                self._free[[p for p, _ in row.coefficients]] = False

    def _take_objective(self) -> None:
        self._linked: list[Counts] = []
        weights = np.asarray(self._matrix.sum(axis=0)).ravel()
        if self._initial is None:
            self.functions = [Piecewise(int(weight)) for weight in weights]
            return
        targets: dict[Counts, list[int]] = {}
        for parts, target in zip(self.parts, self._initial.tolist(), strict=True):
            targets.setdefault(parts, []).append(target)
        unit = {parts[0][0]: own for parts, own in targets.items() if _is_unit(parts)}
        for parameter in range(self.own_count):
            self.functions.append(Piecewise(0, tuple(sorted(unit.get(parameter, ())))))
        for parts, own in targets.items():
            if not _is_unit(parts):
                self._link(parts, own)

    def _link(self, parts: Counts, targets: list[int]) -> None:
        """A parameter that is equal to a cost made of several."""
        place = self.own_count + len(self._linked)
        self._linked.append(parts)
        self.functions.append(Piecewise(0, tuple(sorted(targets))))
        self.least = np.append(self.least, 1)
        self.greatest = np.append(self.greatest, UNBOUNDED)
        self.always.append(Row((*parts, (place, -1)), 0))
        self.always.append(Row((*((p, -times) for p, times in parts), (place, 1)), 0))

    def _best(self, parameter: int) -> int:
        """Where a parameter adds least to the second objective."""
        targets = self.functions[parameter].targets
        best = targets[(len(targets) - 1) // 2] if targets else 0
        return int(min(max(best, self.least[parameter]), self.greatest[parameter]))

    def _pieces(self, parameter: int, origin: int) -> list[Column]:
        """Upwards and downwards from the origin, one column for each slope."""
        function = self.functions[parameter]
        found = []
        for sign, end in ((1, int(self.greatest[parameter])), (-1, int(self.least[parameter]))):
            turns = sorted(
                {t for t in function.targets if (t - origin) * sign > 0 and (end - t) * sign > 0}
            )
            turns = turns if sign > 0 else turns[::-1]
            for begin, stop in zip([origin, *turns], [*turns, end], strict=True):
                if begin == stop:
                    continue
                price = function.value(begin + sign) - function.value(begin)
                most = inf if stop == UNBOUNDED else float(abs(stop - begin))
                found.append(Column(parameter, sign, price, most))
        return found

    @cached_property
    def _incidence(self) -> csr_array:
        """Which parameters the cost of each action has."""
        found = self._matrix.copy()
        found.data = np.ones_like(found.data)
        return found


def _is_unit(parts: Counts) -> bool:
    return len(parts) == 1 and parts[0][1] == 1

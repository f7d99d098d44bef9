"""The costs that satisfy rows and bounds: a point well inside, and the ways to go from there.

Some rows hold with equality in all of these costs: plans of one task that are both optimal cost the
same. So the costs may lie in a space of fewer dimensions. A linear program finds those rows and a
point that satisfies all others with room. Elimination in exact arithmetic then gives directions
that keep the equalities: one cost changes, and those that depend on it with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array, csr_array, eye_array, hstack, vstack

from plancost.learning.choose.prior import Numbers, Prior, Vector
from plancost.learning.problem.rows import Row
from plancost.solver import highs
from plancost.solver.model import Model, Status
from plancost.system.clock import Deadline

_ROOM = 0.1
"""A row has room enough if it could be so much tighter."""
_TIGHT = 1e-7
"""A row with less room than this in every solution is an equality."""
TOLERANCE = 1e-6
"""Rounding: a point may break a row by less."""
_ROOM_OF_NEW = 1e-4
"""With less room in a new row, another point well inside is looked for."""

Line = dict[int, Fraction]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Polytope:
    """The points with ``matrix @ point <= limits``: rows first, then upper and lower bounds."""

    matrix: csr_array
    limits: Vector
    centre: Vector
    """A point of it, with room in all that are no equalities."""
    equalities: Mask
    directions: csc_array
    """Columns that keep the equalities; parameters that no row speaks of have none."""
    free: Numbers
    """The parameter that each column changes by 1, and no other column."""

    @property
    def rows(self) -> csr_array:
        """The rows without the bounds."""
        return self.matrix[: len(self.limits) - 2 * len(self.centre)]

    @property
    def spoken(self) -> Numbers:
        """The parameters that rows speak of."""
        return np.unique(self.rows.indices)

    @property
    def unspoken(self) -> Numbers:
        """The parameters that no row speaks of."""
        return np.setdiff1d(np.arange(len(self.centre)), self.spoken)

    def room(self, points: Vector) -> Vector:
        """How far each point (a column) is within each row and bound that is no equality."""
        return np.asarray((self.limits[:, None] - self.matrix @ points)[~self.equalities])

    def contains(self, points: Vector) -> Mask:
        """Which points (columns) are inside, if they satisfy the equalities."""
        return np.asarray(np.all(self.room(points) > -TOLERANCE, axis=0))

    def has_equalities_of(self, other: Polytope) -> bool:
        """Whether no more rows hold with equality than in the same with fewer rows."""
        return int(self.equalities.sum()) == int(other.equalities.sum())


def polytope_of(rows: Sequence[Row], prior: Prior, deadline: Deadline) -> Polytope | None:
    """The costs within the bounds of the prior that satisfy rows; None: there are none in time."""
    spoken = _spoken(rows, len(prior.lower))
    found = _inside(rows, prior, spoken, deadline)
    if found is None:
        return None
    centre, equalities = found
    size = len(prior.lower)
    tight = np.flatnonzero(equalities).tolist()
    lines = [_line(rows[n][0]) for n in tight if n < len(rows)]
    bounds = {(n - len(rows)) % size for n in tight if n >= len(rows)}
    lines += [{n: Fraction(1)} for n in sorted(bounds)]
    directions, free = _directions(lines, spoken, size)
    return Polytope(*_system(rows, prior), centre, equalities, directions, free)


def extended(old: Polytope, rows: Sequence[Row], prior: Prior) -> Polytope | None:
    """The same with more rows, if its centre has room in all of the new ones; else None.

    The rows are the old ones and then the new ones.
    """
    size = len(prior.lower)
    before = len(old.limits) - 2 * size
    matrix, limits = _system(rows, prior)
    new = slice(before, len(rows))
    if np.any((limits - matrix @ old.centre)[new] < _ROOM_OF_NEW):
        return None
    equalities = np.insert(old.equalities, before, np.zeros(len(rows) - before, dtype=bool))
    spoken = _spoken(rows, size)
    held = np.union1d(old.directions.indices, _spoken(rows[:before], size))
    more = np.setdiff1d(spoken, held)
    units = csc_array((np.ones(len(more)), (more, np.arange(len(more)))), shape=(size, len(more)))
    directions = csc_array(hstack([old.directions, units]))
    free = np.concatenate([old.free, more])
    return Polytope(matrix, limits, old.centre, equalities, directions, free)


def _spoken(rows: Sequence[Row], size: int) -> Numbers:
    """The parameters that rows speak of."""
    mask = np.zeros(size, dtype=bool)
    mask[[parameter for coefficients, _ in rows for parameter, _ in coefficients]] = True
    return np.flatnonzero(mask)


def _system(rows: Sequence[Row], prior: Prior) -> tuple[csr_array, Vector]:
    """Rows, upper and lower bounds as a matrix and limits."""
    size = len(prior.lower)
    identity = eye_array(size, format="csr")
    starts = np.cumsum([0, *(len(coefficients) for coefficients, _ in rows)])
    entries = [entry for coefficients, _ in rows for entry in coefficients]
    columns = np.array([column for column, _ in entries], dtype=np.int64)
    values = np.array([float(value) for _, value in entries])
    matrix = csr_array((values, columns, starts), shape=(len(rows), size))
    margins = np.array([-float(margin) for _, margin in rows])
    limits = np.concatenate([margins, prior.upper, -prior.lower])
    return csr_array(vstack([matrix, identity, -identity])), limits


def _inside(
    rows: Sequence[Row], prior: Prior, spoken: Numbers, deadline: Deadline
) -> tuple[Vector, Mask] | None:
    """A point with room in all rows and bounds that can have some, and which ones cannot.

    Each linear program gives room to as many as it can; the next asks for the rest only. The mean
    of their solutions has room wherever one of them has.
    """
    centre = (prior.lower + prior.upper) / 2
    size, count = len(centre), len(rows)
    upper, lower = (count + spoken).tolist(), (count + size + spoken).tolist()
    left = [*range(count), *upper, *lower]
    points: list[Vector] = []
    while left:
        outcome = _with_room(rows, prior, spoken, left, deadline)
        if outcome is None:
            return None
        point, room = outcome
        points.append(point)
        still = [number for number in left if room[number] < _TIGHT]
        if len(still) == len(left):
            break
        left = still
    if points:
        centre[spoken] = np.mean(points, axis=0)
    equalities = np.zeros(count + 2 * size, dtype=bool)
    equalities[left] = True
    return centre, equalities


def _with_room(
    rows: Sequence[Row], prior: Prior, spoken: Numbers, wanted: Sequence[int], deadline: Deadline
) -> tuple[Vector, dict[int, float]] | None:
    """The costs of `spoken` parameters that give the wanted rows and bounds the most room."""
    model, size, count = Model(), len(prior.lower), len(rows)
    column = {
        n: model.add_column(float(prior.lower[n]), float(prior.upper[n])) for n in spoken.tolist()
    }
    rooms = {number: model.add_column(0.0, _ROOM, objective=-1.0) for number in wanted}
    for number, (coefficients, margin) in enumerate(rows):
        line = {column[p]: float(value) for p, value in coefficients}
        if number in rooms:
            line[rooms[number]] = 1.0
        model.add_row(line, upper=-float(margin))
    for number, room in rooms.items():
        if count <= number < count + size:
            n = number - count
            model.add_row({column[n]: 1.0, room: 1.0}, upper=float(prior.upper[n]))
        elif number >= count + size:
            n = number - count - size
            model.add_row({column[n]: -1.0, room: 1.0}, upper=-float(prior.lower[n]))
    outcome = highs.solve(model, time_limit_s=deadline.remaining())
    if outcome.status is not Status.OPTIMAL or outcome.values is None:
        return None
    values = outcome.values
    point = np.array([values[column[n]] for n in spoken.tolist()])
    return point, {number: values[room] for number, room in rooms.items()}


def _line(coefficients: Sequence[tuple[int, int]]) -> Line:
    return {parameter: Fraction(value) for parameter, value in coefficients}


def _directions(lines: Sequence[Line], spoken: Numbers, size: int) -> tuple[csc_array, Numbers]:
    """A basis of the changes that keep all equalities, by elimination, and the free parameters."""
    solved: dict[int, Line] = {}
    """For each parameter that depends on others: its change in terms of theirs."""
    for line in lines:
        rest = _replaced(line, solved)
        if not rest:
            continue
        pivot = min(rest, key=lambda n: (abs(rest[n]) != 1, n))
        own = {n: -value / rest[pivot] for n, value in rest.items() if n != pivot}
        for other, change in solved.items():
            if pivot in change:
                solved[other] = _replaced(change, {pivot: own})
        solved[pivot] = own
    free = [n for n in spoken.tolist() if n not in solved]
    place = {n: at for at, n in enumerate(free)}
    entries = [(n, place[n], 1.0) for n in free]
    entries += [(n, place[f], float(v)) for n, own in solved.items() for f, v in own.items()]
    at, column, value = zip(*entries, strict=True) if entries else ((), (), ())
    places = (np.array(at, dtype=np.int64), np.array(column, dtype=np.int64))
    found = csc_array((np.array(value, dtype=np.float64), places), shape=(size, len(free)))
    return found, np.array(free, dtype=np.int64)


def _replaced(line: Line, solved: dict[int, Line]) -> Line:
    """A line without the parameters that depend on others."""
    found: Line = {}
    for parameter, value in line.items():
        for other, times in solved.get(parameter, {parameter: Fraction(1)}).items():
            found[other] = found.get(other, Fraction(0)) + value * times
    return {parameter: value for parameter, value in found.items() if value}

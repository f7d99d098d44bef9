"""What a solver says about a model, checked against the model.

Solvers work in floating point, and sometimes are wrong. A point must keep to the rows and
bounds that it was asked for, cost what is said, and not be better than the bound; what
contradicts itself is a `SolverError`. What cannot be seen from the outside (that a bound is
too good, that a model without a solution has none) is believed here; who calls says so where
a proof rests on it.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from plancost.errors import SolverError
from plancost.solver.model import Model, Outcome, Status

_TOLERANCE = 1e-5
"""Of the size of the numbers that are added up; solvers promise 1e-6 or better."""
_INTEGER_TOLERANCE = 1e-4


def checked(model: Model, outcome: Outcome, solver: str, *, gap: float) -> Outcome:
    """The outcome; only STOPPED if it is called optimal but leaves more than the gap open."""
    if math.isnan(outcome.bound):
        raise SolverError(f"{solver} gives a bound that is no number")
    if outcome.values is None:
        if outcome.status is Status.OPTIMAL:
            raise SolverError(f"{solver} says that it found an optimum but gives none")
        return outcome
    complaint = _complaint(model, outcome.values)
    if complaint is not None:
        raise SolverError(f"{solver} gives a solution that {complaint}")
    values = np.asarray(outcome.values, dtype=np.float64)
    terms = np.asarray(model.objective, dtype=np.float64) * values
    objective, size = math.fsum(terms.tolist()), 1.0 + math.fsum(np.abs(terms).tolist())
    if outcome.objective is None or not abs(outcome.objective - objective) <= _TOLERANCE * size:
        raise SolverError(f"{solver} says that a solution is worth something else than it is")
    if outcome.bound > objective + _TOLERANCE * size:
        raise SolverError(f"{solver} gives a solution that is better than its own bound")
    is_open = objective - outcome.bound > gap + _TOLERANCE * size
    if outcome.status is Status.OPTIMAL and is_open:
        return replace(outcome, status=Status.STOPPED)
    return outcome


def _complaint(model: Model, point: tuple[float, ...]) -> str | None:
    """What is wrong with a point, if anything is."""
    if len(point) != len(model.lower):
        return "does not fit its model"
    values = np.asarray(point, dtype=np.float64)
    if not np.all(np.isfinite(values)):
        return "is no number"
    slack = _TOLERANCE * (1.0 + np.abs(values))
    if np.any(values < np.asarray(model.lower) - slack) or np.any(
        values > np.asarray(model.upper) + slack
    ):
        return "is outside its bounds"
    whole = values[np.asarray(model.integer, dtype=bool)]
    if np.any(np.abs(whole - np.rint(whole)) > _INTEGER_TOLERANCE):
        return "is not whole"
    for coefficients, lower, upper in model.rows:
        terms = [coefficient * point[column] for column, coefficient in coefficients.items()]
        activity, room = math.fsum(terms), _TOLERANCE * (1.0 + math.fsum(map(abs, terms)))
        if not lower - room <= activity <= upper + room:
            return "breaks its constraints"
    return None

"""Programs with large numbers, written as distances from a point near their optimum.

Solvers work with absolute tolerances of about a billionth, and a floating-point number beyond
10**7 has no such digits any more: there branching may go on without end. But costs that are
large themselves differ little from what a linear program says at once. So the program is moved:
columns count from a whole point near the optimum of its relaxation. What is still large then is
far away, and left out: without it, what is best can only get better. So if the best keeps to
what was left out, which is checked exactly, it is the best; if not, that is put back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from math import copysign, inf, isfinite

from plancost.errors import SolverError
from plancost.solver.model import Model, Outcome, Status

_LARGE = 10**7
_FAR = 10**6
_MOST_MOVES = 6


def is_large(model: Model) -> bool:
    """Whether a program has numbers that solvers lose digits of."""
    sides = [*model.lower, *model.upper, *(side for row in model.rows for side in row[1:])]
    values = (value for row in model.rows for value in row[0].values())
    return any(_LARGE < abs(number) < inf for number in chain(sides, values))


def solve_nearby(
    model: Model,
    guess: Callable[[Model], Sequence[float] | None],
    solve: Callable[[Model, list[float] | None], Outcome],
    start: Sequence[float] | None = None,
) -> Outcome:
    """Solve a program from near the optimum of its linear relaxation.

    `guess` says where that is, more or less; `solve` does the rest.
    """
    origin = [0] * len(model.lower)
    for _ in range(_MOST_MOVES):
        near = guess(_moved(model, origin))
        if near is None:
            break
        step = [round(value) for value in near]
        if not any(step):
            break
        origin = [at + by for at, by in zip(origin, step, strict=True)]
    moved = _moved(model, origin)
    point = None
    if start is not None:
        point = [float(value - at) for value, at in zip(start, origin, strict=True)]
    outcome = _attempt(lambda: solve(_without_far(moved), point))
    if outcome is None or outcome.status is Status.STOPPED or not _keeps_to(moved, outcome):
        outcome = solve(moved, point)
    return _back(outcome, model, origin)


def _attempt(question: Callable[[], Outcome]) -> Outcome | None:
    """None if the solver fails, as where a program without far sides has no optimum."""
    try:
        return question()
    except SolverError:
        return None


def _without_far(model: Model) -> Model:
    """The same program without sides of rows and columns that are far from 0."""

    def near(side: float) -> float:
        return side if abs(side) <= _FAR else copysign(inf, side)

    return replace(
        model,
        lower=[near(side) for side in model.lower],
        upper=[near(side) for side in model.upper],
        rows=[(line, near(lower), near(upper)) for line, lower, upper in model.rows],
    )


def _keeps_to(model: Model, outcome: Outcome) -> bool:
    """Whether a point keeps to all far sides of a program; without one, there is none at all."""
    if outcome.values is None:
        return True
    values = [
        round(value) if whole else Fraction(value)
        for value, whole in zip(outcome.values, model.integer, strict=True)
    ]
    sides = [*zip(values, model.lower, model.upper, strict=True)]
    for coefficients, lower, upper in model.rows:
        there = sum((Fraction(c) * values[column] for column, c in coefficients.items()), 0)
        sides.append((there, lower, upper))
    return all(
        (abs(lower) <= _FAR or value >= lower) and (abs(upper) <= _FAR or value <= upper)
        for value, lower, upper in sides
    )


def _moved(model: Model, origin: Sequence[int]) -> Model:
    """The same program with columns that count from a point."""
    rows = []
    for coefficients, lower, upper in model.rows:
        there = sum((Fraction(c) * origin[column] for column, c in coefficients.items()), 0)
        rows.append((coefficients, _less(lower, there), _less(upper, there)))
    return replace(
        model,
        lower=[_less(side, at) for side, at in zip(model.lower, origin, strict=True)],
        upper=[_less(side, at) for side, at in zip(model.upper, origin, strict=True)],
        rows=rows,
    )


def _less(side: float, there: Fraction | int) -> float:
    return float(Fraction(side) - there) if isfinite(side) else side


def _back(outcome: Outcome, model: Model, origin: Sequence[int]) -> Outcome:
    """What was found, as it reads in the program that was asked about."""
    there = sum((Fraction(c) * at for c, at in zip(model.objective, origin, strict=True)), 0)
    values = objective = None
    if outcome.values is not None:
        values = tuple(
            float(at + (round(value) if whole else Fraction(value)))
            for at, value, whole in zip(origin, outcome.values, model.integer, strict=True)
        )
    if outcome.objective is not None:
        objective = float(there + Fraction(outcome.objective))
    bound = outcome.bound
    if isfinite(bound):
        bound = float(there + Fraction(bound))
    return Outcome(outcome.status, values, objective, bound)

"""Mixed-integer programs for the paper's algorithm, solved by SCIP or CBC (the paper's own).

CBC runs as a process of its own on a file in the LP format; it comes with the extra `cbc`.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plancost.clock import Clock
from plancost.errors import PlannerError, SolverError
from plancost.learn.parameters import Whole
from plancost.learn.rows import Row
from plancost.learn.task import LearningTask
from plancost.processes import Ending, Limits, private_directory, run

_GRACE_S = 5.0
"""CBC looks at its clock only now and then; after this long it is ended."""
_INFINITE = 1e19
"""Solvers write 1e20 or more for no bound."""


@dataclass
class Program:
    """Minimize a sum over columns, under rows that say what a sum may be at most."""

    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    price: list[float] = field(default_factory=list)
    rows: list[tuple[Mapping[int, float], float]] = field(default_factory=list)

    def column(self, lower: float, upper: float, price: float = 0.0) -> int:
        """Add a whole-number column; its number."""
        self.lower.append(lower)
        self.upper.append(upper)
        self.price.append(price)
        return len(self.price) - 1

    def at_most(self, coefficients: Mapping[int, float], most: float) -> None:
        """Add a row."""
        self.rows.append((coefficients, most))


@dataclass(frozen=True)
class Solution:
    """The best values found, if any, and a bound below which no solution is."""

    values: tuple[float, ...] | None
    bound: float
    is_optimal: bool


class Model:
    """The first program, or the second if a weight is required; and where its columns are."""

    def __init__(
        self,
        task: LearningTask,
        rows_of: Sequence[Iterable[Row]],
        caps: Mapping[int, int],
        required: int | None,
    ) -> None:
        self.program, self._task = Program(), task
        self._baseline = task.parameters.baseline
        functions = task.parameters.functions
        is_second = required is not None
        weights = task.weights.tolist()
        lost = [any(_is_void(row) for row in own) for own in rows_of]
        self._x = [
            self.program.column(0, int(not is_lost), 0 if is_second else -weight)
            for is_lost, weight in zip(lost, weights, strict=True)
        ]
        rows = [(n, row) for n, own in enumerate(rows_of) if not lost[n] for row in own]
        relevant = sorted({place for _, row in rows for place, _ in row.coefficients})
        self._y: dict[int, int] = {}
        self._d: dict[int, int] = {}
        for place in relevant:
            targets, cap = functions[place].targets, caps[place]
            price = functions[place].weight if is_second else 0
            self._y[place] = self.program.column(1, cap, price)
            for target in targets if is_second else ():
                self._d[place] = self.program.column(0, cap + target, 1)
                y, d = self._y[place], self._d[place]
                self.program.at_most({y: 1.0, d: -1.0}, target)
                self.program.at_most({y: -1.0, d: -1.0}, -target)
        for number, row in rows:
            big = row.margin + sum(c * (caps[p] if c > 0 else 1) for p, c in row.coefficients)
            if big > 0:
                line = {self._y[p]: float(c) for p, c in row.coefficients}
                self.program.at_most(line | {self._x[number]: float(big)}, big - row.margin)
        if required is not None:
            counted = zip(self._x, weights, strict=True)
            self.program.at_most({x: -float(weight) for x, weight in counted}, -required)
        fixed = (
            functions[n].value(int(b)) for n, b in enumerate(self._baseline) if n not in self._y
        )
        self.fixed = sum(fixed)
        """What actions in no row add to the second objective."""

    def start(self, plans: Sequence[int], values: Whole) -> list[float] | None:
        """A known answer as values of the columns; None if it is beyond the caps."""
        found = [0.0] * len(self.program.price)
        for plan in plans:
            found[self._x[plan]] = 1.0
        for place, column in self._y.items():
            found[column] = float(values[place])
        for place, column in self._d.items():
            (target,) = self._task.parameters.functions[place].targets
            found[column] = float(abs(values[place] - target))
        fits = all(value <= upper for value, upper in zip(found, self.program.upper, strict=True))
        return found if fits else None

    def whole(self, values: Sequence[float]) -> Whole:
        """The costs; actions in no row keep those to begin with."""
        found = self._baseline.copy()
        for place, column in self._y.items():
            found[place] = max(1, round(values[column]))
        return found


def _is_void(row: Row) -> bool:
    """Whether no costs satisfy a row: the alternative has no action that the plan has not."""
    return all(times > 0 for _, times in row.coefficients)


def by_scip(program: Program, clock: Clock, seed: int, start: Sequence[float] | None) -> Solution:
    """Solve with SCIP, from values that are known."""
    import pyscipopt

    from plancost.learn.scip import solve

    model = pyscipopt.Model()
    columns = [
        model.addVar(vtype="I", lb=low, ub=high, obj=price)
        for low, high, price in zip(program.lower, program.upper, program.price, strict=True)
    ]
    for coefficients, most in program.rows:
        model.addCons(pyscipopt.quicksum(c * columns[n] for n, c in coefficients.items()) <= most)
    if start is not None:
        known = model.createSol()
        for column, value in zip(columns, start, strict=True):
            model.setSolVal(known, column, value)
        model.addSol(known)
    solve(model, clock, seed)
    values = None
    if model.getNSols():
        best = model.getBestSol()
        values = tuple(model.getSolVal(best, column) for column in columns)
    is_optimal = model.getStatus() == "optimal"
    return Solution(values, _finite(model.getDualbound()), is_optimal)


def by_cbc(program: Program, clock: Clock) -> Solution:
    """Solve with CBC."""
    if clock.is_over:
        return Solution(None, -math.inf, is_optimal=False)
    with private_directory() as directory:
        (directory / "model.lp").write_text(_lp_text(program), encoding="ascii")
        command = [cbc_binary(), "model.lp", "-ratioGap", "0", "-allowableGap", "1e-6"]
        if math.isfinite(clock.remaining):
            command += ["-timeMode", "elapsed", "-seconds", f"{clock.remaining:.3f}"]
        command += ["-solve", "-solution", "solution.txt"]
        try:
            limits = Limits(clock.remaining + _GRACE_S)
            finished = run(command, directory=directory, limits=limits)
        except PlannerError as error:
            raise SolverError(f"CBC: {error}") from error
        if finished.ending is Ending.OUT_OF_TIME:
            return Solution(None, -math.inf, is_optimal=False)
        if finished.exit_code != 0:
            raise SolverError(f"CBC ended with exit code {finished.exit_code}")
        return _read(directory / "solution.txt", program, finished.output)


def cbc_binary() -> str:
    """The program, which a wheel brings along."""
    try:
        return str(importlib.import_module("cbcbox").cbc_bin_path())
    except ImportError as error:
        raise SolverError("CBC is not installed: run 'pip install plancost[cbc]'") from error


def _lp_text(program: Program) -> str:
    lines = ["Minimize", f" obj: {_sum(dict(enumerate(program.price)))}", "Subject To"]
    lines += [f" r{n}: {_sum(row)} <= {most!r}" for n, (row, most) in enumerate(program.rows)]
    lines.append("Bounds")
    bounds = enumerate(zip(program.lower, program.upper, strict=True))
    lines += [f" {low!r} <= c{n} <= {high!r}" for n, (low, high) in bounds]
    lines += ["Generals", *(f" c{n}" for n in range(len(program.price))), "End", ""]
    return "\n".join(lines)


def _sum(coefficients: Mapping[int, float]) -> str:
    terms = [
        f"{'+' if value >= 0 else '-'} {abs(float(value))!r} c{column}"
        for column, value in coefficients.items()
    ]
    return "\n ".join(terms) or "0 c0"


def _read(path: Path, program: Program, output: str) -> Solution:
    try:
        first, *lines = path.read_text(encoding="ascii").splitlines()
        values = [0.0] * len(program.price)
        for line in lines:
            words = line.replace("**", "").split()
            values[int(words[1][1:])] = float(words[2])
    except (OSError, ValueError, IndexError) as error:
        raise SolverError("CBC wrote no solution that can be read") from error
    is_optimal = first.lower().startswith("optimal")
    if is_optimal:
        total = sum(price * value for price, value in zip(program.price, values, strict=True))
        return Solution(tuple(values), total, is_optimal=True)
    has_none = not lines or "infeasible" in first.lower() or "no integer" in first.lower()
    return Solution(None if has_none else tuple(values), _lower_bound(output), is_optimal=False)


def _lower_bound(output: str) -> float:
    """CBC's own line ``Lower bound: ...``, if it got so far."""
    for line in output.splitlines():
        if line.startswith("Lower bound:"):
            return _finite(float(line.split(":")[1]))
    return -math.inf


def _finite(bound: float) -> float:
    return bound if abs(bound) < _INFINITE else -math.inf

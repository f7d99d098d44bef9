"""The integer programs of the paper's algorithm, solved by SCIP or CBC (the paper's own solver).

A program is a text in the LP format, which both read. CBC runs as a process of its own; it comes
with the extra `cbc`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plancost.clock import Clock
from plancost.errors import PlannerError, SolverError, needed
from plancost.learn.rows import Row, Whole
from plancost.learn.task import LearningTask
from plancost.processes import Ending, Limits, private_directory, run

_GRACE_S = 5.0
"""CBC looks at its clock only now and then; after this long it is ended."""
_INFINITE = 1e19
"""Solvers write 1e20 or more for no bound."""
_CBC_BOUND = re.compile(r"^Lower bound:\s+(\S+)", re.MULTILINE)

Values = Mapping[str, float]
"""Of columns by their names."""


@dataclass
class Program:
    """Minimize a sum over whole-number columns, under rows that say what a sum may be at most."""

    bounds: dict[str, tuple[int, int]] = field(default_factory=dict)
    prices: dict[str, int] = field(default_factory=dict)
    rows: list[tuple[Mapping[str, int], int]] = field(default_factory=list)

    def column(self, name: str, least: int, most: int, price: int = 0) -> str:
        """Add a column; its name."""
        self.bounds[name], self.prices[name] = (least, most), price
        return name

    def text(self) -> str:
        """In the LP format."""
        lines = ["Minimize", f" cost: {_sum(self.prices)}", "Subject To"]
        lines += [f" r{n}: {_sum(row)} <= {most}" for n, (row, most) in enumerate(self.rows)]
        lines += ["Bounds", *(f" {low} <= {x} <= {high}" for x, (low, high) in self.bounds.items())]
        return "\n".join([*lines, "Generals", *self.bounds, "End", ""])


@dataclass(frozen=True)
class Solution:
    """The best values found, if any, and a bound below which no solution is."""

    values: Values | None
    bound: float
    is_optimal: bool


class Model(Program):
    """The first program, or the second if a weight is required.

    Columns: x of each plan, y of each parameter that is in a row, d of those with a known cost.
    """

    def __init__(
        self,
        task: LearningTask,
        rows_of: Sequence[Sequence[Row]],
        caps: Mapping[int, int],
        required: int | None = None,
    ) -> None:
        super().__init__()
        self._caps, self._is_second = caps, required is not None
        self._functions, self._baseline = task.parameters.functions, task.parameters.baseline
        self._y: dict[int, str] = {}
        weights = {f"x{n}": weight for n, weight in enumerate(task.weights.tolist())}
        for (x, weight), rows in zip(weights.items(), rows_of, strict=True):
            # No costs satisfy a row if the alternative has no action that the plan has not.
            is_lost = any(all(times > 0 for _, times in row.coefficients) for row in rows)
            self.column(x, 0, int(not is_lost), 0 if self._is_second else -weight)
            for row in () if is_lost else rows:
                self._demand(row, x)
        if required is not None:
            self.rows.append(({x: -weight for x, weight in weights.items()}, -required))
            others = (n for n in range(len(self._functions)) if n not in self._y)
            fixed = sum(self._functions[n].value(int(self._baseline[n])) for n in others)
            self.column("others", 1, 1, fixed)

    def whole(self, values: Values) -> Whole:
        """The costs; actions in no row keep those to begin with."""
        found = self._baseline.copy()
        for place, y in self._y.items():
            found[place] = max(1, round(values.get(y, 1.0)))
        return found

    def _demand(self, row: Row, x: str) -> None:
        """A row that has to hold if x is 1."""
        terms = {self._cost(place): times for place, times in row.coefficients}
        caps = self._caps
        big = row.margin + sum(c * (caps[p] if c > 0 else 1) for p, c in row.coefficients)
        if big > 0:
            self.rows.append((terms | {x: big}, big - row.margin))

    def _cost(self, place: int) -> str:
        """The column of a parameter; if need be with that of its distance from the known cost."""
        if place not in self._y:
            function, cap = self._functions[place], self._caps[place]
            price = function.weight if self._is_second else 0
            y = self._y[place] = self.column(f"y{place}", 1, cap, price)
            for target in function.targets if self._is_second else ():
                d = self.column(f"d{place}", 0, cap + target, 1)
                self.rows.append(({y: 1, d: -1}, target))
                self.rows.append(({y: -1, d: -1}, -target))
        return self._y[place]


def by_scip(program: Program, clock: Clock, seed: int) -> Solution:
    """Solve with SCIP."""
    import pyscipopt

    from plancost.learn.scip import solve

    model = pyscipopt.Model()
    model.hideOutput()
    with private_directory() as directory:
        (directory / "model.lp").write_text(program.text(), encoding="ascii")
        model.readProblem(str(directory / "model.lp"))
    solve(model, clock, seed)
    values = None
    if model.getNSols():
        best = model.getBestSol()
        values = {column.name: model.getSolVal(best, column) for column in model.getVars()}
    return Solution(values, _finite(model.getDualbound()), model.getStatus() == "optimal")


def by_cbc(program: Program, clock: Clock) -> Solution:
    """Solve with CBC."""
    if clock.is_over:
        return Solution(None, -math.inf, is_optimal=False)
    with private_directory() as directory:
        (directory / "model.lp").write_text(program.text(), encoding="ascii")
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
        try:
            text = (directory / "solution.txt").read_text(encoding="ascii")
            return _read(text, program, finished.output)
        except (OSError, ValueError, IndexError, KeyError) as error:
            raise SolverError("CBC wrote no solution that can be read") from error


def cbc_binary() -> str:
    """The program, which a wheel brings along."""
    return str(needed("cbc", SolverError).cbc_bin_path())


def _sum(terms: Mapping[str, int]) -> str:
    return "\n ".join(f"{times:+d} {name}" for name, times in terms.items())


def _read(text: str, program: Program, output: str) -> Solution:
    """CBC's solution, of which it writes the columns that are not 0."""
    status, *lines = text.lower().splitlines()
    words = [line.replace("**", "").split() for line in lines]
    values = {own[1]: float(own[2]) for own in words}
    if status.startswith("optimal"):
        total = sum(program.prices[name] * value for name, value in values.items())
        return Solution(values, total, is_optimal=True)
    has_none = not values or "infeasible" in status or "no integer" in status
    said = _CBC_BOUND.search(output)
    bound = _finite(float(said[1])) if said else -math.inf
    return Solution(None if has_none else values, bound, is_optimal=False)


def _finite(bound: float) -> float:
    return bound if abs(bound) < _INFINITE else -math.inf

"""CBC, the solver of the paper, as a separate program (the extra ``cbc``).

Slower than HiGHS on these models; here for comparison with published figures.
"""

from __future__ import annotations

import importlib
import math
from pathlib import Path

from plancost.errors import SolverError
from plancost.solver.checked import checked
from plancost.solver.model import Model, Outcome, Status
from plancost.system.processes import Ending, Limits, run
from plancost.system.temporary import private_directory

_GRACE_S = 5.0
"""CBC looks at its clock only now and then; after this long it is killed."""


def solve(model: Model, *, time_limit_s: float | None = None, gap: float = 1e-6) -> Outcome:
    """Solve a mixed-integer program with the CBC binary."""
    if time_limit_s is not None and time_limit_s <= 0:
        return Outcome(Status.STOPPED, None, None, -math.inf)
    with private_directory() as directory:
        (directory / "model.lp").write_text(_lp_text(model), encoding="ascii")
        command = [_binary(), "model.lp", "-ratioGap", "0", "-allowableGap", repr(gap)]
        if time_limit_s is not None:
            command += ["-timeMode", "elapsed", "-seconds", repr(float(time_limit_s))]
        command += ["-solve", "-solution", "solution.txt"]
        limit = None if time_limit_s is None else time_limit_s + _GRACE_S
        finished = run(command, directory=directory, limits=Limits(time_s=limit))
        if finished.ending is Ending.OUT_OF_TIME:
            return Outcome(Status.STOPPED, None, None, -math.inf)
        if finished.ending is not Ending.EXITED or finished.exit_code != 0:
            raise SolverError(f"CBC ended with exit code {finished.exit_code}")
        outcome = _read(directory / "solution.txt", model, finished.output)
        return checked(model, outcome, "CBC", gap=gap)


def _binary() -> str:
    try:
        package = importlib.import_module("cbcbox")
    except ImportError as error:
        raise SolverError("CBC is not installed: run 'pip install plancost[cbc]'") from error
    return str(package.cbc_bin_path())


def _lp_text(model: Model) -> str:
    """The model in CPLEX LP format."""
    lines = ["Minimize", f" obj: {_sum(dict(enumerate(model.objective)))}", "Subject To"]
    for number, (coefficients, lower, upper) in enumerate(model.rows):
        expression = _sum(coefficients)
        if lower == upper:
            lines.append(f" r{number}: {expression} = {lower!r}")
            continue
        if lower != -math.inf:
            lines.append(f" r{number}l: {expression} >= {lower!r}")
        if upper != math.inf:
            lines.append(f" r{number}u: {expression} <= {upper!r}")
    lines.append("Bounds")
    for column, (lower, upper) in enumerate(zip(model.lower, model.upper, strict=True)):
        low = "-inf" if lower == -math.inf else repr(float(lower))
        high = "+inf" if upper == math.inf else repr(float(upper))
        lines.append(f" {low} <= c{column} <= {high}")
    integers = [f" c{column}" for column, flag in enumerate(model.integer) if flag]
    if integers:
        lines += ["Generals", *integers]
    return "\n".join([*lines, "End", ""])


def _sum(coefficients: dict[int, float]) -> str:
    terms = [
        f"{'+' if value >= 0 else '-'} {abs(float(value))!r} c{column}"
        for column, value in coefficients.items()
    ]
    return "\n ".join(terms) or "0 c0"


def _read(path: Path, model: Model, output: str) -> Outcome:
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SolverError("CBC wrote no solution file") from error
    first = lines[0].lower() if lines else ""
    if "infeasible" in first and "stopped" not in first:
        return Outcome(Status.INFEASIBLE, None, None, math.inf)
    stopped = not first.startswith("optimal")
    if stopped and ("no integer solution" in first or len(lines) == 1):
        return Outcome(Status.STOPPED, None, None, -math.inf)
    values = [0.0] * len(model.lower)
    try:
        for line in lines[1:]:
            words = line.replace("**", "").split()
            values[int(words[1][1:])] = float(words[2])
    except (ValueError, IndexError) as error:
        raise SolverError("CBC wrote a solution file that cannot be read") from error
    objective = sum(c * v for c, v in zip(model.objective, values, strict=True))
    bound = _lower_bound(output) if stopped else objective
    status = Status.STOPPED if stopped else Status.OPTIMAL
    return Outcome(status, tuple(values), objective, bound)


def _lower_bound(output: str) -> float:
    """CBC's own line ``Lower bound: ...``, if it got so far."""
    for line in output.splitlines():
        if line.startswith("Lower bound:"):
            try:
                return float(line.split(":")[1])
            except ValueError:
                break
    return -math.inf

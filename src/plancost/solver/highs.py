"""HiGHS, the solver that plancost uses unless told otherwise."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from typing import Any

import highspy
import numpy as np

from plancost.errors import SolverError
from plancost.solver.checked import checked
from plancost.solver.model import Model, Outcome, Status
from plancost.solver.nearby import is_large, solve_nearby
from plancost.system.clock import Deadline

_POLL_S = 0.1
"""How often a waiting main thread looks for Ctrl-C."""
_GRACE_S = 0.5
_MOST_S_IF_LARGE = 60.0


def solve(
    model: Model,
    *,
    time_limit_s: float | None = None,
    seed: int = 0,
    gap: float = 1e-6,
    start: list[float] | None = None,
) -> Outcome:
    """Solve a mixed-integer program; `gap` is the absolute gap that counts as optimal.

    A program with large numbers is stopped after a minute even if nobody asks for that: those
    that take longer may never end.
    """
    until = Deadline.after(time_limit_s)
    if not is_large(model):
        return _solve(model, until, seed, gap, start)
    until = until.within(_MOST_S_IF_LARGE)
    return solve_nearby(
        model,
        lambda moved: _relaxed_point(moved, until),
        lambda moved, at: _solve(moved, until, seed, gap, at, presolve=False),
        start,
    )


def _relaxed_point(model: Model, deadline: Deadline) -> list[float] | None:
    """Where the optimum of the linear relaxation is, as well as floating point can tell."""
    highs = new_highs()
    highs.setOptionValue("presolve", "off")
    highs.passModel(_highs_lp(replace(model, integer=[])))
    remaining = deadline.remaining()
    if remaining is not None:
        highs.setOptionValue("time_limit", remaining)
    run(highs, remaining)
    if highs.getModelStatus() not in (
        highspy.HighsModelStatus.kOptimal,
        highspy.HighsModelStatus.kUnknown,
    ):
        return None
    point = list(highs.getSolution().col_value)
    return point if point and all(map(math.isfinite, point)) else None


def _solve(
    model: Model,
    deadline: Deadline,
    seed: int,
    gap: float,
    start: list[float] | None,
    *,
    presolve: bool = True,
) -> Outcome:
    time_limit_s = deadline.remaining()
    if time_limit_s is not None and time_limit_s <= 0:
        return Outcome(Status.STOPPED, None, None, -math.inf)
    highs = new_highs(seed)
    highs.passModel(_highs_lp(model))
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", gap)
    highs.setOptionValue("mip_feasibility_tolerance", 1e-9)
    highs.setOptionValue("primal_feasibility_tolerance", 1e-9)
    if not presolve:
        highs.setOptionValue("presolve", "off")
    if time_limit_s is not None:
        highs.setOptionValue("time_limit", float(time_limit_s))
    if start is not None:
        solution = highspy.HighsSolution()
        solution.col_value = start
        highs.setSolution(solution)
    run(highs, time_limit_s)
    return checked(model, _outcome(highs, model), "HiGHS", gap=gap)


def new_highs(seed: int = 0) -> Any:  # noqa: ANN401 (highspy has no types)
    """A silent, deterministic HiGHS."""
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("random_seed", seed)
    highs.setOptionValue("threads", 1)
    return highs


def run(highs: Any, time_limit_s: float | None = None) -> None:  # noqa: ANN401
    """Run HiGHS so that Ctrl-C stops it at once, and its time limit in any case.

    Python delivers Ctrl-C only to the main thread and only between byte codes, so
    a long run there moves to a thread and the main thread waits in small steps. HiGHS looks at
    its clock in many places but not in all, so it is told to stop from there, too.
    """
    if time_limit_s is None and threading.current_thread() is not threading.main_thread():
        run_at_once(highs)
        return
    until = Deadline.after(None if time_limit_s is None else time_limit_s + _GRACE_S)
    highs.HandleUserInterrupt = True
    raised: list[BaseException] = []

    def work() -> None:
        try:
            run_at_once(highs)
        except BaseException as error:  # such as MemoryError: it belongs to who asked
            raised.append(error)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        while worker.is_alive():
            worker.join(_POLL_S)
            if until.is_over:
                highs.cancelSolve()
    except BaseException:
        highs.cancelSolve()
        worker.join()
        raise
    if raised:
        raise raised[0]


def run_at_once(highs: Any) -> None:  # noqa: ANN401
    """Run HiGHS in this thread, for programs that take milliseconds."""
    try:
        highs.run()
    except RuntimeError as error:
        raise SolverError(f"HiGHS failed: {error}") from error


def _highs_lp(model: Model) -> Any:  # noqa: ANN401
    lp = highspy.HighsLp()
    lp.num_col_ = len(model.lower)
    lp.num_row_ = len(model.rows)
    lp.col_cost_ = np.asarray(model.objective, dtype=np.float64)
    lp.col_lower_ = np.asarray(model.lower, dtype=np.float64)
    lp.col_upper_ = np.asarray(model.upper, dtype=np.float64)
    lp.row_lower_ = np.asarray([row[1] for row in model.rows], dtype=np.float64)
    lp.row_upper_ = np.asarray([row[2] for row in model.rows], dtype=np.float64)
    starts = [0]
    columns: list[int] = []
    values: list[float] = []
    for coefficients, _, _ in model.rows:
        columns.extend(coefficients)
        values.extend(coefficients.values())
        starts.append(len(columns))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.num_col_ = len(model.lower)
    lp.a_matrix_.num_row_ = len(model.rows)
    lp.a_matrix_.start_ = np.asarray(starts, dtype=np.int32)
    lp.a_matrix_.index_ = np.asarray(columns, dtype=np.int32)
    lp.a_matrix_.value_ = np.asarray(values, dtype=np.float64)
    if any(model.integer):
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        lp.integrality_ = [kinds[is_integer] for is_integer in model.integer]
    return lp


def _outcome(highs: Any, model: Model) -> Outcome:  # noqa: ANN401
    kinds = highspy.HighsModelStatus
    status = highs.getModelStatus()
    info = highs.getInfo()
    is_mip = any(model.integer)
    has_point = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    values = tuple(highs.getSolution().col_value) if has_point else None
    objective = float(info.objective_function_value) if has_point else None
    if status == kinds.kOptimal:
        if objective is None:
            raise SolverError("HiGHS says that it found an optimum but gives none")
        bound = float(info.mip_dual_bound) if is_mip else objective
        return Outcome(Status.OPTIMAL, values, objective, bound)
    if status == kinds.kModelEmpty:
        return Outcome(Status.OPTIMAL, tuple(model.lower), 0.0, 0.0)
    if status == kinds.kInfeasible:
        return Outcome(Status.INFEASIBLE, None, None, math.inf)
    if status in (
        kinds.kTimeLimit,
        kinds.kInterrupt,
        kinds.kIterationLimit,
        kinds.kSolutionLimit,
        kinds.kUnknown,
    ):
        bound = float(info.mip_dual_bound) if is_mip else -math.inf
        return Outcome(Status.STOPPED, values if is_mip else None, objective, bound)
    raise unexpected(highs, status)


def unexpected(highs: Any, status: Any) -> SolverError:  # noqa: ANN401
    """The error for an ending that no program of ours should have."""
    return SolverError(f"HiGHS ended in an unexpected way: {highs.modelStatusToString(status)}")

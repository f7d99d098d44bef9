"""A HiGHS that is wrong on purpose: the real one, with some of what it says changed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import highspy
import numpy as np

REAL = highspy.Highs
_KINDS = highspy.HighsModelStatus


class Honest:
    """Says what the real one says. Subclasses change that."""

    def __init__(self) -> None:
        self.real: Any = REAL()  # type: ignore[no-untyped-call]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self.real, name)

    def getSolution(self) -> Any:  # noqa: ANN401, N802
        """The point and the duals."""
        solution = self.real.getSolution()
        return SimpleNamespace(
            col_value=self.point(np.array(solution.col_value)).tolist(),
            row_dual=self.duals(np.array(solution.row_dual)).tolist(),
        )

    def getInfo(self) -> Any:  # noqa: ANN401, N802
        """Objective and bound."""
        info = self.real.getInfo()
        return SimpleNamespace(
            primal_solution_status=info.primal_solution_status,
            objective_function_value=info.objective_function_value,
            mip_dual_bound=self.bound(info.mip_dual_bound),
        )

    def getDualRay(self) -> Any:  # noqa: ANN401, N802
        """The proof that there is no point."""
        found = self.real.getDualRay()
        return (*found[:-1], self.duals(np.array(found[-1])))

    def point(self, values: np.ndarray) -> np.ndarray:
        return values

    def duals(self, values: np.ndarray) -> np.ndarray:
        return values

    def bound(self, value: float) -> float:
        return value


class StopsEarly(Honest):
    """Never has the time to do anything."""

    def getModelStatus(self) -> object:  # noqa: N802
        return _KINDS.kTimeLimit


class OutsideItsConstraints(Honest):
    """Its points break what they should keep to."""

    def point(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values * 0.5 + 0.3)


class NotANumber(Honest):
    """Its points are NaN."""

    def point(self, values: np.ndarray) -> np.ndarray:
        return np.full_like(values, np.nan)


class DualsAreNotNumbers(Honest):
    """Its duals and proofs are NaN."""

    def duals(self, values: np.ndarray) -> np.ndarray:
        return np.full_like(values, np.nan)


class WrongDuals(Honest):
    """Its duals and proofs prove nothing."""

    def duals(self, values: np.ndarray) -> np.ndarray:
        return np.linspace(-3.0, 7.0, len(values))


class WeakBound(Honest):
    """Says optimal, but its bound is far from that."""

    def bound(self, value: float) -> float:
        return value - 100.0


class ImpossibleBound(Honest):
    """Its bound is better than its own solution."""

    def bound(self, value: float) -> float:
        return value + 100.0


class BoundIsNotANumber(Honest):
    """Its bound is NaN."""

    def bound(self, value: float) -> float:
        return float("nan")


class Raises(Honest):
    """Cannot be run."""

    def run(self) -> object:
        raise RuntimeError("out of order")


class AlwaysInfeasible(Honest):
    """Says that there is no solution, whatever it is asked."""

    def getModelStatus(self) -> object:  # noqa: N802
        return _KINDS.kInfeasible


class UnknownStatus(Honest):
    """Ends in a way that nobody expects."""

    def getModelStatus(self) -> object:  # noqa: N802
        return _KINDS.kSolveError


LIARS: dict[str, type[Honest]] = {
    "stops early": StopsEarly,
    "point outside its constraints": OutsideItsConstraints,
    "point that is NaN": NotANumber,
    "duals that are NaN": DualsAreNotNumbers,
    "wrong duals": WrongDuals,
    "optimal with a weak bound": WeakBound,
    "bound better than its point": ImpossibleBound,
    "bound that is NaN": BoundIsNotANumber,
    "raises": Raises,
    "infeasible for feasible": AlwaysInfeasible,
    "unknown status": UnknownStatus,
}

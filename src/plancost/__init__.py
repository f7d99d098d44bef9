"""plancost: learn what actions cost by watching plans.

    from pathlib import Path
    import plancost

    result = plancost.learn(Path("examples/avoid-the-centre"))
    result.optimal_plans, result.proved, result.costs

`learn` learns costs, `verify` checks a file of costs by search, `explain` says why plans
are not optimal; all three return a `Result`. `write_result_pddl` writes planning tasks with
the learned costs. Wrong input raises a `PlancostError` whose text is one sentence.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from plancost.errors import (
    InputError,
    InvalidPlanError,
    PlancostError,
    PlannerError,
    SolverError,
    UsageError,
)
from plancost.version import __version__

if TYPE_CHECKING:
    from plancost.api import explain, learn, verify, write_result_pddl
    from plancost.learning.concept import Concept, Reorderings, Solution, Ties
    from plancost.learning.options import LearnOptions, OracleName, SolverName
    from plancost.observations.case import Case, load_case
    from plancost.results.result import ObservationResult, Result, Secondary

_PLACES = {
    "explain": "api",
    "learn": "api",
    "verify": "api",
    "write_result_pddl": "api",
    "Concept": "learning.concept",
    "Reorderings": "learning.concept",
    "Solution": "learning.concept",
    "Ties": "learning.concept",
    "LearnOptions": "learning.options",
    "OracleName": "learning.options",
    "SolverName": "learning.options",
    "Case": "observations.case",
    "load_case": "observations.case",
    "ObservationResult": "results.result",
    "Result": "results.result",
    "Secondary": "results.result",
}
"""Loaded on first use, so that ``plancost --help`` does not wait for the solver."""

__all__ = [
    "Case",
    "Concept",
    "InputError",
    "InvalidPlanError",
    "LearnOptions",
    "ObservationResult",
    "OracleName",
    "PlancostError",
    "PlannerError",
    "Reorderings",
    "Result",
    "Secondary",
    "Solution",
    "SolverError",
    "SolverName",
    "Ties",
    "UsageError",
    "__version__",
    "explain",
    "learn",
    "load_case",
    "verify",
    "write_result_pddl",
]


def __getattr__(name: str) -> object:
    if name in _PLACES:
        return getattr(import_module(f"plancost.{_PLACES[name]}"), name)
    raise AttributeError(f"module 'plancost' has no attribute '{name}'")

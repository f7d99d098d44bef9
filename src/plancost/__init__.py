"""Learn what actions cost from observed plans.

Names are loaded when they are first used, so that importing plancost takes no time.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from plancost.version import __version__

if TYPE_CHECKING:
    from plancost.api import (
        check_proof,
        evaluate,
        explain,
        export,
        learn,
        monitor,
        predict,
        show,
        verify,
        write_report,
    )
    from plancost.case.model import Case, Observation, Task
    from plancost.case.read import pddl_case, read_case
    from plancost.case.streets import street_case
    from plancost.case.unified import unified_plan
    from plancost.checking import ProofCheck
    from plancost.errors import (
        InputError,
        InvalidPlanError,
        LimitError,
        PlancostError,
        PlannerError,
        SolverError,
        UnsolvableError,
        UsageError,
    )
    from plancost.notebook import progress_line
    from plancost.options import LearnOptions
    from plancost.progress import Step
    from plancost.result.explanation import Explanation
    from plancost.result.frames import frames
    from plancost.result.model import Result, read_result, result_schema, write_result
    from plancost.result.objects import with_costs
    from plancost.use.evaluate import Evaluation
    from plancost.use.monitor import Watch
    from plancost.use.predict import Prediction

__all__ = [
    "Case",
    "Evaluation",
    "Explanation",
    "InputError",
    "InvalidPlanError",
    "LearnOptions",
    "LimitError",
    "Observation",
    "PlancostError",
    "PlannerError",
    "Prediction",
    "ProofCheck",
    "Result",
    "SolverError",
    "Step",
    "Task",
    "UnsolvableError",
    "UsageError",
    "Watch",
    "__version__",
    "check_proof",
    "evaluate",
    "explain",
    "export",
    "frames",
    "learn",
    "monitor",
    "pddl_case",
    "predict",
    "progress_line",
    "read_case",
    "read_result",
    "result_schema",
    "show",
    "street_case",
    "unified_plan",
    "verify",
    "with_costs",
    "write_report",
    "write_result",
]

_HOMES = {
    "plancost.case.model": ("Case", "Observation", "Task"),
    "plancost.case.read": ("pddl_case", "read_case"),
    "plancost.case.streets": ("street_case",),
    "plancost.case.unified": ("unified_plan",),
    "plancost.result.objects": ("with_costs",),
    "plancost.options": ("LearnOptions",),
    "plancost.notebook": ("progress_line",),
    "plancost.progress": ("Step",),
    "plancost.result.frames": ("frames",),
    "plancost.use.evaluate": ("Evaluation",),
    "plancost.use.monitor": ("Watch",),
    "plancost.use.predict": ("Prediction",),
    "plancost.checking": ("ProofCheck",),
    "plancost.result.explanation": ("Explanation",),
    "plancost.result.model": ("Result", "read_result", "result_schema", "write_result"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


class _Package(ModuleType):
    """Keeps `plancost.learn` and `plancost.explain` functions when what has the same name is
    imported.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("learn", "explain") or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'plancost' has no attribute {name!r}")
    usual = "plancost.errors" if name.endswith("Error") else "plancost.api"
    return getattr(import_module(_HOME_OF.get(name, usual)), name)


def __dir__() -> list[str]:
    return __all__

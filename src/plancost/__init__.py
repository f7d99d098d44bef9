"""Learn what actions cost from observed plans.

Names are loaded when they are first used, so that importing plancost takes no time.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from plancost.version import __version__ as __version__

if TYPE_CHECKING:
    from plancost.api import (
        check_proof as check_proof,
        evaluate as evaluate,
        explain as explain,
        export as export,
        learn as learn,
        monitor as monitor,
        predict as predict,
        show as show,
        verify as verify,
        write_report as write_report,
    )
    from plancost.case.model import Case as Case, Observation as Observation, Task as Task
    from plancost.case.read import pddl_case as pddl_case, read_case as read_case
    from plancost.case.streets import street_case as street_case
    from plancost.case.unified import unified_plan as unified_plan
    from plancost.checking import ProofCheck as ProofCheck
    from plancost.errors import (
        InputError as InputError,
        InvalidPlanError as InvalidPlanError,
        LimitError as LimitError,
        PlancostError as PlancostError,
        PlannerError as PlannerError,
        SolverError as SolverError,
        UnsolvableError as UnsolvableError,
        UsageError as UsageError,
    )
    from plancost.notebook import progress_line as progress_line
    from plancost.options import LearnOptions as LearnOptions
    from plancost.progress import Step as Step
    from plancost.explanation import Explanation as Explanation
    from plancost.result.model import (
        Result as Result,
        read_result as read_result,
        result_schema as result_schema,
        write_result as write_result,
    )
    from plancost.result.objects import frames as frames, with_costs as with_costs
    from plancost.use.evaluate import Evaluation as Evaluation
    from plancost.use.monitor import Watch as Watch
    from plancost.use.predict import Prediction as Prediction

_HOMES = {
    "api": "check_proof evaluate explain export learn monitor predict show verify write_report",
    "case.model": "Case Observation Task",
    "case.read": "pddl_case read_case",
    "case.streets": "street_case",
    "case.unified": "unified_plan",
    "checking": "ProofCheck",
    "explanation": "Explanation",
    "errors": "InputError InvalidPlanError LimitError PlancostError PlannerError SolverError "
    "UnsolvableError UsageError",
    "notebook": "progress_line",
    "options": "LearnOptions",
    "progress": "Step",
    "result.model": "Result read_result result_schema write_result",
    "result.objects": "frames with_costs",
    "use.evaluate": "Evaluation",
    "use.monitor": "Watch",
    "use.predict": "Prediction",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = ["__version__", *_HOME_OF]


class _Package(ModuleType):
    """Keeps `plancost.learn` and `plancost.explain` functions when what has the same name is
    imported.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("learn", "explain") or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'plancost' has no attribute {name!r}")
    return getattr(import_module(f"plancost.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__

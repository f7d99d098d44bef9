"""What the exit status of the command means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plancost.errors import LimitError, PlancostError, PlannerError, SolverError, UsageError

if TYPE_CHECKING:
    from plancost.result.model import Result

OK = 0
"""An answer, also when a limit stopped the search: the answer says what is proven."""
BAD_INPUT = 1
USAGE = 2
NONE_EXISTS = 3
UNDECIDED = 4
"""Or not verified within the limits."""
CONTRADICTED = 5
"""The check finds another answer than the file says."""
FAILED = 7
"""A planner, the translator or a solver failed or is missing; the best answer is kept."""
BUG = 70
INTERRUPTED = 130
TERMINATED = 143


def of_error(error: PlancostError) -> int:
    """When there is no answer."""
    if isinstance(error, UsageError):
        return USAGE
    if isinstance(error, LimitError):
        return UNDECIDED
    return FAILED if isinstance(error, PlannerError | SolverError) else BAD_INPUT


def of_result(result: Result) -> int:
    """When there is one."""
    ended = {"none exists": NONE_EXISTS, "failed": FAILED, "interrupted": INTERRUPTED}
    if result.ending in ended:
        return ended[result.ending]
    is_decided = result.solution != "icf" or result.optimal_plans == result.plans
    return OK if result.verified and is_decided else UNDECIDED

"""Plans that must be optimal: the search begins with them, if they can be optimal together.

They weigh more than all other plans, so every better set has them too, and every bound on the
weight of sets is one on the number of plans beside them.
"""

from __future__ import annotations

import logging

from plancost.learning.exact.minimal_conflicts import ConflictShrinker
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.subproblem.conflict import Conflict, Possible
from plancost.learning.subproblem.contradictions import ContradictionError
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.files import name_within
from plancost.system.clock import Deadline

_log = logging.getLogger(__name__)


class RequiredPlansError(ContradictionError):
    """No costs make all required plans optimal; `members` are candidates that are to blame."""

    def __init__(self, message: str, plans: tuple[str, ...], members: PlanSet) -> None:
        super().__init__(message, plans)
        self.members = members


def take_required(subproblem: Subproblem, incumbent: Incumbent, deadline: Deadline) -> None:
    """Begin with the required plans; an error if it is proven that they cannot all be optimal."""
    required = subproblem.task.required_candidates
    if required <= incumbent.chosen:
        return
    answer = subproblem.decide(required, deadline)
    if isinstance(answer, Possible):
        incumbent.improve((required, answer.costs))
    elif isinstance(answer, Conflict):
        shrunk = ConflictShrinker(subproblem).shrink(answer, required, lambda _: 0.0, deadline)
        raise _impossible(subproblem.task, shrunk.members(required))
    else:
        _log.info("required plans: not decided: %s", answer.reason)


def _impossible(task: LearningTask, members: PlanSet) -> RequiredPlansError:
    observations = [
        next(n for n in task.candidates[member].observations if n in task.required)
        for member in sorted(members)
    ]
    plans = tuple(
        name_within(task.case.root, task.case.observations[n].plan_file) for n in observations
    )
    within = "" if task.ranges is None and not task.known else " that keep to what is known"
    which = "this plan optimal" if len(plans) == 1 else "all of these plans optimal"
    what = "it" if len(plans) == 1 else "one of them"
    return RequiredPlansError(
        f"no costs{within} make {which}: {', '.join(plans)}; do not require {what}", plans, members
    )

"""Each plan alone, on its own actions: a handful of states, where those of all plans may be
millions.
"""

from __future__ import annotations

from collections.abc import Sequence

from plancost.clock import Clock
from plancost.learn.conflict import Conflict
from plancost.learn.feasibility import Feasibility, OutOfTimeError, UndecidedError
from plancost.learn.separation import Separations
from plancost.learn.task import LearningTask


def possible_alone(
    task: LearningTask, separations: Separations, plans: Sequence[int], clock: Clock
) -> list[int]:
    """The plans that can be optimal if no other is asked for; those not decided are kept."""
    possible = []
    for plan in plans:
        separation = None if clock.is_over else separations.of_one(plan, clock)
        if separation is None:
            possible.append(plan)
            continue
        try:
            answer = Feasibility(task, separation, clock).decide([plan])
        except (OutOfTimeError, UndecidedError):
            possible.append(plan)
            continue
        if not isinstance(answer, Conflict):
            possible.append(plan)
    return possible

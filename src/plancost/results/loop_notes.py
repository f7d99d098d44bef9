"""Notes about plans that visit a state twice.

Where a plan must be optimal to the last unit, a loop rules that out, since costs are at least 1. A
plan that may cost more than the optimum may have one.
"""

from __future__ import annotations

from plancost.learning.problem.task import LearningTask


def loop_notes(task: LearningTask) -> tuple[str, ...]:
    """One note for each plan file."""
    never: dict[str, bool] = {}
    for number, said in task.case.loops.items():
        never[said] = never.get(said, True) and task.factor(number) == 1
    return tuple(
        f"{said}, so it can never be optimal" if is_so else said for said, is_so in never.items()
    )

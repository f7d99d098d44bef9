"""Explanations of every observation, from those of candidates.

The observations of a candidate cost the same, so one proof is for all of them. But they are not
the same plans: their steps come in another order, and where costs are shared or linear they may
have other actions. What an explanation names must be what that very plan has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from plancost.learning.diagnose.explanations import (
    Argument,
    Explanation,
    Given,
    Reason,
    argument,
    as_plan_has_it,
    explain,
    given_argument,
    least_costs,
    part_that_does,
    steps_left_out,
)
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.certificates import with_bounds
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.observations.redundancy import without_redundant_actions
from plancost.system.clock import Deadline


def explain_observations(
    subproblem: Subproblem,
    chosen: PlanSet,
    candidates: Sequence[int],
    deadline: Deadline,
    progress: Callable[[int, int, str], None] = lambda done, total, known: None,
) -> dict[int, Explanation]:
    """Explain each observation of the candidates, none of which is in the chosen set."""
    task = subproblem.task
    found: dict[int, Explanation] = {}
    for number, explanation in explain(subproblem, chosen, candidates, deadline, progress).items():
        made: dict[Plan, Explanation] = {task.candidates[number].plan: explanation}
        for observation in task.candidates[number].observations:
            plan = task.case.observations[observation].plan
            if plan not in made:
                made[plan] = _own(subproblem, number, explanation, plan, deadline)
            found[observation] = replace(made[plan], observation=observation)
    return found


def _own(
    subproblem: Subproblem, number: int, explanation: Explanation, plan: Plan, deadline: Deadline
) -> Explanation:
    """The explanation of a candidate as one of its plans has it."""
    arguments = tuple(
        as_plan_has_it(subproblem.task, item, plan)
        if isinstance(item, Argument) and item.candidate == number
        else item
        for item in explanation.arguments
    )
    explanation = replace(explanation, arguments=arguments)
    if not arguments or explanation.reason is Reason.CONFLICT:
        return explanation
    part = part_that_does(arguments)
    left_out = () if part is None else steps_left_out(plan, part)
    if left_out:
        return replace(explanation, reason=Reason.REDUNDANT, redundant=left_out)
    is_redundant = explanation.reason is Reason.REDUNDANT or part is not None
    if is_redundant and not deadline.is_over:
        own = _by_elimination(subproblem, number, plan)
        if own is not None:
            return own
    return replace(explanation, reason=Reason.NEVER_OPTIMAL, redundant=())


def _by_elimination(subproblem: Subproblem, number: int, plan: Plan) -> Explanation | None:
    """Which steps of a plan can go, if some can while the rest keeps its order."""
    task = subproblem.task
    candidate = task.candidates[number]
    part = without_redundant_actions(task.case.tasks[candidate.task].sas, plan)
    left_out = steps_left_out(plan, part)
    if not left_out:
        return None
    row = task.row(candidate, part)
    certificate = with_bounds(task, [row], [1])
    if not certificate.is_valid():
        return None
    given = zip(certificate.rows[1:], certificate.multipliers[1:], strict=True)
    arguments: tuple[Argument | Given, ...] = (
        argument(task, row, number, plan, part, certificate.multipliers[0]),
        *(given_argument(subproblem, *item) for item in given),
        *least_costs(task, certificate),
    )
    return Explanation(Reason.REDUNDANT, (number,), left_out, arguments)

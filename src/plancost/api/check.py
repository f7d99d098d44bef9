"""Checking costs that are given: `verify` and `explain`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from plancost.api.from_options import Request, learning_task, log_case
from plancost.api.groups import each_by_itself
from plancost.api.pipeline import check_given
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.fitting import parameters_of
from plancost.learning.problem.options import GIVEN, LearnOptions
from plancost.learning.problem.part import part_of_costs
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Run
from plancost.observations.case import Case
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.results.claims import Claims, costs_for, read_claims
from plancost.results.given_groups import GivenGroups, read_groups
from plancost.results.result import Result
from plancost.system.progress import Progress, no_progress
from plancost.system.stages import reading


def verify(
    case: Path | Case,
    costs: Path | Claims,
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    *,
    domain: Path | None = None,
    progress: Progress = no_progress,
) -> Result:
    """Check by search how many observed plans are optimal under a file of costs."""
    return _check(Request(case, options, domain, progress), costs, explaining=False)


def explain(
    case: Path | Case,
    costs: Path | Claims,
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    *,
    domain: Path | None = None,
    progress: Progress = no_progress,
) -> Result:
    """Check a file of costs, and say of each plan that is not optimal why it is not."""
    return _check(Request(case, options, domain, progress), costs, explaining=True)


def _check(request: Request, costs: Path | Claims, *, explaining: bool) -> Result:
    options = request.options
    with request.run() as (run, case):
        log_case(case, options, learning=False)
        task = learning_task(case, options, run.deadline)
        with reading(costs if isinstance(costs, Path) else costs.path, run.deadline):
            claims = read_claims(costs) if isinstance(costs, Path) else costs
            groups = read_groups(case, claims, default=options.default_cost)
        if groups is None:
            given = _given(run, task, claims)
            result = _check_one(run, task, given, explaining=explaining)
        elif groups.by_column:
            result = each_by_itself(
                run,
                task,
                groups.members(),
                lambda number, part, own: _check_one(
                    own,
                    part,
                    part_of_costs(task, part, groups.costs[number]),
                    explaining=explaining,
                ),
            )
        else:
            incumbent = _grouped(task, groups)
            assigned = dict(enumerate(groups.group_of))
            result = check_given(run, incumbent, assigned, explaining=explaining)
        return replace(result, alternatives=GIVEN)


def _check_one(run: Run, task: LearningTask, costs: Costs, *, explaining: bool) -> Result:
    """Check one cost function for all plans."""
    incumbent = Incumbent.baseline(task)
    incumbent.only.costs = costs
    return check_given(run, incumbent, {}, explaining=explaining)


def _grouped(task: LearningTask, groups: GivenGroups) -> Incumbent:
    incumbent = Incumbent.baseline(task, groups.names)
    for function, costs in zip(incumbent.functions, groups.costs, strict=True):
        function.costs = costs
    return incumbent


def _given(run: Run, task: LearningTask, claims: Claims) -> Costs:
    """The costs of a file, as the parameters that the task has."""
    with reading(claims.path, run.deadline):
        given = costs_for(
            task.case,
            claims,
            least=1,
            default=run.options.default_cost,
            largest=LARGEST_LEARNED_COST,
        )
    if task.composition is None:
        return given
    return parameters_of(task.structure, task.case.actions, given)

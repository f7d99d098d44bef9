"""Checking costs that are given: `verify` and `explain`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from plancost.api.from_options import Request, learning_task, log_case
from plancost.api.groups import each_by_itself
from plancost.api.pipeline import check_given
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.declaration import Topic
from plancost.learning.problem.fitting import parameters_of
from plancost.learning.problem.keywords import is_given, learn_options
from plancost.learning.problem.options import GIVEN, LearnOptions
from plancost.learning.problem.part import part_of_costs
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Run
from plancost.observations.case import Case
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.progress.shown import shows_progress
from plancost.results.claims import Claims, GivenCosts, claims_of, costs_for
from plancost.results.given_groups import GivenGroups, read_groups
from plancost.results.recorded import as_said
from plancost.results.result import Result
from plancost.system.progress import Progress
from plancost.system.stages import reading
from plancost.system.values import PathLike


@shows_progress
def verify(
    case: PathLike | Case,
    costs: GivenCosts,
    options: LearnOptions | None = None,
    *,
    domain: PathLike | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> Result:
    """Check by search how many observed plans are optimal under given costs.

    Args:
        case: A case folder, a CSV manifest (with `domain`), or a loaded case.
        costs: The path of a RESULT.json or of a plain file of costs, costs by action, or a result.
        options: How to search and which plans count as optimal.
        domain: The PDDL domain of a manifest.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done and how far it is.
        keywords: Single options, such as ``time_limit_s=60``. Which plans count as optimal is as
            the result says, if `costs` is one, unless options or keywords say otherwise.

    Returns:
        The result of the check; its `optimal_plans` are confirmed.

    Raises:
        InputError: The case or the costs are wrong.
        UsageError: The options are wrong.
        LimitError: A limit was reached before anything was checked.
    """
    assert not isinstance(progress, bool)
    claims, asked = _asked(costs, options, keywords)
    return _check(Request(case, asked, domain, progress), claims, explaining=False)


@shows_progress
def explain(
    case: PathLike | Case,
    costs: GivenCosts,
    options: LearnOptions | None = None,
    *,
    domain: PathLike | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> Result:
    """Check given costs, and say of each plan that is not optimal why it is not.

    Args:
        case: A case folder, a CSV manifest (with `domain`), or a loaded case.
        costs: The path of a RESULT.json or of a plain file of costs, costs by action, or a result.
        options: How to search, and what was known about costs when they were learned.
        domain: The PDDL domain of a manifest.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done and how far it is.
        keywords: Single options, such as ``time_limit_s=60``. The others are as the result says,
            if `costs` is one and there are no `options`.

    Returns:
        The result of the check, with an `explanation` in each observation that is not optimal.

    Raises:
        InputError: The case or the costs are wrong.
        UsageError: The options are wrong.
        LimitError: A limit was reached before anything was checked.
    """
    assert not isinstance(progress, bool)
    claims, asked = _asked(costs, options, keywords)
    if options is None:
        asked = as_said(claims, asked, keywords, Topic.COSTS)
    return _check(Request(case, asked, domain, progress), claims, explaining=True)


def _asked(
    costs: GivenCosts, options: LearnOptions | None, keywords: Mapping[str, Any]
) -> tuple[Claims, LearnOptions]:
    """What the costs say, and the options, where nothing is said as the result says."""
    asked = learn_options(options, keywords)
    path = Path("costs") if not isinstance(costs, str | os.PathLike) else Path(costs)
    with reading(path, asked.deadline()):
        claims = claims_of(costs)
    if options is not None:
        return claims, asked
    given = [name for name in ("concept", *keywords) if is_given(name, keywords)]
    return claims, as_said(claims, asked, given, Topic.OPTIMALITY)


def _check(request: Request, claims: Claims, *, explaining: bool) -> Result:
    options = request.options
    with request.run() as (run, case):
        log_case(case, options, learning=False)
        task = learning_task(case, options, run.deadline)
        with reading(_name(claims), run.deadline):
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
    with reading(_name(claims), run.deadline):
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


def _name(claims: Claims) -> Path:
    """What messages call the costs."""
    return claims.path or Path("costs")

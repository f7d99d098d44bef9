"""One result from those of groups that were learned or checked each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plancost.learning.problem.task import LearningTask
from plancost.learning.proof.document import given_bounds
from plancost.learning.run import Run
from plancost.results.assemble import ASSIGNMENT, BY_COLUMN, common_parts
from plancost.results.document import Amount
from plancost.results.result import GroupResult, ObservationResult, Result, Secondary, largest


def join_groups(
    run: Run, task: LearningTask, parts: Sequence[tuple[str, Sequence[int], Result]]
) -> Result:
    """One result from those of groups that were learned or checked each by itself.

    `parts` are names, the observations of each, and their results. `task` is the whole, whose
    baseline fills in for the actions that a group does not have.
    """
    found: dict[int, ObservationResult] = {}
    groups = []
    for name, members, result in parts:
        for number, item in zip(members, result.observations, strict=True):
            found[number] = replace(item, group=name)
        groups.append(_completed(task, name, result))
    results = [result for _, _, result in parts]
    missed = [result.deviation for result in results if result.deviation is not None]
    optimal = sum(result.optimal_plans for result in results)
    upper_bound = sum(result.upper_bound for result in results)
    impossible = next((result for result in results if result.exists is False), None)
    exists = {result.exists for result in results}
    return Result(
        **common_parts(run, task, {"groups": len(groups), ASSIGNMENT: BY_COLUMN}),
        plans=task.case.plan_count,
        optimal_plans=optimal,
        upper_bound=upper_bound,
        proved=optimal == upper_bound,
        believed_optimal=sum(result.believed_optimal for result in results),
        secondary=Secondary(
            sum(group.secondary.value for group in groups),
            sum(group.secondary.lower_bound for group in groups),
            all(group.secondary.proved for group in groups),
        ),
        costs=largest(groups).costs,
        observations=tuple(found[number] for number in sorted(found)),
        verified=all(result.verified for result in results),
        exists=False if False in exists else None if None in exists else True,
        interrupted=any(result.interrupted for result in results),
        conflict=() if impossible is None else impossible.conflict,
        conflict_certificate=() if impossible is None else impossible.conflict_certificate,
        groups=tuple(groups),
        deviation=Amount(sum(missed)) if missed else None,
        failures=tuple(dict.fromkeys(said for result in results for said in result.failures)),
        notes=(
            *task.case.notes,
            *(f"{name}: {note}" for name, _, result in parts for note in result.notes),
        ),
        checkpoints=tuple(path for result in results for path in result.checkpoints),
        proof=_proofs(task, parts),
    )


def _proofs(
    task: LearningTask, parts: Sequence[tuple[str, Sequence[int], Result]]
) -> dict[str, Any] | None:
    """The proofs of all groups by name; None unless each has one.

    Bounds on costs of actions that are in no task of a group are said for all groups.
    """
    found = {name: result.proof for name, _, result in parts}
    return None if None in found.values() else {"bounds": given_bounds(task), "groups": found}


def _completed(task: LearningTask, name: str, result: Result) -> GroupResult:
    """A group's own result, with the baseline for actions that are in no task of it."""
    baseline = dict(zip(task.case.actions, task.baseline, strict=True))
    costs = {action: result.costs.get(action, cost) for action, cost in baseline.items()}
    values = tuple(costs.values())
    own = result.secondary
    # What the other actions add is the same for every cost function of the group.
    rest = task.secondary(values) - own.value
    secondary = Secondary(own.value + rest, own.lower_bound + rest, own.proved)
    return GroupResult(name, result.plans, result.optimal_plans, costs, secondary)

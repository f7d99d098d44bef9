"""Results with several cost functions: counted and put together from what the check found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from plancost.learning.concept import Solution
from plancost.learning.explanations import Explanation
from plancost.learning.options import LearnOptions
from plancost.learning.task import Costs, LearningTask
from plancost.learning.verification import Verdict
from plancost.results.assemble import observation_result, recorded_options, standing_bound
from plancost.results.loop_notes import loop_notes
from plancost.results.result import GroupResult, ObservationResult, Result, Secondary

ASSIGNMENT = "assignment"
"""Among the options of a result: who divided the plans into groups."""
BY_SEARCH = "search"
BY_COLUMN = "column"


@dataclass(frozen=True)
class CheckedGroups:
    """Cost functions, the group of each observation, and what the check found of it there."""

    names: tuple[str, ...]
    costs: tuple[Costs, ...]
    group_of: tuple[int, ...]
    verdicts: tuple[Verdict, ...]
    least: tuple[bool, ...]
    """Whether no cheaper costs make the optimal plans of a group optimal."""
    upper_bound: int
    believed: int
    facts: Mapping[str, object] = field(default_factory=dict)
    history: tuple[tuple[float, int, int], ...] = ()


def group_names(count: int) -> tuple[str, ...]:
    """Names for groups that have none."""
    return tuple(f"group-{number}" for number in range(1, count + 1))


def assemble_groups(
    task: LearningTask,
    options: LearnOptions,
    checked: CheckedGroups,
    seconds: dict[str, float],
    *,
    explanations: Sequence[Mapping[int, Explanation]] = (),
    interrupted: bool = False,
) -> Result:
    """Count what the check confirmed in each group and say what is proven.

    `explanations` are those of the observations in each group.
    """
    members: list[set[int]] = [set() for _ in checked.names]
    for number, group in enumerate(checked.group_of):
        members[group].add(number)
    observations = tuple(
        observation_result(
            task,
            number,
            verdict,
            checked.costs[group],
            explanations[group] if explanations else {},
            checked.names[group],
            members[group],
        )
        for number, (verdict, group) in enumerate(
            zip(checked.verdicts, checked.group_of, strict=True)
        )
    )
    groups = tuple(
        _group(task, name, costs, least, observations)
        for name, costs, least in zip(checked.names, checked.costs, checked.least, strict=True)
    )
    floor = task.secondary_floor * len(groups)
    optimal = sum(group.optimal_plans for group in groups)
    value = sum(group.secondary.value for group in groups)
    upper_bound, refuted = standing_bound(optimal, checked.upper_bound, task.case.plan_count)
    proved = optimal == upper_bound
    return Result(
        solution=task.concept.solution.value,
        strict=task.concept.is_strict,
        refined=task.initial_costs is not None,
        alternatives=options.alternatives,
        options=recorded_options(
            options, {"groups": len(groups), ASSIGNMENT: BY_SEARCH, **checked.facts}
        ),
        plans=task.case.plan_count,
        optimal_plans=optimal,
        upper_bound=upper_bound,
        proved=proved,
        believed_optimal=checked.believed,
        secondary=Secondary(value, floor, proved and value == floor),
        costs=largest(groups).costs,
        observations=observations,
        verified=all(item.optimal is not None for item in observations),
        seconds=seconds,
        exists=_exists(task, optimal, upper_bound),
        interrupted=interrupted,
        groups=groups,
        history=checked.history,
        notes=(
            *task.case.notes,
            *loop_notes(task),
            *_notes(groups, proved),
        ),
        failures=refuted,
        initial_costs=_initial_costs(task),
        case=task.case,
    )


def join_groups(
    task: LearningTask,
    options: LearnOptions,
    parts: Sequence[tuple[str, Sequence[int], Result]],
    seconds: dict[str, float],
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
        solution=task.concept.solution.value,
        strict=task.concept.is_strict,
        refined=task.initial_costs is not None,
        alternatives=options.alternatives,
        options=recorded_options(options, {"groups": len(groups), ASSIGNMENT: BY_COLUMN}),
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
        seconds=seconds,
        exists=False if False in exists else None if None in exists else True,
        interrupted=any(result.interrupted for result in results),
        conflict=() if impossible is None else impossible.conflict,
        conflict_certificate=() if impossible is None else impossible.conflict_certificate,
        groups=tuple(groups),
        deviation=sum(missed, Fraction(0)) if missed else None,
        failures=tuple(dict.fromkeys(said for result in results for said in result.failures)),
        notes=(
            *task.case.notes,
            *(f"{name}: {note}" for name, _, result in parts for note in result.notes),
        ),
        initial_costs=_initial_costs(task),
        case=task.case,
        checkpoints=tuple(path for result in results for path in result.checkpoints),
    )


def largest(groups: Sequence[GroupResult]) -> GroupResult:
    """The group with the most optimal plans; of several the first."""
    return max(groups, key=lambda group: group.optimal_plans)


def _group(
    task: LearningTask,
    name: str,
    costs: Costs,
    is_least: bool,
    observations: Sequence[ObservationResult],
) -> GroupResult:
    members = [item for item in observations if item.group == name]
    value = task.secondary(costs)
    bound = value if is_least else task.secondary_floor
    return GroupResult(
        name,
        sum(item.count for item in members),
        sum(item.count for item in members if item.optimal),
        dict(zip(task.case.actions, costs, strict=True)),
        Secondary(value, bound, bound == value),
    )


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


def _initial_costs(task: LearningTask) -> dict[str, int] | None:
    if task.initial_costs is None:
        return None
    return dict(zip(task.case.actions, task.initial_costs, strict=True))


def _exists(task: LearningTask, optimal: int, upper_bound: int) -> bool | None:
    """Whether every plan can be optimal in its group, if that was the question."""
    if task.concept.solution is not Solution.ICF:
        return None
    if optimal == task.case.plan_count:
        return True
    return False if upper_bound < task.case.plan_count else None


def _notes(groups: Sequence[GroupResult], proved: bool) -> list[str]:
    empty = sum(not group.plans for group in groups)
    if not empty or not proved:
        return []
    return [f"{len(groups) - empty} of {len(groups)} groups are enough: the others have no plans"]

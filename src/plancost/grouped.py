"""What `api` does where there are several cost functions: learn, check and explain in groups.

Groups that learning finds (``--groups``) share one learning task, and every plan is checked under
the costs of its group. Groups that the manifest names are cases of their own, learned and checked
one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from plancost.clock import Deadline, Stopwatch
from plancost.learning.check_oracle import oracle_for
from plancost.learning.exact import first_objective_sets
from plancost.learning.explanations import Explanation
from plancost.learning.groups import GroupAnswer, learn_groups, nearest_group
from plancost.learning.known_costs import least_deviation
from plancost.learning.options import LearnOptions
from plancost.learning.own_explanations import explain_observations
from plancost.learning.plan_sets import PlanSets
from plancost.learning.searchers import Searchers
from plancost.learning.task import Costs, LearningTask, PlanSet
from plancost.learning.verification import Verdict, unchecked, verify_costs
from plancost.observations.group_files import GivenGroups
from plancost.observations.parts import part_of_case
from plancost.progress import Progress
from plancost.results.group_results import (
    CheckedGroups,
    assemble_groups,
    group_names,
    join_groups,
)
from plancost.results.result import Result
from plancost.stages import Stages

_LEARNING_SHARE = 0.8
_AFTER_INTERRUPT_S = 10.0
_EXPLAINING_S = 2.0
_EXPLAINING_SHARE = 0.25
"""As in `api`."""

One = Callable[[int, LearningTask, Deadline], Result]
"""Learns or checks one group, given its number, its own learning task and its time."""


def learn_search(
    task: LearningTask,
    count: int,
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
    stopwatch: Stopwatch,
    progress: Progress,
) -> Result:
    """Divide the plans into groups and learn the costs of each."""
    answer = GroupAnswer.baseline(task, count)
    stages = Stages()
    learning = deadline.share(_LEARNING_SHARE)
    with stages.stage("learning", learning):
        learn_groups(task, options, searchers, learning, answer, stopwatch, progress)
    if stages.interrupted:
        deadline = deadline.within(_AFTER_INTERRUPT_S)
    checked = _unchecked(task, answer)
    with stages.stage("checking", deadline):
        checked = _check_answer(task, answer, options, searchers, deadline, progress)
    stopwatch.lap("verification")
    explanations: list[dict[int, Explanation]] = []
    if answer.sets is not None and not stages.interrupted:
        budget = max(_EXPLAINING_S, _EXPLAINING_SHARE * stopwatch.seconds()["total"])
        until = deadline.within(budget)
        with stages.stage("explaining", until, optional=True):
            explanations = _explain(task, answer.sets, checked, until, progress)
        stopwatch.lap("explaining")
    result = assemble_groups(
        task,
        options,
        checked,
        stopwatch.seconds(),
        explanations=explanations,
        interrupted=stages.interrupted,
    )
    return _with_stages(result, stages, searchers, answer.sets)


def no_more_groups_than_plans(task: LearningTask, asked: int) -> tuple[LearningTask, int]:
    """How many groups there can be: a plan is in one group, so others would stay empty.

    The task has a note then that there are fewer than were asked for.
    """
    most = len(task.candidates)
    if asked <= most:
        return task, asked
    said = f"{asked} groups were asked for, but there are only {most} different plans to divide"
    case = replace(task.case, notes=(*task.case.notes, said))
    return replace(task, case=case), most


def check_search(
    task: LearningTask,
    given: GivenGroups,
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
    stopwatch: Stopwatch,
    progress: Progress,
    *,
    explaining: bool,
) -> Result:
    """Check each plan under the costs that a file gives its group."""
    checking = deadline.share(0.5) if explaining else deadline
    stages = Stages()
    verdicts = [unchecked(task, costs) for costs in given.costs]
    with stages.stage("checking", checking):
        verdicts = _verified(
            task,
            given.costs,
            _members(given.group_of, len(given.names)),
            options,
            searchers,
            checking,
            progress,
        )
    stopwatch.lap("verification")
    found = tuple(verdicts[group][n] for n, group in enumerate(given.group_of))
    confirmed = _confirmed(task, found)
    checked = CheckedGroups(
        given.names,
        given.costs,
        given.group_of,
        found,
        (False,) * len(given.names),
        task.case.plan_count,
        confirmed,
    )
    explanations: list[dict[int, Explanation]] = []
    sets: PlanSets | None = None
    if explaining and not stages.interrupted:
        with stages.stage("explaining", deadline):
            sets = first_objective_sets(task, options, searchers, deadline)
            explanations = _explain(task, sets, checked, deadline, progress)
        stopwatch.lap("explaining")
    if stages.interrupted:
        raise KeyboardInterrupt
    seconds = stopwatch.seconds()
    result = assemble_groups(task, options, checked, seconds, explanations=explanations)
    return _with_stages(result, stages, searchers, sets)


def _with_stages(
    result: Result, stages: Stages, searchers: Searchers, sets: PlanSets | None
) -> Result:
    """A result that says what went wrong on the way to it."""
    solver, notes = ((), ()) if sets is None else (sets.failures, sets.notes)
    failed = (*searchers.planners.failures.said, *solver, *stages.failures, *result.failures)
    failures = dict.fromkeys(failed)
    notes = (*result.notes, *notes, *stages.notes)
    return replace(result, notes=notes, failures=tuple(failures))


def each_by_itself(
    task: LearningTask,
    groups: dict[str, list[int]],
    options: LearnOptions,
    deadline: Deadline,
    stopwatch: Stopwatch,
    one: One,
) -> Result:
    """Learn or check every named group as a case of its own, and join what comes out.

    Each may use the part of the time that its plans are of those that are left.
    """
    parts = []
    left = len(task.case.observations)
    for number, (name, members) in enumerate(groups.items()):
        if not members:
            continue  # a file may have a group that no plan of this case belongs to
        until = deadline.share(len(members) / left)
        left -= len(members)
        parts.append((name, members, one(number, part_of_task(task, members, until), until)))
    return join_groups(task, options, parts, stopwatch.seconds())


def part_of_task(
    task: LearningTask, observations: Sequence[int], deadline: Deadline
) -> LearningTask:
    """The learning task of some observations, with what is known in the whole one.

    Actions that share a cost cannot be divided. How far known costs must be missed is a
    question of these observations alone, so it takes time.
    """
    case = part_of_case(task.case, observations)
    actions = [task.action_number[name] for name in case.actions]
    initial, ranges, factors = task.initial_costs, task.ranges, task.factors
    part = LearningTask(
        case,
        task.concept,
        None if initial is None else tuple(initial[action] for action in actions),
        None if ranges is None else tuple(ranges[action] for action in actions),
        factors=None if factors is None else tuple(factors[number] for number in observations),
    )
    place = {number: at for at, number in enumerate(observations)}
    known = tuple(
        replace(
            item,
            observation=place[item.observation],
            counts=part.counts(task.case.observations[item.observation].plan),
        )
        for item in task.known
        if item.observation in place
    )
    soft = task.most_deviation is not None and known
    deviation = least_deviation(known, part.terms, deadline) if soft else None
    return replace(part, known=known, most_deviation=deviation)


def part_of_costs(task: LearningTask, part: LearningTask, costs: Costs) -> Costs:
    """Costs of all actions as costs of those that a part has."""
    return tuple(costs[task.action_number[name]] for name in part.case.actions)


def _check_answer(
    task: LearningTask,
    answer: GroupAnswer,
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
    progress: Progress,
) -> CheckedGroups:
    """Check the chosen plans in their groups, and every other plan in all groups."""
    count = len(answer.costs)
    own = _chosen_groups(task, answer.chosen)
    outside = [n for n in range(len(task.case.observations)) if n not in own]
    members = [[n for n, at in own.items() if at == group] + outside for group in range(count)]
    verdicts = _verified(task, answer.costs, members, options, searchers, deadline, progress)
    group_of = [
        own[n] if n in own else nearest_group([found[n] for found in verdicts])
        for n in range(len(task.case.observations))
    ]
    found = [verdicts[group][n] for n, group in enumerate(group_of)]
    least = [
        answer.least[group] and all(found[n].optimal for n, at in own.items() if at == group)
        for group in range(count)
    ]
    return _arranged(task, answer, group_of, found, least)


def _unchecked(task: LearningTask, answer: GroupAnswer) -> CheckedGroups:
    """The answer as the optimiser left it."""
    own = _chosen_groups(task, answer.chosen)
    group_of = [own.get(n, 0) for n in range(len(task.case.observations))]
    verdicts = [unchecked(task, costs) for costs in answer.costs]
    found = [verdicts[group][n] for n, group in enumerate(group_of)]
    return _arranged(task, answer, group_of, found, [False] * len(answer.costs))


def _arranged(
    task: LearningTask,
    answer: GroupAnswer,
    group_of: Sequence[int],
    verdicts: Sequence[Verdict],
    least: Sequence[bool],
) -> CheckedGroups:
    """The groups by size, the one with the most optimal plans first."""
    count = len(answer.costs)
    optimal, plans = [0] * count, [0] * count
    for observation, group, verdict in zip(task.case.observations, group_of, verdicts, strict=True):
        plans[group] += observation.count
        optimal[group] += observation.count if verdict.optimal else 0
    order = sorted(range(count), key=lambda group: (-optimal[group], -plans[group], group))
    place = {group: number for number, group in enumerate(order)}
    return CheckedGroups(
        group_names(count),
        tuple(answer.costs[group] for group in order),
        tuple(place[group] for group in group_of),
        tuple(verdicts),
        tuple(least[group] for group in order),
        answer.upper_bound,
        answer.believed,
        answer.facts,
        tuple(answer.history),
    )


def _verified(
    task: LearningTask,
    costs: Sequence[Costs],
    members: Sequence[Sequence[int]],
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
    progress: Progress,
) -> list[list[Verdict]]:
    """Check some observations under each of several cost functions, by search."""
    found = []
    for group, given in enumerate(costs):
        until = deadline.share(1 / (len(costs) - group))
        found.append(
            verify_costs(
                task,
                given,
                oracle_for(task, given, options, searchers, until),
                until,
                jobs=searchers.executor.width,
                only=members[group],
                progress=partial(progress, "verifying"),
            )
        )
    return found


def _explain(
    task: LearningTask,
    sets: PlanSets,
    checked: CheckedGroups,
    deadline: Deadline,
    progress: Progress,
) -> list[dict[int, Explanation]]:
    """Why each plan that is not optimal cannot be added to those that are in its group."""
    found = []
    for group, members in enumerate(_members(checked.group_of, len(checked.names))):
        optimal = _candidates(task, [n for n in members if checked.verdicts[n].optimal])
        others = _candidates(task, [n for n in members if checked.verdicts[n].optimal is False])
        until = deadline.share(1 / (len(checked.names) - group))
        found.append(
            explain_observations(
                sets,
                optimal,
                sorted(others - optimal),
                until,
                partial(progress, "explaining"),
            )
        )
    return found


def _chosen_groups(task: LearningTask, chosen: Sequence[PlanSet]) -> dict[int, int]:
    """The group of each observation that the optimiser thinks is optimal."""
    return {
        member: group
        for group, candidates in enumerate(chosen)
        for number in candidates
        for member in task.candidates[number].observations
    }


def _candidates(task: LearningTask, observations: Sequence[int]) -> PlanSet:
    return frozenset(task.candidate_of_observation[number] for number in observations)


def _members(group_of: Sequence[int], count: int) -> list[list[int]]:
    """The observations of each group."""
    found: list[list[int]] = [[] for _ in range(count)]
    for number, group in enumerate(group_of):
        found[group].append(number)
    return found


def _confirmed(task: LearningTask, verdicts: Sequence[Verdict]) -> int:
    return sum(
        observation.count
        for observation, verdict in zip(task.case.observations, verdicts, strict=True)
        if verdict.optimal
    )

"""From the best answer and the independent check to a `Result`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plancost.learning.answer import BestAnswer
from plancost.learning.concept import Solution
from plancost.learning.explanations import Explanation
from plancost.learning.options import LearnOptions
from plancost.learning.ranges import Range
from plancost.learning.task import Costs, LearningTask
from plancost.learning.verification import Verdict, optimal_candidates
from plancost.observations.files import name_within
from plancost.results.explaining import argument_json, explanation_json
from plancost.results.result import CostRange, ObservationResult, Result, Secondary


def assemble(
    task: LearningTask,
    options: LearnOptions,
    answer: BestAnswer,
    verdicts: list[Verdict],
    seconds: dict[str, float],
    *,
    explanations: Mapping[int, Explanation] | None = None,
    ranges: Sequence[Range] | None = None,
    interrupted: bool = False,
) -> Result:
    """Count what the check confirmed and say what is proven."""
    case = task.case
    observations = tuple(
        observation_result(task, number, verdict, answer.costs, explanations or {})
        for number, verdict in enumerate(verdicts)
    )
    optimal = sum(item.count for item in observations if item.optimal)
    upper_bound = max(optimal, answer.upper_bound)
    proved = optimal == upper_bound
    value = task.secondary(answer.costs)
    # A bound on the secondary cost speaks of costs that make the maximum of plans
    # optimal; unless that maximum is known, only the floor holds.
    bound = min(value, answer.secondary_bound if proved else task.secondary_floor)
    exists = None
    ideal: Explanation | None = None
    if task.concept.solution is Solution.ICF:
        exists = True if optimal == case.plan_count else None
        if upper_bound < case.plan_count:
            exists = False
            ideal = _smallest(explanations or {})
    conflict = _members(task, answer, ideal) if exists is False else ()
    return Result(
        solution=task.concept.solution.value,
        strict=task.concept.is_strict,
        refined=task.initial_costs is not None,
        alternatives=options.alternatives,
        options=recorded_options(options, answer.facts),
        plans=case.plan_count,
        optimal_plans=optimal,
        upper_bound=upper_bound,
        proved=proved,
        believed_optimal=answer.believed,
        secondary=Secondary(value, bound, proved and bound == value),
        costs=dict(zip(case.actions, answer.costs, strict=True)),
        observations=observations,
        verified=all(item.optimal is not None for item in observations),
        seconds=seconds,
        exists=exists,
        interrupted=interrupted,
        conflict=tuple(plan_file(task, member) for member in conflict),
        conflict_certificate=tuple(
            argument_json(item, lambda n: plan_file(task, n)) for item in ideal.arguments
        )
        if ideal is not None
        else (),
        constrained=_constrained(task, answer, verdicts),
        ranges=None
        if ranges is None
        else {
            name: CostRange(item.least, item.greatest, item.proven)
            for name, item in zip(case.actions, ranges, strict=True)
        },
        history=tuple(answer.history),
        notes=(*case.notes, *answer.notes),
        initial_costs=None
        if task.initial_costs is None
        else dict(zip(case.actions, task.initial_costs, strict=True)),
        case=case,
    )


def plan_file(task: LearningTask, candidate: int) -> str:
    """The plan file of a candidate, as RESULT.json names it."""
    observation = task.case.observations[task.candidates[candidate].observations[0]]
    return name_within(task.case.root, observation.plan_file)


def observation_result(
    task: LearningTask,
    number: int,
    verdict: Verdict,
    costs: Costs,
    explanations: Mapping[int, Explanation],
    group: str | None = None,
) -> ObservationResult:
    """What became of one observation under these costs."""
    observation = task.case.observations[number]
    explanation = None
    if verdict.optimal is False:
        found = explanations.get(task.candidate_of_observation[number])
        if found is not None:
            plan = task.candidates[task.candidate_of_observation[number]].plan
            explanation = explanation_json(found, plan, lambda n: plan_file(task, n))
    return ObservationResult(
        name_within(task.case.root, observation.problem_file),
        name_within(task.case.root, observation.plan_file),
        observation.count,
        verdict.optimal,
        verdict.cost,
        verdict.optimal_cost,
        verdict.rival,
        None if verdict.rival is None else task.cost(verdict.rival, costs),
        explanation,
        group,
    )


def _constrained(
    task: LearningTask, answer: BestAnswer, verdicts: list[Verdict]
) -> tuple[str, ...] | None:
    """The actions that a row of an optimal plan speaks of, if all rows are known."""
    if answer.full_sets is None:
        return None
    chosen = optimal_candidates(task, verdicts)
    rows = answer.full_sets.rows_of_set(chosen)
    actions = {action for coefficients, _ in rows for action, _ in coefficients}
    return tuple(task.case.actions[action] for action in sorted(actions))


def _smallest(explanations: Mapping[int, Explanation]) -> Explanation | None:
    proven = [item for item in explanations.values() if item.arguments]
    return min(proven, key=lambda item: (len(item.members), item.members), default=None)


def _members(task: LearningTask, answer: BestAnswer, ideal: Explanation | None) -> Sequence[int]:
    """The fewest plans known that cannot all be optimal."""
    if ideal is not None:
        return ideal.members
    everything = frozenset(range(len(task.candidates)))
    return min(
        (sorted(c.members(everything)) for c in answer.conflicts if c.secondary is None),
        key=lambda found: (len(found), found),
        default=[],
    )


def recorded_options(options: LearnOptions, facts: Mapping[str, object]) -> dict[str, Any]:
    """All options that change the meaning of the answer."""
    return {
        "reorderings": options.concept.reorderings.value,
        "ties": options.concept.ties.value,
        "cost_conflicts": options.cost_conflicts.value,
        "default_cost": options.default_cost,
        "initial_costs": None if options.initial_costs is None else str(options.initial_costs),
        "solver": options.solver.value,
        "time_limit": options.time_limit_s,
        "seed": options.seed,
        "on_invalid": "skip" if options.skip_invalid else "error",
        **facts,
    }

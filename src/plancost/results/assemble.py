"""From the best answer and the independent check to a `Result`."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from plancost.learning.answer import BestAnswer
from plancost.learning.concept import Solution
from plancost.learning.explanations import Explanation
from plancost.learning.known_costs import total_deviation
from plancost.learning.least_factors import LeastFactor
from plancost.learning.options import LearnOptions
from plancost.learning.ranges import Range
from plancost.learning.task import Costs, LearningTask
from plancost.learning.verification import Verdict, optimal_candidates
from plancost.observations.files import name_within
from plancost.observations.plan_costs import known_cost
from plancost.results.explaining import PlanFiles, argument_json, explanation_json
from plancost.results.loop_notes import loop_notes
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
    least_factors: Sequence[LeastFactor] | None = None,
    interrupted: bool = False,
    failures: Sequence[str] = (),
) -> Result:
    """Count what the check confirmed and say what is proven.

    `explanations` are those of observations.
    """
    case = task.case
    observations = tuple(
        replace(
            observation_result(task, number, verdict, answer.costs, explanations or {}),
            least_factor=None if least_factors is None else least_factors[number],
        )
        for number, verdict in enumerate(verdicts)
    )
    optimal = sum(item.count for item in observations if item.optimal)
    upper_bound, refuted = standing_bound(optimal, answer.upper_bound, case.plan_count)
    proved = optimal == upper_bound
    value = task.secondary(answer.costs)
    # A bound on the secondary cost speaks of costs that make the maximum of plans
    # optimal; unless that maximum is known, only the floor holds.
    bound = task.secondary_floor
    if proved and not refuted:
        bound = answer.secondary_bound
    if bound > value:
        refuted += (_refuted(f"a secondary cost of at least {bound}", f"this one is {value}"),)
        bound = task.secondary_floor
    exists = None
    ideal: Explanation | None = None
    if task.concept.solution is Solution.ICF:
        exists = True if optimal == case.plan_count else None
        if upper_bound < case.plan_count:
            exists = False
            ideal = _smallest(explanations or {})
    conflict = _members(task, answer, ideal) if exists is False else ()
    ideal_files = plan_files(task, {ideal.observation} if ideal is not None else ())
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
        costs=task.named(answer.costs),
        shared=_shared(task, answer.costs) if options.share else None,
        linear=_weights(task, answer.costs) if options.linear else None,
        observations=observations,
        verified=all(item.optimal is not None for item in observations),
        seconds=seconds,
        exists=exists,
        interrupted=interrupted,
        conflict=tuple(map(ideal_files.of_candidate, conflict)),
        conflict_certificate=tuple(argument_json(item, ideal_files) for item in ideal.arguments)
        if ideal is not None
        else (),
        constrained=_constrained(task, answer, verdicts),
        ranges=None
        if ranges is None
        else {
            name: CostRange(found.least, found.greatest, found.proven)
            for name, found in zip(case.actions, ranges, strict=True)
        },
        deviation=total_deviation(task.known, answer.costs) if task.known else None,
        history=tuple(answer.history),
        notes=(*case.notes, *loop_notes(task), *answer.notes),
        failures=tuple(dict.fromkeys((*answer.failures, *failures, *refuted))),
        initial_costs=None
        if task.initial_costs is None
        else dict(zip(case.actions, task.initial_costs, strict=True)),
        case=case,
    )


def standing_bound(optimal: int, bound: int, plans: int) -> tuple[int, tuple[str, ...]]:
    """The bound, or none and what is wrong if the check has found more plans than that."""
    if optimal <= bound:
        return bound, ()
    return plans, (_refuted(f"at most {bound} optimal plans", f"the check finds {optimal}"),)


def _refuted(claim: str, fact: str) -> str:
    return (
        f"learning claimed {claim}, but {fact}: a bug in plancost or its solver, so nothing is "
        "called proven"
    )


def plan_files(task: LearningTask, *preferred: Container[int | None]) -> PlanFiles:
    """The plan files, as RESULT.json names them.

    A candidate is called by its first observation: the first of those that are preferred, if it
    has some.
    """

    def of_observation(number: int) -> str:
        return name_within(task.case.root, task.case.observations[number].plan_file)

    def of_candidate(candidate: int) -> str:
        own = task.candidates[candidate].observations
        found = (number for among in preferred for number in own if number in among)
        return of_observation(next(found, own[0]))

    return PlanFiles(of_candidate, of_observation)


def observation_result(
    task: LearningTask,
    number: int,
    verdict: Verdict,
    costs: Costs,
    explanations: Mapping[int, Explanation],
    group: str | None = None,
    members: Container[int] = (),
) -> ObservationResult:
    """What became of one observation under these costs, beside the `members` of its group."""
    observation = task.case.observations[number]
    explanation = None
    if verdict.optimal is False and number in explanations:
        files = plan_files(task, {number}, members)
        explanation = explanation_json(explanations[number], observation.plan, files)
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
        known_cost(observation.source) if task.known else None,
        None if task.factors is None else task.factor(number),
    )


def _constrained(
    task: LearningTask, answer: BestAnswer, verdicts: list[Verdict]
) -> tuple[str, ...] | None:
    """The actions that a row of an optimal plan speaks of, if all rows are known."""
    if answer.full_sets is None:
        return None
    chosen = optimal_candidates(task, verdicts)
    rows = answer.full_sets.rows_of_set(chosen)
    spoken_of = {parameter for coefficients, _ in rows for parameter, _ in coefficients}
    return tuple(
        name
        for name, parts in zip(task.case.actions, task.structure.parts, strict=True)
        if any(parameter in spoken_of for parameter, _ in parts)
    )


def _shared(task: LearningTask, costs: Costs) -> dict[str, int]:
    """The cost of each class of actions."""
    first = {task.parameters[p]: costs[p] for p, own in enumerate(task.structure.members) if own}
    weights = {task.parameters[weight.parameter] for weight in task.structure.weights}
    return {name: cost for name, cost in first.items() if name not in weights}


def _weights(task: LearningTask, costs: Costs) -> dict[str, dict[str, int]]:
    """For each schema with linear costs its constant and its weights."""
    found: dict[str, dict[str, int]] = {}
    for weight in task.structure.weights:
        found.setdefault(weight.schema, {})[weight.name] = costs[weight.parameter]
    return found


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
        **_beyond(options),
        **facts,
    }


def _beyond(options: LearnOptions) -> dict[str, Any]:
    """The options beyond the paper, where they were used."""
    found: dict[str, Any] = {}
    if options.bounds:
        found["bounds"] = [bound.to_json() for bound in options.bounds]
    if options.max_cost is not None:
        found["max_cost"] = options.max_cost
    if options.share:
        found["share"] = list(options.share)
    if options.linear:
        found["linear"] = list(options.linear)
    if options.suboptimality != 1:
        found["suboptimality"] = str(options.suboptimality)
    if options.cost_tolerance.amount:
        found["cost_tolerance"] = str(options.cost_tolerance)
    for name in ("soft_costs", "ignore_costs"):
        if getattr(options, name):
            found[name] = True
    return found

"""From the incumbent and the independent check to a `Result`.

One cost function and several are counted in the same way. What is proven differs: with one, the
bound on the secondary cost holds over all sets of that many plans; with several, for the plans that
are optimal in each group.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plancost.learning.choose.choice import Chosen
from plancost.learning.diagnose.explanations import Explanation
from plancost.learning.diagnose.least_factors import LeastFactor
from plancost.learning.diagnose.ranges import Range
from plancost.learning.incumbent import CostFunction, Incumbent
from plancost.learning.problem.concept import Solution
from plancost.learning.problem.plan_cost_constraints import total_deviation
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.incumbent import Check
from plancost.learning.verify.verification import Verdict
from plancost.observations.files import name_within
from plancost.observations.plan_costs import known_cost
from plancost.results.document import Amount, Moment, SecondaryMoment
from plancost.results.explaining import PlanFiles, argument_json, explanation_json, note_copy
from plancost.results.loop_notes import loop_notes
from plancost.results.recorded import recorded_options
from plancost.results.result import (
    CostRange,
    GroupResult,
    ObservationResult,
    Result,
    Secondary,
    largest,
)

ASSIGNMENT = "assignment"
"""Among the options of a result: who divided the plans into groups."""
BY_SEARCH = "search"
BY_COLUMN = "column"


@dataclass(frozen=True)
class Extras:
    """What else is known of an incumbent when it has been checked."""

    explanations: Sequence[Mapping[int, Explanation]] = ()
    """For each cost function those of its observations, if they were asked for."""
    ranges: Sequence[Range] | None = None
    least_factors: Sequence[LeastFactor] | None = None
    interrupted: bool = False
    claims_confirmed: bool = False
    """Whether what the check confirms counts as claimed, since no strategy claimed all it could."""
    notes: Sequence[str] = ()
    failures: Sequence[str] = ()
    chosen: Chosen | None = None
    """What is known of costs that took the place of the least ones."""


def assemble(run: Run, incumbent: Incumbent, check: Check, extras: Extras) -> Result:
    """Count what the check confirmed and say what is proven."""
    task = incumbent.task
    case = task.case
    observations = _observations(incumbent, check, extras)
    optimal = check.confirmed(task)
    missed = [n for n in sorted(task.required) if not check.verdicts[n].optimal]
    bound = case.plan_count if missed else incumbent.most_plans
    upper_bound, refuted = _standing_bound(optimal, bound, case.plan_count)
    proved = optimal == upper_bound and not missed
    groups = {"groups": len(incumbent.functions), ASSIGNMENT: BY_SEARCH}
    facts = {**(groups if incumbent.is_grouped else {}), **incumbent.facts}
    result = Result(
        **common_parts(run, task, facts),
        plans=case.plan_count,
        optimal_plans=optimal,
        upper_bound=upper_bound,
        proved=proved,
        believed_optimal=max(incumbent.plans, optimal if extras.claims_confirmed else 0),
        secondary=Secondary(0, 0, False),
        costs={},
        observations=observations,
        verified=all(item.optimal is not None for item in observations),
        exists=_exists(task, optimal, upper_bound),
        interrupted=extras.interrupted,
        history=tuple(map(Moment, incumbent.history)),
        secondary_history=tuple(
            SecondaryMoment(round(seconds, 3), value, bound)
            for seconds, value, bound in incumbent.secondary_history
        ),
        notes=(
            *case.notes,
            *loop_notes(task),
            *incumbent.notes,
            *incumbent.remarks(),
            *_missed_notes(task, missed),
            *extras.notes,
        ),
        failures=tuple(
            dict.fromkeys(
                (
                    *incumbent.failures,
                    *run.oracles.planners.failures.said,
                    *incumbent.solver_failures(),
                    *extras.failures,
                    *refuted,
                )
            )
        ),
        checkpoints=() if incumbent.checkpoint is None else (incumbent.checkpoint,),
        proof=incumbent.proof,
    )
    if incumbent.is_grouped:
        return _with_groups(result, incumbent, check)
    return _with_one_function(result, incumbent, check, extras, is_refuted=bool(refuted))


def _missed_notes(task: LearningTask, missed: Sequence[int]) -> list[str]:
    """Which required plans are not optimal: nothing was found in time, and nothing is proven."""
    if not missed:
        return []
    names = ", ".join(plan_files(task).of_observation(number) for number in missed)
    return [f"these plans are required and not optimal, as no costs were found in time: {names}"]


def common_parts(run: Run, task: LearningTask, facts: Mapping[str, object]) -> dict[str, Any]:
    """What every result says of its question, its time and its case."""
    return {
        "solution": task.concept.solution.value,
        "strict": task.concept.is_strict,
        "refined": task.initial_costs is not None,
        "alternatives": run.options.alternatives,
        "options": recorded_options(run.options, facts),
        "seconds": run.stopwatch.seconds(),
        "initial_costs": None
        if task.initial_costs is None
        else dict(zip(task.case.actions, task.initial_costs, strict=True)),
        "case": task.case,
    }


def _exists(task: LearningTask, optimal: int, upper_bound: int) -> bool | None:
    """Whether all plans can be optimal, if that was the question."""
    if task.concept.solution is not Solution.ICF:
        return None
    if upper_bound < task.case.plan_count:
        return False
    return True if optimal == task.case.plan_count else None


def _with_one_function(
    result: Result, incumbent: Incumbent, check: Check, extras: Extras, *, is_refuted: bool
) -> Result:
    task, costs = incumbent.task, incumbent.costs
    value = task.secondary(costs)
    # A bound on the secondary cost speaks of costs that make the maximum of plans
    # optimal; unless that maximum is known, only the floor holds.
    bound = task.secondary_floor
    failures = result.failures
    if result.proved and not is_refuted:
        bound = incumbent.secondary_bound
    if bound > value:
        failures += (_refuted(f"a secondary cost of at least {bound}", f"this one is {value}"),)
        bound = task.secondary_floor
    impossible = result.exists is False
    ideal = _smallest(extras.explanations) if impossible else None
    conflict = _members(incumbent, ideal) if impossible else ()
    files = plan_files(task, {ideal.observation} if ideal is not None else ())
    return replace(
        result,
        secondary=Secondary(value, bound, result.proved and bound == value),
        costs=task.named(costs),
        shared=_shared(task, costs) if "share" in result.options else None,
        linear=_weights(task, costs) if "linear" in result.options else None,
        conflict=tuple(map(files.of_candidate, conflict)),
        conflict_certificate=()
        if ideal is None
        else tuple(argument_json(item, files) for item in ideal.arguments),
        constrained=_constrained(incumbent, check),
        ranges=None
        if extras.ranges is None
        else {
            name: CostRange(found.least, found.greatest, found.proven)
            for name, found in zip(task.case.actions, extras.ranges, strict=True)
        },
        **_choice(task, extras.chosen),
        deviation=Amount(total_deviation(task.known, costs)) if task.known else None,
        failures=tuple(dict.fromkeys(failures)),
    )


def _choice(task: LearningTask, chosen: Chosen | None) -> dict[str, Any]:
    """What a result says of costs that are not the least ones."""
    if chosen is None:
        return {}
    named = chosen.uncertainty and dict(zip(task.case.actions, chosen.uncertainty, strict=True))
    return {
        "choice": dict(chosen.about),
        "uncertainty": named,
        "tie_break": None if chosen.tie_break is None else task.named(chosen.tie_break),
        "samples": chosen.samples,
    }


def _with_groups(result: Result, incumbent: Incumbent, check: Check) -> Result:
    task = incumbent.task
    groups = tuple(
        _group(
            function,
            result.observations,
            confirmed=function.chosen <= check.optimal(task, number),
        )
        for number, function in enumerate(incumbent.functions)
    )
    floor = task.secondary_floor * len(groups)
    value = sum(group.secondary.value for group in groups)
    notes = len(task.case.notes) + len(loop_notes(task))
    return replace(
        result,
        secondary=Secondary(value, floor, result.proved and value == floor),
        costs=largest(groups).costs,
        groups=groups,
        notes=(*result.notes[:notes], *_group_notes(groups, result), *result.notes[notes:]),
    )


def _group(
    function: CostFunction, observations: Sequence[ObservationResult], *, confirmed: bool
) -> GroupResult:
    """One group; its costs are proven least only if all its claimed plans were confirmed."""
    task = function.task
    members = [item for item in observations if item.group == function.name]
    value = function.value
    bound = value if function.is_least and confirmed else task.secondary_floor
    return GroupResult(
        function.name,
        sum(item.count for item in members),
        sum(item.count for item in members if item.optimal),
        dict(zip(task.case.actions, function.costs, strict=True)),
        Secondary(value, bound, bound == value),
    )


def _group_notes(groups: Sequence[GroupResult], result: Result) -> list[str]:
    empty = sum(not group.plans for group in groups)
    if not empty or not result.proved:
        return []
    return [f"{len(groups) - empty} of {len(groups)} groups are enough: the others have no plans"]


def _observations(
    incumbent: Incumbent, check: Check, extras: Extras
) -> tuple[ObservationResult, ...]:
    members = [set(check.members(own)) for own in range(len(incumbent.functions))]
    found = []
    for number, own in enumerate(check.function_of):
        function = incumbent.functions[own]
        item = _observation_result(
            incumbent.task,
            number,
            check.verdicts[number],
            function.costs,
            extras.explanations[own] if extras.explanations else {},
            members[own] if incumbent.is_grouped else (),
        )
        least = None if extras.least_factors is None else extras.least_factors[number]
        found.append(replace(item, group=function.name or None, least_factor=least))
    return tuple(found)


def _standing_bound(optimal: int, bound: int, plans: int) -> tuple[int, tuple[str, ...]]:
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


def _observation_result(
    task: LearningTask,
    number: int,
    verdict: Verdict,
    costs: Costs,
    explanations: Mapping[int, Explanation],
    members: Container[int] = (),
) -> ObservationResult:
    """What became of one observation under these costs, beside the `members` of its group."""
    observation = task.case.observations[number]
    known = known_cost(observation.source)
    explanation = None
    if verdict.optimal is False and number in explanations:
        files = plan_files(task, {number}, members)
        explanation = explanation_json(explanations[number], observation.plan, files)
        first = task.candidates[task.candidate_of_observation[number]].observations[0]
        if number != first:
            other = task.case.observations[first].plan
            note_copy(explanation, observation.plan, other, files.of_observation(first))
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
        known_cost=None if known is None or not task.known else Amount(known),
        suboptimality=None if task.factors is None else task.factor(number),
    )


def _constrained(incumbent: Incumbent, check: Check) -> tuple[str, ...] | None:
    """The actions that a row of an optimal plan speaks of, if all rows are known."""
    task = incumbent.task
    if incumbent.full is None:
        return None
    rows = incumbent.full.rows_of_set(check.optimal(task))
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


def _smallest(explanations: Sequence[Mapping[int, Explanation]]) -> Explanation | None:
    proven = [item for found in explanations for item in found.values() if item.arguments]
    return min(proven, key=lambda item: (len(item.members), item.members), default=None)


def _members(incumbent: Incumbent, ideal: Explanation | None) -> Sequence[int]:
    """The fewest plans known that cannot all be optimal."""
    if ideal is not None:
        return ideal.members
    everything = frozenset(range(len(incumbent.task.candidates)))
    return min(
        (sorted(c.members(everything)) for c in incumbent.conflicts if c.secondary is None),
        key=lambda found: (len(found), found),
        default=[],
    )

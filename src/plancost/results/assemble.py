"""From the best answer and the independent check to a `Result`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plancost.learning.answer import BestAnswer
from plancost.learning.concept import Solution
from plancost.learning.options import LearnOptions
from plancost.learning.plan_sets import Conflict
from plancost.learning.task import LearningTask
from plancost.learning.verification import Verdict
from plancost.observations.case import Observation
from plancost.results.result import ObservationResult, Result, Secondary


def assemble(
    task: LearningTask,
    options: LearnOptions,
    answer: BestAnswer,
    verdicts: list[Verdict],
    seconds: dict[str, float],
    *,
    interrupted: bool = False,
) -> Result:
    """Count what the check confirmed and say what is proven."""
    case = task.case
    observations = tuple(
        ObservationResult(
            _relative(observation.problem_file, case.root),
            _relative(observation.plan_file, case.root),
            observation.count,
            verdict.optimal,
            verdict.cost,
            verdict.optimal_cost,
            verdict.rival,
        )
        for observation, verdict in zip(case.observations, verdicts, strict=True)
    )
    optimal = sum(item.count for item in observations if item.optimal)
    verified = all(item.optimal is not None for item in observations)
    upper_bound = max(optimal, answer.upper_bound)
    proved = optimal == upper_bound
    value = task.secondary(answer.costs)
    # A bound on the secondary cost speaks of costs that make the maximum of plans
    # optimal; unless that maximum is known, only the floor holds.
    bound = answer.secondary_bound if proved else task.secondary_floor
    bound = min(bound, value)
    ideal = task.concept.solution is Solution.ICF
    exists = None
    conflict: tuple[str, ...] = ()
    if ideal:
        exists = True if optimal == case.plan_count else None
        if upper_bound < case.plan_count:
            exists = False
            conflict = _smallest_conflict(answer.conflicts, task)
    return Result(
        solution=task.concept.solution.value,
        strict=task.concept.is_strict,
        refined=options.is_refinement,
        alternatives=options.alternatives,
        options=_recorded(options, answer),
        plans=case.plan_count,
        optimal_plans=optimal,
        upper_bound=upper_bound,
        proved=proved,
        believed_optimal=max(answer.believed, 0),
        secondary=Secondary(value, bound, proved and bound == value),
        costs=dict(zip(case.actions, answer.costs, strict=True)),
        observations=observations,
        verified=verified,
        seconds=seconds,
        exists=exists,
        conflict=conflict,
        interrupted=interrupted,
        notes=(*case.notes, *answer.notes),
    )


def _recorded(options: LearnOptions, answer: BestAnswer) -> dict[str, Any]:
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
        **answer.facts,
    }


def _smallest_conflict(conflicts: list[Conflict], task: LearningTask) -> tuple[str, ...]:
    """The plan files of the fewest plans that cannot all be optimal."""
    everything = frozenset(range(len(task.candidates)))
    members = min(
        (conflict.members(everything) for conflict in conflicts if not conflict.secondary),
        key=lambda found: (len(found), sorted(found)),
        default=frozenset[int](),
    )
    files = (_first_observation(task, number).plan_file for number in sorted(members))
    return tuple(_relative(path, task.case.root) for path in files)


def _first_observation(task: LearningTask, candidate: int) -> Observation:
    return task.case.observations[task.candidates[candidate].observations[0]]


def _relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)

"""A part of a case: some of its observations, as a case of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plancost.errors import InputError
from plancost.observations.case import Case


def part_of_case(case: Case, observations: Sequence[int]) -> Case:
    """The case with these observations alone, and the problems and tasks that they need.

    Its actions are those of its own tasks. Notes stay with the whole case.
    """
    kept = [case.observations[number] for number in observations]
    used = sorted({observation.task for observation in kept})
    renumbered = {old: new for new, old in enumerate(used)}
    files = {observation.problem_file for observation in kept}
    return Case(
        case.root,
        case.domain,
        tuple(
            (problem, renumbered[task])
            for problem, task in case.problems
            if task in renumbered and problem.path in files
        ),
        tuple(case.tasks[old] for old in used),
        tuple(replace(observation, task=renumbered[observation.task]) for observation in kept),
        (),
    )


def named_groups(case: Case) -> dict[str, list[int]]:
    """The observations of each name in the group column, in order; empty without a column."""
    found: dict[str, list[int]] = {}
    for number, observation in enumerate(case.observations):
        name = observation.source.group
        if name is not None:
            found.setdefault(name, []).append(number)
    for observation in case.observations if found else ():
        if observation.source.group is None:
            raise InputError(
                "this plan has no group while others have one; name a group in every line "
                "of the manifest, or say --groups",
                observation.plan_file,
            )
    return found

"""A part of a case: some of its observations, as a case of its own.

Used wherever some plans are learned from and others are not: the tasks are the same objects,
so nothing is grounded twice. Tasks that no chosen observation belongs to are left out, and
with them the actions that only they have.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plancost.observations.case import Case


def part_of(case: Case, numbers: Iterable[int]) -> Case:
    """The case of these observations, in the order of the whole case."""
    chosen = [case.observations[number] for number in sorted(set(numbers))]
    used = sorted({observation.task for observation in chosen})
    renumbered = {old: new for new, old in enumerate(used)}
    files = {observation.problem_file for observation in chosen}
    return Case(
        case.root,
        case.domain,
        tuple(
            (problem, renumbered[task])
            for problem, task in case.problems
            if task in renumbered and problem.path in files
        ),
        tuple(case.tasks[old] for old in used),
        tuple(replace(item, task=renumbered[item.task]) for item in chosen),
        (),
    )

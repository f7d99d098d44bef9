"""Cases out of cases: a part of one, or several joined.

Used wherever some plans are learned from and others are not: the tasks are the same objects,
so nothing is grounded twice. Tasks that no chosen observation belongs to are left out, and
with them the actions that only they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from plancost.observations.case import Case, Task


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


def joined(cases: Sequence[Case]) -> Case:
    """All observations of cases of one domain, in order; equal tasks become one."""
    tasks: dict[str, Task] = {}
    for case in cases:
        for task in case.tasks:
            tasks.setdefault(task.key, task)
    number = {key: position for position, key in enumerate(tasks)}

    def place(case: Case, task: int) -> int:
        return number[case.tasks[task].key]

    problems = {
        problem.path: (problem, place(case, task))
        for case in cases
        for problem, task in case.problems
    }
    return Case(
        cases[0].root,
        cases[0].domain,
        tuple(problems.values()),
        tuple(tasks.values()),
        tuple(
            replace(item, task=place(case, item.task))
            for case in cases
            for item in case.observations
        ),
        tuple(note for case in cases for note in case.notes),
    )

"""Cases out of cases: a part of one, or several joined.

Used wherever some plans are learned from and others are not: the tasks are the same objects,
so nothing is grounded twice. Tasks that no chosen observation belongs to are left out, and
with them the actions that only they have. Also the groups that a manifest names.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace

from plancost.errors import InputError
from plancost.observations.case import Case, Task
from plancost.observations.files import name_within


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


def plans_named(case: Case, names: Sequence[str], option: str) -> list[int]:
    """The observations of these plan files, as results call them; an error if one has none."""
    known = [name_within(case.root, item.plan_file) for item in case.observations]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
            hint = f"; is {near[0]} meant?" if near else "; name one as RESULT.json does"
            raise InputError(f"{option} '{name[:60]}': no observed plan is called so{hint}")
    wanted = frozenset(names)
    return [number for number, name in enumerate(known) if name in wanted]


def without_plans(case: Case, names: Sequence[str]) -> Case:
    """The case without the plans of these files; its tasks and its actions stay."""
    left_out = frozenset(plans_named(case, names, "--drop"))
    if not left_out:
        return case
    kept = tuple(item for n, item in enumerate(case.observations) if n not in left_out)
    if not kept:
        raise InputError("--drop leaves no plan; keep one of them")
    return replace(case, observations=kept)


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
                "of the manifest, or add --groups",
                observation.plan_file,
            )
    return found

"""Problems without observed plans, as a case: what plans are asked for."""

from __future__ import annotations

from pathlib import Path

from plancost.errors import InputError
from plancost.observations.case import Case, Loading, Task, ground_all
from plancost.observations.files import problems_in
from plancost.observations.pddl import Domain, check_same_domain, read_problem, task_key
from plancost.system.clock import Deadline


def case_of_problems(
    folder: Path, domain: Domain, loading: Loading, known: dict[str, Task] | None = None
) -> Case:
    """The problems of a folder, in the order of their names; those without a plan are noted.

    Problems that are the same task are listed, and grounded once. Tasks that are `known` by their
    keys are not grounded again.
    """
    deadline = Deadline.after(loading.limits.time_s)
    problems = [read_problem(path) for path in problems_in(folder, domain.path)]
    if not problems:
        raise InputError("there is no problem in this folder", folder)
    for problem in problems:
        check_same_domain(domain, problem)
    keys = [task_key(domain, problem) for problem in problems]
    distinct = dict(zip(reversed(keys), reversed(problems), strict=True))
    tasks = {} if known is None else dict(known)
    unsolvable = ground_all(
        domain, {key: distinct[key] for key in dict.fromkeys(keys)}, tasks, deadline, loading
    )
    solvable = [key for key in dict.fromkeys(keys) if key not in unsolvable]
    if not solvable:
        raise InputError("no problem in this folder has a plan", folder)
    number = {key: place for place, key in enumerate(solvable)}
    return Case(
        folder,
        domain,
        tuple((p, number[k]) for p, k in zip(problems, keys, strict=True) if k in number),
        tuple(tasks[key] for key in solvable),
        (),
        tuple(f"left out: {error}" for error in unsolvable.values()),
    )

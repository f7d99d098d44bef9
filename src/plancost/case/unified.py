"""Problems and plans of the library unified-planning, as texts of PDDL."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from plancost.errors import InputError

_REQUIREMENTS = re.compile(r"\(:requirements[^)]*\)")


def is_object(value: object) -> bool:
    """Whether a problem or a plan is one of the library."""
    return type(value).__module__.partition(".")[0] == "unified_planning"


def written(
    problems: Mapping[str, Any], plans: Sequence[tuple[str, Any]]
) -> tuple[str, dict[str, str], list[tuple[str, Any]]]:
    """The one domain of these problems, the problems, and the plans, as texts."""
    from unified_planning.exceptions import UPException
    from unified_planning.io import PDDLWriter

    writers = {}
    domain = ""
    for name, problem in problems.items():
        try:
            copy = problem.clone()
            copy.name = "task"  # the library calls the domain after the problem
            writers[name] = PDDLWriter(copy, rewrite_bool_assignments=True)
            own = writers[name].get_domain()
        except (UPException, NotImplementedError) as error:
            raise InputError(f"{name} cannot be written as PDDL: {error}") from error
        domain = domain or own
        if _REQUIREMENTS.sub("", own) != _REQUIREMENTS.sub("", domain):
            first = next(iter(problems))
            raise InputError(f"{name} is of another domain than {first}: its actions differ")
    texts = {name: writer.get_problem() for name, writer in writers.items()}
    listed = [(n, writers[n].get_plan(plan) if is_object(plan) else plan) for n, plan in plans]
    return domain, texts, listed

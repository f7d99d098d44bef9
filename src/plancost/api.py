"""What can be done with a case, each in a few lines over the folders that do it.

A case may be given as a path; costs as a path, a `Result` or a mapping of actions to costs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plancost.case.model import Case
from plancost.case.read import read_case
from plancost.clock import Clock
from plancost.options import LearnOptions, checked
from plancost.pipeline import learn_case, verify_case
from plancost.progress import Progress, silent
from plancost.result.given import GivenCosts, read_costs
from plancost.result.model import Result
from plancost.result.write import write_costs

AnyCase = Case | Path | str


def learn(
    case: AnyCase,
    *,
    progress: Progress | None = None,
    knowledge: Path | str | None = None,
    **options: Any,
) -> Result:
    """Learn costs under which as many observed plans as possible are optimal.

    `options` are those of `LearnOptions`. `knowledge` is a file to keep what is proven in, from
    which a run that was ended goes on.
    """
    asked = checked(**options)
    clock = clock_of(asked)
    kept = None if knowledge is None else Path(knowledge)
    return learn_case(_opened(case, asked, clock), asked, clock, progress or silent, kept)


def verify(case: AnyCase, costs: GivenCosts, **options: Any) -> Result:
    """How many observed plans are optimal under these costs, by an independent search.

    `options` are those of `learn`; what they do not say is as it was when the given result was
    learned.
    """
    given = read_costs(costs)
    asked = options_for(given, **options)
    clock = clock_of(asked)
    return verify_case(_opened(case, asked, clock), given, asked, clock)


def export(
    case: AnyCase, costs: GivenCosts, output: Path | str, tasks: Path | str | None = None
) -> list[Path]:
    """Write the PDDL of a case, or its links.csv, with costs into a folder.

    `tasks`, a problem file or a folder of them, are written too.
    """
    given = read_costs(costs)
    asked = checked(time_limit=None)
    opened = _opened(case, asked, clock_of(asked))
    others = None if tasks is None else Path(tasks)
    return write_costs(opened, given, Path(output), others, Clock())[0]


def clock_of(options: LearnOptions) -> Clock:
    """A clock that starts now."""
    return Clock(math.inf if options.time_limit is None else options.time_limit)


def options_for(given: Result | Mapping[str, int], **options: Any) -> LearnOptions:
    """Options that mean by optimal what a result meant, unless they name another concept."""
    if isinstance(given, Result) and "solution" not in options:
        before = {name: given.options.get(name) for name in ("ties", "suboptimality")}
        kept = {name: value for name, value in before.items() if value is not None}
        options = {"solution": given.solution, **kept, **options}
    return checked(**options)


def _opened(case: AnyCase, options: LearnOptions, clock: Clock) -> Case:
    if isinstance(case, Case):
        return case
    return read_case(case, clock=clock, memory_limit=options.memory_limit)

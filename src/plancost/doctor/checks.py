"""All checks, in the order in which they are reported."""

from __future__ import annotations

from collections.abc import Iterator

from plancost.doctor import programs, system
from plancost.doctor.extras import extras
from plancost.doctor.finding import Finding

CHECKS = (
    system.python,
    system.system,
    system.cores,
    system.temporary_directory,
    system.cache_directory,
    system.process_groups,
    system.memory_limit,
    programs.translator,
    programs.planner_fast_downward,
    programs.planner_symk,
    programs.solver_highs,
)


def all_checks() -> Iterator[Finding]:
    """Run the checks one after the other; yield each finding at once."""
    for check in CHECKS:
        yield check()
    yield from extras()

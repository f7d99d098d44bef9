"""All checks, in the order in which they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from plancost.doctor import programs, system
from plancost.doctor.extras import extras
from plancost.doctor.finding import Finding, State, one_line

CHECKS: dict[str, Callable[[], Finding]] = {
    "Python": system.python,
    "platform": system.system,
    "cores": system.cores,
    "temporary directory": system.temporary_directory,
    "cache": system.cache_directory,
    "ending programs": system.process_groups,
    "memory limit": system.memory_limit,
    "translator": programs.translator,
    "Fast Downward": programs.planner_fast_downward,
    "SymK": programs.planner_symk,
    "HiGHS": programs.solver_highs,
}


def all_checks() -> Iterator[Finding]:
    """Check one thing after the other; each finding as soon as it is there."""
    for name, check in CHECKS.items():
        yield _tried(name, check)
    yield from extras()


def _tried(name: str, check: Callable[[], Finding]) -> Finding:
    """A check that fails in a way that nobody thought of finds something broken."""
    try:
        return check()
    except Exception as error:
        said = f"{type(error).__name__}: {one_line(error)}"
        return Finding(name, State.BROKEN, said, "install plancost again, and report this")

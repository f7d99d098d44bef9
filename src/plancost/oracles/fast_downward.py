"""Fast Downward: optimal plans, and any plan below a bound.

Its search starts in milliseconds. The blind heuristic is the default for optimal
search: the questions asked here come in large numbers on tasks of moderate size,
where stronger heuristics cost more than they save.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event

from plancost.oracles.downward_family import Planner
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.processes import Limits

FAST_DOWNWARD = Planner(
    name="Fast Downward",
    package="up_fast_downward",
    binary_path="downward/builds/release/bin/downward",
    distribution="up-fast-downward",
    exit_codes={
        0: Verdict.FOUND,
        10: Verdict.NONE,
        11: Verdict.NONE,
        12: Verdict.GAVE_UP,
        13: Verdict.NONE,
    },
)


def optimal_plan(
    sas: str,
    *,
    limits: Limits,
    stop: Event | None = None,
    heuristic: str = "blind()",
    binary: Path | None = None,
) -> SearchOutcome:
    """A cheapest plan, by A*."""
    return FAST_DOWNWARD.search(sas, f"astar({heuristic})", limits=limits, stop=stop, binary=binary)


def any_plan_below(
    sas: str, bound: int, *, limits: Limits, stop: Event | None = None, binary: Path | None = None
) -> SearchOutcome:
    """A plan that costs less than the bound, by greedy search, or GAVE_UP.

    Never a proof: greedy search does not come back to a state that it first reached on a
    dear way, so the bound may cut off every plan that it could still find.
    """
    outcome = FAST_DOWNWARD.search(
        sas,
        f"lazy_greedy([ff()],bound={bound})",
        limits=limits,
        stop=stop,
        binary=binary,
    )
    if outcome.verdict is Verdict.NONE:
        return replace(outcome, verdict=Verdict.GAVE_UP)
    return outcome


def optimal_plan_below(
    sas: str, bound: int, *, limits: Limits, stop: Event | None = None, binary: Path | None = None
) -> SearchOutcome:
    """A cheapest plan if it costs less than the bound; NONE is a proof that it does not."""
    return FAST_DOWNWARD.search(
        sas, f"astar(blind(),bound={bound})", limits=limits, stop=stop, binary=binary
    )

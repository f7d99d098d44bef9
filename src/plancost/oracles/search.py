"""What asking a planner can end in. Running out of time is an answer, not an error."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from plancost.observations.planfile import Plan


class Verdict(enum.Enum):
    """How a search ended."""

    FOUND = "found"
    """What was asked for: an optimal plan, a plan below the bound, or k plans (or all)."""
    NONE = "none"
    """Proven that there is no plan (below the bound, if one was given)."""
    OUT_OF_TIME = "out of time"
    OUT_OF_MEMORY = "out of memory"
    GAVE_UP = "gave up"
    """The search ended without a plan and without a proof."""
    STOPPED = "stopped"
    FAILED = "failed"
    """The planner crashed or talked nonsense: nothing is known."""


@dataclass(frozen=True)
class SearchOutcome:
    """Plans and what they mean. `complete`: all simple plans are listed (below a bound, if given).

    `failures` are those of other planners that were asked at the same time. `witness`: there
    is none below the bound, and this is a cheapest one. `unsolvable`: the planner says that
    there is none at all, whatever the bound.
    """

    verdict: Verdict
    plans: tuple[Plan, ...]
    seconds: float
    planner: str
    complete: bool = False
    failures: tuple[str, ...] = ()
    witness: Plan | None = None
    unsolvable: bool = False

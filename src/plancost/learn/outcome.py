"""What a learning run hands over: costs, what is claimed, what is proven, what was checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]
Amount = Annotated[float, Meta(ge=0)]
Ending = Literal[
    "done", "none exists", "time limit", "gave up", "out of memory", "interrupted", "failed"
]
"""Why a run ended, the worst last. "failed": a planner, the translator or a solver did, and the
best answer so far is kept. "gave up": planners did, although there was time. "none exists": it is
proven (icf) that no costs make all plans optimal."""

CHECK_MORE_S = 0.5
"""So much longer than the limit the check of an answer may take."""
AFTER_INTERRUPT_S = 3.0
"""So long an answer may be checked after Ctrl-C."""


@dataclass(frozen=True)
class Verdict:
    """What an independent search says of one observation under the costs."""

    cost: int
    optimal: bool | None
    """Whether it counts as optimal under the concept; None: not decided."""
    optimal_cost: int | None
    """The cost of a cheapest plan of its task; None: not known."""


@dataclass(frozen=True)
class Second:
    """The second objective: the sum of costs, or the distance from the known ones."""

    value: int
    lower_bound: int
    """For all sets of as many plans."""
    least_for_set: bool
    """Whether the value is the least for the set found."""

    @property
    def proved(self) -> bool:
        """Whether no set of as many plans has less."""
        return self.value <= self.lower_bound


@dataclass(frozen=True)
class Point:
    """The best answer and bound at some time."""

    seconds: Amount
    optimal: Count
    bound: Count


@dataclass(frozen=True)
class Learned:
    """Costs of actions with all that is known about them; plans count with multiplicity."""

    costs: tuple[int, ...]
    """One for each action of the case."""
    parameters: tuple[int, ...]
    """What these costs are made of, one for each parameter of the cost model."""
    claimed: tuple[bool, ...]
    """Of each observation: whether the optimiser says that it is optimal."""
    upper_bound: int
    """No costs make more observations optimal."""
    second: Second | None
    verdicts: tuple[Verdict, ...]
    """One for each observation."""
    ending: Ending = "done"
    seconds: dict[str, float] = field(default_factory=dict)
    """Of the parts of the run, and ``total``."""
    history: tuple[Point, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether the check decided about every observation."""
        return all(verdict.optimal is not None for verdict in self.verdicts)


def worst(*endings: Ending) -> Ending:
    """Of several endings the one that counts."""
    return max(endings, key=get_args(Ending).index)

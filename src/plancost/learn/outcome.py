"""What a learning run hands over: costs, what is claimed, what is proven, what was checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Ending(Enum):
    """Why a run ended, from the best to the worst."""

    DONE = "done"
    LIMIT = "time limit"
    INTERRUPTED = "interrupted"
    FAILED = "a program failed"
    """A planner, the translator or a solver; the best answer so far is kept."""


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
class Moment:
    """The best answer and bound at some time."""

    seconds: float
    optimal: int
    bound: int


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
    none_exists: bool = False
    """Proven (icf): no costs make all plans optimal; the costs are the baseline then."""
    ending: Ending = Ending.DONE
    complaint: str = ""
    """What failed, in one sentence, if something did."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Of the parts of the run, and ``total``."""
    history: tuple[Moment, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def confirmed(self) -> int:
        """How many observations the check confirmed; the caller weighs them by their counts."""
        return sum(verdict.optimal is True for verdict in self.verdicts)

    @property
    def verified(self) -> bool:
        """Whether the check decided about every observation."""
        return all(verdict.optimal is not None for verdict in self.verdicts)

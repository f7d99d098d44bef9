"""What counts as an optimal plan, and what is asked for: the paper's Section 3.

* ``mcf`` (maximal): most plans optimal, then the least secondary cost.
* ``scf`` (strict): the same, but an optimal plan must be cheaper than every alternative.
* ``icf`` (ideal): *all* plans optimal, or the answer that this cannot be.

The secondary cost is the sum of all costs, or with initial costs (refinement)
the sum of the distances from them.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeVar

from plancost.errors import UsageError


class Solution(enum.StrEnum):
    """The paper's solution concepts."""

    MCF = "mcf"
    SCF = "scf"
    ICF = "icf"


class Reorderings(enum.StrEnum):
    """Whether another ordering of the same actions is an alternative (strict only)."""

    DISTINCT = "distinct"
    SAME = "same"


class Ties(enum.StrEnum):
    """Whether two observed plans of one task may tie (strict only)."""

    ALTERNATIVES = "alternatives"
    OBSERVED = "observed"


_KINDS: dict[str, type[enum.StrEnum]] = {
    "solution": Solution,
    "reorderings": Reorderings,
    "ties": Ties,
}

_Choice = TypeVar("_Choice", bound=enum.StrEnum)


def one_of(kind: type[_Choice], name: str, value: object) -> _Choice:
    """The choice that a value or a plain string names; `name` is for the message."""
    try:
        return kind(value)  # type: ignore[arg-type]  # whatever it is, it is refused here
    except ValueError as error:
        words = ", ".join(choice.value for choice in kind)
        raise UsageError(f"{name} is one of {words}, not '{value}'") from error


@dataclass(frozen=True)
class Concept:
    """A solution concept with its options."""

    solution: Solution = Solution.MCF
    strict: bool = False
    reorderings: Reorderings = Reorderings.DISTINCT
    ties: Ties = Ties.ALTERNATIVES

    def __post_init__(self) -> None:
        # Plain strings are welcome where one of a few words is meant.
        for name, kind in _KINDS.items():
            object.__setattr__(self, name, one_of(kind, name, getattr(self, name)))
        if self.strict and self.solution is Solution.MCF:
            raise UsageError("--strict goes with --solution icf; for a strict mcf use scf")
        if not self.is_strict and self.reorderings is not Reorderings.DISTINCT:
            raise UsageError("--reorderings same goes with --solution scf or icf --strict")
        if not self.is_strict and self.ties is not Ties.ALTERNATIVES:
            raise UsageError("--ties observed goes with --solution scf or icf --strict")

    @property
    def is_strict(self) -> bool:
        """Whether a plan must be cheaper than its alternatives, not just as cheap."""
        return self.strict or self.solution is Solution.SCF

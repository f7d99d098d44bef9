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

from plancost.errors import UsageError
from plancost.learning.problem.declaration import Recorded, Topic, check_values, option


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


@dataclass(frozen=True)
class Concept:
    """A solution concept with its options."""

    solution: Solution = option(
        Solution.MCF,
        "--solution: mcf: most plans optimal; scf: most plans cheaper than every alternative; icf: "
        "all plans optimal, or a proof that this is impossible (default: mcf; verify and explain: "
        "as the file says)",
        topic=Topic.OPTIMALITY,
    )
    strict: bool = option(
        False,
        "--strict: with icf: every plan cheaper than every alternative",
        topic=Topic.OPTIMALITY,
    )
    reorderings: Reorderings = option(
        Reorderings.DISTINCT,
        "--reorderings: scf, icf --strict: whether another order of the same actions is an "
        "alternative (distinct: yes, the default; same: no)",
        topic=Topic.OPTIMALITY,
        recorded=Recorded(always=True, write=str),
    )
    ties: Ties = option(
        Ties.ALTERNATIVES,
        "--ties: scf, icf --strict: observed plans of one task may tie (observed), or are "
        "alternatives of each other (alternatives, the default)",
        topic=Topic.OPTIMALITY,
        recorded=Recorded(always=True, write=str),
    )

    def __post_init__(self) -> None:
        check_values(self)
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

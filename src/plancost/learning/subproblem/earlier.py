"""What earlier questions about the same plans have found, as plain data.

The questions may differ in bounds of costs, in plans left out and in plans required, and in nothing
else: then the same plan and the same alternative make the same row.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import Costs
from plancost.learning.subproblem.certificates import Certificate
from plancost.observations.planfile import Plan

PlanOfTask = tuple[str, Plan]
"""`Task.key`, and a plan of that task."""


@dataclass(frozen=True)
class Earlier:
    """Rows with their alternatives, proofs of conflicts, and answers."""

    rows: Mapping[PlanOfTask, Collection[tuple[Row, Plan]]] = field(default_factory=dict)
    proofs: Sequence[Certificate] = ()
    answers: Sequence[tuple[frozenset[PlanOfTask], Costs]] = ()
    """Plans that were optimal together and the costs that made them so, the latest first."""

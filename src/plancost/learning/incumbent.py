"""The best answer so far: what a strategy fills in while it works.

A strategy updates it whenever it knows better, so that a time limit or Ctrl-C at any
moment leaves the last state to be checked and returned.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem


@dataclass
class Incumbent:
    """Costs and what is known about them, before the independent check."""

    costs: Costs
    believed: int
    """How many plans (with multiplicity) the optimiser thinks are optimal."""
    upper_bound: int
    """No costs make more plans optimal; holds for all alternatives."""
    secondary_bound: int
    """No costs that make `upper_bound` plans optimal have a lower secondary cost."""
    conflicts: list[Conflict] = field(default_factory=list)
    sets: Subproblem | None = None
    """What is known of sets of plans on the used actions, for explanations."""
    full_sets: Subproblem | None = None
    """The same on all actions, for ranges."""
    history: list[tuple[float, int, int]] = field(default_factory=list)
    """Seconds since the start, optimal plans and bound, whenever one of the two moved."""
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    """What planners failed with; what else failed is said elsewhere."""
    facts: dict[str, object] = field(default_factory=dict)
    """What the strategy wants recorded among the options of the result."""

    def remarks(self) -> list[str]:
        """What ended questions about sets of plans early, in sentences."""
        return list(dict.fromkeys(note for sets in self._all_sets() for note in sets.notes))

    def solver_failures(self) -> list[str]:
        """What the solver failed with at single questions, in sentences."""
        return list(dict.fromkeys(said for sets in self._all_sets() for said in sets.failures))

    def _all_sets(self) -> list[Subproblem]:
        return [sets for sets in (self.sets, self.full_sets) if sets is not None]

    @classmethod
    def baseline(cls, task: LearningTask) -> Incumbent:
        """All costs 1, or C̄ raised to at least 1: valid, and nothing is claimed."""
        plans = task.case.plan_count
        return cls(task.baseline, 0, plans, task.secondary_floor)

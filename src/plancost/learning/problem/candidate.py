"""A candidate: a distinct plan of a task, counted."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from plancost.learning.problem.rows import Counts
from plancost.observations.planfile import Plan


@dataclass(frozen=True)
class Candidate:
    """A distinct plan of a task, with all the observations that are copies of it.

    Unless orderings matter (strict, ``reorderings=distinct``), plans of one task with
    the same actions are copies too: they cost the same under every cost function.
    """

    task: int
    plan: Plan
    counts: Counts
    weight: int
    observations: tuple[int, ...]
    has_loop: bool
    factor: Fraction = Fraction(1)
    """It may cost so many times what an alternative costs."""
    bonus: int = 0
    """The part of its weight that it has because it is required."""

    @property
    def cancels(self) -> bool:
        """Whether parts that it has in common with an alternative cancel.

        Then every subpath of it must be optimal between its ends, and what is demanded of a
        subpath holds for all plans with that subpath. Not so with a factor above 1: an
        expensive subpath is made up for by the rest of the plan.
        """
        return self.factor == 1

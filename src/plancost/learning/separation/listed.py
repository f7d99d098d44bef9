"""Cuts that costs break, out of plans that were listed beforehand.

Of each task there is one matrix: how often each listed plan pays each cost. One product with the
costs says what all of them cost, for all observed plans of the task. Rows are made only of those
that are cheap enough to break one, so a thousand plans with ten thousand alternatives each take no
more memory than the listings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from plancost.learning.problem.cuts import Cut, cuts_of
from plancost.learning.problem.rows import excess
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline

_TOLERANCE = 1e-6
"""Floating-point costs break a row only by more than this."""
_MOST_CUTS = 4
"""Of one plan in one answer, those of the cheapest alternatives."""
_ENTRIES_OF_A_SEARCH = 2_000_000
"""So many are multiplied in about the time that a small linear program takes."""


class ListedSeparator:
    """Finds cuts among the listed alternatives of each task."""

    description = "listed plans"

    def __init__(self, task: LearningTask, alternatives: Sequence[Sequence[Plan]]) -> None:
        """`alternatives` is indexed by task."""
        self._task = task
        self._plans = [list(dict.fromkeys(plans)) for plans in alternatives]
        self._matrices = [task.matrix_of(map(task.counts, plans)) for plans in self._plans]

    def graphs(self) -> None:
        """There are none."""

    def paths(self) -> None:
        """There are none."""

    def effort(self, chosen: Sequence[int]) -> int:
        """One search for so many entries of the matrices."""
        tasks = {self._task.candidates[number].task for number in chosen}
        return 1 + sum(self._matrices[task].nnz for task in tasks) // _ENTRIES_OF_A_SEARCH

    def undecided(self) -> PlanSet:
        """All are decided."""
        return frozenset()

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut] | None:
        """See `protocol.Separator`."""
        found: list[Cut] = []
        by_task: dict[int, list[int]] = {}
        for number in chosen:
            by_task.setdefault(self._task.candidates[number].task, []).append(number)
        plan_costs = self._task.count_matrix @ costs
        tolerance = 0.0 if exact else _TOLERANCE
        for task, members in by_task.items():
            if deadline.is_over:
                return None
            needed = [self._needed(number, plan_costs.item(number)) for number in members]
            listed = self._matrices[task] @ costs
            places = np.flatnonzero(listed < max(needed))
            places = places[np.argsort(listed[places], kind="stable")]
            for number, least in zip(members, needed, strict=True):
                end = np.searchsorted(listed[places], least)
                cheap = (self._plans[task][place] for place in places[:end].tolist())
                found += self._broken(number, cheap, costs, tolerance)
        return found

    def _needed(self, number: int, cost: float) -> float:
        """What an alternative must cost at least to break no row of a candidate of this cost."""
        factor = self._task.candidates[number].factor
        return (cost if factor == 1 else cost / float(factor)) + self._task.concept.is_strict

    def _broken(
        self, number: int, plans: Iterator[Plan], costs: np.ndarray, tolerance: float
    ) -> list[Cut]:
        """The first of these cuts that are broken; plans that are no alternatives have none."""
        found: list[Cut] = []
        known = costs.tolist()
        for cut in cuts_of(self._task, number, plans):
            if excess(cut.row, known) > tolerance:
                found.append(cut)
                if len(found) == _MOST_CUTS:
                    break
        return found

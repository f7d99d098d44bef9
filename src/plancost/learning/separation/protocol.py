"""What the subproblem asks of whoever finds cuts: state graphs, planners, or both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.task import PlanSet
from plancost.learning.separation.paths import Paths
from plancost.oracles.graph_oracle import TaskGraph
from plancost.system.clock import Deadline


class Separator(Protocol):
    """Finds cuts that costs break."""

    description: str
    """Who looks for them, in a few words."""

    def graphs(self) -> Mapping[int, TaskGraph] | None:
        """The state graphs, if every task has one."""

    def paths(self) -> Paths | None:
        """The candidates as paths through state graphs, if some tasks have one."""

    def effort(self, chosen: Sequence[int]) -> int:
        """How many separate searches a question about these candidates takes."""

    def undecided(self) -> PlanSet:
        """Which candidates of the last question could not be decided."""

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut] | None:
        """Cuts of chosen candidates that the costs break.

        Integer costs are given with `exact`, and an empty answer then means that all
        chosen plans are optimal. With floating-point costs a cut may be missed. None:
        out of time.
        """


class NoSeparator:
    """Finds nothing: only the cuts that are known count."""

    description = "none"

    def graphs(self) -> None:
        """There are none."""

    def paths(self) -> None:
        """There are none."""

    def effort(self, chosen: Sequence[int]) -> int:
        """As little as there can be."""
        return 1

    def undecided(self) -> PlanSet:
        """All are decided, by the known cuts."""
        return frozenset()

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut]:
        """None that are not known."""
        return []

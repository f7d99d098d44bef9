"""Maximal cost functions: a plan counts if no other plan of its task costs less."""

from __future__ import annotations

from collections.abc import Iterator

from plancost.learn.concept import Seen, same_actions, stretch_cut, whole, whole_row
from plancost.learn.paths import Paths
from plancost.learn.rows import Alternative, Cut
from plancost.learn.task import LearningTask


class Maximal:
    """cost <= every alternative."""

    margin = 0

    def __init__(self, task: LearningTask, paths: Paths | None) -> None:
        self.task, self.paths = task, paths

    def limit(self, plan: int, cost: float) -> float:
        """Plans that cost less count against it."""
        return cost

    def allows(self, plan: int, other: tuple[int, ...]) -> bool:
        """Nothing that is cheaper is allowed."""
        return False

    def cuts(self, plan: int, seen: Seen) -> Iterator[Cut]:
        """One for each stretch that costs too much."""
        assert self.paths is not None
        for d in seen.path.cheaper(seen.found, seen.goal, seen.tolerance, seen.most):
            yield stretch_cut(self.paths, Alternative(plan, d.begin, d.end, d.other), 0)

    def against(self, plan: int, other: tuple[int, ...]) -> Cut:
        """The plan costs no more than the other."""
        row = whole_row(self.task, plan, other, 0)
        return Cut(row, same_actions(self.task, plan), whole(plan, other))

    def rebuilt(self, why: Alternative) -> Cut:
        """The cut of an alternative that was checked."""
        if why.is_whole or self.paths is None:
            return self.against(why.plan, why.other)
        return stretch_cut(self.paths, why, 0)

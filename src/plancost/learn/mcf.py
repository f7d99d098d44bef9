"""Maximal cost functions: a plan counts if no other plan of its task costs less."""

from __future__ import annotations

from collections.abc import Iterator

from plancost.learn.concept import Seen, same_actions, stretch_cut, whole_cut
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

    def alternatives(self, plan: int, seen: Seen) -> Iterator[Alternative]:
        """One for each stretch that costs too much."""
        yield from seen.cheaper(plan)

    def cut(self, why: Alternative) -> Cut:
        """Of a stretch, or of whole plans."""
        if self.paths is not None and not why.is_whole:
            return stretch_cut(self.paths, why, 0)
        return whole_cut(self.task, why, 0, same_actions(self.task, why.plan))

"""Cuts: rows of the subproblem that are found lazily, each with the alternative it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan


class Cut(NamedTuple):
    """A row that a candidate induces: what its optimality demands, given the alternative."""

    candidate: int
    row: Row
    alternative: Plan


def cuts_of(task: LearningTask, candidate: int, plans: Iterable[Plan]) -> Iterator[Cut]:
    """The cuts that a candidate induces, for those of the plans that are alternatives to it."""
    own = task.candidates[candidate]
    for plan in plans:
        if task.is_alternative(own, plan):
            yield Cut(candidate, task.row(own, plan), plan)

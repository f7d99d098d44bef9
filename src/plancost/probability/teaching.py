"""What would a plan of a task teach? Which samples it would tell apart, and how much that matters.

Two samples *disagree* on a task if the plan that is optimal under one is not under the other. If
one of them is true and predictions are made by the other, they cost too much: the mean of that over
all tasks is how much the pair matters. A plan of a task tells apart the pairs that disagree on
it. So what the task teaches is the sum over these pairs, as a share of the sum over all pairs. If
all samples agree on a task, its plan teaches nothing.

Tasks are chosen one after the other. A pair that a chosen task tells apart counts less for the
next ones, so that two tasks that tell the same are not both chosen; it still counts a little,
since samples stand for all costs near them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plancost.probability.outlook import Outlook

_TOLD_APART = 0.2
"""What a pair of samples that is told apart still counts."""
_DIGITS = 12

Pairs = npt.NDArray[np.float64]
"""A row for each sample that may be true, a column for each that predictions are made by."""


def extra_cost(look: Outlook) -> Pairs:
    """How much more than the optimum the plan of one sample costs under another, as a share."""
    found: Pairs = look.regrets[look.best].T - 1.0
    return found


@dataclass(frozen=True)
class Lesson:
    """A task, and what a plan of it teaches after the lessons before it."""

    task: int
    score: float
    """From 0 to 1: the share of what samples disagree on that it tells apart."""


class Teaching:
    """What plans of tasks teach, by the outlooks of all of them under the same samples."""

    def __init__(self, looks: Sequence[Outlook]) -> None:
        """Only samples that were searched for all tasks count; a task that has none is left out."""
        self._tasks = [task for task, look in enumerate(looks) if look.searched]
        count = min((looks[task].searched for task in self._tasks), default=0)
        weights: Pairs = np.zeros((count, count))
        self._apart = []
        for task in self._tasks:
            extra = extra_cost(looks[task])[:count, :count]
            self._apart.append(extra > 0)
            weights += extra
        self._weights = weights / max(weights.sum(), np.finfo(float).tiny)

    def lessons(self, budget: int | None = None) -> list[Lesson]:
        """So many tasks (None: all), each the best after those before it; of equal ones the first.

        With None every score is that of the task by itself.
        """
        if budget is None:
            alone = {n: self._score(n, self._weights) for n in range(len(self._tasks))}
            ranked = sorted(alone, key=lambda n: (-alone[n], n))
            return [Lesson(self._tasks[n], alone[n]) for n in ranked]
        weights, left = self._weights, list(range(len(self._tasks)))
        found: list[Lesson] = []
        while left and len(found) < budget:
            scores = {n: self._score(n, weights) for n in left}
            best = max(left, key=scores.__getitem__)
            found.append(Lesson(self._tasks[best], scores[best]))
            left.remove(best)
            weights = weights * np.where(self._apart[best], _TOLD_APART, 1.0)
        return found

    def _score(self, number: int, weights: Pairs) -> float:
        # What differs by rounding alone is equal.
        return round(float(weights[self._apart[number]].sum()), _DIGITS)

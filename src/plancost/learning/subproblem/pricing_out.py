"""Actions that no plan of a set uses are made more expensive than its most expensive plan.

Then no alternative through such an action can win, so whether the plans can be optimal
together is decided by alternatives made of their own actions alone. That asks far less of a
search, and brings in far fewer rows, while the set is small.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from plancost.learning.problem.task import Costs, LearningTask, PlanSet


def priced_out(task: LearningTask, chosen: PlanSet, costs: Costs) -> Costs:
    """Integer costs with every action that no chosen plan uses priced out."""
    used = task.kept_actions(chosen)
    upper_bound = 1 + max((task.cost(task.candidates[n].plan, costs) for n in chosen), default=0)
    return task.structure.completed(
        [
            cost if action in used else max(upper_bound, task.baseline[action])
            for action, cost in enumerate(costs)
        ]
    )


class PricesOut:
    """The same for floating-point costs, many times for one set."""

    def __init__(self, task: LearningTask, chosen: PlanSet) -> None:
        self._own = task.count_matrix[sorted(chosen)]
        self._used = np.zeros(len(task.terms), dtype=bool)
        self._used[self._own.indices] = True
        self._used[sorted(task.kept_actions(()))] = True
        self._least = task.objective.least

    def __call__(self, costs: np.ndarray) -> np.ndarray:
        """The costs with every action that no chosen plan uses priced out."""
        upper_bound = 1.0 + ceil((self._own @ costs).max(initial=0.0))
        return np.where(self._used, costs, np.maximum(self._least, upper_bound))

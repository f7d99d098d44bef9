"""How much of an answer is forced: the least and greatest cost of each action.

Over all cost functions that make the same plans optimal at the same secondary cost, which must
be the least: otherwise answers that are better would count as well. Of other plans, as many and
at the same secondary cost, ranges do not speak. For each
action (each kind of actions that always cost the same) a program is solved downwards and one
upwards, with lazily found rows; every point that is confirmed counts for all actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.integer_costs import Preference
from plancost.system.clock import Deadline


@dataclass(frozen=True)
class Range:
    """The costs that an action can have; not `proven`: at least these are possible."""

    least: int
    greatest: int
    proven: bool


class Ranges:
    """The ranges found so far; a search that is stopped leaves them as they are."""

    def __init__(self, task: LearningTask, costs: Costs) -> None:
        self._task = task
        self.budget = task.secondary(costs)
        """The secondary cost of the answer, which others may not exceed."""
        self._least = task.structure.costs(costs)
        self._greatest = list(self._least)
        self._proven = [False] * len(self._least)

    def take_in(self, costs: Costs) -> None:
        """An answer as good: every action can have the cost that it has there."""
        for action, cost in enumerate(self._task.structure.costs(costs)):
            self._least[action] = min(self._least[action], cost)
            self._greatest[action] = max(self._greatest[action], cost)

    def prove(self, actions: Iterable[int]) -> None:
        """No answer as good gives these actions other costs."""
        for action in actions:
            self._proven[action] = True

    def all(self) -> list[Range]:
        """The range of each action of A."""
        found = zip(self._least, self._greatest, self._proven, strict=True)
        return [Range(low, high, ok) for low, high, ok in found]

    def note(self) -> str | None:
        """A sentence about what is missing, if anything is."""
        missing = self._proven.count(False)
        if not missing:
            return None
        return (
            f"{missing} of {len(self._proven)} ranges are not proven: the time ran out, or the "
            "solver could not decide them; at least the costs that they name are possible"
        )


def find_ranges(
    subproblem: Subproblem,
    chosen: PlanSet,
    found: Ranges,
    deadline: Deadline,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Widen each range to all answers as good as the one that `found` begins with."""
    task, budget = subproblem.task, found.budget
    kinds = task.structure.kinds
    for done, (parts, members) in enumerate(kinds):
        progress(done, len(kinds))
        extremes = []
        for sign in (1, -1):
            weights = {parameter: sign * times for parameter, times in parts}
            extreme = subproblem.best_integers(chosen, deadline, Preference(weights, budget))
            if extreme is not None:
                found.take_in(extreme)
                extremes.append(extreme)
        if len(extremes) == 2:
            found.prove(members)
    progress(len(kinds), len(kinds))

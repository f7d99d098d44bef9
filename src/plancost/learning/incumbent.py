"""The incumbent: the best answer so far, which a strategy improves while it works.

There are one or several cost functions, each with the plans that it is claimed to make optimal, and
a bound on how many plans any costs can make optimal. A time limit or Ctrl-C at any moment leaves
the last state, which is then checked and returned.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem

_log = logging.getLogger(__name__)


@dataclass
class CostFunction:
    """One cost function, the plans that it is claimed to make optimal, and what is proven."""

    task: LearningTask
    chosen: PlanSet
    """The candidates that are claimed to be optimal."""
    costs: Costs
    secondary_bound: int
    """No costs in place of these have a lower secondary cost.

    With one cost function: none that make as many plans optimal as the upper bound says. With
    several: none that make these very plans optimal."""
    name: str = ""
    """The group that it belongs to, where there are groups."""
    _bounds: dict[PlanSet, int] = field(default_factory=dict)
    """Of sets of candidates, a bound on the secondary cost of all costs that make them optimal."""

    @classmethod
    def baseline(cls, task: LearningTask, name: str = "") -> CostFunction:
        """All costs 1, or C̄ raised to at least 1: valid, and nothing is claimed."""
        return cls(task, frozenset(), task.baseline, task.secondary_floor, name)

    @property
    def value(self) -> int:
        """The secondary cost."""
        return self.task.secondary(self.costs)

    @property
    def is_least(self) -> bool:
        """Whether the secondary cost is proven to be the least."""
        return self.value == self.secondary_bound

    @property
    def bound_of_set(self) -> int:
        """No costs that make these very candidates optimal have a lower secondary cost."""
        return max(self.task.secondary_floor, self._bounds.get(self.chosen, 0))

    def note_bound_of_set(self, chosen: PlanSet, bound: int) -> None:
        """Keep a bound for the set at hand, or for one that may take its place."""
        self._bounds[chosen] = max(bound, self._bounds.get(chosen, 0))


@dataclass
class Incumbent:
    """Cost functions and what is known about them, before the independent check."""

    task: LearningTask
    functions: list[CostFunction]
    upper_bound: int
    """No costs make more plans optimal (with multiplicity); holds for all alternatives."""
    conflicts: list[Conflict] = field(default_factory=list)
    first: Subproblem | None = None
    """The feasibility subproblem on the deciding actions, for explanations."""
    full: Subproblem | None = None
    """The same on all actions, for ranges."""
    history: list[tuple[float, int, int]] = field(default_factory=list)
    """Seconds since the start, optimal plans and bound, whenever one of the two moved."""
    secondary_history: list[tuple[float, int, int]] = field(default_factory=list)
    """The same for the secondary cost and its bound, once the most plans are proven."""
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    """What planners failed with; what else failed is said elsewhere."""
    facts: dict[str, object] = field(default_factory=dict)
    """What the strategy wants recorded among the options of the result."""
    proof: dict[str, Any] | None = None
    """What the bounds rest on, if that was asked for."""
    checkpoint: Path | None = None
    """The file that the run can be resumed from."""
    report: Callable[[], None] = lambda: None
    """Called whenever the claimed plans or the upper bound have improved."""

    @classmethod
    def baseline(cls, task: LearningTask, groups: Sequence[str] = ("",)) -> Incumbent:
        """A cost function for each group, all at the baseline; without names there is one."""
        functions = [CostFunction.baseline(task, name) for name in groups]
        return cls(task, functions, task.weight(range(len(task.candidates))))

    @property
    def is_grouped(self) -> bool:
        """Whether each plan belongs to a group with a cost function of its own."""
        return bool(self.only.name)

    @property
    def only(self) -> CostFunction:
        """The first cost function, where there is one."""
        return self.functions[0]

    @property
    def chosen(self) -> PlanSet:
        """The candidates that the first cost function is claimed to make optimal."""
        return self.only.chosen

    @property
    def costs(self) -> Costs:
        """The costs of the first cost function."""
        return self.only.costs

    @property
    def secondary_bound(self) -> int:
        """The bound on the secondary cost of the first cost function."""
        return self.only.secondary_bound

    @property
    def weight(self) -> int:
        """How many plans are claimed to be optimal, with multiplicity."""
        return sum(self.task.weight(function.chosen) for function in self.functions)

    @property
    def plans(self) -> int:
        """The same without what required plans weigh more."""
        bonus = (self.task.candidates[n].bonus for f in self.functions for n in f.chosen)
        return self.weight - sum(bonus)

    @property
    def most_plans(self) -> int:
        """No costs under which all required plans are optimal make more plans optimal."""
        return min(self.task.case.plan_count, self.task.plans_of(self.upper_bound))

    @property
    def proved(self) -> bool:
        """Whether no costs make more plans optimal than are claimed."""
        return self.weight == self.upper_bound

    def improve(self, *better: tuple[PlanSet, Costs]) -> bool:
        """Take sets of plans with costs, one for each cost function, if they are better.

        They are if they weigh more, or as much at a lower secondary cost.
        """
        weight = sum(self.task.weight(chosen) for chosen, _ in better)
        value = sum(self.task.secondary(costs) for _, costs in better)
        if (-weight, value) >= (-self.weight, sum(item.value for item in self.functions)):
            return False
        for function, (chosen, costs) in zip(self.functions, better, strict=True):
            function.chosen, function.costs = chosen, costs
        self.report()
        return True

    def lower_bound_to(self, bound: int) -> bool:
        """Take a better upper bound, unless the incumbent itself shows that it is none."""
        weight = self.weight
        if bound < weight:
            _log.warning("at most %d, but %d were reached: ignored", bound, weight)
            return False
        if bound >= self.upper_bound:
            return False
        self.upper_bound = bound
        self.report()
        return True

    def remarks(self) -> list[str]:
        """What ended questions about sets of plans early, in sentences."""
        return _each_once(subproblem.notes for subproblem in self._subproblems())

    def solver_failures(self) -> list[str]:
        """What the solver failed with at single questions, in sentences."""
        return _each_once(subproblem.failures for subproblem in self._subproblems())

    def _subproblems(self) -> Sequence[Subproblem]:
        return [item for item in (self.first, self.full) if item is not None]


def _each_once(texts: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(text for some in texts for text in some))

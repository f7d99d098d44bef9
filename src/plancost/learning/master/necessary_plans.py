"""Which plans does every set of the required weight have one of?

If the relaxation of the master, with some plans left out, cannot reach the weight, every set that
does has one of them. Where the relaxation is not enough, an integer program is asked for a set
without them. A set that it finds shows the same of all other plans that it does not have. What is
necessary is a row of the next question: at least one of these plans is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.integer_program import model_of_sets
from plancost.learning.master.lazy_program import LazyProgram, only
from plancost.learning.master.relaxation import Relaxation
from plancost.learning.master.weighing import Weighing
from plancost.learning.problem.task import PlanSet
from plancost.solver.model import Status
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE


class NecessaryPlans:
    """Classes of plans, of which every set of the required weight has one."""

    def __init__(
        self, weights: Sequence[int], inequalities: Inequalities, required_weight: int
    ) -> None:
        self._weights = weights
        self._inequalities = inequalities
        self._required = required_weight
        self._relaxation = Relaxation(weights, inequalities)
        self.classes: dict[PlanSet, None] = {}
        """Those that were found."""
        self._found: list[PlanSet] = []
        self._allowed: list[PlanSet] = []
        self._relaxed: set[PlanSet] = set()

    def add_set(self, chosen: PlanSet) -> None:
        """A set of the required weight; no plans that it does not have are necessary."""
        self._found.append(chosen)

    def forget(self) -> None:
        """There are new conflicts, so that sets which were allowed may not be."""
        self._allowed.clear()
        self._relaxed.clear()

    def is_necessary(self, members: PlanSet, deadline: Deadline | None, *, by_sets: bool) -> bool:
        """Whether it is proven that every set of the required weight has one of these plans.

        Without a deadline: whether it is known already. `by_sets`: also by an integer program.
        """
        if members in self.classes:
            return True
        if any(map(members.isdisjoint, self._found)) or any(map(members.isdisjoint, self._allowed)):
            return False
        proven = any(other <= members for other in self.classes)
        if not proven and deadline is not None:
            proven = self._by_relaxation(members, deadline)
            if not proven and by_sets:
                proven = self._by_sets(members, deadline.within(SCHEDULE.one_class_s))
        if proven:
            self.classes[members] = None
        return proven

    def _by_relaxation(self, members: PlanSet, deadline: Deadline) -> bool:
        if members in self._relaxed:
            return False
        self._relaxed.add(members)
        bound = self._relaxation.bound_without(members, deadline)
        return bound is not None and bound < self._required

    def _by_sets(self, members: PlanSet, deadline: Deadline) -> bool:
        model = model_of_sets(self._inequalities)
        for plan in members:
            model.upper[plan] = 0.0
        for others in self.classes:
            model.add_row(dict.fromkeys(others, 1.0), lower=1.0)
        weighing = Weighing(model, list(enumerate(self._weights)))
        weighing.require(self._required)
        program = LazyProgram(model, self._inequalities)
        outcome = program.solve(deadline, gap=0.5)
        chosen = only(program.chosen(outcome))
        if outcome.status is Status.OPTIMAL and chosen is not None:
            self._allowed.append(chosen)
        return outcome.status is Status.INFEASIBLE

"""The first objective for several groups: the most plans that several cost functions make optimal.

Each group has a cost function of its own, and a plan counts if it is optimal under that of its
group. A conflict between plans holds in every group, so what `exact` does for one set is done
here for several at once:

* *Peeling* is the start: the maximum set is the first group, the most of what is left the second.
* *Alternating* improves it: some plans leave their groups, some that are in none are forced into
  one, and all groups take in again what fits, which leaves costs under which other plans fit.
  Restarts begin with groups drawn at random, from the seed.
* *The bound* comes from the linear relaxation for the union of the sets, and then from the integer
  program (`integer_program`), whose proposals are tried too. When the best sets weigh as much as
  the bound, they are proven. On small cases this ends soon; on large ones it seldom does.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence

import numpy as np

from plancost.learning.exact.hitting_set import find_feasible_subset
from plancost.learning.exact.insertion import Inserter, Pass
from plancost.learning.incumbent import Incumbent
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.relaxation import Relaxation, RelaxedChoice
from plancost.learning.partition.integer_program import heaviest_sets
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)

_IDLE_PASSES = 8
"""So many passes without a better answer, and something else is tried."""
_RESTART_EVERY = 4
_LEAST_PROGRESS = 0.05
_NOISE = 0.5
_LEAVING = (0.1, 0.3, 0.5)
"""Parts of the plans that leave their groups in a pass."""
_MOST_FORCED = 3

PEELING = "peeling"
ALTERNATING = "alternating"
INTEGER_PROGRAM = "integer program"
RELAXATION = "linear relaxation"
SINGLE_PLANS = "plans that are possible alone"
ANSWER_FROM = "answer_from"
BOUND_FROM = "bound_from"


def find_feasible_subsets(
    subproblem: Subproblem, incumbent: Incumbent, deadline: Deadline, *, seed: int = 0
) -> None:
    """Improve the incumbent until it is proven best, time is up, or nothing helps any more.

    Its facts say which method found the sets, and which the bound.
    """
    incumbent.facts |= {ANSWER_FROM: PEELING, BOUND_FROM: SINGLE_PLANS}
    search = _Search(subproblem, deadline, incumbent, seed)
    search.peel()
    master_s = SCHEDULE.master_s
    while not incumbent.proved and not deadline.is_over:
        if search.follow_relaxation() or search.alternate() or incumbent.proved or deadline.is_over:
            continue
        if not search.follow_master(master_s):
            break  # nothing is left to learn: a question stayed undecided
        master_s *= 2
        if deadline.at is None and master_s > SCHEDULE.longest_master_s:
            break


class _Search:
    """The moves of the search, around one best answer."""

    def __init__(
        self, subproblem: Subproblem, deadline: Deadline, incumbent: Incumbent, seed: int
    ) -> None:
        self.subproblem = subproblem
        self.deadline = deadline
        self.best = incumbent
        self._task = subproblem.task
        self._count = len(incumbent.functions)
        self._weights = [candidate.weight for candidate in self._task.candidates]
        self._least_progress = _LEAST_PROGRESS * sum(self._weights) / max(1, len(self._weights))
        self._alive: list[int] = []
        self._seed = seed
        self._random = random.Random(seed)
        self._current = self._chosen()
        self._passes = 0

    def peel(self) -> None:
        """The maximum set first, and then what fits of the rest; many conflicts come with it."""
        first = Incumbent.baseline(self._task)
        first.conflicts = self.best.conflicts
        until = self.deadline.share(SCHEDULE.peeling).within(SCHEDULE.peeling_s)
        find_feasible_subset(self.subproblem, first, until, seed=self._seed)
        self._inequalities = Inequalities(len(self._weights), self.best.conflicts)
        self._inserters = [
            Inserter(self.subproblem, self.best.conflicts) for _ in range(self._count)
        ]
        self._relaxation = Relaxation(self._weights, self._inequalities, self._count)
        values = np.ones(len(self._weights))
        self._relaxed = RelaxedChoice(values, 0, float(sum(self._weights)))
        candidates = self._task.candidates
        alive = (n for n in range(len(candidates)) if n not in self._inequalities.infeasible_alone)
        self._alive = sorted(alive, key=lambda n: (len(candidates[n].plan), -self._weights[n], n))
        self._lower_bound_to(self._task.weight(self._alive), SINGLE_PLANS)
        self._lower_bound_to(self._count * first.upper_bound, INTEGER_PROGRAM)
        chosen = (first.chosen, *[frozenset[int]()] * (self._count - 1))
        # Without another plan this is an answer; the pass that follows may run out of time.
        others = [function.costs for function in self.best.functions[1:]]
        self._better(chosen, (first.costs, *others), PEELING)
        self._arrange([sorted(members) for members in chosen], self._alive, PEELING, in_order=True)

    def follow_relaxation(self) -> bool:
        """Take in first what the relaxation likes; False if that leads nowhere."""
        relaxed = self.subproblem.attempt(lambda: self._relaxation.solve(self.deadline))
        if relaxed is None:
            return False
        self._lower_bound_to(relaxed.bound, RELAXATION)
        was_useful = relaxed.weight < self._relaxed.weight - self._least_progress
        self._relaxed = relaxed
        best = self.best.weight
        if not self.best.proved:
            nobody: list[list[int]] = [[] for _ in range(self._count)]
            self._arrange(nobody, self._by_value(), ALTERNATING)
        return was_useful or self.best.weight > best

    def alternate(self) -> bool:
        """Passes from the groups at hand, until they lead nowhere; whether they led anywhere."""
        before, idle = self.best.weight, 0
        while idle < _IDLE_PASSES and not (self.best.proved or self.deadline.is_over):
            weight = self.best.weight
            self._passes += 1
            restart = self._passes % _RESTART_EVERY == 0
            self._arrange(
                self._at_random() if restart else self._disturbed(), self._by_value(), ALTERNATING
            )
            idle = 0 if self.best.weight > weight else idle + 1
        return self.best.weight > before

    def follow_master(self, seconds: float) -> bool:
        """Try what the integer program proposes; False if nothing more can be learned."""
        known = len(self.best.conflicts)
        until = self.deadline.within(seconds)
        proposal = self.subproblem.attempt(
            lambda: heaviest_sets(
                self._weights, self._inequalities, self._count, until, self._seed, self._chosen()
            )
        )
        if proposal is None:
            return False
        self._lower_bound_to(proposal.bound, INTEGER_PROGRAM)
        if proposal.chosen is not None and not self.best.proved:
            wishes = [sorted(members) for members in proposal.chosen]
            self._arrange(wishes, self._by_value(), INTEGER_PROGRAM)
        again = not (proposal.finished or proposal.gave_up)
        return self.best.proved or again or len(self.best.conflicts) > known

    def _arrange(
        self,
        wishes: Sequence[Sequence[int]],
        others: Sequence[int],
        method: str,
        *,
        in_order: bool = False,
    ) -> None:
        """Every group takes in its own wishes first, and then others that are in no group.

        A plan that does not fit where it was wished for is tried in the groups that come later.
        """
        groups = list(range(self._count))
        if not in_order:
            self._random.shuffle(groups)
        wished = frozenset(plan for members in wishes for plan in members)
        left = [plan for plan in others if plan not in wished]
        grown: list[list[int]] = [[] for _ in groups]
        for group in groups:
            if self.deadline.is_over:
                return
            order = [*wishes[group], *left]
            found = Pass()
            grown[group] = self._inserters[group].grow(order, self.deadline, found)
            self._learn(found, group)
            inside = frozenset(grown[group])
            left = [plan for plan in order if plan not in inside]
        weight = sum(map(self._task.weight, grown))
        if weight >= self._task.weight(frozenset().union(*self._current)):
            self._current = tuple(map(frozenset, grown))
        if weight > self.best.weight:
            self._confirm(grown, method)

    def _confirm(self, grown: Sequence[list[int]], method: str) -> None:
        """Find integer costs for every group; together they may be a better answer."""
        chosen, costs = [], []
        for group, inserter in enumerate(self._inserters):
            found = Pass()
            inserter.confirm(grown[group], self.deadline, -1, found)
            self._learn(found, group)
            if found.costs is None:
                return
            chosen.append(frozenset(grown[group]))
            costs.append(found.costs)
        self._better(tuple(chosen), tuple(costs), method)

    def _better(self, chosen: tuple[PlanSet, ...], costs: tuple[Costs, ...], method: str) -> None:
        """Keep sets that weigh more than the best so far."""
        if sum(map(self._task.weight, chosen)) > self.best.weight:
            self.best.facts[ANSWER_FROM] = method
            self._current = chosen
            self.best.improve(*zip(chosen, costs, strict=True))

    def _chosen(self) -> tuple[PlanSet, ...]:
        return tuple(function.chosen for function in self.best.functions)

    def _learn(self, found: Pass, group: int) -> None:
        """What one group has learned holds for all."""
        self.best.conflicts.extend(found.conflicts)
        for conflict in found.conflicts:
            self._inequalities.add(conflict)
            for other, inserter in enumerate(self._inserters):
                if other != group:
                    inserter.learn(conflict)

    def _lower_bound_to(self, bound: int, method: str) -> None:
        if self.best.lower_bound_to(bound):
            self.best.facts[BOUND_FROM] = method

    def _by_value(self) -> list[int]:
        """The plans by how much the relaxation chooses of them, somewhat disturbed."""
        values = self._relaxed.values
        key = {n: values[n] + _NOISE * self._random.random() for n in self._alive}
        return sorted(self._alive, key=lambda n: -key[n])

    def _disturbed(self) -> list[list[int]]:
        """The groups at hand without some plans, and with a few others in front."""
        part = self._random.choice(_LEAVING)
        wishes = []
        for members in self._current:
            staying = [plan for plan in sorted(members) if self._random.random() > part]
            self._random.shuffle(staying)
            wishes.append(staying)
        inside = frozenset().union(*self._current)
        outside = [plan for plan in self._alive if plan not in inside]
        few = min(len(outside), self._random.randint(1, _MOST_FORCED))
        for plan in self._random.sample(outside, few):
            self._random.choice(wishes).insert(0, plan)
        return wishes

    def _at_random(self) -> list[list[int]]:
        """Every plan in a group drawn at random."""
        wishes: list[list[int]] = [[] for _ in range(self._count)]
        for plan in self._by_value():
            self._random.choice(wishes).append(plan)
        return wishes

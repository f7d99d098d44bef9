"""Plans inserted one by one into a set, as long as they can be optimal together.

Each rejection is a conflict. What is left in the end can be had, with integer costs.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from plancost.learning.exact.early_cuts import find_early_cuts
from plancost.learning.exact.minimal_conflicts import ConflictShrinker
from plancost.learning.master.conflict_index import ConflictIndex
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.conflict import Conflict, Possible
from plancost.learning.subproblem.cost_lp import ProgramPoint
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_MANY = 200
"""Plans from which on they are inserted in blocks."""
_LEAST_BLOCK = 32
_FIRST_BLOCKS = 16
_FEW_REJECTED = 16
"""A block of which fewer than one in so many is rejected is followed by a larger one."""
_PART_FOR_A_BLOCK = 0.3
"""The part of the time left that a block may be expected to take: it counts only when it ends."""
_MANY_ROWS = 3000
"""Of a linear program, from which on a new one near its solution is quicker."""


@dataclass
class Pass:
    """What came out of inserting plans in one order."""

    answer: tuple[PlanSet, Costs] | None = None
    """A set and costs that make all of it optimal; None if that was not worth asking."""
    conflicts: list[Conflict] = field(default_factory=list)

    @property
    def chosen(self) -> PlanSet:
        """The set."""
        return frozenset() if self.answer is None else self.answer[0]

    @property
    def costs(self) -> Costs | None:
        """The costs that make it optimal."""
        return None if self.answer is None else self.answer[1]


class Inserter:
    """Inserts plans, and knows the conflicts so far."""

    def __init__(self, subproblem: Subproblem, conflicts: Iterable[Conflict] = ()) -> None:
        self.subproblem = subproblem
        self.index = ConflictIndex(conflicts)
        """The set that is being changed, and what is known to forbid."""
        self._shrinker = ConflictShrinker(subproblem)
        everyone = range(len(subproblem.task.candidates))
        self.is_costly = subproblem.effort(everyone) > 1
        """Whether it takes many searches to look at all plans."""
        self.costs = subproblem.start
        """Floating-point costs that make the plans optimal that were inserted last, or most."""
        self._undecided: PlanSet = frozenset()
        """Plans that time was too short for; these costs may make many of them optimal."""

    def learn(self, conflict: Conflict) -> None:
        """Take note of a conflict that somebody else found."""
        self.index.add_conflict(conflict)

    def infeasible_alone(self, plans: Sequence[int], deadline: Deadline) -> tuple[list[int], Pass]:
        """Which of the plans cannot even be optimal alone."""
        found, lost = Pass(), []
        self.index.clear()
        for number in plans:
            if deadline.is_over:
                break
            if self.index.allows(number):
                if number in self.subproblem.alone:
                    continue
                answer = self.subproblem.relax(frozenset([number]), deadline)
                if not isinstance(answer, Conflict):
                    if isinstance(answer, ProgramPoint):
                        self.subproblem.alone.add(number)
                    continue
                self._reject(answer, found)
            lost.append(number)
        return lost, found

    def insert(
        self,
        order: Sequence[int],
        deadline: Deadline,
        better_than: int,
        first: int = 0,
        found: Pass | None = None,
    ) -> Pass:
        """Insert plans in this order; costs are wanted for a set that weighs more than that.

        Each plan is looked at alone beside what is known of the others. The others are looked at
        again after as many plans as that takes searches, and in the end. What is in `found` holds,
        also if this is interrupted.
        """
        found = Pass() if found is None else found
        inserted = self.grow(order, deadline, found, first)
        self.confirm(inserted, deadline, better_than, found)
        return found

    def grow(
        self, order: Sequence[int], deadline: Deadline, found: Pass, first: int = 0
    ) -> list[int]:
        """The plans that fit beside each other, inserted in this order; conflicts go to `found`.

        Where they are inserted in blocks, the `first` ones, which nearly fit, are one.
        """
        self.index.clear()
        until = deadline.share(SCHEDULE.inserting)
        if self.goes_in_blocks(len(order)):
            return self._grow_in_blocks(order, until, found, first)
        costs = self.subproblem.start
        effort = self.subproblem.effort(order)
        inserted: list[int] = []
        unsettled = 0
        for number in dict.fromkeys(order):
            if until.is_over:
                break
            if not self.index.allows(number):
                continue
            if not self.subproblem.satisfies(costs, number, deadline):
                alone = number if effort > 1 else None
                answer = self._added(inserted, number, alone, deadline, found)
                if answer is None:
                    continue
                costs = answer.costs
                unsettled += effort > 1
            self.index.add(number)
            inserted.append(number)
            if unsettled >= effort:
                costs = self._settle(inserted, costs, deadline, found)
                unsettled = 0
        self.costs = self._settle(inserted, costs, deadline, found) if unsettled else costs
        return inserted

    def goes_in_blocks(self, plans: int) -> bool:
        """Whether so many plans are inserted many at a time."""
        return plans >= _MANY and self.is_costly

    def _grow_in_blocks(
        self, order: Sequence[int], deadline: Deadline, found: Pass, first: int
    ) -> list[int]:
        """The same for very many plans, of which most fit: many at a time.

        All that known conflicts allow are added, and all plans are looked at together. Of each
        conflict the plan that came last is taken out again; it may fit again later.
        """
        find_early_cuts(self.subproblem, self._allowed(order), deadline.share(SCHEDULE.early_cuts))
        inserted: list[int] = []
        size = max(_LEAST_BLOCK, len(order) // _FIRST_BLOCKS, first)
        while not deadline.is_over:
            waiting = deque(n for n in dict.fromkeys(order) if n not in self.index.chosen)
            before = len(inserted)
            while waiting and not deadline.is_over:
                known, conflicts = frozenset(inserted), len(found.conflicts)
                began = time.monotonic()
                while waiting and len(inserted) < len(known) + size:
                    number = waiting.popleft()
                    if self.index.allows(number):
                        self.index.add(number)
                        inserted.append(number)
                added = len(inserted) - len(known)
                if self._settled(inserted, deadline, found) is None:
                    self._give_up(inserted, known)
                    return inserted
                self._begin_near(inserted)
                rejected = len(found.conflicts) - conflicts
                size = size * 2 if rejected * _FEW_REJECTED <= size else size // 2
                left_s, took_s = deadline.remaining(), time.monotonic() - began
                if left_s is not None and took_s > 0:
                    size = min(size, int(_PART_FOR_A_BLOCK * added * left_s / took_s))
                size = max(_LEAST_BLOCK, size)
            if len(inserted) == before:
                break
        return inserted

    def _begin_near(self, inserted: Sequence[int]) -> None:
        """Go on with a small linear program, near the solution of one that has become slow.

        It needs few rows, those that whole numbers near the solution break. So its own solution is
        mostly whole, and one for more plans is near.
        """
        if self.subproblem.program.row_count >= _MANY_ROWS:
            self.subproblem.begin_near(self.costs, inserted)

    def _give_up(self, inserted: list[int], known: PlanSet) -> None:
        """Keep those that were known to fit, and the costs that the others came to."""
        self._undecided = frozenset(inserted)
        for number in self._undecided - known:
            inserted.remove(number)
            self.index.remove(number)

    def _allowed(self, order: Sequence[int]) -> PlanSet:
        """The plans that known conflicts allow, if they are inserted in this order."""
        for number in order:
            if self.index.allows(number):
                self.index.add(number)
        found = frozenset(self.index.chosen)
        self.index.clear()
        return found

    def _added(
        self,
        inserted: list[int],
        number: int,
        alone: int | None,
        deadline: Deadline,
        found: Pass,
    ) -> ProgramPoint | None:
        """Try one more plan; None if it does not fit."""
        while True:
            answer = self.subproblem.relax(frozenset((*inserted, number)), deadline, newest=alone)
            if isinstance(answer, ProgramPoint):
                return answer
            if not isinstance(answer, Conflict):
                return None
            if not answer.contains(frozenset(inserted)):
                # Those that came first are kept in the conflict, as they will come first again.
                place = {other: -float(n) for n, other in enumerate(inserted)} | {number: 1.0}
                answer = self._shrinker.shrink(
                    answer, frozenset(place), place.__getitem__, deadline, self._needed(number)
                )
            if not answer.contains(frozenset(inserted)):
                self._reject(answer, found)
                return None
            # The others were not looked at again: it is one of them that does not fit.
            self._take_out(inserted, answer, found)

    def try_one(
        self, number: int, value: Callable[[int], float], deadline: Deadline, found: Pass
    ) -> bool | None:
        """Add one more plan to the set of the index, if it fits; None if nobody can tell.

        A conflict that the others have among themselves is mended by the one of the least value.
        """
        alone = number if self.is_costly else None
        while True:
            others = frozenset(self.index.chosen)
            chosen = others | {number}
            answer = self.subproblem.relax(chosen, deadline, newest=alone)
            if isinstance(answer, ProgramPoint):
                self.index.add(number)
                return True
            if not isinstance(answer, Conflict):
                return None
            if not answer.contains(others):
                needed = self._needed(number)
                answer = self._shrinker.shrink(answer, chosen, value, deadline, needed)
            self._reject(answer, found)
            if not answer.contains(others):
                return False
            self._drop(answer, value)

    def _needed(self, number: int) -> PlanSet:
        """The plan that does not fit, if all others were looked at together before."""
        return frozenset() if self.is_costly else frozenset([number])

    def _drop(self, conflict: Conflict, value: Callable[[int], float]) -> None:
        members = conflict.members(frozenset(self.index.chosen))
        self.index.remove(min(members, key=lambda plan: (value(plan), plan)))

    def _settle(
        self, inserted: list[int], costs: np.ndarray, deadline: Deadline, found: Pass
    ) -> np.ndarray:
        """Look at all plans again, and take out the last ones that do not fit after all."""
        settled = self._settled(inserted, deadline, found)
        return costs if settled is None else settled

    def _settled(self, inserted: list[int], deadline: Deadline, found: Pass) -> np.ndarray | None:
        """The same; None if that stays undecided."""
        while True:
            answer = self.subproblem.relax(frozenset(inserted), deadline)
            if isinstance(answer, ProgramPoint):
                self.costs = answer.costs
                return answer.costs
            if self.subproblem.last is not None:
                self.costs = self.subproblem.last.costs
            if not isinstance(answer, Conflict):
                return None
            place = {other: -float(n) for n, other in enumerate(inserted)}
            answer = self._shrinker.shrink(answer, frozenset(inserted), place.__getitem__, deadline)
            self._take_out(inserted, answer, found)

    def confirm(
        self, inserted: list[int], deadline: Deadline, better_than: int, found: Pass
    ) -> None:
        """Find integer costs for the set that has just grown, or for what is left of it."""
        weight = self.subproblem.task.weight
        hopeful, self._undecided = self._undecided | frozenset(inserted), frozenset()
        if weight(hopeful) > better_than and self.goes_in_blocks(len(hopeful)):
            most = self.subproblem.rounded(self.costs, hopeful, deadline)
            if most is not None and weight(most[0]) > better_than:
                found.answer = most
                better_than = weight(most[0])
        while weight(inserted) > better_than:
            chosen = frozenset(inserted)
            answer = self.subproblem.decide(chosen, deadline)
            if isinstance(answer, Possible):
                found.answer = chosen, answer.costs
                return
            if isinstance(answer, Conflict):
                self._take_out(inserted, answer, found)
                continue
            # Whose optimality nobody can decide is left out; the others may still do.
            doubtful = answer.candidates & chosen
            if not doubtful or deadline.is_over:
                return
            inserted[:] = [number for number in inserted if number not in doubtful]

    def _take_out(self, inserted: list[int], conflict: Conflict, found: Pass) -> None:
        """Learn a conflict within a set, and mend it by the plan that came last."""
        self._reject(conflict, found)
        members = conflict.members(frozenset(inserted))
        last = next(number for number in reversed(inserted) if number in members)
        inserted.remove(last)
        self.index.remove(last)

    def _reject(self, conflict: Conflict, found: Pass) -> None:
        found.conflicts.append(conflict)
        self.index.add_conflict(conflict)

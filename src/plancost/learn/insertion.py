"""Sets of plans that can be optimal together, grown in a given order; what does not fit is a
conflict.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from plancost.clock import OutOfTimeError
from plancost.learn.conflict import Conflict, Cuts
from plancost.learn.feasibility import Feasibility, UndecidedError
from plancost.learn.rows import Vector


class Insertion:
    """Grows one set after the other; what it learns in one it knows in the next."""

    def __init__(
        self, feasibility: Feasibility, cuts: Cuts, learn: Callable[[Conflict], None]
    ) -> None:
        self.feasibility, self.cuts, self.learn = feasibility, cuts, learn
        self._chosen: dict[int, None] = {}
        """The plans of the set, in the order in which they came."""
        self.decided: list[int] = []
        """The largest set so far that can be had, and values that make it optimal."""
        self.values: Vector = feasibility.values

    def grow(self, order: Sequence[int], first: int) -> tuple[list[int], Vector]:
        """Insert plans in blocks that double while most fit; of each conflict the plan that comes
        last leaves.

        `first` is the size of the first block, say of a set that nearly fits. Returns the set, or
        what of it was decided in time, and values that make it optimal.
        """
        self._chosen, self.decided, self.values = {}, [], self.feasibility.values
        before, size = -1, first
        with suppress(OutOfTimeError):
            while len(self._chosen) > before:
                before = len(self._chosen)
                waiting = deque(n for n in dict.fromkeys(order) if n not in self._chosen)
                while self._take(waiting, size):
                    rejected = self._decide()
                    size = 2 * size if 8 * rejected <= size else max(1, size // 2)
        return self.decided, self.values

    def _take(self, waiting: deque[int], most: int) -> bool:
        """Insert the next plans that known conflicts allow; False if there are none."""
        before = len(self._chosen)
        while waiting and len(self._chosen) < before + most:
            plan = waiting.popleft()
            if self.cuts.allows(plan, self._chosen.keys()):
                self._chosen[plan] = None
        return len(self._chosen) > before

    def _decide(self) -> int:
        """Take plans out until the rest can be optimal together; how often that was necessary."""
        rejected = 0
        while True:
            plans = list(self._chosen)
            try:
                answer = self.feasibility.decide(plans)
            except UndecidedError:
                # Without a proof nothing is learned; the block that brought the trouble leaves.
                self._chosen = dict.fromkeys(self.decided)
                return rejected + len(plans) - len(self.decided)
            if not isinstance(answer, Conflict):
                self.decided, self.values = plans, answer
                return rejected
            rejected += 1
            self.learn(answer)
            self._take_out(answer)

    def _take_out(self, conflict: Conflict) -> None:
        """The plans of the class that was hit last."""
        place = {plan: n for n, plan in enumerate(self._chosen)}
        hit = [[place[n] for n in own if n in place] for own in conflict.classes]
        last = conflict.classes[hit.index(max(hit, key=min))]
        self._chosen = dict.fromkeys(n for n in self._chosen if n not in last)

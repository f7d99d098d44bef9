"""Sets of plans that can be optimal together, grown in a given order; what does not fit is a
conflict.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from plancost.learn.conflict import Conflict, ConflictIndex
from plancost.learn.feasibility import Feasibility, OutOfTimeError, UndecidedError

Learn = Callable[[Conflict], None]


def grow(
    feasibility: Feasibility, index: ConflictIndex, order: Sequence[int], first: int, learn: Learn
) -> list[int]:
    """Insert plans in blocks that double while most fit; of each conflict the plan that comes last
    leaves.

    `first` is the size of the first block, say of a set that nearly fits. The set is left in the
    index. Out of time, it is the largest set that was decided.
    """
    index.assign(())
    inserted: list[int] = []
    decided: list[int] = []
    size = first
    try:
        while True:
            before = len(inserted)
            waiting = deque(n for n in dict.fromkeys(order) if n not in index.chosen)
            while waiting:
                block = _take(index, waiting, inserted, size)
                if not block:
                    break
                rejected = _decide(feasibility, index, inserted, block, learn)
                decided = list(inserted)
                size = 2 * size if 8 * rejected <= size else max(1, size // 2)
            if len(inserted) <= before:
                return inserted
    except OutOfTimeError:
        index.assign(decided)
        return decided


def _take(index: ConflictIndex, waiting: deque[int], inserted: list[int], size: int) -> list[int]:
    """Insert the next plans that known conflicts allow."""
    block: list[int] = []
    while waiting and len(block) < size:
        plan = waiting.popleft()
        if index.allows(plan):
            index.add(plan)
            inserted.append(plan)
            block.append(plan)
    return block


def _decide(
    feasibility: Feasibility,
    index: ConflictIndex,
    inserted: list[int],
    block: list[int],
    learn: Learn,
) -> int:
    """Take plans out until the rest can be optimal together; how many times."""
    rejected = 0
    while True:
        try:
            answer = feasibility.decide(inserted)
        except UndecidedError:
            # Without a proof nothing is learned; the block that brought the trouble leaves.
            for plan in [n for n in inserted if n in set(block)]:
                index.remove(plan)
                inserted.remove(plan)
            return rejected + len(block)
        if not isinstance(answer, Conflict):
            return rejected
        rejected += 1
        learn(answer)
        _mend(answer, inserted, index)


def _mend(conflict: Conflict, inserted: list[int], index: ConflictIndex) -> None:
    """Take out the plans of the class that was hit last."""
    place = {plan: n for n, plan in enumerate(inserted)}
    hit = [sorted(place[n] for n in members & index.chosen) for members in conflict.classes]
    for n in reversed(max(hit)):
        index.remove(inserted.pop(n))

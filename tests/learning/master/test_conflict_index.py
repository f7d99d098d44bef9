"""Which plans may still be chosen, against all conflicts one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plancost.learning.master.conflict_index import ConflictIndex
from plancost.learning.subproblem.conflict import Conflict
from support.conflicts import SIZE, conflict_lists


@given(conflict_lists, st.permutations(range(SIZE)))
def test_the_index_allows_exactly_what_no_conflict_forbids(
    conflicts: list[Conflict], order: list[int]
) -> None:
    index = ConflictIndex(conflicts[:4])
    for step, plan in enumerate(order):
        if step == 3:
            for conflict in conflicts[4:]:
                if not conflict.contains(frozenset(index.chosen)):
                    index.add_conflict(conflict)
        known = conflicts if step >= 3 else conflicts[:4]
        before = frozenset(index.chosen)
        known = [conflict for conflict in known if not conflict.contains(before)]
        forbidden = any(conflict.contains(before | {plan}) for conflict in known)
        assert index.allows(plan) is not forbidden
        if not forbidden:
            index.add(plan)
            if step % 2:
                index.remove(plan)
    index = ConflictIndex(conflicts)
    for _ in range(2):
        index.clear()
        for plan in order:
            larger = frozenset(index.chosen | {plan})
            forbidden = any(conflict.contains(larger) for conflict in conflicts)
            assert index.allows(plan) is not forbidden
            if not forbidden:
                index.add(plan)


@given(
    conflict_lists,
    st.permutations(range(SIZE)),
    st.lists(st.floats(0.1, 9), min_size=SIZE, max_size=SIZE),
)
def test_when_the_blockers_have_left_there_is_room(
    conflicts: list[Conflict], order: list[int], prices: list[float]
) -> None:
    index = ConflictIndex(conflicts)
    for plan in order[:-1]:
        if index.allows(plan):
            index.add(plan)
    plan, before = order[-1], frozenset(index.chosen)
    blockers = index.blockers(plan, dict(enumerate(prices)))
    alone = frozenset([plan])
    assert (blockers is None) == any(conflict.contains(alone) for conflict in conflicts)
    if blockers is None:
        return
    assert blockers <= before
    after = (before - blockers) | alone
    assert not any(conflict.contains(after) for conflict in conflicts)
    assert bool(blockers) is not index.allows(plan)
    index.assign(sorted(before - blockers))
    assert index.allows(plan)

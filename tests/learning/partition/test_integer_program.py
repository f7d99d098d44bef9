"""Several sets at once, against all of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.relaxation import Relaxation
from plancost.learning.partition.integer_program import heaviest_sets
from plancost.learning.subproblem.conflict import Conflict
from plancost.observations.files import MOST_COUNT
from plancost.system.clock import Deadline

classes = st.lists(st.frozensets(st.integers(0, 5), min_size=1, max_size=3), min_size=1, max_size=3)


conflict_lists = st.lists(classes.map(lambda found: Conflict(tuple(found), None)), max_size=8)


weight_lists = st.lists(
    st.integers(1, 3) | st.integers(1, MOST_COUNT) | st.integers(MOST_COUNT - 3, MOST_COUNT),
    min_size=6,
    max_size=6,
)


def best_sets(weights: Sequence[int], conflicts: Sequence[Conflict], count: int) -> int:
    """The heaviest union of so many sets without a conflict, by trying all."""
    every = [
        frozenset(chosen) for size in range(7) for chosen in itertools.combinations(range(6), size)
    ]
    free = [one for one in every if not any(conflict.contains(one) for conflict in conflicts)]
    largest = [one for one in free if not any(one < other for other in free)]
    return max(
        sum(weights[plan] for plan in frozenset().union(*chosen))
        for chosen in itertools.combinations_with_replacement(largest, count)
    )


@settings(max_examples=300, deadline=None)
@given(conflict_lists, weight_lists, st.integers(1, 3))
def test_the_integer_program_is_exact_and_the_relaxation_a_bound(
    conflicts: list[Conflict], weights: list[int], count: int
) -> None:
    best = best_sets(weights, conflicts, count)
    cuts = Inequalities(6, conflicts)
    relaxed = Relaxation(weights, cuts, count).solve(Deadline())
    assert relaxed is not None
    assert relaxed.bound >= best
    proposal = heaviest_sets(weights, cuts, count, Deadline())
    assert proposal.finished
    assert proposal.chosen is not None
    assert proposal.bound == best
    assert len(proposal.chosen) == count
    assert sum(weights[plan] for chosen in proposal.chosen for plan in chosen) == best
    for chosen in proposal.chosen:
        assert not any(conflict.contains(chosen) for conflict in conflicts)
    again = heaviest_sets(weights, cuts, count, Deadline(), start=proposal.chosen[::-1])
    assert again.bound == best

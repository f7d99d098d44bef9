"""Random conflicts between seven plans, and every set of plans that they allow."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from hypothesis import strategies as st

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.observations.files import MOST_COUNT

SIZE = 7
EVERY_SET = [
    frozenset(chosen)
    for count in range(SIZE + 1)
    for chosen in itertools.combinations(range(SIZE), count)
]
classes = st.lists(
    st.frozensets(st.integers(0, SIZE - 1), min_size=1, max_size=3), min_size=1, max_size=4
)
conflict_lists = st.lists(classes.map(lambda found: Conflict(tuple(found), None)), max_size=10)
small_weights = st.lists(st.integers(1, 4), min_size=SIZE, max_size=SIZE)
large_weights = st.lists(
    st.integers(1, MOST_COUNT) | st.integers(0, 3).map(lambda less: MOST_COUNT - less),
    min_size=SIZE,
    max_size=SIZE,
)
weight_lists = small_weights | large_weights
points = st.lists(st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]), min_size=SIZE, max_size=SIZE).map(
    np.array
)


def as_they_become_known(
    first: Sequence[Conflict], later: Sequence[Conflict], cuts: Inequalities
) -> Iterator[list[Conflict]]:
    """Those known at first, then all; `cuts`, which begin with the first, learn the others."""
    yield list(first)
    for conflict in later:
        cuts.add(conflict)
    yield [*first, *later]


def allowed_sets(conflicts: Iterable[Conflict]) -> list[PlanSet]:
    """The sets that no conflict excludes."""
    known = list(conflicts)
    return [s for s in EVERY_SET if not any(conflict.contains(s) for conflict in known)]

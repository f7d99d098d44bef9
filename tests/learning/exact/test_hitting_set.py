"""The parts that make large sets of plans tractable, each against its definition."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.master.cliques import PairGraph
from plancost.learning.master.conflict_index import ConflictIndex
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.rows import is_infeasible, is_violated
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.crossings import find_crossings
from plancost.learning.subproblem.conflict import Conflict, Possible
from plancost.learning.subproblem.cut_pool import CutPool
from plancost.observations.case import load_case
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.small_tasks import learning_tasks

classes = st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=3), min_size=1, max_size=3)
conflict_lists = st.lists(classes.map(lambda found: Conflict(tuple(found), None)), max_size=8)


@given(conflict_lists, st.permutations(range(7)))
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


@given(conflict_lists)
def test_cliques_are_pairwise_in_conflict(conflicts: list[Conflict]) -> None:
    edges = {
        frozenset(pair)
        for conflict in conflicts
        if len(conflict.classes) == 2
        for pair in itertools.product(*conflict.classes)
        if len(set(pair)) == 2
    }
    graph = PairGraph(7, conflicts)
    partition = graph.partition(frozenset(range(7)))
    assert sorted(itertools.chain(*partition)) == list(range(7))
    heaviest = graph.heaviest(np.arange(7), np.arange(7.0))
    for clique in [*partition, heaviest, graph.extended(heaviest[:1])]:
        assert all(frozenset(pair) in edges for pair in itertools.combinations(clique, 2))


rows = st.tuples(
    st.dictionaries(st.integers(0, 4), st.sampled_from([-2, -1, 1, 2]), max_size=4).map(
        lambda found: tuple(sorted(found.items()))
    ),
    st.integers(0, 1),
)


@given(
    st.lists(st.tuples(rows, st.integers(0, 3)), max_size=12),
    st.sets(st.integers(0, 3)),
    st.lists(st.integers(1, 2**61) | st.integers(1, 9), min_size=5, max_size=5),
)
def test_the_pool_agrees_with_row_by_row_checks(
    found: list[tuple[tuple[tuple[tuple[int, int], ...], int], int]],
    chosen: set[int],
    costs: list[int],
) -> None:
    pool = CutPool(5, 4)
    for row, owner in found:
        pool.add(row, owner)
    owned = pool.induced(chosen)
    mine = {row for row, owner in found if owner in chosen}
    assert {pool.rows[n] for n in np.flatnonzero(owned).tolist()} == mine
    broken = {pool.rows[n] for n in pool.violated_exactly(costs, owned).tolist()}
    assert broken == {row for row in mine if is_violated(row, costs)}
    small = [min(cost, 9) for cost in costs]
    floats = {
        pool.rows[n] for n in pool.violated(np.array(small, dtype=np.float64), owned, 1e-7).tolist()
    }
    assert floats == {row for row in mine if is_violated(row, small)}
    assert (pool.infeasible(owned) is not None) == any(map(is_infeasible, mine))


@settings(max_examples=300, deadline=None)
@given(learning_tasks())
def test_crossing_plans_can_never_be_optimal_together(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, _ = example
    if task.concept.reorderings is Reorderings.SAME or task.concept.ties is Ties.OBSERVED:
        return
    options = LearnOptions(concept=task.concept)
    subproblem = first_subproblem(Run.of(task.case, options, Deadline()), task)
    paths = subproblem.separator.paths()
    assert paths is not None
    everything = list(range(len(task.candidates)))
    for conflict in find_crossings(subproblem, paths, everything, Deadline()):
        assert conflict.certificate is not None
        assert conflict.certificate.is_valid()
        for pair in itertools.product(*conflict.classes):
            assert not isinstance(subproblem.decide(frozenset(pair), Deadline()), Possible)


@pytest.mark.parametrize("solution", [Solution.MCF, Solution.SCF])
def test_the_plans_of_example_1_cross(example_1: Path, solution: Solution) -> None:
    task = LearningTask(load_case(example_1), Concept(solution), None)
    options = LearnOptions(concept=task.concept)
    subproblem = first_subproblem(Run.of(task.case, options, Deadline()), task)
    paths = subproblem.separator.paths()
    assert paths is not None
    (conflict,) = find_crossings(subproblem, paths, [0, 1], Deadline())
    assert conflict.classes == (frozenset([0]), frozenset([1]))

"""Cliques of plans in conflict, pair by pair."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given

from plancost.learning.master.cliques import PairGraph
from plancost.learning.subproblem.conflict import Conflict
from support.conflicts import conflict_lists


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

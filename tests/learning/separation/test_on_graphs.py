"""Cuts found on state graphs: they hold, the costs break them, and none is missed."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.rows import is_violated
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation import on_graphs
from plancost.learning.separation.on_graphs import GraphSeparator
from plancost.observations.planfile import Plan
from plancost.oracles.graph_oracle import TaskGraph
from plancost.system.clock import Deadline
from support.brute_force import is_optimal
from support.random_rows import costs_of
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def separator_of(task: LearningTask) -> GraphSeparator:
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    built = run.oracles.graphs.graphs(None, Deadline())
    graphs = {number: graph for number, graph in built.items() if isinstance(graph, TaskGraph)}
    return GraphSeparator(task, graphs)


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.data())
def test_nothing_is_broken_exactly_where_all_plans_are_optimal(
    example: Example, data: st.DataObject
) -> None:
    _check_answer(example, data)


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_nor_in_large_graphs(example: Example, data: st.DataObject) -> None:
    """Where searches begin at both ends."""
    with patch.object(on_graphs, "_LARGE_GRAPH", 0):
        _check_answer(example, data)


def _check_answer(example: Example, data: st.DataObject) -> None:
    """Compare with what brute force says of each plan."""
    task, plans = example
    separator = separator_of(task)
    everything = range(len(task.candidates))
    chosen = sorted(data.draw(st.sets(st.sampled_from(everything), min_size=1)))
    costs = data.draw(costs_of(task, 4))
    found = separator.violated(np.array(costs), chosen, exact=True, deadline=Deadline())
    assert found is not None
    optimal = {
        number: is_optimal(task, task.candidates[number].observations[0], costs, plans[c.task])
        for number, c in enumerate(task.candidates)
    }
    assert bool(found) == (not all(optimal[number] for number in chosen))
    for cut in found:
        assert is_violated(cut.row, costs)
        assert not optimal[cut.candidate]
        # A row may be that of a subpath, so it says no less than that of the whole plans.
        candidate = task.candidates[cut.candidate]
        assert task.is_alternative(candidate, cut.alternative)
        assert task.row(candidate, cut.alternative)[0] == cut.row[0]


@settings(max_examples=20, deadline=None)
@given(learning_tasks())
def test_no_time_and_no_exact_sum_are_no_answer(example: Example) -> None:
    task, _ = example
    separator = separator_of(task)
    costs = np.ones(len(task.parameters), dtype=np.int64)
    assert separator.violated(costs, [0], exact=True, deadline=Deadline.after(0.0)) is None
    assert separator.undecided() == frozenset()
    if task.candidates[0].plan and task.concept.is_strict:
        huge = costs * 2**53
        assert separator.violated(huge, [0], exact=True, deadline=Deadline()) is None

"""The incumbent only gets better, and says so."""

from __future__ import annotations

import logging
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.incumbent import CostFunction, Incumbent
from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from support.random_rows import costs_of
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


@settings(max_examples=50, deadline=None)
@given(learning_tasks(), st.integers(1, 3))
def test_the_baseline_claims_nothing(example: Example, count: int) -> None:
    task, _ = example
    alone = Incumbent.baseline(task)
    assert (alone.weight, alone.chosen, alone.is_grouped) == (0, frozenset(), False)
    assert alone.upper_bound == task.case.plan_count
    assert alone.costs == task.baseline
    assert alone.only.value == task.secondary(task.baseline) >= alone.secondary_bound
    names = [f"group-{number}" for number in range(count)]
    grouped = Incumbent.baseline(task, names)
    assert grouped.is_grouped
    assert [function.name for function in grouped.functions] == names
    grouped.functions[-1].costs = (9,) * len(task.parameters)
    assert grouped.functions[-1].costs != CostFunction.baseline(task).costs


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.integers(1, 2), st.data())
def test_only_better_sets_and_lower_bounds_are_taken(
    example: Example, count: int, data: st.DataObject
) -> None:
    task, _ = example
    incumbent = Incumbent.baseline(task, [f"g{n}" for n in range(count)])
    told: list[tuple[int, int]] = []
    incumbent.report = lambda: told.append((incumbent.weight, incumbent.upper_bound))
    everything = st.sampled_from(range(len(task.candidates)))
    weight, bound, changes = 0, task.case.plan_count, 0
    value = count * task.secondary(task.baseline)
    for _ in range(7):
        if data.draw(st.booleans()):
            costs = data.draw(costs_of(task, 4))
            sets = [data.draw(st.frozensets(everything)) for _ in range(count)]
            heavy, cheap = sum(map(task.weight, sets)), count * task.secondary(costs)
            better = heavy > weight or (heavy == weight and cheap < value)
            assert incumbent.improve(*((chosen, costs) for chosen in sets)) == better
            if better:
                weight, value, changes = heavy, cheap, changes + 1
                assert [function.chosen for function in incumbent.functions] == sets
                assert all(function.costs == costs for function in incumbent.functions)
        else:
            proposed = data.draw(st.integers(0, task.case.plan_count + 1))
            lower = weight <= proposed < bound
            assert incumbent.lower_bound_to(proposed) == lower
            if lower:
                bound, changes = proposed, changes + 1
        assert (incumbent.weight, incumbent.upper_bound) == (weight, bound)
        assert incumbent.proved == (weight == bound)
        assert len(told) == changes
    assert not told or told[-1] == (weight, bound)


@settings(max_examples=10, deadline=None)
@given(learning_tasks())
def test_a_bound_below_what_was_reached_is_none(example: Example) -> None:
    task, _ = example
    incumbent = Incumbent.baseline(task)
    incumbent.improve((frozenset([0]), task.baseline))
    with pytest.MonkeyPatch.context() as patch:
        warn = Mock()
        patch.setattr(logging.getLogger("plancost.learning.incumbent"), "warning", warn)
        assert not incumbent.lower_bound_to(incumbent.weight - 1)
        assert warn.called
    assert incumbent.upper_bound == task.case.plan_count


@settings(max_examples=5, deadline=None)
@given(learning_tasks())
def test_remarks_and_failures_each_once(example: Example) -> None:
    incumbent = Incumbent.baseline(example[0])
    assert incumbent.remarks() == incumbent.solver_failures() == []
    incumbent.first = Mock(Subproblem, notes={"a": None, "b": None}, failures={"x": None})
    incumbent.full = Mock(Subproblem, notes={"b": None, "c": None}, failures={"x": None})
    assert incumbent.remarks() == ["a", "b", "c"]
    assert incumbent.solver_failures() == ["x"]

"""The nearest costs under which plans are optimal, against another solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, minimize

from plancost.learning.choose import projection
from plancost.learning.choose.competition import Competition
from plancost.learning.choose.likelihood import LEAST_COST
from plancost.learning.choose.projection import Nearness, Projection
from plancost.learning.exact.subproblems import full_subproblem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Possible
from plancost.observations.case import Case
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.small_tasks import cases


@settings(deadline=None, max_examples=15)
@given(example=cases(), data=st.data())
def test_no_costs_are_nearer(example: tuple[Case, list[list[Plan]]], data: st.DataObject) -> None:
    case, plans = example
    task = LearningTask(case, Concept(), None)
    subproblem = full_subproblem(Run.of(case, LearnOptions()), task)
    numbers = st.sets(st.sampled_from(range(len(task.candidates))), min_size=1)
    chosen = frozenset(data.draw(numbers))
    if not isinstance(subproblem.decide(chosen, Deadline()), Possible):
        return
    size = len(task.parameters)
    vectors = st.lists(st.floats(0.5, 4), min_size=size, max_size=size)
    near = Nearness(np.array(data.draw(vectors)), np.array(data.draw(vectors)))
    competition = Competition(subproblem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projection, "_PRICE", 0.0)  # margins are then free to be missing
        plain = Projection(subproblem, competition).nearest(near, chosen, Deadline())
    found = Projection(subproblem, competition).nearest(near, chosen, Deadline())
    assert plain is not None
    assert found is not None
    rows = []
    for number in chosen:
        candidate = task.candidates[number]
        for plan in plans[candidate.task]:
            row = np.zeros(size)
            for parameter, times in task.row(candidate, plan)[0]:
                row[parameter] = times
            rows.append(row)
    assert np.max(np.array(rows) @ plain) < 1e-3
    assert np.max(np.array(rows) @ found) < 1e-3
    other = minimize(  # type: ignore[call-overload]
        lambda c: 0.5 * float(near.curvature @ (c - near.centre) ** 2),
        near.centre,
        jac=lambda c: near.curvature * (c - near.centre),
        bounds=Bounds(np.full(size, LEAST_COST), np.full(size, np.inf)),
        constraints=LinearConstraint(np.array(rows), ub=0.0),
        method="SLSQP",
    )
    if other.success:
        assert plain == pytest.approx(other.x, abs=1e-2)


def test_a_margin_where_it_costs_little() -> None:
    """With one plan, nothing stands against being cheaper by the whole margin."""
    rows: list[Row] = [(((0, 1), (1, -1)), 0)]
    near = Nearness(np.array([1.0, 1.0]), np.array([1.0, 1.0]))
    costs = projection._solved(near, rows, {})
    assert costs[1] - costs[0] == pytest.approx(projection.MARGIN, abs=1e-4)
    stiff = Nearness(np.array([1.0, 1.0]), np.array([100.0, 100.0]))
    costs = projection._solved(stiff, rows, {})
    assert costs[1] - costs[0] == pytest.approx(2 * 0.5 / 100, abs=1e-4)

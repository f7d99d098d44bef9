"""Chains through the costs that make plans optimal, with rows found on the way."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from conftest import WriteGraphCase, both_ways
from plancost.learning.choose import posterior
from plancost.learning.choose.cone import Cone, NoTimeError
from plancost.learning.choose.posterior import LEAST_SIZE, MOST_R_HAT, Draws, Walk
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.task import LearningTask
from plancost.observations.case import load_case
from plancost.system.clock import Deadline
from support.learned import learned

_STREETS = both_ways({"ab": 1, "bc": 1, "ad": 1, "de": 1, "be": 1, "ef": 1, "cf": 1})


@pytest.fixture
def task(write_graph_case: WriteGraphCase) -> LearningTask:
    """Two plans on a ladder."""
    return LearningTask(load_case(write_graph_case(_STREETS, ["abcf", "deb"])), Concept(), None)


def test_all_draws_make_the_plans_optimal(task: LearningTask) -> None:
    incumbent = learned(task)
    assert incumbent.full is not None
    cone = Cone(incumbent.full, incumbent.chosen, Deadline())
    draws = Walk(cone, np.random.default_rng(0), Deadline()).draws()
    assert draws is not None
    assert draws.have_mixed
    assert draws.r_hat >= 1.0
    flat = draws.values.reshape(len(draws.values), -1)
    number = task.action_number

    def cost(route: str) -> np.ndarray:
        steps = itertools.pairwise(route)
        return np.asarray(np.sum([flat[number[f"(move {a} {b})"]] for a, b in steps], axis=0))

    for own, others in (("abcf", ("abef", "adef", "adebcf")), ("deb", ("dab", "defcb"))):
        broken = [np.mean(cost(own) > cost(other) + 1e-6) for other in others]
        assert max(broken) == 0.0


def test_chains_that_have_not_mixed_say_so() -> None:
    draws = Draws(np.zeros((1, 2, 8)), MOST_R_HAT, LEAST_SIZE, 8)
    assert draws.have_mixed
    assert not replace(draws, r_hat=MOST_R_HAT + 0.01).have_mixed
    assert not replace(draws, size=LEAST_SIZE - 1.0).have_mixed


def test_draws_that_break_unknown_rows_are_left_out(
    task: LearningTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    incumbent = learned(task)
    assert incumbent.full is not None
    monkeypatch.setattr(posterior, "_LEAST_AT_FIRST", 0.0)  # hardly any rows are known at first
    cone = Cone(incumbent.full, incumbent.chosen, Deadline())
    full = Walk(cone, np.random.default_rng(0), Deadline()).draws()
    assert full is not None
    assert full.have_mixed
    kept = full.values.reshape(len(full.values), -1)
    assert kept.shape[1] >= LEAST_SIZE
    assert cone.possible(kept).all()
    again = Walk(cone, np.random.default_rng(1), Deadline()).draws()  # now all rows are known
    assert again is not None
    assert again.outside <= full.outside
    means = again.values.reshape(len(kept), -1).mean(axis=1)
    assert kept.mean(axis=1) == pytest.approx(means, abs=0.8)


def test_a_strict_concept_needs_no_margin_where_costs_may_be_scaled(
    write_graph_case: WriteGraphCase,
) -> None:
    # Plans on separate squares: a draw is hardly ever a unit away from all alternatives.
    places = ["abcd", "efgh", "ijkl", "mnop", "qrst", "uvwx"]
    squares = {(s[a], s[z]): 1 for s in places for a, z in ((0, 1), (1, 3), (0, 2), (2, 3))}
    case = load_case(write_graph_case(squares, [s[0] + s[1] + s[3] for s in places]))
    strict = LearningTask(case, Concept(Solution.SCF), None)
    incumbent = learned(strict)
    assert incumbent.full is not None
    cone = Cone(incumbent.full, incumbent.chosen, Deadline())
    draws = Walk(cone, np.random.default_rng(0), Deadline.after(60.0)).draws()
    assert draws is not None
    assert draws.have_mixed
    assert draws.outside <= 0.05


def test_a_shape_of_other_directions_is_forgotten(task: LearningTask) -> None:
    incumbent = learned(task)
    assert incumbent.full is not None
    cone = Cone(incumbent.full, incumbent.chosen, Deadline())
    walk = Walk(cone, np.random.default_rng(0), Deadline())
    walk._covariance, walk._part = np.eye(cone.polytope.directions.shape[1] + 1), 1.0
    draws = walk.draws()
    assert draws is not None
    assert draws.have_mixed


def test_time_that_runs_out_while_draws_are_looked_at_leaves_those_before(
    task: LearningTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    incumbent = learned(task)
    assert incumbent.full is not None
    cone = Cone(incumbent.full, incumbent.chosen, Deadline())
    walk = Walk(cone, np.random.default_rng(0), Deadline())
    looked: list[int] = []
    honest = cone.possible

    def possible(points: np.ndarray) -> np.ndarray:
        looked.append(points.shape[1])
        if len(looked) > 2:
            raise NoTimeError
        return honest(points)

    monkeypatch.setattr(cone, "possible", possible)
    found = walk._possible(np.repeat(cone.polytope.centre[:, None], 300, axis=1))
    assert len(found) == sum(looked[:2])
    assert found.all()
    with pytest.raises(NoTimeError):
        walk._possible(np.repeat(cone.polytope.centre[:, None], 10, axis=1))


def test_no_time_is_said(task: LearningTask) -> None:
    incumbent = learned(task)
    assert incumbent.full is not None
    with pytest.raises(NoTimeError):
        Cone(incumbent.full, incumbent.chosen, Deadline.after(0.0))

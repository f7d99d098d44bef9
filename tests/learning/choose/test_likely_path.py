"""The path from the most likely costs to a set of optimal plans."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from plancost.learning.choose.competition import Competition
from plancost.learning.choose.likely_path import (
    FOLDS,
    SPREADS,
    WEIGHTS,
    HeldOut,
    LikelyPath,
    best_weight,
)
from plancost.learning.choose.projection import Projection
from plancost.learning.exact.subproblems import full_subproblem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Possible
from plancost.observations.case import Case
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.small_tasks import cases


def path_of(case: Case) -> LikelyPath:
    """The path to a set that can be optimal, found one by one."""
    task = LearningTask(case, Concept(), None)
    subproblem = full_subproblem(Run.of(case, LearnOptions()), task)
    chosen: PlanSet = frozenset()
    for number in range(len(task.candidates)):
        if isinstance(subproblem.decide(chosen | {number}, Deadline()), Possible):
            chosen |= {number}
    competition = Competition(subproblem)
    return LikelyPath(competition, Projection(subproblem, competition), chosen)


@settings(deadline=None, max_examples=10)
@given(example=cases())
def test_both_ends_and_members(example: tuple[Case, list[list[Plan]]]) -> None:
    path = path_of(example[0])
    fit = path.fit(path.competition.weights, Deadline())
    assert fit is not None
    members = [fit.members(path.chosen, weight) for weight in WEIGHTS]
    assert not members[0]
    assert members[-1] == path.chosen
    assert all(a <= b for a, b in itertools.pairwise(members))
    assert path.point(fit, 0.0, Deadline()) is fit.near.centre
    end = path.point(fit, 1.0, Deadline())
    assert end is not None
    assert max(path.competition.regrets(end, path.chosen).values(), default=0.0) < 1e-3
    scores = path.held_out((0.0, 1.0), fit.near.centre, 0, Deadline())
    assert bool(scores) == (len(path.competition.weights) >= FOLDS)
    for score in scores:
        assert 0 <= score.overlap <= 1
        assert score.regret >= -1e-6
        assert score.log_likelihood <= 1e-6
    assert path.held_out(WEIGHTS, fit.near.centre, 0, Deadline.after(0.0)) == []
    assert path.fit(np.zeros(len(path.competition.weights)), Deadline()) is not None


@pytest.mark.parametrize(
    ("overlaps", "best"),
    [((0.5, 0.6, 0.4), 0.5), ((0.5, 0.4, 0.5), 0.75), ((0.5, 0.4, 0.3), 0.0)],
)
def test_the_largest_weight_that_predicts_no_worse(
    overlaps: tuple[float, ...], best: float
) -> None:
    weights = (0.0, 0.5, 0.75)
    scores = [HeldOut(w, o, -1.0, 0.1) for w, o in zip(weights, overlaps, strict=True)]
    assert best_weight([*scores, HeldOut(1.0, 0.9, -1.0, 0.1)]) == best
    unsure = HeldOut(0.9, 0.45, -1.0, 0.1, error=0.06)
    assert best_weight([*scores, unsure]) == 0.9


@settings(deadline=None, max_examples=5)
@given(example=cases())
def test_the_spread_is_that_of_the_most_likely_left_out_plans(
    example: tuple[Case, list[list[Plan]]],
) -> None:
    path = path_of(example[0])
    found = path.with_best_spread(0, Deadline())
    assert path.with_best_spread(0, Deadline.after(0.0)) in (path, found)
    scores = {}
    for spread in SPREADS:
        scores[spread] = 0.0
        own = replace(path, spread=spread)
        for is_held_out in path._folds(0):
            weights = path.competition.weights
            fit = own.fit(np.where(is_held_out, 0.0, weights), Deadline())
            assert fit is not None
            out = path.competition.likelihood(np.where(is_held_out, weights, 0.0), np.inf)
            scores[spread] -= out.loss(fit.near.centre)[0]
    best = max(scores.values())
    assert scores[found.spread] == pytest.approx(best, abs=0.02 * (1 + abs(best)))
    if len(path.competition.weights) < FOLDS:
        assert found is path

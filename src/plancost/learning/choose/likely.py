"""The choice `likely`: likelihood and optimality on one path.

The weight on the path is given, or it is the largest one at which predictions of held-out plans are
no worse than those of the most likely costs. The costs there become whole numbers: of all that make
the same plans optimal, those of the least change.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from plancost.learning.choose.choice import Chosen
from plancost.learning.choose.competition import Competition
from plancost.learning.choose.likelihood import PARTS
from plancost.learning.choose.likely_path import (
    WEIGHTS,
    Fit,
    HeldOut,
    LikelyPath,
    best_weight,
)
from plancost.learning.choose.projection import Projection
from plancost.learning.choose.walks import Vector
from plancost.learning.exact.least_costs import Lowering, improve_costs
from plancost.learning.exact.subproblems import full_subproblem
from plancost.learning.incumbent import CostFunction, Incumbent
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline

_USUAL_WEIGHT = 0.5
"""Where there are too few plans, or too little time, for cross-validation."""
_COARSE = 0.01
"""Initial costs are coarse if 1 of them is more than this in log-odds: then costs have parts."""
_SPREAD_SHARE = 0.2
_SHARE = 0.7
"""Of the time for the search of costs that is left, cross-validation of the spread of the prior and
of the weight gets so much."""


def choose_likely(run: Run, task: LearningTask, incumbent: Incumbent) -> Chosen | str:
    """Likely costs under which plans of the incumbent are optimal, or why there are none."""
    if not task.structure.is_plain:
        return "linear costs have no likelihood of their own"
    if not task.scales or task.factors is not None:
        return "bounds, known costs of plans and suboptimality do not go with likelihood"
    subproblem = incumbent.full or full_subproblem(run, task, incumbent.first)
    competition = Competition(subproblem)
    if not competition.fits:
        return "a state graph is too large for sums over its walks"
    projection = Projection(subproblem, competition)
    path = LikelyPath(competition, projection, incumbent.chosen, _initial(task))
    path = path.with_best_spread(run.options.seed, run.deadline.share(_SPREAD_SHARE))
    fit = path.fit(competition.weights, run.deadline)
    if fit is None:
        return "the most likely costs were not found in time"
    asked = run.options.optimality_weight
    weights = WEIGHTS if asked is None else tuple(sorted({0.0, asked, 1.0}))
    until = run.deadline.share(_SHARE)
    scores = path.held_out(weights, fit.near.centre, run.options.seed, until)
    weight = asked
    if weight is None:
        weight = best_weight(scores) if scores else _USUAL_WEIGHT
    point = path.point(fit, weight, run.deadline)
    if point is None:
        return "costs near to the most likely ones were not found in time"
    members = fit.members(incumbent.chosen, weight)
    parts = _parts(fit)
    likely = _whole(parts * fit.near.centre)
    target = _whole(parts * point)
    costs = _nearest_whole(run, subproblem, incumbent, members, target) if members else likely
    if costs is None:
        return "no whole costs near to the most likely ones were found in time"
    everyone = frozenset(range(len(task.candidates)))
    plans = members | _optimal(subproblem, costs, everyone, run.deadline)
    at_0 = _optimal(subproblem, likely, everyone, run.deadline) if weight else plans
    optimal = {0.0: at_0, 1.0: incumbent.chosen, weight: plans}
    about = {
        **_about(task, weight, scores, optimal, by_validation=asked is None and bool(scores)),
        "spread": path.spread,
        "unknown_cost": round(parts * fit.prior_mean, 3),
    }
    return Chosen(costs, plans, about, tie_break=likely)


def _initial(task: LearningTask) -> Vector | None:
    """The initial cost of each parameter: the mean of the actions that have it."""
    if task.initial_costs is None:
        return None
    of_action = np.array([parts[0][0] for parts in task.structure.parts])
    total = np.bincount(of_action, weights=np.array(task.initial_costs, dtype=np.float64))
    return np.asarray(total / np.bincount(of_action), dtype=np.float64)


def _parts(fit: Fit) -> float:
    """How many units of cost are 1 in log-odds: so many that 1 is that of the initial costs."""
    return PARTS if fit.unit is None or fit.unit > _COARSE else 1 / fit.unit


def _whole(costs: Vector) -> Costs:
    return tuple(np.maximum(1, np.rint(costs)).astype(np.int64).tolist())


def _nearest_whole(
    run: Run, subproblem: Subproblem, incumbent: Incumbent, members: PlanSet, target: Costs
) -> Costs | None:
    """Whole costs of the least change from a target under which the members are optimal."""
    task, known = subproblem.task, incumbent.costs
    near = replace(task, initial_costs=tuple(task.structure.costs(target)))
    other = full_subproblem(run, near)
    for cut in subproblem.cuts():
        other.add(cut)
    best = CostFunction(near, members, known, near.secondary_floor)
    improve_costs(other, best, run.deadline, Lowering(patience=lambda: 0.0))
    return None if best.costs == known else best.costs


def _optimal(subproblem: Subproblem, costs: Costs, numbers: PlanSet, deadline: Deadline) -> PlanSet:
    """Those of the candidates that no search finds a cheaper plan for."""
    vector = np.asarray(costs, dtype=np.int64)
    broken = subproblem.separator.violated(vector, sorted(numbers), exact=True, deadline=deadline)
    if broken is None:
        return frozenset()
    return numbers.difference(cut.candidate for cut in broken)


def _finite(value: float) -> float | None:
    """None where cheap circles make all plans infinitely unlikely."""
    return round(value, 6) if math.isfinite(value) else None


def _about(
    task: LearningTask,
    weight: float,
    scores: list[HeldOut],
    optimal: dict[float, PlanSet],
    *,
    by_validation: bool,
) -> dict[str, object]:
    """What RESULT.json says of the path: both ends, what was compared, and the point taken."""
    held_out = {score.weight: score for score in scores}
    points = []
    for at in sorted({*held_out, *optimal}):
        entry: dict[str, object] = {"weight": round(at, 6)}
        if at in optimal:
            entry["optimal_plans"] = task.weight(optimal[at])
        if at in held_out:
            score = held_out[at]
            entry["held_out"] = {
                "overlap": round(score.overlap, 6),
                "log_likelihood": _finite(score.log_likelihood),
                "regret": round(score.regret, 6),
            }
        points.append(entry)
    return {
        "optimality_weight": round(weight, 6),
        "by_cross_validation": by_validation,
        "path": points,
    }

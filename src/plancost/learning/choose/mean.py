"""The mean of all costs that make the same plans optimal.

If observed plans are optimal under costs that nobody knows, then what is known of these costs is
the prior, cut to where the plans are optimal. What a plan costs is linear in the costs. So the plan
that is cheapest under their mean is the one that is expected to cost least under the true ones. The
costs under which plans are optimal are convex, so the mean is among them: all plans stay optimal.
"""

from __future__ import annotations

import numpy as np

from plancost.learning.choose.choice import NO_TIME, Chosen, Uncertainty
from plancost.learning.choose.cone import Cone, NoTimeError
from plancost.learning.choose.posterior import CHAINS, Draws, Walk
from plancost.learning.choose.prior import PART, Vector
from plancost.learning.choose.rounding import rounded
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.cost_model import CostVector
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.schedule import SCHEDULE

SAMPLES = 200
"""Draws that are kept."""
_INTERVAL = (0.05, 0.95)
NOT_MIXED = (
    "the chains that draw costs had not mixed in time (split R-hat {:.3f}, effective sample size "
    "{:.0f})"
)
NOT_ROUNDED = "no whole numbers near their mean keep the same plans optimal"


def choose_mean(run: Run, task: LearningTask, incumbent: Incumbent) -> Chosen | str:
    """The mean of the costs under which the incumbent's plans are optimal, in whole numbers."""
    subproblem = incumbent.full
    if subproblem is None:
        return NO_TIME
    plans = _all_optimal(run, subproblem, incumbent)
    generator = np.random.default_rng(run.options.seed)
    drawing = run.deadline.share(SCHEDULE.drawing)
    try:
        cone = Cone(subproblem, plans, drawing)
        draws = Walk(cone, generator, drawing).draws()
    except NoTimeError:
        return NO_TIME
    if draws is None:
        return NO_TIME
    if not draws.have_mixed:
        return NOT_MIXED.format(draws.r_hat, draws.size)
    mean = _mean(cone, draws)
    found = rounded(subproblem, plans, mean, run.deadline)
    if found is None:
        return NOT_ROUNDED
    costs, factor = found
    samples = _samples(task, draws, generator) * factor
    return Chosen(
        costs,
        plans,
        _about(cone, draws, factor, refined=task.initial_costs is not None),
        _uncertainty(task, cone, draws, factor),
        samples,
    )


def _all_optimal(run: Run, subproblem: Subproblem, incumbent: Incumbent) -> PlanSet:
    """The plans claimed to be optimal, and those that the costs at hand make optimal by chance."""
    chosen = incumbent.chosen
    others = frozenset(range(len(incumbent.task.candidates))) - chosen
    if not others or subproblem.separator.graphs() is None:
        return chosen
    return chosen | (subproblem.optimal_under(incumbent.costs, others, run.deadline) or set())


def _flat(draws: Draws) -> Vector:
    return draws.values.reshape(len(draws.values), -1)


def _mean(cone: Cone, draws: Draws) -> Vector:
    """The mean of each parameter: exact where it is that of the prior."""
    found = np.asarray(_flat(draws).mean(axis=1))
    free = cone.polytope.unspoken
    found[free] = cone.prior.moments(free)[0]
    return found


def _samples(task: LearningTask, draws: Draws, generator: np.random.Generator) -> Vector:
    """Some draws as costs of actions, a row each."""
    flat = _flat(draws)
    which = generator.choice(flat.shape[1], min(SAMPLES, flat.shape[1]), replace=False)
    return _costs(task, flat[:, which]).T


def _costs(task: LearningTask, parameters: Vector) -> Vector:
    """The costs of all actions, from parameters in columns."""
    return CostVector(task.structure, range(len(task.case.actions)))(parameters)


def _uncertainty(
    task: LearningTask, cone: Cone, draws: Draws, factor: int
) -> tuple[Uncertainty, ...]:
    """Of each action: from the draws, or exactly where nothing is known but the prior."""
    flat = _costs(task, _flat(draws))
    figures = np.column_stack(
        [flat.mean(axis=1), flat.std(axis=1), *np.quantile(flat, _INTERVAL, axis=1)]
    )
    free = cone.polytope.unspoken
    exact = np.column_stack(
        [*cone.prior.moments(free), *cone.prior.quantile(free, np.array([_INTERVAL])).T]
    )
    place = {parameter: at for at, parameter in enumerate(free.tolist())}
    found = []
    for action, parts in enumerate(task.structure.parts):
        known = not all(parameter in place for parameter, _ in parts)
        is_plain = len(parts) == 1 and parts[0][1] == 1
        own = exact[place[parts[0][0]]] if is_plain and not known else figures[action]
        mean, sd, least, greatest = (factor * own).tolist()
        found.append(Uncertainty(mean, sd, least, greatest, known))
    return tuple(found)


def _about(cone: Cone, draws: Draws, factor: int, *, refined: bool) -> dict[str, object]:
    """What RESULT.json says of the draws."""
    prior: dict[str, object] = {"spread": cone.spread}
    unknown = (1.0 + cone.spread) / 2
    if refined:
        prior["part"], unknown = PART, 1.0
    return {
        "prior": prior,
        "scale": factor,
        "unknown_cost": factor * unknown,
        "chains": CHAINS,
        "draws": draws.values[0].size,
        "sweeps": draws.sweeps,
        "r_hat": round(draws.r_hat, 4),
        "effective_size": round(draws.size),
        "outside": round(draws.outside, 4),
        "rows": len(cone.polytope.limits) - 2 * len(cone.polytope.centre),
        "equalities": int(cone.polytope.equalities.sum()),
    }

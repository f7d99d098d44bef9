"""From a case to most likely costs: the spread, the fit, whole costs, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array, eye_array

from plancost.case.model import Case, Network
from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.executor import Workers
from plancost.likely.estimate import UNITS, Build, Estimator, prior_of, whole_costs
from plancost.likely.likelihood import Likelihood, by_goal, plans_of
from plancost.likely.walks import DivergesError, Plan, Vector

_FOR_SPREAD, _FOR_FIT = 0.6, 0.9
_FEW = 30
_FOR_CHOOSING = 2000
"""About so many plans choose the spread: all 10,000 of a city of 10,000 links took 460 s for it."""
_FOR_ERRORS = 2000
_AT_ONCE = 4096
_WIDER = 30.0
"""Nats of slack for the fields under which the answer is judged."""


@dataclass(frozen=True)
class MostLikely:
    """Whole costs in units of 1/100 nat, and how sure they are."""

    costs: tuple[int, ...]
    log_likelihood: float | None = None
    spreads: dict[str, float] = field(default_factory=dict)
    features: dict[str, float] = field(default_factory=dict)
    standard_errors: tuple[int, ...] = ()
    interrupted: bool = False
    notes: tuple[str, ...] = ()


def most_likely(case: Case, clock: Clock, workers: Workers, seed: int) -> MostLikely:
    """The costs under which the plans of a case are most likely.

    What costs share is in the cost model of the case. Ctrl-C ends the search, as the clock does.
    """
    in_order = plans_of(case, clock)
    plans = [in_order[n] for n in np.random.default_rng(seed).permutation(len(in_order))]
    some = _of_few_goals(plans)
    half = -(-len(some) // 2)
    out, kept = some[:half], some[half:]
    prior = prior_of(case)
    estimator = Estimator(prior, clock.part(clock.remaining * _FOR_SPREAD))

    def build(chosen: Sequence[Plan]) -> Build:
        """Fields are pruned by costs that are above 0."""
        return lambda costs: Likelihood(chosen, _with_room(case, costs), workers)

    try:
        few = build(out[:_FEW])  # most often they tell soon
        if not all(estimator.holds_no_noise(own) for own in (few, build(plans))):
            estimator.prior = prior
            if kept:
                estimator.choose_spread(build(kept), build(out))
        estimator.clock = clock.part(clock.remaining * _FOR_FIT)
        estimator.fit(build(plans))
    except KeyboardInterrupt:
        found = _assembled(case, plans, estimator, clock.part(0.0), workers)
        return replace(found, interrupted=True)
    except DivergesError:
        raise LimitError(
            "there are no finite sums over all walks: some plans go round in circles so often "
            "that costs above 0 do not explain them; take solution mcf"
        ) from None
    return _assembled(case, plans, estimator, clock, workers)


def _of_few_goals(plans: Sequence[Plan]) -> list[Plan]:
    """Plans to choose the spread by: all of some goals, as goals take time and plans do not."""
    found: set[Plan] = set()
    for members in by_goal(plans):
        if len(found) < _FOR_CHOOSING:
            found.update(members)
    return [plan for plan in plans if plan in found]


def _with_room(case: Case, costs: Vector) -> Vector:
    """The same costs of all trips but for a constant, where fewer costs of turns are below 0.

    What is taken from all links that leave a place and added to all turns there changes a trip
    only at its start. Without it a third of Borlänge's exact routes are lost when costs are raised.
    """
    network, table = case.worlds[0], case.streets
    if table is None or not isinstance(network, Network) or len(costs) == len(table.rows):
        return costs
    links = len(table.rows)
    source = network.source[:links]
    place = np.append(source, source[[after for _, after in table.turns]])
    room, need = np.full((2, int(place.max()) + 1), np.inf) * [[1], [-1]]
    np.minimum.at(room, place[:links], costs[:links] - 1 / UNITS)
    np.maximum.at(need, place[links:], 1 / UNITS - costs[links:])
    moved = np.where(need <= room, np.clip(0, need, room), (need + room) / 2)
    moved[~np.isfinite(moved)] = 0
    sign = np.where(np.arange(len(costs)) < links, -1, 1)
    return np.asarray(costs + sign * moved[place])


def _assembled(
    case: Case, plans: Sequence[Plan], estimator: Estimator, clock: Clock, workers: Workers
) -> MostLikely:
    """Whole costs, and how likely the plans are under them."""
    prior, notes = estimator.prior, []
    costs = _with_room(case, estimator.costs)
    whole = whole_costs(costs)
    raised = int(np.count_nonzero(UNITS * costs < 0.5))
    if raised:
        notes.append(f"{raised} costs came out below 1/{UNITS} nat and were raised to 1")
    count = sum(plan.count for plan in plans)
    log_likelihood, errors = None, np.zeros(0)
    try:
        if clock.is_over:
            notes.append("no time was left to say how likely the plans are")
        else:
            nats = whole / UNITS
            log_likelihood = Likelihood(plans, nats, workers, _WIDER).total(nats)
        if not clock.is_over and not estimator.clock.is_over:
            some = plans[:_FOR_ERRORS]
            scores = Likelihood(some, costs, workers).scores(estimator.costs)
            stand_for = count / sum(plan.count for plan in some)
            errors = _standard_errors(scores * np.sqrt(stand_for), estimator)
    except DivergesError:
        notes.append(
            "under these costs the sum over all walks is infinite: plans have no probabilities"
        )
    if count < len(case.actions):
        notes.append(
            "there are fewer plans than actions: do not rely on standard errors then; what no plan "
            "says follows from what actions share"
        )
    weights = UNITS * estimator.theta[: len(prior.names)] / prior.scale
    return MostLikely(
        tuple(whole.tolist()),
        log_likelihood,
        dict(zip((*prior.names, "actions"), prior.spread.tolist(), strict=False)),
        {name: float(f"{w:.4g}") for name, w in zip(prior.names, weights.tolist(), strict=True)},
        tuple(np.rint(UNITS * errors).astype(int).tolist()),
        notes=tuple(notes),
    )


def _standard_errors(scores: csr_array, estimator: Estimator) -> Vector:
    """Of the cost of each action, in nats: (1 / spread^2 + information)^-1.

    Information is the sum of the squared scores of plans. The spread is one step of expectation
    and maximisation from the one chosen, of which plans that are held out say little.
    """
    prior, theta = estimator.prior, estimator.theta
    scores = csr_array(scores @ prior.matrix)
    own = slice(len(prior.names), None)
    variances = _variances(scores, prior.spread, csr_array(eye_array(len(theta))))
    fitting = float(np.sqrt(np.mean(((theta - prior.mean) ** 2 + variances)[own])))
    errors = _variances(scores, prior.with_spread(fitting).spread, prior.matrix)
    return np.asarray(np.sqrt(errors))


def _variances(scores: csr_array, spread: Vector, matrix: csr_array) -> Vector:
    """Of the rows of a matrix times theta, solved by plans (Woodbury)."""
    variance = spread**2
    weighed = csr_array(scores.multiply(variance)).tocsr()
    factor = np.linalg.cholesky(np.eye(scores.shape[0]) + (weighed @ scores.T).toarray())
    found: Vector = matrix.multiply(matrix) @ variance
    for begin in range(0, len(found), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        explained = solve_triangular(factor, (weighed @ matrix[part].T).toarray(), lower=True)
        found[part] -= (explained**2).sum(axis=0)
    return np.maximum(found, 0.0)

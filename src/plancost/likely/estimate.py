"""Most likely costs of a case, shrunk towards what actions have in common.

Least of: the sum over plans of cost + log z, plus half of ((theta - mean) / spread)^2, where costs
are a matrix times theta: what actions share, then a constant of each action with mean 0 and one
common spread. It is convex. Descent ends when half the squared slope is at most 2, which bounds the
distance from the least value in nats. Fields are made anew at the costs found until that hardly
changes the value: pruned by the first costs only it was up to 108 nats off.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array, eye_array

from plancost.case.model import Case, Ints, Network
from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.executor import Workers
from plancost.likely.likelihood import Likelihood, Prior, by_goal, plans_of, prior_of
from plancost.likely.walks import SLACK, Plan, Vector

UNITS = 100
"""Whole costs are in so many units of a nat: ten lose .004 of F1, one loses .14."""
_FOR_SPREAD, _FOR_FIT = 0.6, 0.9
_FEW = 30
_FOR_CHOOSING = 2000
"""About so many plans choose the spread: all 10,000 of a city of 10,000 links took 460 s for it."""
_SPREADS = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
_GAP, _ROUGHLY = 2.0, 10.0
"""Nats: how near the least value a fit ends, and one that is only to choose a spread."""
_GAP_OF_PLAN = 1e-3
"""Of many plans the gap may be so much for each: 10,000 take 140 steps instead of 230."""
_SHIFT = 0.5
_PHASES = 4
_RAISES = 12
_SHARP = 40.0
"""Nats of a unit of whole costs under which only cheapest plans have a probability."""
_MOST_STEPS = 500
_MEMORY = 60
_LENGTHS = 0.4 ** np.arange(23)
"""Of steps that are tried, in parts of the first."""
_WIDER = 30.0
"""Nats of slack for the fields under which the answer is judged."""
_FOR_ERRORS = 2000
_AT_ONCE = 4096

Build = Callable[[Vector], Likelihood]
"""A likelihood whose fields are made for these costs."""


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

    def build(chosen: list[Plan]) -> Build:
        """Fields are pruned by costs that are above 0."""
        return lambda costs: Likelihood(chosen, _with_room(case, costs), workers)

    try:
        few = build(out[:_FEW])  # most often they tell soon
        if not all(estimator.holds_no_noise(own) for own in (few, build(plans))):
            estimator.prior = prior
            if kept:
                estimator.choose_spread(build(kept), build(out))
        estimator.clock = clock.part(clock.remaining * _FOR_FIT)
        if not estimator.fit(build(plans)):
            raise LimitError(
                "there are no finite sums over all walks: some plans go round in circles so often "
                "that costs above 0 do not explain them; take solution mcf"
            )
    except KeyboardInterrupt:
        found = _assembled(case, plans, estimator, clock.part(0.0), workers)
        return replace(found, interrupted=True)
    return _assembled(case, plans, estimator, clock, workers)


class Estimator:
    """Looks for the most likely parameters; the best so far are in `theta`, whatever ends it."""

    def __init__(self, prior: Prior, clock: Clock) -> None:
        self.prior, self.clock = prior, clock
        self.theta = prior.mean

    @property
    def costs(self) -> Vector:
        """In nats."""
        return np.asarray(self.prior.matrix @ self.theta)

    def fit(self, build: Build, *, rough: bool = False) -> bool:
        """As near the least value as the clock lets it; if rough, with one set of fields.

        False: nothing is found, as all sums over walks are infinite.
        """
        last = np.inf
        for _ in range(1 if rough else _PHASES):
            if self.clock.is_over:
                break
            likelihood, value = self._finite(build)
            if value == np.inf:
                return False
            if self.clock.is_over or abs(value - last) < _SHIFT:
                break
            gap = _ROUGHLY if rough else _GAP
            last = self._descend(likelihood, max(gap, _GAP_OF_PLAN * likelihood.plan_count))
        return True

    def holds_no_noise(self, build: Build) -> bool:
        """Whether all plans are optimal, in whole costs, under the widest spread.

        Then it is the one to take: few plans that are held out hardly tell spreads apart.
        """
        self.prior = self.prior.with_spread(_SPREADS[-1])
        if not self.fit(build, rough=True) or self.clock.is_over:
            return False
        sharp = np.asarray(_SHARP * _whole(self.costs), dtype=np.float64)
        return min(build(sharp).each(sharp).values()) > -SLACK

    def choose_spread(self, build: Build, held_out: Build) -> None:
        """The spread under which plans that are held out are most likely.

        Spreads are doubled while that helps; then it is the top of a parabola through three.
        """
        usual, found = self.prior, list[float]()
        for spread in _SPREADS:
            self.prior = self.prior.with_spread(spread)
            fits = self.fit(build, rough=True)
            found.append(held_out(self.costs).total(self.costs) if fits else -np.inf)
            if self.clock.is_over:
                self.prior = usual
                return
            if found[-1] < max(found):
                break
        best = int(np.argmax(found))
        less, most, more = [-np.inf, *found, -np.inf][best : best + 3]
        bend = 2 * most - less - more
        doublings = (more - less) / (2 * bend) if 0 < bend < np.inf else 0.0
        self.prior = self.prior.with_spread(_SPREADS[best] * 2**doublings)

    def _finite(self, build: Build) -> tuple[Likelihood, float]:
        """Fields for the parameters; if the sum over walks is infinite there, for larger ones."""
        theta = self.theta
        for _ in range(_RAISES):
            likelihood = build(self.prior.matrix @ theta)
            value, _ = self._objective(likelihood, theta)
            if value < np.inf:
                self.theta = theta
                break
            step = theta[0] + 0.3 + 0.3 * abs(theta[0])
            theta = np.append(step, np.maximum(theta, 0.7 * theta)[1:])
        return likelihood, value

    def _objective(self, likelihood: Likelihood, theta: Vector) -> tuple[float, Vector]:
        """What is to be least, and its slope by theta / spread."""
        prior = self.prior
        value, slope = likelihood(prior.matrix @ theta)
        u = (theta - prior.mean) / prior.spread
        return value + 0.5 * _dot(u, u), prior.spread * (prior.matrix.T @ slope) + u

    def _descend(self, likelihood: Likelihood, gap: float) -> float:
        """By L-BFGS until half the squared slope is at most `gap`; the value reached.

        Parameters are scaled half-way to where each alone bends the function as much: what several
        have in common hardly bends it then (10,000 links take 50 steps instead of 180). A step to
        where the value is infinite is made shorter, as one that does not go down enough.
        """
        prior = self.prior
        uses = prior.matrix.multiply(prior.matrix).T @ likelihood.observed
        scale = (1 + prior.spread**2 * uses) ** -0.25
        moves: deque[tuple[Vector, Vector]] = deque(maxlen=_MEMORY)
        value, slope = self._objective(likelihood, self.theta)
        for _ in range(_MOST_STEPS):
            if 0.5 * _dot(slope, slope) <= gap or self.clock.is_over:
                break
            direction = _direction(scale * slope, moves)
            descent = _dot(scale * slope, direction)
            for length in _LENGTHS:
                theta = self.theta + length * prior.spread * scale * direction
                new_value, new_slope = self._objective(likelihood, theta)
                if new_value <= value + 1e-4 * length * descent + 1e-9 * abs(value):
                    break
            else:
                break
            step, bend = length * direction, scale * (new_slope - slope)
            self.theta, value, slope = theta, new_value, new_slope
            if _dot(step, bend) > 1e-12:
                moves.append((step, bend))
        return value


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
    case: Case, plans: list[Plan], estimator: Estimator, clock: Clock, workers: Workers
) -> MostLikely:
    """Whole costs, and how likely the plans are under them."""
    prior, notes = estimator.prior, []
    costs = _with_room(case, estimator.costs)
    whole = _whole(costs)
    if raised := int(np.count_nonzero(UNITS * costs < 0.5)):
        notes.append(f"{raised} costs came out below 1/{UNITS} nat and were raised to 1")
    log_likelihood, errors = -np.inf, np.zeros(0)
    if clock.is_over:
        notes.append("no time was left to say how likely the plans are")
    else:
        log_likelihood = Likelihood(plans, whole / UNITS, workers, _WIDER).total(whole / UNITS)
        if log_likelihood == -np.inf:
            notes.append(
                "under these costs the sum over all walks is infinite: plans have no probabilities"
            )
        elif not clock.is_over and not estimator.clock.is_over:
            errors = _standard_errors(plans, costs, estimator, workers)
    if sum(plan.count for plan in plans) < len(case.actions):
        notes.append(
            "there are fewer plans than actions: do not rely on standard errors then; what no plan "
            "says follows from what actions share"
        )
    weights = UNITS * estimator.theta[: len(prior.names)] / prior.scale
    return MostLikely(
        tuple(whole.tolist()),
        log_likelihood if log_likelihood > -np.inf else None,
        dict(zip((*prior.names, "actions"), prior.spread.tolist(), strict=False)),
        {name: float(f"{w:.4g}") for name, w in zip(prior.names, weights.tolist(), strict=True)},
        tuple(np.rint(UNITS * errors).astype(int).tolist()),
        notes=tuple(notes),
    )


def _standard_errors(
    plans: list[Plan], costs: Vector, estimator: Estimator, workers: Workers
) -> Vector:
    """Of the cost of each action, in nats: (1 / spread^2 + information)^-1.

    Information is the sum of the squared scores of plans. The spread is one step of expectation
    and maximisation from the one chosen, of which plans that are held out say little.
    """
    prior, theta = estimator.prior, estimator.theta
    likelihood = Likelihood(plans[:_FOR_ERRORS], costs, workers)
    stand_for = sum(plan.count for plan in plans) / likelihood.plan_count
    if likelihood.total(estimator.costs) == -np.inf:
        return np.zeros(0)
    scores = csr_array(likelihood.scores(estimator.costs) @ prior.matrix * np.sqrt(stand_for))
    errors = _deviations(scores, prior.spread, csr_array(eye_array(len(theta))))
    squares = ((theta - prior.mean) ** 2 + errors**2)[len(prior.names) :]
    fitting = prior.with_spread(float(np.sqrt(np.mean(squares))))
    return _deviations(scores, fitting.spread, prior.matrix)


def _deviations(scores: csr_array, spread: Vector, matrix: csr_array) -> Vector:
    """Of the rows of a matrix times theta, solved by plans (Woodbury)."""
    variance = spread**2
    weighed = csr_array(scores.multiply(variance)).tocsr()
    factor = np.linalg.cholesky(np.eye(scores.shape[0]) + (weighed @ scores.T).toarray())
    found: Vector = matrix.multiply(matrix) @ variance
    for begin in range(0, len(found), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        explained = solve_triangular(factor, (weighed @ matrix[part].T).toarray(), lower=True)
        found[part] -= (explained**2).sum(axis=0)
    return np.asarray(np.sqrt(np.maximum(found, 0.0)))


def _direction(slope: Vector, moves: Sequence[tuple[Vector, Vector]]) -> Vector:
    """Down, as the last moves tell how the slope bends."""
    if not moves:
        return -slope / max(1.0, float(np.abs(slope).max()))
    found, weights = -slope, []
    for step, bend in reversed(moves):
        weights.append(_dot(step, found) / _dot(step, bend))
        found = found - weights[-1] * bend
    step, bend = moves[-1]
    found *= _dot(step, bend) / _dot(bend, bend)
    for (step, bend), weight in zip(moves, reversed(weights), strict=True):
        found += step * (weight - _dot(bend, found) / _dot(step, bend))
    return found


def _dot(one: Vector, other: Vector) -> float:
    """The inner product; not by BLAS, whose threads fight with ours: a fit took twice as long."""
    return float(np.add.reduce(one * other))


def _whole(costs: Vector) -> Ints:
    """In units of 1/100 nat, at least 1."""
    return np.maximum(1, np.rint(UNITS * costs)).astype(np.int64)

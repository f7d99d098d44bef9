"""From the most likely costs to costs under which a whole set of plans is optimal, step by step.

A weight between 0 and 1 says how far to go. At 0 costs are the most likely ones (maximum entropy).
Under these each plan has a *regret*: the cheapest plan of its task is exp(regret) times as likely.
At a weight w the plans of the set with a regret of at most w / (1 - w) are made optimal, at the
least loss of likelihood (`projection`). At 1 that is the whole set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from plancost.learning.choose.competition import Competition
from plancost.learning.choose.projection import Nearness, Projection
from plancost.learning.choose.walks import Vector
from plancost.learning.problem.task import PlanSet
from plancost.system.clock import Deadline

SPREAD = 4.0
"""The standard deviation of the prior of each cost, in units of log-odds."""
SPREADS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Those that are compared, where there are few costs."""
_MOST_COMPARED = 1000
"""With more costs than this the spread is not chosen: that would take longer than all the rest."""
_ROUGHLY = 1e-4
WEIGHTS = (0.0, 0.5, 2 / 3, 1.0)
"""Those that are compared: no regret, regrets of at most 1 and 2, and any."""
FOLDS = 3
_TOLERANCE = 1e-6
"""Of the loss, relative: the search for the most likely costs ends when it falls by less."""
_TIE_BREAK = 1e-3
"""Of equally cheap plans the most likely one is predicted: so much of the most likely costs is
added."""


@dataclass(frozen=True)
class Fit:
    """The most likely costs, what the loss looks like around them, and the regrets of plans."""

    near: Nearness
    regrets: dict[int, float]
    prior_mean: float
    """What an action costs of which nothing is known."""
    unit: float | None = None
    """What 1 of the initial costs costs here; None: there are none, or they say nothing."""

    def members(self, chosen: PlanSet, weight: float) -> PlanSet:
        """The plans of a set that are made optimal at a weight."""
        if weight >= 1:
            return chosen
        most = weight / (1 - weight) if weight else -1.0
        return frozenset(number for number in chosen if self.regrets[number] <= most)


@dataclass(frozen=True)
class HeldOut:
    """What costs at a weight say of plans that they were not learned from, on average."""

    weight: float
    overlap: float
    """F1 of the actions of the predicted plan and of the observed one."""
    log_likelihood: float
    regret: float
    error: float = 0.0
    """The standard error of what the overlap is more or less than at the first weight."""


@dataclass(frozen=True)
class LikelyPath:
    """The way from the most likely costs to those under which the chosen plans are optimal."""

    competition: Competition
    projection: Projection
    chosen: PlanSet
    initial: Vector | None = None
    """Initial costs: the prior is then around a constant plus a multiple of these, both fitted."""
    spread: float = SPREAD
    tolerance: float = _TOLERANCE

    def with_best_spread(self, seed: int, deadline: Deadline) -> LikelyPath:
        """The same with the prior under which plans that are left out are most likely.

        It stays as it is if there are too few plans, too many costs, or too little time.
        """
        observed = self.competition.likelihood(self.competition.weights, self.spread).observed
        if len(observed) > _MOST_COMPARED:
            return self
        scores: dict[float, float] = {}
        for spread in SPREADS:
            found = replace(self, spread=spread, tolerance=_ROUGHLY)._left_out(seed, deadline)
            if found is None:
                return self
            scores[spread] = found
        if len(set(scores.values())) == 1:
            return self
        return replace(self, spread=max(scores, key=scores.__getitem__))

    def _left_out(self, seed: int, deadline: Deadline) -> float | None:
        """The logarithm of the likelihood of plans under costs learned from the others."""
        total = 0.0
        for is_held_out in self._folds(seed):
            kept, out = (
                np.where(is_held_out == flag, self.competition.weights, 0.0)
                for flag in (False, True)
            )
            fit = self.fit(kept, deadline)
            if fit is None:
                return None
            unseen = self.competition.likelihood(out, self.spread)
            costs = fit.near.centre
            total -= float(unseen.observed @ costs) + unseen.sums(costs)[0]
        return total

    def _folds(self, seed: int) -> list[np.ndarray]:
        """Which plans are held out, fold by fold; none if there are too few."""
        count = len(self.competition.weights)
        fold_of = np.random.default_rng(seed).permutation(count) % FOLDS
        return [fold_of == number for number in range(FOLDS if count >= FOLDS else 0)]

    def fit(self, weights: Vector, deadline: Deadline, start: Vector | None = None) -> Fit | None:
        """The most likely costs if plans count as often as their weights say; None: no time."""
        likelihood = self.competition.likelihood(weights, self.spread)
        unit = None
        if self.initial is not None:
            usual = float(self.initial.mean()) or 1.0
            features = np.column_stack([np.ones(len(self.initial)), self.initial / usual])
            found = likelihood.fitted(features, deadline)
            if found is None:
                return None
            unit = float(found[1]) / usual or None
            likelihood = replace(likelihood, centre=features @ found)
        costs = likelihood.most_likely(deadline, start, self.tolerance)
        if costs is None:
            return None
        regrets = self.competition.regrets(costs, np.flatnonzero(weights).tolist())
        near = Nearness(costs, likelihood.curvature(costs))
        return Fit(near, regrets, float(likelihood.centre.mean()), unit)

    def point(
        self, fit: Fit, weight: float, deadline: Deadline, among: PlanSet | None = None
    ) -> Vector | None:
        """The costs at a weight, of some of the chosen plans; None: no time."""
        members = fit.members(self.chosen if among is None else among, weight)
        if not members:
            return fit.near.centre
        return self.projection.nearest(fit.near, members, deadline)

    def held_out(
        self, weights: Sequence[float], start: Vector, seed: int, deadline: Deadline
    ) -> list[HeldOut]:
        """Cross-validation: what costs at each weight say of plans that they do not know.

        Folds that do not end in time do not count; if none does, there is no answer.
        """
        counts = self.competition.weights
        found: list[Vector] = []
        seen: list[Vector] = []
        for is_held_out in self._folds(seed):
            scores = self._fold(is_held_out, weights, start, deadline)
            if scores is None:
                break
            found.append(scores)
            seen.append(counts[is_held_out])
        if not found:
            return []
        often, scores = np.concatenate(seen), np.concatenate(found, axis=2)
        means = scores @ often / often.sum()
        more = scores[:, 0] - scores[0, 0] - (means[:, 0] - means[0, 0])[:, None]
        errors = np.sqrt((more * more) @ often) / often.sum()
        return [
            HeldOut(weight, *row)
            for weight, *row in np.column_stack([weights, means, errors]).tolist()
        ]

    def _fold(
        self,
        is_held_out: np.ndarray,
        weights: Sequence[float],
        start: Vector,
        deadline: Deadline,
    ) -> Vector | None:
        """For each weight overlap, log-likelihood and regret of each held-out plan."""
        competition = self.competition
        counts = competition.weights
        fit = self.fit(np.where(is_held_out, 0.0, counts), deadline, start)
        if fit is None:
            return None
        numbers = np.flatnonzero(is_held_out).tolist()
        among = self.chosen.difference(numbers)
        unseen = competition.likelihood(np.where(is_held_out, counts, 0.0), self.spread)
        scores = []
        for weight in weights:
            point = self.point(fit, weight, deadline, among)
            if point is None:
                return None
            overlaps = competition.overlaps(point + _TIE_BREAK * fit.near.centre, numbers)
            regrets = competition.regrets(point, numbers)
            loss = float(unseen.observed @ point) + unseen.sums(point)[0]
            each = np.full(len(numbers), -loss / float(counts[numbers].sum()))
            scores.append(
                [[overlaps[n] for n in numbers], each.tolist(), [regrets[n] for n in numbers]]
            )
        return np.array(scores)


def best_weight(scores: Sequence[HeldOut]) -> float:
    """The largest weight whose predictions are not clearly worse than at the least one.

    Not clearly is by at most the standard error. 1 is not among them: which plans are in the set
    was decided with the held-out ones, and this flatters costs under which all are optimal.
    """
    least = min(scores, key=lambda score: score.weight).overlap
    return max(s.weight for s in scores if s.weight < 1 and s.overlap + s.error >= least)

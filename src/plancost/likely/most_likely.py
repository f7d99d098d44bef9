"""From a case to most likely costs: what actions share, the spread, the fit, whole costs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.sparse import csr_array

from plancost.case.model import Case, Network
from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.executor import Workers
from plancost.likely.estimate import (
    UNITS,
    Estimator,
    Prior,
    prior_of,
    standard_errors,
    whole_costs,
)
from plancost.likely.likelihood import Build, Plan, PlansOnTracks
from plancost.likely.walks import DivergesError, Vector

KNOWN = "known costs"
"""The factor of known costs, among features."""
_FOR_SPREAD, _FOR_FIT = 0.6, 0.9
_FEW = 30
_FOR_CHOOSING = 2000
"""About so many plans choose the spread: all 10,000 of a city of 10,000 links took 460 s for it."""
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
    plans = PlansOnTracks(case, workers, clock)
    prior = _prior(case)
    estimator = Estimator(prior, clock.part(clock.remaining * _FOR_SPREAD))
    interrupted = False
    order = np.random.default_rng(seed).permutation(len(plans.plans)).tolist()
    some = _of_few_goals(plans.plans, order)
    half = -(-len(some) // 2)
    out, kept = some[:half], some[half:]

    def build(numbers: Sequence[int]) -> Build:
        """Fields are pruned by costs that are above 0."""
        made = plans.builder(numbers)
        return lambda costs: made(_with_room(case, costs))

    try:
        few = build(out[:_FEW])  # most often they tell soon
        if not all(estimator.holds_no_noise(own) for own in (few, build(order))):
            estimator.prior = prior
            if kept:
                estimator.choose_spread(build(kept), build(out))
        estimator.clock = clock.part(clock.remaining * _FOR_FIT)
        estimator.fit(build(order))
    except KeyboardInterrupt:
        interrupted = True
    except DivergesError:
        raise LimitError(
            "there are no finite sums over all walks: some plans go round in circles so often "
            "that costs above 0 do not explain them; take solution mcf"
        ) from None
    if interrupted:
        clock = clock.part(0.0)
    found = _assembled(case, plans, estimator, clock, seed)
    return replace(found, interrupted=interrupted)


def _of_few_goals(plans: Sequence[Plan], order: Sequence[int]) -> list[int]:
    """Plans to choose the spread by: all of some goals, as goals take time and plans do not."""
    by_goal: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    for number in order:
        by_goal[plans[number].world, plans[number].goal.tobytes()].append(number)
    found: set[int] = set()
    for members in by_goal.values():
        if len(found) < _FOR_CHOOSING:
            found.update(members)
    return [number for number in order if number in found]


def _prior(case: Case) -> Prior:
    """What costs share by the cost model, or the known costs; turns are no steps."""
    model, count = case.costs, len(case.actions)
    links = count if case.streets is None else len(case.streets.rows)
    steps = np.arange(count) < links
    if model.initial is not None:
        known = csr_array((model.initial * steps).reshape(-1, 1))
        return prior_of(known, (KNOWN,), steps)
    if model.is_plain:
        return prior_of(csr_array((count, 0)), (), steps)
    return prior_of(model.matrix, model.parameters, steps)


def _with_room(case: Case, costs: Vector) -> Vector:
    """The same costs of all trips but for a constant, where fewer costs of turns are below 0.

    What is taken from all links that leave a place and added to all turns there changes a trip
    only at its start. Without it a third of Borlänge's exact routes are lost when costs are raised.
    """
    network, table = case.worlds[0], case.streets
    links = 0 if table is None else len(table.rows)
    if table is None or not isinstance(network, Network) or len(costs) == links:
        return costs
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
    case: Case, plans: PlansOnTracks, estimator: Estimator, clock: Clock, seed: int
) -> MostLikely:
    """Whole costs, and how likely the plans are under them."""
    prior, notes = estimator.prior, []
    costs = _with_room(case, estimator.costs)
    whole = whole_costs(costs)
    raised = int(np.count_nonzero(UNITS * costs < 0.5))
    if raised:
        notes.append(f"{raised} costs came out below 1/{UNITS} nat and were raised to 1")
    log_likelihood, errors = None, np.zeros(0)
    try:
        if clock.is_over:
            notes.append("no time was left to say how likely the plans are")
        else:
            log_likelihood = plans.builder(slack=_WIDER)(whole / UNITS).total(whole / UNITS)
        if not clock.is_over and not estimator.clock.is_over:
            errors = standard_errors(plans.builder()(costs), prior, estimator.theta, seed)
    except DivergesError:
        notes.append(
            "under these costs the sum over all walks is infinite: plans have no probabilities"
        )
    if sum(observation.count for observation in case.observations) < len(case.actions):
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

"""From a case to most likely costs: what actions share, the spread, the fit, whole costs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.sparse import csr_array

from plancost.case.costs import NOT_FEATURES, TURNS
from plancost.case.model import Case, Network, StreetTable
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
from plancost.likely.tracks import PlansOnTracks
from plancost.likely.walks import DivergesError, Vector
from plancost.values import decimal

_MOST_CLASSES = 20
"""A column of links with more texts is a name and no class."""
_COORDINATES = ("x_from", "y_from", "x_to", "y_to")
KNOWN = "known costs"
"""The factor of known costs, among features."""
_FOR_SPREAD, _FOR_FIT = 0.6, 0.9
_FEW = 30
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


def usual_features(case: Case) -> tuple[str, ...]:
    """Of streets all attributes of links that are numbers or classes, and turns."""
    table = case.streets
    if table is None:
        return ()
    names = [name for name in table.columns if name not in (*NOT_FEATURES, *_COORDINATES)]
    turns = (TURNS,) if table.turns or table.shapes else ()
    return (*(name for name in names if _tells(table, name)), *turns)


def _tells(table: StreetTable, name: str) -> bool:
    """Whether a column tells links apart without naming them."""
    place = table.columns.index(name)
    texts = {row[place] for row in table.rows}
    numbers = [decimal(text) for text in texts]
    if all(number is not None and number >= 0 for number in numbers):
        return len(texts) > 1
    return 1 < len(texts) <= _MOST_CLASSES and not any(n is not None for n in numbers)


def most_likely(case: Case, clock: Clock, workers: Workers, seed: int) -> MostLikely:
    """The costs under which the plans of a case are most likely.

    What costs share is in the cost model of the case. Ctrl-C ends the search, as the clock does.
    """
    plans = PlansOnTracks(case, workers, clock)
    prior = _prior(case)
    estimator = Estimator(prior, clock.part(clock.remaining * _FOR_SPREAD))
    interrupted = False
    out = np.random.default_rng(seed).permutation(len(plans.plans)) % 4 == 0
    kept, held = (plans.builder(np.flatnonzero(own).tolist()) for own in (~out, out))
    try:
        few = plans.builder(np.flatnonzero(out)[:_FEW].tolist())  # most often they tell soon
        if not all(estimator.holds_no_noise(build) for build in (few, plans.builder())):
            estimator.prior = prior
            if not out.all():
                estimator.choose_spread(kept, held)
        estimator.clock = clock.part(clock.remaining * _FOR_FIT)
        estimator.fit(plans.builder())
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
    only at its start. Without it Shanghai's trips lose .05 nats each when costs are raised to 1.
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
            sums = plans.builder(slack=_WIDER)(whole / UNITS)
            log_likelihood = sums.total(whole / UNITS)
        if not clock.is_over and not estimator.clock.is_over:
            sums = plans.builder()(estimator.costs)
            errors = standard_errors(sums, prior, estimator.theta, seed)
    except DivergesError:
        notes.append(
            "under these costs the sum over all walks is infinite: plans have no probabilities"
        )
    if sum(observation.count for observation in case.observations) < len(case.actions):
        notes.append(
            "there are fewer plans than actions: standard errors are too small then, and what no "
            "plan says follows from what actions share"
        )
    shared = estimator.theta[: len(prior.names)] / prior.scale * UNITS
    return MostLikely(
        tuple(whole.tolist()),
        log_likelihood,
        {
            **dict(zip(prior.names, prior.spread.tolist(), strict=False)),
            "actions": float(prior.spread[-1]),
        },
        dict(zip(prior.names, np.round(shared, 4).tolist(), strict=True)),
        tuple(np.rint(UNITS * errors).astype(int).tolist()),
        notes=tuple(notes),
    )

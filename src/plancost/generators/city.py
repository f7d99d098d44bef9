"""A made-up city: directed links with metres and minutes, and what they truly cost its drivers.

Minutes follow from metres and the speed of each kind of street. The true costs are hidden from
whoever learns: minutes times what drivers make of a kind of street, of a district and of the
single link, and the wait at traffic lights. They are whole thousandths of a minute, so that
whether a trip is optimal can be decided exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plancost.errors import UsageError
from plancost.generators.street_plan import Flags, Floats, Integers, Kind, StreetPlan, draw_plan

THOUSANDTHS = 1000
"""Costs and minutes are counted in thousandths of a minute."""
LEAST_LINKS = 100
MOST_LINKS = 1_000_000
MOST_TRIPS = 1_000_000

_SPEEDS = {Kind.STREET: 30, Kind.COLLECTOR: 40, Kind.ARTERIAL: 50, Kind.RING: 70, Kind.BRIDGE: 50}
"""In km/h."""
_LIKED = {
    Kind.STREET: 1.25,
    Kind.COLLECTOR: 1.05,
    Kind.ARTERIAL: 0.95,
    Kind.RING: 0.85,
    Kind.BRIDGE: 1.4,
}
"""A minute on such a street feels as long as so many minutes."""
_BY_DISTRICT = 0.15
_BY_LINK = 0.2
"""Standard deviations of the logarithms of these factors."""
_LIGHTS = (100, 500)
"""The wait at a traffic light, in thousandths of a minute."""


@dataclass(frozen=True)
class CityRequest:
    """What is asked of a city and its drivers."""

    links: int = 2000
    """About so many directed links."""
    trips: int = 500
    seed: int = 0
    noise: float = 0.2
    """How far costs of a driver are from the true ones: standard deviation of the logarithm."""
    detours: float = 0.03
    """The share of trips that go by way of another place."""

    def __post_init__(self) -> None:
        if not LEAST_LINKS <= self.links <= MOST_LINKS:
            raise UsageError(
                f"the number of links must be from {LEAST_LINKS} to {MOST_LINKS}, not {self.links}"
            )
        if not 1 <= self.trips <= MOST_TRIPS:
            raise UsageError(
                f"the number of trips must be from 1 to {MOST_TRIPS}, not {self.trips}"
            )
        if self.seed < 0:
            raise UsageError(f"the seed must be at least 0, not {self.seed}")
        if not (math.isfinite(self.noise) and 0 <= self.noise <= 2):
            raise UsageError(f"the noise must be from 0 to 2, not {self.noise}")
        if not 0 <= self.detours <= 1:
            raise UsageError(f"the share of detours must be from 0 to 1, not {self.detours}")


@dataclass(frozen=True)
class City:
    """Links by number, from junction to junction; both are numbered from 0."""

    x: Floats
    y: Floats
    """Where junctions are, in metres."""
    starts: Integers
    ends: Integers
    kinds: Integers
    metres: Integers
    minutes: Integers
    """In thousandths."""
    hidden: Integers
    """What links truly cost, in thousandths of a minute."""

    @property
    def junctions(self) -> int:
        """How many junctions there are."""
        return len(self.x)

    @cached_property
    def links_by_ends(self) -> tuple[Integers, Integers]:
        """The keys of all links (start times the number of junctions, plus end), sorted; the links.

        There are no parallel links, so a key is of one link.
        """
        keys = self.starts * self.junctions + self.ends
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def links_along(self, junctions: Integers) -> Integers:
        """The links between junctions that follow each other."""
        keys, links = self.links_by_ends
        asked = junctions[:-1] * self.junctions + junctions[1:]
        found: Integers = links[np.searchsorted(keys, asked)]
        return found


def build_city(links: int, seed: int) -> City:
    """A city with about so many links, by its seed."""
    random = np.random.default_rng([seed, 1])
    plan = draw_plan(links, random)
    both = ~plan.one_way
    street = np.concatenate([np.arange(len(plan.starts)), np.flatnonzero(both)])
    starts = np.concatenate([plan.starts, plan.ends[both]])
    ends = np.concatenate([plan.ends, plan.starts[both]])
    order = np.lexsort((ends, starts))
    street, starts, ends = street[order], starts[order], ends[order]
    length = np.hypot(plan.x[starts] - plan.x[ends], plan.y[starts] - plan.y[ends])
    metres = np.maximum(1, np.rint(length * plan.bends[street])).astype(np.int64)
    kinds = plan.kinds[street]
    metres_a_minute = np.array([_SPEEDS[kind] for kind in Kind])[kinds] * 1000 / 60
    minutes = np.maximum(1, np.rint(metres / metres_a_minute * THOUSANDTHS)).astype(np.int64)
    hidden = _true_costs(plan, street, ends, minutes, random)
    return City(plan.x, plan.y, starts, ends, kinds, metres, minutes, hidden)


def _true_costs(
    plan: StreetPlan,
    street: Integers,
    ends: Integers,
    minutes: Integers,
    random: np.random.Generator,
) -> Integers:
    liked = np.array([_LIKED[kind] for kind in Kind])[plan.kinds[street]]
    by_district = np.exp(_BY_DISTRICT * random.standard_normal(int(plan.districts.max()) + 1))
    by_link = np.exp(_BY_LINK * random.standard_normal(len(street)))
    waits = np.where(_lights(plan), random.integers(*_LIGHTS, len(plan.x)), 0)
    costs: Floats = minutes * liked * by_district[plan.districts[street]] * by_link + waits[ends]
    return np.maximum(1, np.rint(costs)).astype(np.int64)


def _lights(plan: StreetPlan) -> Flags:
    """Which junctions have traffic lights: those of main roads with each other or collectors."""
    large = plan.kinds != Kind.STREET
    both = np.concatenate([plan.starts[large], plan.ends[large]])
    found: Flags = np.bincount(both, minlength=len(plan.x)) > 2
    return found

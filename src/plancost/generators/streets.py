"""City: from one junction to another, along the streets that `plancost routes generate` draws.

Fixed: the streets, with dead ends, one-way streets and a river. Varies: where to start and where
to go.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from plancost.generators.city import LEAST_LINKS, City, build_city
from plancost.generators.world import Scenario, World, numbered, size


@dataclass(frozen=True)
class Streets(World):
    """A city with about so many directed links."""

    name = "city"
    summary = "drive along the streets of a made-up city; every link costs 1"

    links: int = size(160, LEAST_LINKS, "links, about")

    def scenario(self, seed: int, draw: int) -> Scenario:
        """From one junction to another."""
        city = _city(self.links, seed)
        junctions = numbered("j", city.junctions)
        start, goal = self.generator(seed, draw).sample(junctions, 2)
        links = zip(city.starts.tolist(), city.ends.tolist(), strict=True)
        return Scenario(
            {"junction": junctions},
            [f"(link {junctions[one]} {junctions[other]})" for one, other in links],
            [f"(at {start})"],
            [f"(at {goal})"],
        )


@cache
def _city(links: int, seed: int) -> City:
    return build_city(links, seed)

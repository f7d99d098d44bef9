"""All worlds, by the names of their domains."""

from __future__ import annotations

from plancost.generators.barman import Barman
from plancost.generators.grid import Grid
from plancost.generators.openstacks import Openstacks
from plancost.generators.transport import Transport
from plancost.generators.world import World

WORLDS: dict[str, type[World]] = {
    world.name: world for world in (Grid, Barman, Openstacks, Transport)
}

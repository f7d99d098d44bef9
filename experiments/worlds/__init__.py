"""The four generators: one class and one domain file each."""

from experiments.worlds.barman import Barman
from experiments.worlds.grid import Grid
from experiments.worlds.openstacks import Openstacks
from experiments.worlds.transport import Transport
from experiments.worlds.world import World

__all__ = ["Barman", "Grid", "Openstacks", "Transport", "World"]

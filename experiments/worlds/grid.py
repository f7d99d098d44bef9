"""Grid: from one cell of a square to another, by moves to the four neighbours.

The cells are fixed. Where to start and where to go varies.
"""

from __future__ import annotations

from dataclasses import dataclass

from experiments.worlds.world import Scenario, World

Cell = tuple[int, int]
"""x and y; (0, 0) is at the bottom left."""


@dataclass(frozen=True)
class Grid(World):
    """A square of cells."""

    name = "grid"
    side: int = 10

    def scenario(self, seed: int, draw: int) -> Scenario:
        """From one cell to another."""
        start, goal = self.random(seed, draw).sample(self.cells(), 2)
        return self.between(start, goal)

    def between(self, start: Cell, goal: Cell) -> Scenario:
        """From this cell to that one."""
        moves = ((cell, other) for cell in self.cells() for other in self._beside(cell))
        return Scenario(
            {"cell": [cell_name(cell) for cell in self.cells()]},
            tuple(f"(beside {cell_name(cell)} {cell_name(other)})" for cell, other in moves),
            (f"(at {cell_name(start)})",),
            (f"(at {cell_name(goal)})",),
        )

    def cells(self) -> list[Cell]:
        """All cells, column by column."""
        return [(x, y) for x in range(self.side) for y in range(self.side)]

    def _beside(self, cell: Cell) -> list[Cell]:
        x, y = cell
        around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return [(x, y) for x, y in around if 0 <= x < self.side and 0 <= y < self.side]


def cell_name(cell: Cell) -> str:
    """The object of a cell."""
    return f"x{cell[0]}y{cell[1]}"

"""Grid: from one cell of a square to another, by moves to the four neighbours.

Fixed: the cells. Varies: where to start and where to go.
"""

from __future__ import annotations

from dataclasses import dataclass

from plancost.generators.world import Scenario, World, size

_SMALL = 5
_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))

Cell = tuple[int, int]


@dataclass(frozen=True)
class Grid(World):
    """An n x n grid."""

    name = "grid"
    summary = "move on an n x n grid in four directions; every move costs 1"

    side: int = size(10, 2, "cells along a side")

    @property
    def usual_problems(self) -> int:
        """As in the paper: 10 on the 5 x 5 grid, 50 on larger ones."""
        return 10 if self.side <= _SMALL else 50

    def cells(self) -> list[Cell]:
        """All cells, as x and y; (0, 0) is at the bottom left."""
        return [(x, y) for x in range(self.side) for y in range(self.side)]

    def moves(self) -> list[tuple[Cell, Cell]]:
        """Every cell with each of its neighbours."""
        return [
            ((x, y), (x + right, y + up))
            for x, y in self.cells()
            for right, up in _DIRECTIONS
            if 0 <= x + right < self.side and 0 <= y + up < self.side
        ]

    def scenario(self, seed: int, draw: int) -> Scenario:
        """From one cell to another."""
        start, goal = self.generator(seed, draw).sample(self.cells(), 2)
        return self._between(start, goal)

    def between(self, start: Cell, goal: Cell) -> str:
        """A problem from one given cell to another."""
        return self.problem_text(self._between(start, goal), "0-0")

    def _between(self, start: Cell, goal: Cell) -> Scenario:
        return Scenario(
            {"cell": [cell_name(cell) for cell in self.cells()]},
            [f"(beside {cell_name(cell)} {cell_name(other)})" for cell, other in self.moves()],
            [f"(at {cell_name(start)})"],
            [f"(at {cell_name(goal)})"],
        )


def cell_name(cell: Cell) -> str:
    """The object of a cell."""
    return "x{}y{}".format(*cell)

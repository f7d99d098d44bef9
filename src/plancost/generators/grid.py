"""Grid: from one cell of a square to another, by moves to the four neighbours.

Fixed: the cells. Varies: where to start and where to go.
"""

from __future__ import annotations

from dataclasses import dataclass

from plancost.generators.world import World, problem_text, size

_DOMAIN = """; A square of cells; every move to a neighbour costs 1.
(define (domain grid)
  (:requirements :strips :typing :action-costs)
  (:types cell)
  (:predicates
    (at ?c - cell)
    (beside ?c ?d - cell))
  (:functions (total-cost) - number)

  (:action move
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (beside ?from ?to))
    :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 1))))
"""
_SMALL = 5

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

    def domain(self, seed: int) -> str:
        """The same for all seeds."""
        return _DOMAIN

    def problem(self, seed: int, draw: int) -> str:
        """From one cell to another."""
        start, goal = self.varied(seed, draw).sample(self._cells(), 2)
        return self.between(start, goal, seed, draw)

    def between(self, start: Cell, goal: Cell, seed: int = 0, draw: int = 0) -> str:
        """A problem from one given cell to another."""
        cells = self._cells()
        beside = [
            f"(beside {cell_name(x, y)} {cell_name(x + right, y + up)})"
            for x, y in cells
            for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if 0 <= x + right < self.side and 0 <= y + up < self.side
        ]
        return problem_text(
            self,
            seed,
            draw,
            objects={"cell": [cell_name(*cell) for cell in cells]},
            fixed=beside,
            varied=[f"(at {cell_name(*start)})"],
            goal=[f"(at {cell_name(*goal)})"],
        )

    def _cells(self) -> list[Cell]:
        return [(x, y) for x in range(self.side) for y in range(self.side)]


def cell_name(x: int, y: int) -> str:
    """The object of a cell; (0, 0) is at the bottom left."""
    return f"x{x}y{y}"

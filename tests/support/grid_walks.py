"""Grids with random walks on them: many plans in conflict, as a case or as PDDL."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

from conftest import DOMAIN as GRAPH_DOMAIN
from conftest import graph_problem
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import ObservedFile
from plancost.observations.sas import Effect, Operator, SasTask, Variable
from support.small_tasks import DOMAIN, PROBLEM

Cell = tuple[int, int]
Walks = dict[tuple[Cell, Cell], list[list[Cell]]]
"""For each start and goal some ways from one to the other, which visit no cell twice."""


def random_walks(side: int, count: int, ends: int, seed: int) -> Walks:
    """So many walks between so many pairs of cells, not much longer than necessary."""
    draw = random.Random(seed)
    cells = [(x, y) for x in range(side) for y in range(side)]
    pairs: list[tuple[Cell, Cell]] = []
    while len(pairs) < ends:
        start, goal = draw.sample(cells, 2)
        if _distance(start, goal) >= side - 1 and (start, goal) not in pairs:
            pairs.append((start, goal))
    found: Walks = {pair: [] for pair in pairs}
    for number in range(count):
        start, goal = pairs[number % ends]
        found[start, goal].append(_walk(start, goal, side, draw))
    return found


def grid_case(side: int, walks: Walks) -> Case:
    """The same without PDDL."""
    cells = [(x, y) for x in range(side) for y in range(side)]
    place = {cell: number for number, cell in enumerate(cells)}
    operators = tuple(
        Operator(_move(a, b), ((0, place[a]),), (Effect((), 0, place[b]),))
        for a in cells
        for b in _neighbours(a, side)
    )
    variable = Variable("var0", -1, tuple(f"Atom at({_name(cell)})" for cell in cells))
    tasks: list[Task] = []
    observations: list[Observation] = []
    for number, ((start, goal), routes) in enumerate(walks.items()):
        sas = SasTask((variable,), (), (place[start],), ((0, place[goal]),), operators, ())
        tasks.append(Task(PROBLEM, sas, f"task {number}", "world"))
        for route in routes:
            plan = tuple(_move(a, b) for a, b in pairwise(route))
            name = Path(f"p{number}.{len(observations)}.plan")
            source = ObservedFile(Path(f"p{number}.pddl"), name, 1)
            observations.append(Observation(number, plan, False, source))
    return Case(Path(), DOMAIN, (), tuple(tasks), tuple(observations), ())


def write_grid_case(folder: Path, side: int, walks: Walks) -> None:
    """The same as a case folder."""
    cells = [(x, y) for x in range(side) for y in range(side)]
    lengths = {(_name(a), _name(b)): 1 for a in cells for b in _neighbours(a, side)}
    folder.mkdir(parents=True)
    (folder / "domain.pddl").write_text(GRAPH_DOMAIN)
    for number, ((start, goal), routes) in enumerate(walks.items()):
        ends = (_name(start), _name(goal))
        text = graph_problem(f"p{number}", map(_name, cells), lengths, *ends)
        (folder / f"p{number}.pddl").write_text(text)
        for copy, route in enumerate(routes):
            steps = (f"{_move(a, b)}\n" for a, b in pairwise(route))
            (folder / f"p{number}.{copy}.plan").write_text("".join(steps))


def _walk(start: Cell, goal: Cell, side: int, draw: random.Random) -> list[Cell]:
    """Mostly towards the goal, now and then elsewhere."""
    while True:
        way = [start]
        while way[-1] != goal:
            new = [cell for cell in _neighbours(way[-1], side) if cell not in way]
            if not new or len(way) > 3 * side:
                break
            nearer = [cell for cell in new if _distance(cell, goal) < _distance(way[-1], goal)]
            way.append(draw.choice(nearer if nearer and draw.random() < 0.8 else new))
        if way[-1] == goal:
            return way


def _neighbours(cell: Cell, side: int) -> list[Cell]:
    x, y = cell
    around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return [(a, b) for a, b in around if 0 <= a < side and 0 <= b < side]


def _distance(a: Cell, b: Cell) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _name(cell: Cell) -> str:
    return f"c{cell[0]}-{cell[1]}"


def _move(a: Cell, b: Cell) -> str:
    return f"(move {_name(a)} {_name(b)})"

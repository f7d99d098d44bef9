"""Figure 1: two learning tasks of three plans each on a 5 x 5 grid.

On the left the plans avoid the centre and the top, on the right the rim. The paper shows
them as a picture only, so these are tasks like them and not the same. On the right, as
there, only one action has to cost more. Costs are not unique: the ranges say which cost each
action can have in the best answers that make the same plans optimal.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from plancost.errors import PlancostError
from plancost.experiments.layout import Layout
from plancost.experiments.records import Content, Key, versions
from plancost.experiments.runs import learn
from plancost.files.output_files import make_folder, write_file
from plancost.generators.grid import Cell, Grid, cell_name
from plancost.pictures.scene import Arrow, Point, Scene
from plancost.pictures.scene import Route as PictureRoute
from plancost.system.processes import Ending, Limits

_GRID = Grid(5)
_LIMIT_S = 120.0

Route = tuple[Cell, ...]


def _route(text: str) -> Route:
    """``"03 02 ..."``: the cells as x and y, from the bottom left."""
    return tuple((int(word[0]), int(word[1])) for word in text.split())


ROUTES: dict[str, dict[str, Route]] = {
    "left": {
        "blue": _route("03 02 01 00 10 20 30 40 41 42 32"),
        "orange": _route("02 01 00 10 20 30 40 41 42"),
        "green": _route("11 10 20 30 31"),
    },
    "right": {
        "blue": _route("20 21 22 32 42"),
        "orange": _route("43 33 23 13 14"),
        "green": _route("01 11 12 13 03"),
    },
}


def figure1_key(side: str) -> Key:
    """What tells the run of one side from all others."""
    routes = json.dumps(ROUTES[side])
    return {"kind": "figure1", "task": side, "routes": routes, **versions()}


def draw_up(layout: Layout) -> int:
    """Learn the costs of both tasks, unless they are recorded; how many were learned now."""
    layout.make()
    done = 0
    for side in ROUTES:
        if layout.records.load(figure1_key(side)) is None:
            layout.records.save(figure1_key(side), _learn(side, layout))
            done += 1
    return done


def write_case(routes: dict[str, Route], folder: Path) -> None:
    """A case folder with one problem and one plan for each route."""
    make_folder(folder)
    write_file(folder / "domain.pddl", _GRID.domain(0))
    for name, route in routes.items():
        write_file(folder / f"{name}.pddl", _GRID.between(route[0], route[-1]))
        write_file(folder / f"{name}.plan", "".join(f"{step}\n" for step in steps(route)))


def steps(route: Sequence[Cell]) -> list[str]:
    """The actions of a route."""
    return [f"(move {cell_name(a)} {cell_name(b)})" for a, b in pairwise(route)]


def alignment_scene(content: Content) -> Scene:
    """The picture of one side, from its record."""
    cells = _GRID.cells()
    place = {cell: number for number, cell in enumerate(cells)}
    arrows = []
    for move in _GRID.moves():
        (name,) = steps(move)
        cost: int = content["costs"].get(name, 1)
        arrows.append(Arrow(place[move[0]], place[move[1]], ((name, cost),)))
    routes = [
        PictureRoute(number, name, tuple(place[x, y] for x, y in route))
        for number, (name, route) in enumerate(content["routes"].items(), start=1)
    ]
    points = tuple(Point(cell_name(cell), *cell) for cell in cells)
    return Scene(points, tuple(arrows), tuple(routes))


def ranges_scene(content: Content) -> Scene:
    """One side with the costs that each action can have, from the least to the greatest."""
    scene = alignment_scene(content)
    arrows = []
    for arrow in scene.arrows:
        ((name, _),) = arrow.actions
        least, greatest = content["ranges"].get(name, (1, 1))
        arrows.append(replace(arrow, actions=((name, least), (name, greatest))))
    return replace(scene, arrows=tuple(arrows))


def _learn(side: str, layout: Layout) -> Content:
    folder = layout.root / "figure1" / side
    write_case(ROUTES[side], folder)
    finished, result = learn([str(folder.resolve()), "--ranges"], Limits(_LIMIT_S))
    if finished.ending is Ending.STOPPED:
        raise KeyboardInterrupt
    if result is None:
        raise PlancostError(f"Figure 1, {side}: {finished.output.strip()[-200:]}")
    return {
        "status": "solved",
        "reason": None,
        "plans": result["plans"],
        "optimal_plans": result["optimal_plans"],
        "proved": result["proved"] and result["secondary"]["proved"],
        "routes": ROUTES[side],
        "costs": {name: cost for name, cost in result["costs"].items() if cost > 1},
        "ranges": {
            name: (found["least"], found["greatest"])
            for name, found in result["ranges"].items()
            if found["greatest"] > 1
        },
        "actions": len(result["costs"]),
        "ranges_proved": all(found["proved"] for found in result["ranges"].values()),
        "seconds": {"total": result["seconds"]["total"]},
    }

"""The map: places, the ways between them, and where they are drawn.

Streets are places and links. In PDDL something may move: many actions delete ``(at car a)`` and
add ``(at car b)``, atoms that differ in one argument; what stands there are places. If nothing
moves, the states that plans pass are places, as long as they are few.

Coordinates are those of streets, or numbers in names, or a layout. They are scaled to whole
numbers, x to the right and y downwards, which are short to write and exact enough for a screen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plancost.case.links import width_of_x
from plancost.case.model import ALWAYS, Actions, Case, Network, Operator, Strips
from plancost.report.layout import Floats, Way, from_names, lay_out
from plancost.search.redundant import simulated

_LEAST_SHARE = 0.2
"""Of all steps of plans, which must be moves."""
_LEAST_PLACES = 4
_MOST_STATES = 600
_EXTENT = 30_000
"""Coordinates go from 0 to this at most."""
_LANE, _ARROW = 0.045, 0.035
"""How far the two directions of a street are from its middle, and the size of arrows, as parts of
the typical length of ways, which is no more than if they covered the map as a grid."""
_MOST_LAID_OUT = 20_000

Task = int
Shapes = Sequence[Sequence[tuple[float, float]]]


@dataclass(frozen=True)
class Terrain:
    """Places by their numbers, and ways between them with the actions that go there."""

    places: tuple[str, ...]
    ways: tuple[Way, ...]
    actions: tuple[Actions, ...]
    """Of each way."""
    note: str = ""
    routes: dict[tuple[Task, Actions], tuple[int, ...]] | None = None
    """The way of each step of plans; None: each action has its own way at most."""


def find_terrain(case: Case, plans: Iterable[tuple[Task, Actions]]) -> Terrain | None:
    """The terrain of a case; None if there is nothing that could be drawn."""
    known = list(dict.fromkeys(plans))
    first = case.worlds[0]
    if isinstance(first, Network):
        ends = zip(first.source.tolist(), first.target.tolist(), strict=True)
        ways = tuple((start, end) for start, end in ends)
        return Terrain(first.states, ways, tuple((int(action),) for action in first.action))
    return _of_moves(case, known) or _of_states(case, known)


_Kind = tuple[str, int, int]
"""What differs in two atoms: an argument of a predicate, and how many arguments there are."""


def _of_moves(case: Case, plans: Sequence[tuple[Task, Actions]]) -> Terrain | None:
    moves: dict[_Kind, dict[int, tuple[str, str]]] = defaultdict(dict)
    for world in case.worlds:
        assert isinstance(world, Strips)
        atoms = [tuple(atom.strip("()").split()) for atom in world.atoms]
        for operator in world.operators:
            for kind, ends in _moves_of(operator, atoms):
                moves[kind].setdefault(operator.action, ends)
    steps = Counter(action for _, plan in plans for action in plan)
    least = _LEAST_SHARE * steps.total()

    def size(kind: _Kind) -> int:
        """How many places it has, 0 if plans hardly move there."""
        share = sum(steps[action] for action in moves[kind])
        places = {place for ends in moves[kind].values() for place in ends}
        return len(places) if share >= least and len(places) >= _LEAST_PLACES else 0

    best = max(moves, key=size, default=None)
    if best is None or not size(best):
        return None
    number: dict[str, int] = {}
    actions: dict[Way, list[int]] = defaultdict(list)
    for action, (start, end) in moves[best].items():
        way = tuple(number.setdefault(place, len(number)) for place in (start, end))
        actions[way[0], way[1]].append(action)
    others = steps.total() - sum(steps[action] for action in moves[best])
    note = "Steps that do not move anything are not drawn." if others else ""
    return Terrain(tuple(number), tuple(actions), tuple(map(tuple, actions.values())), note)


def _moves_of(
    operator: Operator, atoms: Sequence[tuple[str, ...]]
) -> Iterator[tuple[_Kind, tuple[str, str]]]:
    """The pairs of deleted and added atoms that differ in one argument."""
    plain = [effect for effect in operator.effects if effect.condition == ALWAYS]
    deleted = [atoms[effect.atom] for effect in plain if not effect.adds]
    added = [atoms[effect.atom] for effect in plain if effect.adds]
    for old in deleted:
        for new in added:
            if len(old) != len(new):
                continue
            differing = [n for n, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
            if len(differing) == 1 and differing[0] > 0:
                place = differing[0]
                yield (old[0], place, len(old)), (old[place], new[place])


def _of_states(case: Case, plans: Sequence[tuple[Task, Actions]]) -> Terrain | None:
    """The states of plans; equal states of one world are one place."""
    simulators = [simulated(world) for world in case.worlds]
    number: dict[tuple[int, frozenset[int]], int] = {}
    way_of: dict[tuple[int, int, int], int] = {}
    routes = {}
    for task, plan in plans:
        item = case.tasks[task]
        states = simulators[item.world].states(item, plan)
        places = [number.setdefault((item.world, state), len(number)) for state in states]
        steps = zip(places, places[1:], plan, strict=False)
        routes[task, plan] = tuple(way_of.setdefault(step, len(way_of)) for step in steps)
        if len(number) > _MOST_STATES:
            return None
    if not way_of:
        return None
    names = tuple(f"state {place + 1}" for place in range(len(number)))
    note = "Nothing moves in this domain, so each point is a state that plans pass."
    ways = tuple((start, end) for start, end, _ in way_of)
    return Terrain(names, ways, tuple((action,) for *_, action in way_of), note, routes)


# Where it is drawn


def map_data(case: Case, terrain: Terrain) -> dict[str, Any] | None:
    """All that the script needs to draw it; None if there are too many places to lay out."""
    shapes: Shapes = () if case.streets is None else case.streets.shapes
    found = _positions(terrain, shapes)
    if found is None:
        return None
    positions, note = found
    bent = (np.array(shape) for shape in shapes if shape)
    points = np.concatenate([positions, *bent])
    low, high, width = points.min(axis=0), points.max(axis=0), width_of_x(points)
    extent = max(float((high - low)[0]) * width, float((high - low)[1])) or 1.0

    def scaled(where: Floats) -> Floats:
        return np.asarray((where - [low[0], high[1]]) * [width, -1.0] * (_EXTENT / extent))

    places = scaled(positions)
    middle = [list(shape[1:-1]) for shape in shapes] or [[]] * len(terrain.ways)
    lines = [
        np.vstack([places[start], *scaled(np.array(bends).reshape(-1, 2)), places[end]])
        for (start, end), bends in zip(terrain.ways, middle, strict=True)
    ]
    lengths = [float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in lines]
    typical = min(float(np.median(lengths)) or _EXTENT, 2 * _EXTENT / len(lines) ** 0.5)
    pairs = set(terrain.ways)
    lanes = [_LANE * typical * ((end, start) in pairs) for start, end in terrain.ways]
    beside = [_beside(line, lane) for line, lane in zip(lines, lanes, strict=True)]
    whole = np.concatenate(beside)
    corner = whole.min(axis=0)
    way: dict[int, int] = {}
    for number, actions in enumerate(terrain.actions):
        for action in actions:
            way.setdefault(action, number)
    return {
        "places": list(terrain.places),
        "x": _whole(places[:, 0]),
        "y": _whole(places[:, 1]),
        "view": _whole(np.concatenate([corner, np.maximum(whole.max(axis=0) - corner, 1.0)])),
        "typical": round(typical),
        "from": [start for start, _ in terrain.ways],
        "to": [end for _, end in terrain.ways],
        "points": [_whole(line.ravel()) for line in beside],
        "arrows": [_arrow(line, _ARROW * typical) for line in beside],
        "actions": [list(actions) for actions in terrain.actions],
        "way": [way.get(action, -1) for action in range(len(case.actions))],
        "notes": [text for text in (note, terrain.note) if text],
    }


def _whole(numbers: Floats) -> list[int]:
    return [round(number) for number in numbers.tolist()]


def _beside(line: Floats, distance: float) -> Floats:
    """The line moved to the right of its way, so that two directions lie side by side."""
    if not distance:
        return line
    along = np.gradient(line, axis=0)
    size = np.maximum(np.linalg.norm(along, axis=1), 1e-9)[:, None]
    return np.asarray(line + distance * np.column_stack([-along[:, 1], along[:, 0]]) / size)


def _arrow(line: Floats, size: float) -> str:
    """A small triangle that says which way a line leads; nothing if it has no length."""
    one, two = line[-2:]
    length = float(np.linalg.norm(two - one))
    if length < size:
        return ""
    along = (two - one) / length * size
    across = 0.6 * np.array([-along[1], along[0]])
    tip = 0.4 * one + 0.6 * two
    corners = np.concatenate([tip + along, tip - along + across, tip - along - across])
    return f"M{','.join(map(str, _whole(corners)))}z"


def _positions(terrain: Terrain, shapes: Shapes) -> tuple[Floats, str] | None:
    """Where places are, and what there is to say about that."""
    known: dict[int, tuple[float, float]] = {}
    for (start, end), shape in zip(terrain.ways, shapes, strict=False):
        known |= {start: shape[0], end: shape[-1]} if shape else {}
    if known:
        return _completed(terrain, known)
    named = None if terrain.routes else from_names(terrain.places, terrain.ways)
    if named is not None:
        return named, ""
    if len(terrain.places) > _MOST_LAID_OUT:
        return None
    note = "There are no coordinates: places are laid out so that neighbours are near."
    return lay_out(len(terrain.places), terrain.ways), note


def _completed(terrain: Terrain, known: Mapping[int, tuple[float, float]]) -> tuple[Floats, str]:
    """Places without coordinates in the middle of those beside them, or of all."""
    beside: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for one, other in (pair for way in terrain.ways for pair in (way, way[::-1])):
        beside[one] += [known[other]] if other in known else []
    middle = np.mean(list(known.values()), axis=0)
    where = [
        known[n] if n in known else np.mean(beside[n] or [middle], axis=0)
        for n in range(len(terrain.places))
    ]
    missing = len(where) - len(known)
    note = f"Places without coordinates ({missing}) are drawn between their neighbours."
    return np.array(where), note if missing else ""

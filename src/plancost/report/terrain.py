"""The places of a case and the ways between them, on which costs and plans are drawn.

Streets are places and links. In PDDL something may move: many actions delete ``(at car a)`` and
add ``(at car b)``, atoms that differ in one argument; what stands there are places. If nothing
moves, the states that plans pass are places, as long as they are few.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from plancost.case.model import ALWAYS, Actions, Case, Network, Operator, Strips
from plancost.report.layout import Way
from plancost.search.redundant import simulated

Task = int

_LEAST_SHARE = 0.2
"""Of all steps of plans, which must be moves."""
_LEAST_PLACES = 4
_MOST_STATES = 600


@dataclass(frozen=True)
class Terrain:
    """Places by their numbers, and ways between them with the actions that go there."""

    places: tuple[str, ...]
    ways: tuple[Way, ...]
    actions: tuple[Actions, ...]
    """Of each way."""
    note: str = ""
    routes: dict[tuple[Task, Actions], tuple[int, ...]] | None = None
    """The way of each step of plans, -1 for none; None: each action has its own way at most."""


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
        simulator = simulators[item.world]
        state = simulator.initial(item)
        at = number.setdefault((item.world, state), len(number))
        route = []
        for action in plan:
            state = simulator.apply(state, action) or state
            after = number.setdefault((item.world, state), len(number))
            route.append(way_of.setdefault((at, after, action), len(way_of)))
            at = after
        routes[task, plan] = tuple(route)
        if len(number) > _MOST_STATES:
            return None
    if not way_of:
        return None
    names = tuple(f"state {place + 1}" for place in range(len(number)))
    note = "Nothing moves in this domain, so each point is a state that plans pass."
    ways = tuple((start, end) for start, end, _ in way_of)
    return Terrain(names, ways, tuple((action,) for *_, action in way_of), note, routes)

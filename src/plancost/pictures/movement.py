"""What moves in a case, if one thing does: one variable whose values are places.

The translator gives the place of a car one variable with values such as ``at(car, a)``
and ``at(car, b)``: atoms that differ in one argument only. If each task has exactly one
such variable among those that its plans change, and all plans change it, then its values
are a map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from plancost.observations.case import Case
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.observations.sas import SasTask, State, Variable

_LEAST_SHARE = 0.5
"""Without coordinates, so many of all steps must be moves, or it is no map but a counter."""


@dataclass(frozen=True)
class Mover:
    """A variable whose values are places: ``("at", 1)`` for ``at(car, PLACE)``."""

    variable: int
    kind: tuple[str, int]
    places: tuple[str, ...]
    moves: tuple[tuple[str, int, int], ...]
    """Actions, and by the numbers of their places from where to where they move."""


@dataclass(frozen=True)
class Movement:
    """The places of all tasks, the moves between them, and what moves in each task."""

    case: Case
    movers: tuple[Mover, ...]
    share: float
    """How many of all steps of the observed plans are moves."""

    @property
    def is_most_of_it(self) -> bool:
        """Whether most of what plans do is moving."""
        return self.share >= _LEAST_SHARE

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The names of all places."""
        return tuple(dict.fromkeys(place for mover in self.movers for place in mover.places))

    @cached_property
    def _number(self) -> dict[str, int]:
        return {place: number for number, place in enumerate(self.places)}

    @cached_property
    def ways(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """From one place to another: the actions that move so."""
        found: dict[tuple[int, int], dict[str, None]] = {}
        for mover in self.movers:
            for name, before, after in mover.moves:
                way = (self._number[mover.places[before]], self._number[mover.places[after]])
                found.setdefault(way, {})[name] = None
        return {way: tuple(names) for way, names in sorted(found.items())}

    def route(self, task: int, plan: Plan) -> tuple[int, ...]:
        """The places that a plan passes, without the steps that stay where they are."""
        mover = self.movers[task]
        states = replay(self.case.tasks[task].sas, plan).states
        values = (state[mover.variable] for state in states)
        return tuple(self._number[mover.places[value]] for value, _ in groupby(values))


def find_movement(case: Case) -> Movement | None:
    """What moves in a case, or None if nothing does, or more than one thing."""
    movers = []
    steps = moves = 0
    for number, task in enumerate(case.tasks):
        histories = [
            replay(task.sas, case.observations[item].plan).states
            for item in case.observations_of_task[number]
        ]
        mover = _mover(task.sas, histories)
        if mover is None:
            return None
        movers.append(mover)
        for states in histories:
            steps += len(states) - 1
            moves += sum(a[mover.variable] != b[mover.variable] for a, b in pairwise(states))
    if len({mover.kind for mover in movers}) != 1 or not moves:
        return None
    return Movement(case, tuple(movers), moves / steps)


def _mover(task: SasTask, histories: Sequence[Sequence[State]]) -> Mover | None:
    """The only variable of places that plans of the task change; all of them must."""

    def changes(states: Sequence[State], variable: int) -> bool:
        return len({state[variable] for state in states}) > 1

    found = [
        (number, *places)
        for number, variable in enumerate(task.variables)
        if variable.layer < 0
        and (places := _places(variable)) is not None
        and any(changes(states, number) for states in histories)
    ]
    if len(found) != 1:
        return None
    variable, kind, names = found[0]
    moves = _moves(task, variable)
    moving = (states for states in histories if len(states) > 1)
    if moves is None or not all(changes(states, variable) for states in moving):
        return None
    return Mover(variable, kind, names, moves)


def _places(variable: Variable) -> tuple[tuple[str, int], tuple[str, ...]] | None:
    """The places that are the values of a variable, if its atoms differ in one argument."""
    if not all(value.startswith("Atom ") for value in variable.values):
        return None
    atoms = [
        value.removeprefix("Atom ").removesuffix(")").replace("(", ", ", 1).split(", ")
        for value in variable.values
    ]
    if len(atoms) < 2 or len({(atom[0], len(atom)) for atom in atoms}) != 1:
        return None
    varying = [n for n in range(len(atoms[0])) if len({atom[n] for atom in atoms}) > 1]
    if len(varying) != 1:
        return None
    return (atoms[0][0], varying[0] - 1), tuple(atom[varying[0]] for atom in atoms)


def _moves(task: SasTask, variable: int) -> tuple[tuple[str, int, int], ...] | None:
    """The operators that change a variable; None if one has no value before, or conditions."""
    found = []
    for operator in task.operators:
        before = dict(operator.preconditions).get(variable)
        for effect in operator.effects:
            if effect.variable == variable:
                if before is None or effect.conditions:
                    return None
                if before != effect.value:
                    found.append((operator.name, before, effect.value))
    return tuple(found)

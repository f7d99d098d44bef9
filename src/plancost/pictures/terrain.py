"""The graph on which the plans of a case move: places or states, and the edges between them.

The translator gives the place of a car one variable with values such as ``at(car, a)``
and ``at(car, b)``: atoms that differ in one argument only. If each task has exactly one
such variable among those that its plans change, and all plans change it, then its values
are places. Otherwise a small state graph can be drawn: every state is a point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from plancost.observations.case import Case
from plancost.observations.planfile import Plan
from plancost.observations.replay import applicable, replay
from plancost.observations.sas import SasTask, State, Variable
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.state_graph import StateGraph
from plancost.system.clock import Deadline

_LIMITS = GraphLimits(states=60, transitions=1200)
_LIMIT_S = 20.0


@dataclass(frozen=True)
class Terrain:
    """Places, numbered from 0, and the edges between them."""

    places: tuple[str, ...]
    ways: Mapping[tuple[int, int], tuple[str, ...]]
    """From one place to another: the actions that lead there."""
    route: Callable[[int, Plan], tuple[int, ...]]
    """The places that a plan of a task visits, without steps that do not move."""
    share: float = 1.0
    """The share of steps of the observed plans that are moves."""


@dataclass(frozen=True)
class _Mover:
    """A variable whose values are places: ``("at", 1)`` for ``at(car, PLACE)``."""

    variable: int
    kind: tuple[str, int]
    places: tuple[str, ...]
    moves: tuple[tuple[str, int, int], ...]
    """Actions, and the numbers of the places from which and to which they move."""


def find_movement(case: Case) -> Terrain | None:
    """The places of what moves in a case; None if nothing does, or more than one thing."""
    movers: list[_Mover] = []
    steps = moves = 0
    for task, observed in zip(case.tasks, case.observations_of_task, strict=True):
        histories = [replay(task.sas, case.observations[item].plan).states for item in observed]
        mover = _mover(task.sas, histories)
        if mover is None:
            return None
        movers.append(mover)
        for states in histories:
            steps += len(states) - 1
            moves += sum(a[mover.variable] != b[mover.variable] for a, b in pairwise(states))
    if len({mover.kind for mover in movers}) != 1 or not moves:
        return None
    places = tuple(dict.fromkeys(place for mover in movers for place in mover.places))
    number = {place: n for n, place in enumerate(places)}

    def route(task: int, plan: Plan) -> tuple[int, ...]:
        mover = movers[task]
        values = (state[mover.variable] for state in replay(case.tasks[task].sas, plan).states)
        return tuple(number[mover.places[value]] for value, _ in groupby(values))

    ways = _ways(
        (number[mover.places[before]], number[mover.places[after]], name)
        for mover in movers
        for name, before, after in mover.moves
    )
    return Terrain(places, ways, route, moves / steps)


def find_small_states(case: Case) -> Terrain | None:
    """The state graph of a case, if all its tasks share one that is small enough.

    A state is named by the facts that hold in it but not in all states.
    """
    store = GraphStore(case, _LIMITS)
    if len(store.groups) != 1:
        return None
    built = store.graphs(None, Deadline.after(_LIMIT_S))
    graphs = {task: item for task, item in built.items() if isinstance(item, TaskGraph)}
    if len(graphs) < len(built):
        return None
    graph = graphs[0].graph
    facts: dict[int, frozenset[str]] = {}
    for task, item in graphs.items():
        _describe(case.tasks[task].sas, graph, graph.initial[item.task], facts)
    everywhere = frozenset.intersection(*facts.values())
    places = tuple(
        " ".join(sorted(facts.get(state, frozenset()) - everywhere)) or "nothing holds"
        for state in range(graph.state_count)
    )

    def route(task: int, plan: Plan) -> tuple[int, ...]:
        states = graph.follow(graphs[task].task, plan)
        return tuple(state for state, _ in groupby(map(int, states)))

    ways = _ways(
        (int(source), int(target), graph.action_names[action])
        for source, target, action in zip(graph.source, graph.target, graph.action, strict=True)
    )
    return Terrain(places, ways, route)


def _ways(moves: Iterable[tuple[int, int, str]]) -> dict[tuple[int, int], tuple[str, ...]]:
    found: dict[tuple[int, int], dict[str, None]] = {}
    for source, target, name in moves:
        found.setdefault((source, target), {})[name] = None
    return {way: tuple(names) for way, names in sorted(found.items())}


def _mover(task: SasTask, histories: Sequence[Sequence[State]]) -> _Mover | None:
    """The only variable of places that plans of the task change; all plans must change it."""

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
    return _Mover(variable, kind, names, moves)


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
    """The operators that change a variable; None if one has no old value or has conditions."""
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


def _describe(
    sas: SasTask, graph: StateGraph, initial: int, facts: dict[int, frozenset[str]]
) -> None:
    """Walk through the graph and the grounded task side by side, and note what holds where."""
    seen = {initial}
    waiting = [(initial, sas.initial_state)]
    while waiting:
        number, state = waiting.pop()
        texts = (sas.fact_text(fact) for fact in enumerate(state))
        facts.setdefault(number, frozenset(t for t in texts if not t.startswith("(not ")))
        start, stop = graph.first_transition[number : number + 2]
        for transition in range(int(start), int(stop)):
            after = int(graph.target[transition])
            name = graph.action_names[graph.action[transition]]
            operator = applicable(sas, sas.operators_by_name.get(name, ()), state)
            if operator is not None and after not in seen:
                seen.add(after)
                waiting.append((after, sas.apply(operator, state)))

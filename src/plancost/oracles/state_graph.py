"""The reachable states of all tasks of one world as one explicit graph.

Where it is small enough, this graph is the best oracle there is: it is built once, and
one backward search from a goal then tells for every state what the rest of the way
costs (`shortest_paths`), which checks all plans with that goal at once. Tasks share a
graph if they have the same objects and static facts and are STRIPS; walks on one map share
it; any other task without axioms has a graph of its own.

For the first objective the graph may be restricted to the actions that observed plans
use: whatever else there is can be made too expensive to matter. Restricted graphs are
tiny where full ones have millions of states.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from plancost.observations.case import Task
from plancost.observations.pddl import Domain
from plancost.oracles.bit_system import is_strips, sas_system, strips_system
from plancost.oracles.exploration import Exploration
from plancost.oracles.graph_limits import GraphLimits
from plancost.system.clock import Deadline

Indices = npt.NDArray[np.int64]
ShortIndices = npt.NDArray[np.int32]

_OF_A_WALK = (("place",), ("place", "destination"))
"""The variables of a walk on a map."""
_KEPT_BYTES_A_TRANSITION = 24
_KEPT_BYTES_A_STATE = 36
"""What a graph takes with its index of incoming transitions, as measured on barman."""
_SEARCH_BYTES_A_TRANSITION = 40
_SEARCH_BYTES_A_STATE = 160
"""What the index of incoming transitions, a corridor, floors and a shortest-path search take."""


@dataclass(frozen=True)
class TooLarge:
    """A limit was hit when so many states had been seen."""

    limit: Literal["states", "transitions", "memory", "time"]
    states: int

    @property
    def reason(self) -> str:
        """Why there is no graph, of several tasks."""
        return f"their state spaces are over the limit of {self.limit}"


@dataclass(frozen=True)
class Unsupported:
    """The tasks are beyond what a graph can be built for."""

    reason: str


@dataclass(frozen=True, eq=False)
class Incoming:
    """The transitions by target, with those between the same two states side by side.

    Row ``t`` of the matrix (`indices`, `row_starts`) holds the sources of transitions
    to state ``t``, each once. Its entry ``e`` stands for the transitions with the
    actions ``actions[first[e]:first[e + 1]]``; `first` is None if each stands for one.
    """

    actions: ShortIndices
    indices: ShortIndices
    row_starts: ShortIndices
    first: Indices | None

    @cached_property
    def action_starts(self) -> Indices:
        """The actions to state ``t`` are ``actions[action_starts[t]:action_starts[t + 1]]``."""
        if self.first is None:
            return self.row_starts.astype(np.int64)
        return np.append(self.first, len(self.actions))[self.row_starts]

    @cached_property
    def sources(self) -> ShortIndices:
        """The source of each of the `actions`."""
        if self.first is None:
            return self.indices
        counts = np.diff(self.first, append=len(self.actions))
        return np.repeat(self.indices, counts)


@dataclass(frozen=True, eq=False)
class Corridor:
    """The transitions between some states of a graph."""

    incoming: Incoming


@dataclass(frozen=True, eq=False)
class StateGraph:
    """States are numbered from 0, actions by their position in `action_names` (sorted).

    The arrays `source`, `target` and `action` are the transitions, each once, in the
    order of sources and then actions. A transition that leads back to its own state is
    left out, since it can be no part of a cheapest plan: costs are positive.
    """

    action_names: tuple[str, ...]
    state_count: int
    source: ShortIndices
    target: ShortIndices
    action: ShortIndices
    initial: tuple[int, ...]
    """The initial state of each task."""
    goals: tuple[Indices, ...]
    """The goal states of each task; there may be none if actions are restricted."""
    idle: Indices
    """Where an action is applicable but leads back to its own state.

    Numbers ``state * len(action_names) + action``, in increasing order.
    """

    @property
    def kept_bytes(self) -> int:
        """What it takes as long as it is there, with its index; searches take more."""
        states, transitions = self.state_count, len(self.source) + len(self.idle)
        return _KEPT_BYTES_A_STATE * states + _KEPT_BYTES_A_TRANSITION * transitions

    @cached_property
    def action_number(self) -> dict[str, int]:
        """The position of each action in `action_names`."""
        return {name: number for number, name in enumerate(self.action_names)}

    @cached_property
    def first_transition(self) -> Indices:
        """The transitions from state s are ``first_transition[s]`` up to that of s + 1."""
        counts = np.bincount(self.source, minlength=self.state_count)
        return np.concatenate([[0], np.cumsum(counts)])

    @cached_property
    def incoming(self) -> Incoming:
        """The transposed graph, ready for costs to be filled in."""
        return self._incoming(np.arange(len(self.source), dtype=np.int32))

    def corridor(self, inside: npt.NDArray[np.bool_]) -> Corridor:
        """These states, with the transitions between them."""
        both = inside[self.source] & inside[self.target]
        return Corridor(self._incoming(np.flatnonzero(both).astype(np.int32)))

    def _incoming(self, transitions: ShortIndices) -> Incoming:
        counts = np.bincount(self.source[transitions], minlength=self.state_count)
        by_source = csr_array(
            (transitions, self.target[transitions], np.concatenate([[0], np.cumsum(counts)])),
            shape=(self.state_count, self.state_count),
        )
        by_target = by_source.tocsc()  # keeps the order within a column, and duplicates
        sources = by_target.indices.astype(np.int32, copy=False)
        row_starts = by_target.indptr
        actions = self.action[by_target.data]
        is_first = np.ones(len(sources), dtype=np.bool_)
        is_first[1:] = sources[1:] != sources[:-1]
        is_first[row_starts[:-1][row_starts[:-1] < len(sources)]] = True
        if np.all(is_first):
            return Incoming(actions, sources, row_starts.astype(np.int32), None)
        entries_before = np.concatenate([[0], np.cumsum(is_first)])
        first = np.flatnonzero(is_first)
        return Incoming(actions, sources[first], entries_before[row_starts].astype(np.int32), first)

    def successor(self, state: int, action: int) -> int | None:
        """The state after an action, or None if it is not applicable."""
        start, stop = self.first_transition[state : state + 2]
        position = start + int(np.searchsorted(self.action[start:stop], action))
        if position < stop and self.action[position] == action:
            return int(self.target[position])
        number = state * len(self.action_names) + action
        position = int(np.searchsorted(self.idle, number))
        if position < len(self.idle) and self.idle[position] == number:
            return state
        return None

    def steps_from(self, state: int) -> list[tuple[int, int]]:
        """The actions that can be applied in a state, and where they lead."""
        known = self._steps.get(state)
        if known is None:
            start, stop = self.first_transition[state : state + 2].tolist()
            actions, targets = self.action[start:stop].tolist(), self.target[start:stop].tolist()
            known = self._steps[state] = list(zip(actions, targets, strict=True))
        return known

    @cached_property
    def _steps(self) -> dict[int, list[tuple[int, int]]]:
        return {}

    def follow(self, task: int, plan: Sequence[str]) -> Indices:
        """The states that a plan passes through, from the task's initial state on."""
        return self.follow_all([task], [plan])[0]

    def follow_all(self, tasks: Sequence[int], plans: Sequence[Sequence[str]]) -> list[Indices]:
        """The states that plans pass through, each from the initial state of its task on."""
        if not plans:
            return []
        number = self.action_number
        lengths = np.array([len(plan) for plan in plans], dtype=np.int64)
        ends = np.cumsum(lengths + 1)
        firsts = ends - lengths - 1
        states = np.empty(int(ends[-1]), dtype=np.int64)
        states[firsts] = [self.initial[task] for task in tasks]
        steps = np.full(len(states), -1, dtype=np.int64)
        for first, plan in zip(firsts.tolist(), plans, strict=True):
            steps[first : first + len(plan)] = [number.get(name, -1) for name in plan]
        # Not kept: in large graphs it takes as much as a search.
        keys = self.source.astype(np.int64) * len(self.action_names) + self.action
        for step in range(int(lengths.max())):
            walking = np.flatnonzero(lengths > step)
            here = firsts[walking] + step
            after = self._successors(keys, states[here], steps[here])
            if np.any(after < 0):
                plan = plans[int(walking[np.argmax(after < 0)])]
                raise ValueError(f"step {step + 1} {plan[step]} is not applicable in this graph")
            states[here + 1] = after
        return np.split(states, ends[:-1])

    def _successors(self, keys: Indices, states: Indices, actions: Indices) -> Indices:
        """The state after each action in each state, or -1 if it is not applicable there.

        `keys` has source and action of each transition as one number.
        """
        wanted = states * len(self.action_names) + actions
        found = np.full(len(wanted), -1, dtype=np.int64)
        for known, targets in ((keys, self.target), (self.idle, None)):
            if len(known):
                place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
                hit = (known[place] == wanted) & (actions >= 0)
                found[hit] = states[hit] if targets is None else targets[place[hit]]
        return found


def is_walk(task: Task) -> bool:
    """Whether its only variable is the place on a map. Walks of one world have the same map.

    A second variable may say which destination the place counts as (`road_map`).
    """
    names = tuple(variable.name for variable in task.sas.variables)
    return task.problem is None and names in _OF_A_WALK and not task.sas.axioms


def groups(domain: Domain | None, tasks: Sequence[Task]) -> list[list[int]]:
    """Which tasks (by their numbers) can share a graph; each is in one group."""
    found: dict[object, list[int]] = {}
    for number, task in enumerate(tasks):
        world = task.world if is_walk(task) or is_strips(domain, task) else number
        found.setdefault(world, []).append(number)
    return list(found.values())


def build_state_graph(
    domain: Domain | None,
    tasks: Sequence[Task],
    actions: Collection[str] | None,
    limits: GraphLimits,
    deadline: Deadline,
) -> StateGraph | TooLarge | Unsupported:
    """Build the graph of one of the `groups`.

    `actions` restricts the actions that may be used, None allows all.
    """
    if all(map(is_walk, tasks)):
        return _walk_graph(tasks, actions)
    if domain is not None and all(is_strips(domain, task) for task in tasks):
        if len({task.world for task in tasks}) > 1:
            return Unsupported("the tasks differ in their objects or static facts")
        system = strips_system(domain, tasks, actions)
    elif len(tasks) != 1:
        return Unsupported("tasks that are not plain STRIPS cannot share a graph")
    elif tasks[0].sas.axioms:
        return Unsupported("the task has axioms (derived predicates)")
    else:
        system = sas_system(tasks[0].sas, actions)
    exploration = Exploration(system)
    while not exploration.is_complete:
        exploration.advance()
        exceeded = _exceeded(exploration, limits, deadline)
        if exceeded is not None:
            return TooLarge(exceeded, exploration.state_count)
    source, target, action = exploration.transitions()
    return StateGraph(
        system.action_names,
        exploration.state_count,
        source,
        target,
        action,
        exploration.initial,
        tuple(exploration.states_with(goal) for goal in system.goals),
        exploration.idle(),
    )


def _walk_graph(tasks: Sequence[Task], actions: Collection[str] | None) -> StateGraph:
    """The map itself: every place is a state, and nothing need be explored."""
    task = tasks[0]
    names = tuple(sorted(task.actions if actions is None else task.actions & frozenset(actions)))
    number = {name: position for position, name in enumerate(names)}
    moves, idle = [], []
    for operator in task.sas.operators:
        if operator.name not in number:
            continue
        place, action_number = operator.preconditions[0][1], number[operator.name]
        if operator.effects:
            moves.append((place, action_number, operator.effects[0].value))
        else:
            idle.append(place * len(names) + action_number)
    columns = np.array(sorted(moves), dtype=np.int32).reshape(-1, 3)
    source, action, target = (np.ascontiguousarray(column) for column in columns.T)
    return StateGraph(
        names,
        len(task.sas.variables[0].values),
        source,
        target,
        action,
        tuple(task.sas.initial[0] for task in tasks),
        _goal_places(tasks),
        np.array(sorted(idle), dtype=np.int64),
    )


def _goal_places(tasks: Sequence[Task]) -> tuple[Indices, ...]:
    """The places where each walk may end.

    Where a second variable is the destination, all places that count as it: those that a road
    leads to, and those where a walk starts.
    """
    wanted = [task.sas.goal[0][1] for task in tasks]
    if len(tasks[0].sas.variables) == 1:
        return tuple(np.array([place], dtype=np.int64) for place in wanted)
    moves = (operator.effects for operator in tasks[0].sas.operators if operator.effects)
    counts_as = {place.value: destination.value for place, destination in moves}
    counts_as |= {task.sas.initial[0]: task.sas.initial[1] for task in tasks}
    places: dict[int, list[int]] = {}
    for place, destination in sorted(counts_as.items()):
        places.setdefault(destination, []).append(place)
    found = {end: np.array(places.get(end, ()), dtype=np.int64) for end in set(wanted)}
    return tuple(found[end] for end in wanted)


def _exceeded(
    exploration: Exploration, limits: GraphLimits, deadline: Deadline
) -> Literal["states", "transitions", "memory", "time"] | None:
    expected_bytes = (
        exploration.nbytes
        + _SEARCH_BYTES_A_TRANSITION * exploration.transition_count
        + _SEARCH_BYTES_A_STATE * exploration.state_count
    )
    if exploration.state_count > limits.states:
        return "states"
    if exploration.transition_count + exploration.idle_count > limits.transitions:
        return "transitions"
    if expected_bytes > limits.memory_mb * 1_000_000:
        return "memory"
    if deadline.is_over:
        return "time"
    return None

"""From a world to its state graph: all states that given actions reach, layer by layer.

A state is a bit vector of 64-bit words, one bit for each atom that some condition reads (atoms
that are only written cannot tell two plans apart). A layer of states is expanded at once: every
operator is tested in every state of a block by array operations. Known states are found again by
a hash of their words; words are compared whenever hashes agree, so that a collision is an error
and never a wrong graph.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plancost.case.model import ALWAYS, Condition, Strips, Task, World
from plancost.clock import Clock
from plancost.errors import PlancostError
from plancost.search.graph import StateGraph, States

Words = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_PAIRS_AT_ONCE = 8_000_000
"""Pairs of state and operator that are looked at together."""
_FEW_PAIRS = 100_000
"""So few are all tested; of more, operators only in the states that have a bit that they need."""


@dataclass(frozen=True, eq=False)
class Reached:
    """A state graph with the start and the goal states of each task that it was built for."""

    graph: StateGraph
    starts: tuple[int, ...]
    goals: tuple[Indices, ...]


def state_graph(
    world: World, tasks: Sequence[Task], allowed: Flags, most_states: int, clock: Clock
) -> Reached | None:
    """What these actions reach from the initial states; None if that is too much, takes too
    long, or depends on derived atoms, which state graphs do not have.

    `allowed` has one entry for each action of the case. Transitions from which no goal of the
    tasks can be reached are left out.
    """
    if isinstance(world, Strips):
        return None if world.axioms else _explored(world, tasks, allowed, most_states, clock)
    kept = allowed[world.action]
    source, target, action = (
        array[kept].astype(np.int32) for array in (world.source, world.target, world.action)
    )
    graph = StateGraph(len(world.states), source, target, action)
    starts = tuple(next(iter(task.initial)) for task in tasks)
    goals = tuple(np.array(sorted(task.goal_states), dtype=np.int64) for task in tasks)
    return Reached(graph, starts, goals)


def _explored(
    world: Strips, tasks: Sequence[Task], allowed: Flags, most_states: int, clock: Clock
) -> Reached | None:
    bits = _Bits(world, tasks)
    operators = _Operators(world, bits, allowed)
    table = _Table(bits.width)
    starts = tuple(table.add(bits.words(task.initial for task in tasks)).tolist())
    parts: list[tuple[States, States, States]] = []
    begin = 0
    while begin < len(table.states):
        if len(table.states) > most_states or clock.is_over:
            return None
        states = table.states[begin : begin + max(1, _PAIRS_AT_ONCE // max(1, operators.count))]
        rows, chosen = operators.applicable(states)
        before = states[rows]
        after = operators.apply(before, chosen)
        moves = (after != before).any(axis=1)
        numbers = table.add(after[moves])
        actions = operators.action[chosen[moves]]
        source = (begin + rows[moves]).astype(np.int32)
        parts.append((source, numbers.astype(np.int32), actions.astype(np.int32)))
        begin += len(states)
    source, target, action = (np.concatenate(column) for column in zip(*parts, strict=True))
    graph = StateGraph(len(table.states), source, target, action)
    goals = tuple(bits.holding(task.goal, table.states) for task in tasks)
    alive = np.isfinite(graph.distances_to(np.unique(np.concatenate(goals))))
    if not alive.all():
        kept = alive[source] & alive[target]
        graph = StateGraph(len(table.states), source[kept], target[kept], action[kept])
    return Reached(graph, starts, goals)


class _Bits:
    """Which bit stands for which atom."""

    def __init__(self, world: Strips, tasks: Sequence[Task]) -> None:
        read = [operator.condition for operator in world.operators]
        read += [effect.condition for operator in world.operators for effect in operator.effects]
        read += [task.goal for task in tasks]
        atoms = sorted(frozenset().union(*(c.needs | c.forbids for c in read)))
        self.place = {atom: place for place, atom in enumerate(atoms)}
        self.width = max(1, -(-len(atoms) // 64))

    def words(self, atoms: Iterable[Collection[int]]) -> Words:
        """Each set of atoms as a row of words."""
        known = (self.place.keys() & own for own in atoms)
        numbers = [sum(1 << self.place[atom] for atom in own) for own in known]
        rows = [number.to_bytes(8 * self.width, "little") for number in numbers]
        return np.frombuffer(b"".join(rows), dtype="<u8").reshape(-1, self.width).astype(np.uint64)

    def holding(self, condition: Condition, states: Words) -> Indices:
        """The states in which a condition holds."""
        mask, value = self.words([condition.needs | condition.forbids, condition.needs])
        return np.flatnonzero((states & mask == value).all(axis=1))


class _Operators:
    """Operators as masks: applicable where ``state & mask == value``."""

    def __init__(self, world: Strips, bits: _Bits, allowed: Flags) -> None:
        operators = [o for o in world.operators if allowed[o.action]]
        self.count = len(operators)
        self.action = np.array([o.action for o in operators], dtype=np.int64)
        conditions = [o.condition for o in operators]
        self._mask = bits.words(c.needs | c.forbids for c in conditions)
        self._value = bits.words(c.needs for c in conditions)
        plain = [[e for e in o.effects if e.condition == ALWAYS] for o in operators]
        self._put = bits.words({e.atom for e in own if e.adds} for own in plain)
        self._keep = ~bits.words({e.atom for e in own if not e.adds} for own in plain)
        uses = Counter(atom for c in conditions for atom in c.needs)
        self._by_need: dict[int, list[int]] = defaultdict(list)
        """Operators by the one bit that they need and the fewest others do; -1 for none."""
        for number, condition in enumerate(conditions):
            rarest = min(sorted(condition.needs), key=uses.__getitem__, default=-1)
            self._by_need[bits.place.get(rarest, -1)].append(number)
        self._conditional = []
        for number, operator in enumerate(operators):
            # Adding wins over deleting, so deletions come first.
            for effect in sorted(operator.effects, key=lambda e: e.adds):
                when = effect.condition
                if when != ALWAYS:
                    words = bits.words([when.needs | when.forbids, when.needs, {effect.atom}])
                    self._conditional.append((number, effect.adds, *words))

    def applicable(self, states: Words) -> tuple[Indices, Indices]:
        """Pairs of a state and an operator that can be applied in it."""
        if len(states) * self.count <= _FEW_PAIRS:
            return self._tested(states, np.arange(self.count))
        found = []
        for bit, needing in sorted(self._by_need.items()):
            own = np.arange(len(states))
            if bit >= 0:
                own = np.flatnonzero(states[:, bit // 64] >> np.uint64(bit % 64) & np.uint64(1))
            rows, chosen = self._tested(states[own], np.array(needing))
            found.append((own[rows], chosen))
        rows, operators = (np.concatenate(column) for column in zip(*found, strict=True))
        return rows, operators

    def _tested(self, states: Words, operators: Indices) -> tuple[Indices, Indices]:
        """Every one of these operators is tested in every state."""
        fits = np.ones((len(states), len(operators)), dtype=bool)
        for word in range(states.shape[1]):
            mask, value = self._mask[operators, word], self._value[operators, word]
            if mask.any():
                fits &= states[:, word, np.newaxis] & mask == value
        rows, chosen = np.nonzero(fits)
        return rows, operators[chosen]

    def apply(self, states: Words, operators: Indices) -> Words:
        """Each state after its operator."""
        after, put = states & self._keep[operators], self._put[operators]
        for number, adds, mask, value, atom in self._conditional:
            rows = np.flatnonzero(operators == number)
            rows = rows[(states[rows] & mask == value).all(axis=1)]
            if adds:
                put[rows] |= atom
            else:
                after[rows] &= ~atom
        return after | put


class _Table:
    """States by number; numbers are given in the order in which states are added."""

    def __init__(self, width: int) -> None:
        self.states = np.zeros((0, width), dtype=np.uint64)
        self._codes = np.zeros(0, dtype=np.uint64)
        """Of all states, sorted."""
        self._numbers = np.zeros(0, dtype=np.int64)
        """Of the states with these codes."""

    def add(self, states: Words) -> Indices:
        """The numbers of states; those that are new are taken in."""
        every = _codes(states)
        order = np.argsort(every)  # np.unique would take a stable sort, four times as slow
        is_first = np.diff(every[order], prepend=~every[order[:1]]) != 0
        first, codes = order[is_first], every[order[is_first]]
        begin, end = (np.searchsorted(self._codes, codes, side=side) for side in ("left", "right"))
        is_new = begin == end
        numbers = np.zeros(len(first), dtype=np.int64)
        numbers[~is_new] = self._numbers[begin[~is_new]]
        numbers[is_new] = np.arange(len(self.states), len(self.states) + is_new.sum())
        self.states = np.concatenate([self.states, states[first[is_new]]])
        self._codes = np.insert(self._codes, begin[is_new], codes[is_new])
        self._numbers = np.insert(self._numbers, begin[is_new], numbers[is_new])
        found = np.empty_like(order)
        found[order] = numbers[np.cumsum(is_first) - 1]
        if not np.array_equal(self.states[found], states):
            raise PlancostError("two states have the same hash: please report this task")
        return found


def _codes(states: Words) -> Words:
    """One number a state: its word if it has one, else a hash.

    Words of states differ in few bits and in patterns, and a mere product lets these cancel out.
    So every bit is made to depend on every bit (the end of SplitMix64).
    """
    if states.shape[1] == 1:
        return states[:, 0].copy()
    code = np.zeros(len(states), dtype=np.uint64)
    for word in states.T:
        code ^= word
        code = (code ^ code >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        code = (code ^ code >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        code ^= code >> np.uint64(31)
    return code

"""Reaching every state of a `BitSystem`, many states at a time.

Testing all operators in all states would be too slow, so each operator *watches* one
of the bits that it needs, a bit that few others need: a state is tried only with the
operators that watch its bits. States are expanded in the order in which they were
found, in batches, and everything about a batch (finding operators, checking their
conditions, applying them, numbering the successors) is a handful of array operations,
whether the world has hundreds of actions or thousands.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from plancost.oracles.bit_system import BitSystem, Condition
from plancost.oracles.state_table import Indices, StateTable, Words

Transitions = npt.NDArray[np.int32]

_WORD_BITS = 64
_PAIRS_IN_A_BATCH = 300_000
"""So many (state, operator) pairs are tried at once: they fit the processor's cache."""
_STATES_IN_A_BATCH = 65_536


class Exploration:
    """A breadth-first search through all states, batch by batch."""

    def __init__(self, system: BitSystem) -> None:
        word_count = max(1, -(-system.bit_count // _WORD_BITS))
        self._action_count = len(system.action_names)
        self._operators = _Operators(system, word_count)
        self._table = StateTable(word_count)
        self.initial = tuple(map(int, self._table.add(_columns(system.initial, word_count))))
        self._expanded = 0
        self._batch = 256
        self._sources: list[Transitions] = []
        self._targets: list[Transitions] = []
        self._actions: list[Transitions] = []
        self._idle: list[Indices] = []
        self.transition_count = 0
        self.idle_count = 0

    @property
    def state_count(self) -> int:
        """How many states were found so far."""
        return self._table.count

    @property
    def nbytes(self) -> int:
        """The memory in use, roughly."""
        return self._table.nbytes + 12 * self.transition_count + 8 * self.idle_count

    @property
    def is_complete(self) -> bool:
        """Whether every state found was expanded."""
        return self._expanded == self._table.count

    def advance(self) -> None:
        """Expand the next batch of states."""
        first = self._expanded
        states = self._table.states(first, first + self._batch)
        rows, operators, tried = self._operators.applicable(states)
        wanted = _PAIRS_IN_A_BATCH * states.shape[1] // max(tried, 1)
        self._batch = min(max(wanted, 64), _STATES_IN_A_BATCH)
        before = states.take(rows, axis=1)
        after = self._operators.apply(before, operators)
        sources = first + rows
        actions = self._operators.action[operators]
        moves = np.any(after != before, axis=0)
        self._idle.append((sources * self._action_count + actions)[~moves])
        self._sources.append(sources[moves].astype(np.int32))
        self._actions.append(actions[moves].astype(np.int32))
        self._expanded += states.shape[1]
        self._targets.append(self._table.add(after.compress(moves, axis=1)).astype(np.int32))
        self.transition_count += len(self._targets[-1])
        self.idle_count += len(self._idle[-1])

    def transitions(self) -> tuple[Transitions, Transitions, Transitions]:
        """Sources, targets and actions, in the order of sources and then actions."""
        return _joined(self._sources), _joined(self._targets), _joined(self._actions)

    def idle(self) -> Indices:
        """Where actions can be applied but change nothing.

        Numbers ``state * action count + action``, in increasing order.
        """
        return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *self._idle]))

    def states_with(self, condition: Condition) -> Indices:
        """The states in which a condition holds."""
        if not condition.is_possible:
            return np.empty(0, dtype=np.int64)
        states = self._table.states()
        masks = _columns([condition.mask], states.shape[0])
        values = _columns([condition.value], states.shape[0])
        return np.flatnonzero(np.all(states & masks == values, axis=0))


class _Operators:
    """The operators of a system as arrays.

    Most operators speak of few of the words of a state. Conditions and changes are
    therefore lists of *parts*, each about one word.
    """

    def __init__(self, system: BitSystem, word_count: int) -> None:
        operators = system.operators
        self.action = np.array([operator.action for operator in operators], dtype=np.int64)
        self._repeats_names = len(np.unique(self.action)) < len(operators)
        conditions = [operator.condition for operator in operators]
        self._conditions = _Parts(
            _columns((condition.mask for condition in conditions), word_count),
            _columns((condition.value for condition in conditions), word_count),
            np.ones(len(operators), dtype=np.int64),
        )
        effects = [effect for operator in operators for effect in operator.effects]
        self._changes = _Parts(
            _columns((effect.clear for effect in effects), word_count),
            _columns((effect.put for effect in effects), word_count),
            np.array([len(operator.effects) for operator in operators], dtype=np.int64),
        )
        self._needs = None
        if any(effect.condition.mask for effect in effects):
            masks = _columns((effect.condition.mask for effect in effects), word_count)
            values = _columns((effect.condition.value for effect in effects), word_count)
            of_change = self._changes.column
            self._needs = masks.take(of_change, axis=1), values.take(of_change, axis=1)
        self._index_watches(word_count)

    def _index_watches(self, word_count: int) -> None:
        """Let each operator watch the bit it needs that the fewest operators need."""
        parts, bits = np.nonzero(_unpacked(self._conditions.value[:, np.newaxis]))
        bits += self._conditions.word[parts] * _WORD_BITS
        operators = self._conditions.column[parts]
        popularity = np.bincount(bits, minlength=word_count * _WORD_BITS)
        order = np.lexsort((bits, popularity[bits], operators))
        watching, first = np.unique(operators[order], return_index=True)
        watched = bits[order][first]
        self._watchers = watching[np.argsort(watched, kind="stable")]
        self._watcher_count = np.bincount(watched, minlength=word_count * _WORD_BITS)
        self._first_watcher = np.cumsum(self._watcher_count) - self._watcher_count
        self._always_tried = np.setdiff1d(np.arange(len(self.action)), watching)

    def applicable(self, states: Words) -> tuple[Indices, Indices, int]:
        """Which operator can be applied in which state, ordered by state, then action.

        Of several operators of one action the first is taken. Also returns how many
        pairs were tried.
        """
        rows, operators = self._candidates(states)
        tried = len(rows)
        flat = states.ravel()
        for rank in range(self._conditions.longest):
            selected, parts = self._conditions.of_rank(rank, operators)
            words = flat[self._conditions.word[parts] * states.shape[1] + rows[selected]]
            holds = np.ones(len(rows), dtype=np.bool_)
            holds[selected] = words & self._conditions.mask[parts] == self._conditions.value[parts]
            rows, operators = rows[holds], operators[holds]
        # One number for each pair: sorting those is much faster than sorting pairs.
        pairs = rows * len(self.action) + operators
        pairs.sort()
        rows, operators = np.divmod(pairs, max(1, len(self.action)))
        if self._repeats_names and len(rows):
            same_action = self.action[operators[1:]] == self.action[operators[:-1]]
            is_first = np.ones(len(rows), dtype=np.bool_)
            is_first[1:] = ~same_action | (rows[1:] != rows[:-1])
            rows, operators = rows[is_first], operators[is_first]
        return rows, operators, tried

    def _candidates(self, states: Words) -> tuple[Indices, Indices]:
        """Pairs of a state and an operator that watches one of its bits."""
        count = states.shape[1]
        rows, bits = np.nonzero(_unpacked(states.T))
        counts = self._watcher_count[bits]
        before = np.cumsum(counts) - counts
        position = np.repeat(self._first_watcher[bits] - before, counts)
        position += np.arange(len(position))
        rows, operators = np.repeat(rows, counts), self._watchers[position]
        if len(self._always_tried):
            rows = np.concatenate([rows, np.repeat(np.arange(count), len(self._always_tried))])
            operators = np.concatenate([operators, np.tile(self._always_tried, count)])
        return rows, operators

    def apply(self, states: Words, operators: Indices) -> Words:
        """The successors: each state after its operator."""
        after = states.copy()
        flat = after.ravel()  # a view
        for rank in range(self._changes.longest):
            selected, parts = self._changes.of_rank(rank, operators)
            if self._needs is not None:
                masks, values = (columns.take(parts, axis=1) for columns in self._needs)
                holds = np.all(states.take(selected, axis=1) & masks == values, axis=0)
                selected, parts = selected[holds], parts[holds]
            place = self._changes.word[parts] * states.shape[1] + selected
            clear, put = self._changes.mask[parts], self._changes.value[parts]
            flat[place] = flat[place] & ~clear | put
        return after


class _Parts:
    """Masks and values word by word, without the words in which both are 0.

    Mask and value are given as columns; `columns_each` says how many of them each
    operator has. Parts are in the order of operators, columns and words.
    """

    def __init__(self, masks: Words, values: Words, columns_each: Indices) -> None:
        self.column, self.word = np.nonzero((masks | values).T)
        self.mask = masks[self.word, self.column]
        self.value = values[self.word, self.column]
        operator = np.repeat(np.arange(len(columns_each)), columns_each)[self.column]
        self._count = np.bincount(operator, minlength=len(columns_each))
        self._first = np.cumsum(self._count) - self._count
        self.longest = int(self._count.max(initial=0))
        self._shortest = int(self._count.min(initial=self.longest))

    def of_rank(self, rank: int, operators: Indices) -> tuple[Indices, Indices]:
        """Which of the operators have a part of that rank, and these parts."""
        if rank < self._shortest:
            return np.arange(len(operators)), self._first[operators] + rank
        selected = np.flatnonzero(self._count[operators] > rank)
        return selected, self._first[operators[selected]] + rank


def _unpacked(rows: Words) -> npt.NDArray[np.uint8]:
    """Each row of words as a row of bits, the lowest first."""
    octets = np.ascontiguousarray(rows.astype("<u8", copy=False)).view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little")


def _columns(masks: Iterable[int], word_count: int) -> Words:
    """Each mask as a column of words."""
    data = b"".join(mask.to_bytes(8 * word_count, "little") for mask in masks)
    rows = np.frombuffer(data, dtype="<u8").astype(np.uint64).reshape(-1, word_count)
    return np.ascontiguousarray(rows.T)


def _joined(parts: list[Transitions]) -> Transitions:
    joined = np.concatenate([np.empty(0, dtype=np.int32), *parts])
    parts.clear()
    return joined

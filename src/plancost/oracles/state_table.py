"""Numbering states: a hash table that works on whole arrays.

A state is a column of 64-bit words. `StateTable.add` looks up many states at once:
each starts at the slot that its hash names, and in every round those that meet an
empty slot claim it, those that meet their equal are done, and the rest move on to
the next slot. The words themselves are compared, so equal hashes do no harm.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.int64]

_EMPTY = -1
_SMALLEST = 1024
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class StateTable:
    """Distinct states, numbered from 0 in the order in which they were added."""

    def __init__(self, word_count: int) -> None:
        self.count = 0
        self._states = np.empty((word_count, _SMALLEST), dtype=np.uint64)
        self._slots = np.full(4 * _SMALLEST, _EMPTY, dtype=np.int32)
        # Odd multipliers, one a word, so that equal words in different places differ.
        mixing = np.random.default_rng(0)
        self._multipliers = mixing.integers(2**63, size=(word_count, 1), dtype=np.uint64) * 2 + 1

    @property
    def nbytes(self) -> int:
        """The memory that the table takes."""
        return self._states.nbytes + self._slots.nbytes

    def states(self, start: int = 0, stop: int | None = None) -> Words:
        """The states with these numbers, as columns."""
        return self._states[:, start : self.count if stop is None else min(stop, self.count)]

    def add(self, columns: Words) -> Indices:
        """The numbers of the given states; those not known yet get new ones."""
        self._reserve(self.count + columns.shape[1])
        slots = self._first_slots(columns)
        numbers = np.empty(columns.shape[1], dtype=np.int64)
        pending = np.arange(columns.shape[1])
        last_slot = len(self._slots) - 1
        while len(pending):
            found = self._slots[slots[pending]]
            is_empty = found == _EMPTY
            claiming = pending[is_empty]
            if len(claiming):
                self._claim(columns, slots, claiming)
                # The others that wanted the same slots meet the new states there.
                found = self._slots[slots[pending]]
            known, wanted = self._states.take(found, axis=1), columns.take(pending, axis=1)
            same = np.all(known == wanted, axis=0)
            numbers[pending[same]] = found[same]
            pending = pending[~same]
            slots[pending] = (slots[pending] + 1) & last_slot
        return numbers

    def _claim(self, columns: Words, slots: Indices, claiming: Indices) -> None:
        """Give each empty slot to one of the states that want it."""
        positions = np.arange(len(claiming), dtype=np.int32)
        self._slots[slots[claiming]] = positions
        winners = claiming[self._slots[slots[claiming]] == positions]
        after = self.count + len(winners)
        self._states[:, self.count : after] = columns.take(winners, axis=1)
        self._slots[slots[winners]] = np.arange(self.count, after)
        self.count = after

    def _first_slots(self, columns: Words) -> Indices:
        folded = columns ^ (columns >> np.uint64(32))
        mixed: npt.NDArray[np.uint64] = np.sum(folded * self._multipliers, axis=0)
        mixed ^= mixed >> np.uint64(29)
        mixed *= _GOLDEN
        bits = len(self._slots).bit_length() - 1
        return (mixed >> np.uint64(64 - bits)).astype(np.int64)

    def _reserve(self, count: int) -> None:
        """Make room for so many states, with at most half of the slots in use."""
        if count > self._states.shape[1]:
            room = max(count, self._states.shape[1] * 3 // 2)
            grown = np.empty((self._states.shape[0], room), dtype=np.uint64)
            grown[:, : self.count] = self.states()
            self._states = grown
        if 2 * count > len(self._slots):
            self._slots = np.full(1 << (4 * count - 1).bit_length(), _EMPTY, dtype=np.int32)
            self._place_all()

    def _place_all(self) -> None:
        """Put the known states into empty slots."""
        slots = self._first_slots(self.states())
        pending = np.arange(self.count)
        while len(pending):
            is_empty = self._slots[slots[pending]] == _EMPTY
            claiming = pending[is_empty]
            self._slots[slots[claiming]] = claiming
            pending = pending[self._slots[slots[pending]] != pending]
            slots[pending] = (slots[pending] + 1) & (len(self._slots) - 1)

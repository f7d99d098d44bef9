"""The knowledge file: alternatives and conflicts with their multipliers, written as they are
found.

It is what a killed run goes on from, and what others read to see why a bound holds. What is read
is checked before it is used: every alternative is replayed, every row is computed anew from it,
and every conflict is added up again in exact arithmetic. A file of other plans is left aside.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from plancost.errors import InputError
from plancost.files import write_atomically
from plancost.learn.certificate import Certificate, Priced, is_contradiction
from plancost.learn.conflict import Conflict
from plancost.learn.incumbent import Incumbent
from plancost.learn.rows import Alternative, Cut, PlanSet, Row, RowPool
from plancost.learn.task import ONE

_SECONDS_BETWEEN = 5.0
"""How often the file is written at most."""

Rebuild = Callable[[Alternative], Cut | None]
"""The cut of an alternative, None if it is none: replayed by whoever knows the worlds."""


class Known(Struct, frozen=True):
    """A conflict: classes of plans, and rows with multipliers (none: no certificate).

    A row is the number of an alternative; the n-th row that always holds is -n.
    """

    classes: list[list[int]]
    rows: list[tuple[int, int]]


class Price(Known, frozen=True):
    """Rows that prove a bound on the second objective for all sets with a plan of each class."""

    parts: int
    """Multipliers are in such parts of a unit."""
    bound: int


class Document(Struct, frozen=True):
    """What is in the file; `proof` adds trees to it, which nobody here reads."""

    format: Literal[1]
    plans: list[list[str]]
    """Of each plan the observations that it stands for."""
    alternatives: list[Alternative]
    conflicts: list[Known]
    best: list[int]
    """The best set of plans so far: where the next run starts, no claim."""
    observations: list[list[int]] = []
    """Of each plan the same as places in RESULT.json."""
    prices: list[Price] = []
    always: dict[int, tuple[dict[str, int], int]] = {}
    """The rows that always hold, as far as they are used: numbers of parameters, and a margin."""


class Knowledge:
    """What was found, and the file that it is kept in (none: only in memory)."""

    def __init__(self, incumbent: Incumbent, path: Path | None) -> None:
        self.path = path
        self.best: list[int] = []
        """The best set of an earlier run."""
        self.complaints: list[str] = []
        """Why the file cannot be written, if it cannot."""
        self._incumbent, self._task = incumbent, incumbent.task
        self._places: list[list[int]] = [[] for _ in self._task.plans]
        for place, plan in enumerate(self._task.plan_of):
            self._places[plan].append(place)
        observations = self._task.case.observations
        self._names = [[observations[place].name for place in own] for own in self._places]
        self._alternatives: dict[Alternative, int] = {}
        self._conflicts: list[Known] = []
        self._prices: list[Price] = []
        self._always: dict[int, tuple[dict[str, int], int]] = {}
        self._written = time.monotonic()

    def add(self, conflict: Conflict, pool: RowPool) -> None:
        """Take note of a conflict, and write the file if that is due."""
        rows = [] if conflict.proof is None else self._rows(conflict.proof, pool)
        self._conflicts.append(Known([sorted(own) for own in conflict.classes], rows))
        if time.monotonic() - self._written > _SECONDS_BETWEEN:
            self.write()

    def add_price(self, classes: Iterable[PlanSet], priced: Priced, pool: RowPool) -> None:
        """Take note of what all sets with a plan of each class cost at least."""
        rows = self._rows(priced.certificate, pool)
        members = [sorted(own) for own in classes]
        self._prices.append(Price(members, rows, priced.parts, priced.bound))

    def write(self) -> None:
        """Write the file, all of it or not at all; a full disk does not end the run."""
        if self.path is None:
            return
        alternatives, best = list(self._alternatives), self._incumbent.plans or self.best
        known = alternatives, self._conflicts, best, self._places, self._prices, self._always
        document = msgspec.json.encode(Document(1, self._names, *known)).decode()
        try:
            write_atomically(self.path, document)
        except InputError as error:
            self.path = None
            self.complaints.append(str(error))
        self._written = time.monotonic()

    def read(self, rebuild: Rebuild, pool: RowPool) -> Iterator[Conflict]:
        """The conflicts of the file that hold, if it is of these plans; rows go into the pool."""
        if self.path is None:
            return
        try:
            document = msgspec.json.decode(self.path.read_bytes(), type=Document)
        except (OSError, ValueError, RecursionError):
            return
        if document.plans != self._names:
            return
        cuts: dict[int, Cut] = {}
        plans: dict[Row, PlanSet] = {}
        for number, why in enumerate(document.alternatives):
            cut = rebuild(why) if self._is_possible(why) else None
            if cut is not None:
                cuts[number] = cut
                plans[cut.row] = plans.get(cut.row, frozenset()) | cut.plans
        pool.add(cuts.values())
        for known in document.conflicts:
            conflict = self._conflict(known, cuts, plans)
            if conflict is not None:
                yield conflict
        self.best = [plan for plan in document.best if 0 <= plan < len(self._task.plans)]

    def _is_possible(self, why: Alternative) -> bool:
        """Whether there are such a plan, such a stretch of it, and such actions."""
        if not 0 <= why.plan < len(self._task.plans):
            return False
        plan, count = self._task.plans[why.plan], len(self._task.case.actions)
        end = len(plan.actions) if why.end == -1 else why.end
        is_stretch = 0 <= why.begin < end <= len(plan.actions)
        if why.is_whole or plan.factor != ONE:  # common actions do not cancel
            is_stretch = (why.begin, why.end) == (0, -1)
        return is_stretch and all(0 <= action < count for action in why.other)

    def _conflict(
        self, known: Known, cuts: dict[int, Cut], plans: dict[Row, PlanSet]
    ) -> Conflict | None:
        """Of the file, if its sum holds and every choice from its classes demands its rows."""
        always, every = self._task.parameters.always, frozenset(range(len(self._task.plans)))
        classes = tuple(frozenset(own) for own in known.classes)
        if not classes or not all(own and own <= every for own in classes):
            return None
        rows = []
        for number, _ in known.rows:
            if -len(always) <= number < 0:
                rows.append(always[-number - 1])
            elif number in cuts and any(own <= plans[cuts[number].row] for own in classes):
                rows.append(cuts[number].row)
            else:
                return None
        proof = Certificate(tuple(rows), tuple(times for _, times in known.rows))
        return Conflict(classes, proof) if is_contradiction(self._task.parameters, proof) else None

    def _rows(self, proof: Certificate, pool: RowPool) -> list[tuple[int, int]]:
        """Numbers and multipliers of the rows that a proof uses."""
        pairs = zip(proof.rows, proof.multipliers, strict=True)
        return [(self._number(row, pool), times) for row, times in pairs if times]

    def _number(self, row: Row, pool: RowPool) -> int:
        """Of the first alternative that a row comes from, or below 0 of a row that always holds."""
        number = pool.number(row)
        if number < pool.always:
            names = self._task.parameter_names
            line = {names[parameter]: times for parameter, times in row.coefficients}
            self._always[-number - 1] = line, row.margin
            return -number - 1
        for cut in pool.cuts[number]:
            self._alternatives.setdefault(cut.why, len(self._alternatives))
        return self._alternatives[pool.cuts[number][0].why]

"""The knowledge file: alternatives and conflicts with their multipliers, written as they are
found.

It is what a killed run goes on from, and what others read to see why a bound holds. What is read
is checked before it is used: every alternative is replayed, every row is computed anew from it,
and every conflict is added up again in exact arithmetic. A file of another case or of other
options is left aside.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from plancost.learn.certificate import Certificate, is_contradiction
from plancost.learn.conflict import Conflict
from plancost.learn.rows import Alternative, Cut, RowPool
from plancost.learn.task import LearningTask
from plancost.options import LearnOptions

FORMAT = 1
_SECONDS_BETWEEN = 5.0
"""How often the file is written at most."""

Rebuild = Callable[[Alternative], Cut | None]
"""The cut of an alternative, None if it is none: replayed by whoever knows the worlds."""


class Knowledge:
    """What was found, and the file that it is kept in (none: only in memory)."""

    def __init__(self, task: LearningTask, options: LearnOptions, path: Path | None) -> None:
        self.path = path
        self.conflicts: list[Conflict] = []
        self.best: tuple[list[int], list[int]] = [], []
        """The best set so far and its parameters; a start for the next run, no claim."""
        self.second: dict[str, Any] = {}
        """What the bound on the second objective rests on."""
        self._task = task
        self._fingerprint = fingerprint(task, options)
        self._alternatives: dict[Alternative, int] = {}
        self._proofs: list[tuple[tuple[int, int], ...] | None] = []
        """Of each conflict: numbers of alternatives (below 0: of rows that always hold),
        multipliers.
        """
        self._written = time.monotonic()

    def add(self, conflict: Conflict, pool: RowPool) -> None:
        """Take note of a conflict, and write the file if that is due."""
        self.conflicts.append(conflict)
        self._proofs.append(None if conflict.proof is None else self._named(conflict.proof, pool))
        if self.path is not None and time.monotonic() - self._written > _SECONDS_BETWEEN:
            self.write()

    def keep(self, plans: list[int], values: list[int]) -> None:
        """Take note of the best set so far."""
        self.best = plans, values

    def write(self) -> None:
        """Write the file, all of it or not at all."""
        if self.path is None:
            return
        document = {
            "format": FORMAT,
            "fingerprint": self._fingerprint,
            "plans": self._plan_names(),
            "alternatives": [_alternative(own) for own in self._alternatives],
            "conflicts": [
                {"classes": [sorted(own) for own in conflict.classes], "rows": rows}
                for conflict, rows in zip(self.conflicts, self._proofs, strict=True)
            ],
            "best": {"plans": self.best[0], "parameters": self.best[1]},
            "second": self.second,
        }
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with temporary.open("w", encoding="utf-8") as file:
                json.dump(document, file, separators=(",", ":"))
            temporary.replace(self.path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                temporary.unlink()
        self._written = time.monotonic()

    def read(self, rebuild: Rebuild, pool: RowPool) -> Iterator[Conflict]:
        """The conflicts of the file that hold, and their rows into the pool; nothing if there is
        none.
        """
        document = self._document()
        cuts: list[Cut | None] = []
        for entry in document.get("alternatives", ()):
            with contextlib.suppress(TypeError, ValueError, LookupError, AttributeError):
                cuts.append(rebuild(self._checked(entry)))
                continue
            cuts.append(None)
        for entry in document.get("conflicts", ()):
            with contextlib.suppress(TypeError, ValueError, LookupError, AttributeError):
                conflict = self._conflict(entry, cuts)
                if conflict is not None:
                    pool.add(c for n, _ in entry["rows"] if n >= 0 and (c := cuts[n]) is not None)
                    yield conflict
        with contextlib.suppress(TypeError, ValueError, LookupError, AttributeError):
            best = document.get("best", {})
            plans, values = list(map(int, best["plans"])), list(map(int, best["parameters"]))
            if len(values) == self._task.parameters.count and self._task.plans[max(plans)]:
                self.best = plans, values

    def _document(self) -> dict[str, Any]:
        if self.path is None:
            return {}
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        same = isinstance(found, dict) and found.get("fingerprint") == self._fingerprint
        return found if same and found.get("format") == FORMAT else {}

    def _conflict(self, entry: dict[str, Any], cuts: list[Cut | None]) -> Conflict | None:
        """A conflict of the file, if its proof holds and every choice from its classes demands its
        rows.
        """
        if entry["rows"] is None:
            return None
        classes = tuple(frozenset(map(int, own)) for own in entry["classes"])
        always = self._task.parameters.always
        rows = []
        for number, _ in entry["rows"]:
            cut = None if number < 0 else cuts[number]
            if number >= 0:
                if cut is None or not any(own <= cut.plans for own in classes):
                    return None
                rows.append(cut.row)
            else:
                rows.append(always[-number - 1])
        proof = Certificate(tuple(rows), tuple(int(times) for _, times in entry["rows"]))
        holds = all(classes) and is_contradiction(self._task.parameters, proof)
        return Conflict(classes, proof) if holds else None

    def _checked(self, entry: Any) -> Alternative:
        plan, begin, end, is_whole, other = entry
        steps = len(self._task.plans[plan].actions)
        if plan < 0 or not 0 <= begin <= steps or not (end == -1 or begin <= end <= steps):
            raise ValueError("no such stretch")
        if any(not 0 <= action < len(self._task.case.actions) for action in other):
            raise ValueError("no such action")
        return Alternative(plan, begin, end, tuple(other), bool(is_whole))

    def _named(self, proof: Certificate, pool: RowPool) -> tuple[tuple[int, int], ...]:
        found = []
        for row, times in zip(proof.rows, proof.multipliers, strict=True):
            number = pool.number(row)
            why = pool.why[number]
            place = -number - 1
            if why is not None:
                place = self._alternatives.setdefault(why, len(self._alternatives))
            found.append((place, times))
        return tuple(found)

    def _plan_names(self) -> list[list[str]]:
        """Of each plan the observations that it stands for."""
        names: list[list[str]] = [[] for _ in self._task.plans]
        for plan, observation in zip(self._task.plan_of, self._task.case.observations, strict=True):
            names[plan].append(observation.name)
        return names


def fingerprint(task: LearningTask, options: LearnOptions) -> str:
    """Of all that decides which conflicts hold."""
    parameters = task.parameters
    said = [
        task.case.actions,
        [(p.problem, p.actions, str(p.factor), p.weight) for p in task.plans],
        [(t.name, t.world, sorted(t.initial)) for t in task.problems],
        [(row.coefficients, row.margin) for row in parameters.always],
        parameters.least.tolist(), parameters.greatest.tolist(), parameters.parts,
        options.solution, options.ties, repr(parameters.functions),
    ]  # fmt: skip
    return hashlib.sha256(repr(said).encode()).hexdigest()


def _alternative(own: Alternative) -> list[Any]:
    return [own.plan, own.begin, own.end, own.is_whole, list(own.other)]

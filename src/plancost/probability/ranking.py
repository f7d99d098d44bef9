"""Tasks ranked by what observing a plan of them would teach, as values, table and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plancost.errors import LimitError
from plancost.files.tables import TextTable
from plancost.probability.outlook import Outlook
from plancost.probability.teaching import Lesson, Teaching

_DIGITS = 6


@dataclass(frozen=True)
class RankedTask:
    """A task, what a plan of it would teach, and what samples predict there."""

    name: str
    score: float
    """The share of what samples disagree on that a plan of it would tell apart, from 0 to 1; with
    a budget what it adds to the tasks before it."""
    probability: float
    """That the predicted plan is optimal: the share of the samples."""
    expected_regret: float
    """The mean over the samples of the predicted plan's cost over the optimal cost."""
    plans: int
    """How many different plans are the cheapest under some sample."""
    observed: int
    """How many plans of it were observed."""

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        rounded = {
            name: round(getattr(self, name), _DIGITS)
            for name in ("score", "probability", "expected_regret")
        }
        return {**vars(self), **rounded}


@dataclass(frozen=True)
class Asked:
    """Tasks, those that teach the most first."""

    tasks: tuple[RankedTask, ...]
    candidates: int
    """How many tasks there were to choose from."""
    samples: int
    searched: int
    """How many samples were searched in time, for all tasks."""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "candidates": self.candidates,
            "samples": self.samples,
            "searched": self.searched,
            "tasks": [task.to_json() for task in self.tasks],
            "notes": list(self.notes),
        }

    def remarks(self) -> list[str]:
        """What the ranking rests on, and the notes."""
        chosen = f"{len(self.tasks)} chosen of {self.candidates}"
        return [f"{chosen}; {self.searched} samples", *(f"note: {note}" for note in self.notes)]

    def table(self, what: str = "problem") -> TextTable:
        """A row for each task."""
        headings = (what, "teaches", "predicted plan optimal", "expected regret", "plans", "seen")
        rows = tuple(
            (
                task.name,
                f"{100 * task.score:.1f} %",
                f"{100 * task.probability:.0f} %",
                f"{task.expected_regret:.3f}",
                str(task.plans),
                str(task.observed),
            )
            for task in self.tasks
        )
        return TextTable(headings, rows)


@dataclass(frozen=True)
class Candidate:
    """A task to choose from: its name, what samples say of it, and how often it was seen."""

    name: str
    look: Outlook
    observed: int = 0


def rank_tasks(
    candidates: Sequence[Candidate],
    samples: int,
    budget: int | None = None,
    notes: Sequence[str] = (),
) -> Asked:
    """All of them, each by itself; or with a budget so many that teach the most together."""
    unsearched = [item.name for item in candidates if not item.look.searched]
    if len(unsearched) == len(candidates):
        raise LimitError("no sample was searched within the limits")
    told = list(notes)
    if unsearched:
        more = f" and {len(unsearched) - 1} more" if len(unsearched) > 1 else ""
        told.append(f"left out, since no search ended in time: {unsearched[0]}{more}")
    searched = min(item.look.searched for item in candidates if item.look.searched)
    if searched < samples:
        told.append(f"{searched} of {samples} samples were searched in time")
    lessons = Teaching([item.look for item in candidates]).lessons(budget)
    ranked = tuple(_ranked(candidates[lesson.task], lesson) for lesson in lessons)
    return Asked(ranked, len(candidates), samples, searched, tuple(told))


def _ranked(item: Candidate, lesson: Lesson) -> RankedTask:
    look = item.look
    return RankedTask(
        item.name,
        lesson.score,
        look.probability() or 0.0,
        look.expected_regret() or 1.0,
        len(set(look.best.tolist())),
        item.observed,
    )

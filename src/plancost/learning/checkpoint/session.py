"""What learning keeps on disk while it works, so that a killed run can be resumed.

Kept is what was expensive to find and is cheap to check: alternatives, proofs of conflicts, bounds
on the secondary cost, and the best costs. Bounds that rest on the integer solver's word are found
again. An earlier run's checkpoint is no authority: see `checkpoint_content`. Costs of it count
after a search has confirmed them.

Nothing is written before learning has taken some seconds, and then so seldom that it takes a
small part of the time. That a checkpoint cannot be written is no error, only a note.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plancost.learning.checkpoint.content import (
    WRONG_FORM,
    Best,
    Stage,
    StageReader,
    StageWriter,
    best_content,
)
from plancost.learning.checkpoint.file import CheckpointFile, DamagedError
from plancost.learning.checkpoint.fingerprint import fingerprint
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.pricing_out import priced_out
from plancost.system.clock import Deadline, Stopwatch
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)

FIRST = "first"
SECOND = "second"
_STAGES = (FIRST, SECOND)


@dataclass(frozen=True)
class _Earlier:
    """What an earlier run left, checked as far as that goes without a search."""

    seconds: float = 0.0
    runs: int = 0
    history: tuple[tuple[float, int, int], ...] = ()
    stages: Mapping[str, Stage] = field(default_factory=dict)
    best: Mapping[str, Best] = field(default_factory=dict)
    content: Mapping[str, Any] = field(default_factory=dict)
    """The stages as they were read, for those that this run does not come to."""

    @classmethod
    def read(cls, task: LearningTask, question: str, content: Mapping[str, Any]) -> _Earlier:
        """Check the content of a file; raises `DamagedError`."""
        if content.get("question") != question:
            raise DamagedError("it is of another question")
        try:
            seconds, runs = float(content["seconds"]), int(content["runs"])
            history = tuple(
                (float(at), int(best), int(bound)) for at, best, bound in content["history"]
            )
            stages = _by_stage(content["stages"])
            best = _by_stage(content["best"])
        except WRONG_FORM as error:
            raise DamagedError("it has not the form of a checkpoint") from error
        plans = task.case.plan_count
        if not (0 <= seconds < 1e12 and runs >= 1):
            raise DamagedError("its seconds are none")
        if not all(0 <= t <= seconds and 0 <= n <= m <= plans for t, n, m in history):
            raise DamagedError("its history is none")
        reader = StageReader(task)
        return cls(
            seconds,
            runs,
            history,
            {name: reader.stage(item) for name, item in stages.items()},
            {name: reader.best(item) for name, item in best.items()},
            stages,
        )


def _by_stage(content: object) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise TypeError("not an object")
    return {name: content[name] for name in _STAGES if name in content}


class Checkpoint:
    """Where one run of learning keeps what it finds; without a file it keeps nothing."""

    def __init__(self) -> None:
        self._file: CheckpointFile | None = None
        self._question = ""
        self._every_s = 0.0
        self._answer: Incumbent | None = None
        self._stopwatch = Stopwatch()
        self._earlier = _Earlier()
        self._writers: dict[str, StageWriter] = {}
        self._followed: list[Subproblem] = []
        self._best: dict[str, Best] = {}
        self._started = time.monotonic()
        self._next = self._started
        self._changed = False

    @classmethod
    def open(cls, run: Run, task: LearningTask, incumbent: Incumbent) -> Checkpoint:
        """The checkpoint of a learning task in the folder of the options, with what is there.

        Says in the notes and facts of the incumbent what an earlier run left.
        """
        directory, every_s = run.options.checkpoint, run.options.checkpoint_every_s
        assert directory is not None
        checkpoint = cls()
        checkpoint._question = fingerprint(task)
        checkpoint._file = CheckpointFile.of(directory, checkpoint._question)
        checkpoint._every_s = every_s
        checkpoint._next = checkpoint._started + every_s
        checkpoint._answer = incumbent
        checkpoint._stopwatch = run.stopwatch
        checkpoint._read(task)
        return checkpoint

    @property
    def path(self) -> Path | None:
        """The file, if there is one."""
        return self._file.path if self._file is not None and self._file.path.exists() else None

    @property
    def seconds_before(self) -> float:
        """How long earlier runs took until they last wrote."""
        return self._earlier.seconds

    def take_up(self, stage: str, subproblem: Subproblem) -> list[Conflict]:
        """Make known what an earlier run found in a stage, and follow what this one finds."""
        if self._file is None:
            return []
        conflicts = self._earlier.stages.get(stage, Stage()).bring_in(subproblem)
        self._writers[stage] = StageWriter(subproblem)
        self._followed.append(subproblem)
        subproblem.news = self._news
        return conflicts

    def best(self, stage: str, subproblem: Subproblem, deadline: Deadline) -> Best | None:
        """The best answer of an earlier run in a stage, if a search confirms it."""
        kept = self._earlier.best.get(stage)
        if kept is None:
            return None
        chosen, costs = kept
        if stage == FIRST and subproblem.task.prices_out:
            costs = priced_out(subproblem.task, chosen, costs)
        confirmed = subproblem.task.admits(costs) and subproblem.check(costs, chosen, deadline)
        if confirmed is False:
            self._reject("its costs do not do what it says")
            self._earlier = replace(self._earlier, best={})
        if not confirmed:
            return None
        self._best[stage] = (chosen, costs)
        return chosen, costs

    def note_best(self, stage: str, chosen: PlanSet, costs: Costs) -> None:
        """Keep a better answer."""
        if self._best.get(stage) != (chosen, costs):
            self._best[stage] = (chosen, costs)
            self._news()

    def close(self, *, finished: bool) -> None:
        """Write what is new, unless it was so little that it is found again at once."""
        for subproblem in self._followed:
            subproblem.news = lambda: None
        if not finished or time.monotonic() >= self._started + self._every_s:
            self._write()

    def _news(self) -> None:
        self._changed = True
        if time.monotonic() >= self._next:
            self._write()

    def _write(self) -> None:
        """Write the file, and see how long that takes."""
        if self._file is None or self._answer is None or not self._changed or not self._writers:
            return
        began = time.monotonic()
        try:
            self._file.write(self._content())
        except OSError as error:
            self._give_up(error)
            return
        self._changed = False
        now = time.monotonic()
        pause_s = max(self._every_s, (now - began) / SCHEDULE.checkpoints)
        self._next = now + (pause_s if self._every_s else 0.0)
        _log.debug("checkpoint written in %.2f s", now - began)

    def _content(self) -> dict[str, Any]:
        assert self._answer is not None
        best = {**self._earlier.best, **self._best}
        return {
            "question": self._question,
            "runs": self._earlier.runs + 1,
            "seconds": self.seconds_before + self._stopwatch.seconds()["total"],
            "history": self._answer.history,
            "stages": {
                **self._earlier.content,
                **{name: writer.content() for name, writer in self._writers.items()},
            },
            "best": {name: best_content(item) for name, item in best.items()},
        }

    def _read(self, task: LearningTask) -> None:
        assert self._file is not None
        assert self._answer is not None
        try:
            content = self._file.read()
            if content is None:
                return
            self._earlier = _Earlier.read(task, self._question, content)
        except DamagedError as error:
            self._reject(str(error))
            return
        except OSError as error:
            self._give_up(error)
            return
        stages = self._earlier.stages.values()
        found = sum(len(stage.cuts) for stage in stages)
        proofs = sum(len(stage.proofs) + len(stage.bounds) for stage in stages)
        self._answer.history.extend(self._earlier.history)
        self._answer.facts["resumed"] = {
            "runs": self._earlier.runs,
            "seconds": round(self._earlier.seconds, 3),
            "alternatives": found,
            "proofs": proofs,
        }
        words = (
            f"went on from {self._file.path.parent}: {found} alternatives and {proofs} proofs, "
            f"checked again, from {self._earlier.seconds:.0f} s of earlier runs"
        )
        self._answer.notes.append(words)
        _log.info("%s", words)

    def _reject(self, reason: str) -> None:
        """Put the file aside; what a check has not confirmed is not used."""
        assert self._file is not None
        assert self._answer is not None
        aside = self._file.put_aside()
        where = "is not used" if aside is None else f"was put aside as {aside.name}"
        words = f"the checkpoint {self._file.path} is damaged ({reason}) and {where}"
        self._answer.notes.append(words)
        _log.warning("%s", words)

    def _give_up(self, error: OSError) -> None:
        """Go on without a checkpoint."""
        assert self._file is not None
        assert self._answer is not None
        words = f"no checkpoint in {self._file.path.parent} ({error.strerror or error})"
        self._answer.notes.append(words)
        _log.warning("%s", words)
        self._file = None

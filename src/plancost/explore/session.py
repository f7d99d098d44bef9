"""One person's questions: which is asked now, what is known of it, and what was asked before.

One thread talks to the process of the learner. Whoever changes the question does not wait: the
question at work is stopped, and the state says what is known so far.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plancost.errors import PlancostError, UsageError
from plancost.explore.answers import Answer, changes, question_in_words, secondary_name
from plancost.explore.learner import LISTENING, Learner, Refused, Setup
from plancost.explore.question import Question
from plancost.explore.why import Asked, Reasons
from plancost.results.result import Result
from plancost.system.worker_process import WorkerProcess, packed

_WARMING_S = 60.0
"""How long the question of the result itself is learned again, until somebody asks another."""
_STOPPING_S = 3.0
"""A learner that does not stop by then is replaced by another, which has to begin anew."""
_MOST_MOMENTS = 200
GONE = "the page is older than the question; look at it again"


@dataclass(frozen=True)
class _Job:
    """What the learner is asked: to learn, or why a plan is not optimal."""

    question: Question
    seconds: float
    asked: Asked | None = None
    is_warming: bool = False


class Session:
    """The state of all tabs together; every method may be called from any thread."""

    def __init__(
        self, setup: Setup, first: Answer, seconds: float, command: Callable[[Question], str]
    ) -> None:
        self.setup = setup
        self.seconds = seconds
        self._command = command
        self._lock = threading.Condition()
        self._version = 1
        self._answers = [first]
        """The answers to the question and to those before it, the latest last."""
        self._original = first
        self._question = first.question
        self._before: list[Question] = []
        self._next = first.number + 1
        self._job: _Job | None = None
        self._listening: _Job | None = None
        self._waiting: list[_Job] = [_Job(first.question, _WARMING_S, is_warming=True)]
        self._moments: list[dict[str, Any]] = []
        self._began = time.monotonic()
        self._stop_at: float | None = None
        self._refusal: tuple[str, ...] = ()
        self._why: dict[str, Any] | None = None
        self._is_closed = False
        # Packed before other threads look at the case, which then remembers what it has computed.
        self._learner = packed(Learner, setup)
        self._thread = threading.Thread(target=self._work, name="explore", daemon=True)

    def start(self) -> None:
        """Start the learner."""
        self._thread.start()

    def close(self) -> None:
        """End the learner, whatever it does."""
        with self._lock:
            self._is_closed = True
            self._lock.notify_all()
        self._thread.join()

    @property
    def answer(self) -> Answer:
        """The last answer."""
        with self._lock:
            return self._answers[-1]

    @property
    def question(self) -> Question:
        """The question that is asked now."""
        with self._lock:
            return self._question

    def ask(self, question: Question, version: int) -> None:
        """Ask another question; the one at work is stopped."""
        with self._lock:
            self._check(version)
            self._before.append(self._question)
            self._begin(question)

    def more(self, version: int, seconds: float) -> None:
        """Go on with the same question for so many seconds."""
        with self._lock:
            self._check(version)
            self._begin(self._question, seconds)

    def undo(self, version: int) -> None:
        """Go back to the question before; its answer is known."""
        with self._lock:
            self._check(version)
            if not self._before:
                raise UsageError("there is nothing to undo")
            self._begin(self._before.pop())

    def stop(self) -> None:
        """Stop the question at work; the last answer stays."""
        with self._lock:
            self._waiting.clear()
            self._stop_running()

    def why(self, asked: Asked, version: int) -> None:
        """Ask why a plan is not optimal; what is learned meanwhile goes on afterwards."""
        with self._lock:
            self._check(version)
            again = [job for job in (self._job,) if job is not None and job.asked is None]
            self._waiting = [_Job(self._question, self.seconds, asked), *again]
            self._why, self._began = {"name": asked.name, "words": None}, time.monotonic()
            self._stop_running()
            self._lock.notify_all()

    def _check(self, version: int) -> None:
        if version != self._version:
            raise UsageError(GONE)

    def _begin(self, question: Question, seconds: float | None = None) -> None:
        """Take a question, with the answer that is known or with a new one."""
        self._version += 1
        self._question, self._began = question, time.monotonic()
        self._refusal, self._why, self._moments = (), None, []
        known = next((a for a in reversed(self._answers) if a.question == question), None)
        if known is not None and seconds is None:
            self._waiting = []
            self._answers.append(known)
        else:
            self._waiting = [_Job(question, seconds or self.seconds)]
        self._stop_running()
        self._lock.notify_all()

    def _stop_running(self) -> None:
        if self._job is not None and self._stop_at is None:
            self._stop_at = time.monotonic()
            self._lock.notify_all()

    def state(self) -> dict[str, Any]:
        """All that the page shows of it."""
        with self._lock:
            now = self._answers[-1]
            job = next(iter(self._waiting), None if self._stop_at else self._job)
            before = next((a for a in reversed(self._answers[:-1]) if a is not now), self._original)
            return {
                "version": self._version,
                "answer": now.number,
                "isAnswered": now.question == self._question,
                "running": job is not None and not job.is_warming,
                "warming": job is not None and job.is_warming,
                "elapsed": round(time.monotonic() - self._began, 1),
                "limit": self.seconds if job is None else job.seconds,
                "moments": self._moments[-_MOST_MOMENTS:],
                "question": question_in_words(self._question),
                "canUndo": bool(self._before),
                "secondary": secondary_name(now),
                "original": self._original.summary(),
                "before": before.summary(),
                "now": now.summary(),
                "changes": changes(before, now),
                "refusal": list(self._refusal),
                "why": self._why,
                "command": self._command(self._question),
            }

    def _work(self) -> None:
        """The thread: one learner after the other, as long as each lives."""
        while not self._is_closed:
            with WorkerProcess() as learner:
                learner.make_packed(self._learner)
                self._serve(learner)

    def _serve(self, learner: WorkerProcess) -> None:
        while True:
            with self._lock:
                while not self._waiting and not self._is_closed:
                    self._lock.wait()
                if self._is_closed:
                    return
                job = self._job = self._waiting.pop(0)
                self._stop_at = None
            watch = threading.Thread(target=self._watch, args=(learner, job), daemon=True)
            watch.start()
            found: object = None
            failure: PlancostError | None = None
            try:
                found = self._asked(learner, job)
            except PlancostError as error:
                failure = error
            with self._lock:
                if self._stop_at is None and not self._is_closed:
                    self._take(job, found if failure is None else Refused((str(failure),)))
                self._job = self._listening = self._stop_at = None
                self._lock.notify_all()
            watch.join()
            if failure is not None:
                return

    def _asked(self, learner: WorkerProcess, job: _Job) -> object:
        if job.asked is None:
            learner.ask("learn", job.question, job.seconds)
        else:
            learner.ask("why_not", job.question, self.answer.result.costs, job.asked, job.seconds)
        return learner.answer(lambda told: self._hear(job, told))

    def _watch(self, learner: WorkerProcess, job: _Job) -> None:
        """Stop the learner when another question comes, and end it if it does not stop."""
        with self._lock:
            self._lock.wait_for(
                lambda: (
                    self._is_closed
                    or self._job is not job
                    or (self._stop_at is not None and self._listening is job)
                )
            )
            if self._job is job and not self._is_closed:
                learner.interrupt()
                self._lock.wait_for(lambda: self._is_closed or self._job is not job, _STOPPING_S)
            if self._job is job:
                learner.kill()

    def _hear(self, job: _Job, told: tuple[str, int, int, str]) -> None:
        stage, done, total, words = told
        with self._lock:
            if stage == LISTENING:
                self._listening = job
                self._lock.notify_all()
            elif not job.is_warming:
                seconds = round(time.monotonic() - self._began, 2)
                moment = {"s": seconds, "stage": stage, "done": done, "total": total}
                self._moments.append({**moment, "words": words})

    def _take(self, job: _Job, found: object) -> None:
        """Keep what the learner said."""
        if job.asked is not None:
            self._why = _why(job.asked, found)
        elif isinstance(found, Refused) and not job.is_warming:
            self._refusal = found.words
            self._version += 1
            if self._before:
                self._question = self._before.pop()
        elif isinstance(found, Result) and job.question == self._question and not job.is_warming:
            seconds = time.monotonic() - self._began
            self._answers.append(Answer(self._next, job.question, found, seconds))
            self._next += 1


def _why(asked: Asked, found: object) -> dict[str, Any]:
    if isinstance(found, Reasons):
        rival = None if found.rival is None else list(found.rival)
        return {"name": asked.name, "words": list(found.words), "rival": rival}
    assert isinstance(found, Refused)
    return {"name": asked.name, "words": list(found.words), "rival": None}

"""The warm learner: in a process of its own, it answers one question after the other.

Tasks, state graphs, alternatives and proofs of conflicts are kept from question to question. A
signal stops the question at work; what was found by then is kept too.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import FrameType
from typing import TypeVar

from plancost.api.from_options import learning_task
from plancost.api.pipeline import learn_by
from plancost.errors import PlancostError
from plancost.explore.question import Question
from plancost.explore.why import Asked, Reasons, conflict_in_words, why_not
from plancost.learning.exact.earlier_answers import found_by
from plancost.learning.exact.required_plans import RequiredPlansError
from plancost.learning.exact.strategy import learn_exactly
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.fitting import parameters_of
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Oracles, Run
from plancost.learning.subproblem.earlier import Earlier
from plancost.observations.case import Case
from plancost.observations.parts import without_plans
from plancost.results.result import Result
from plancost.system.clock import Deadline
from plancost.system.worker_process import tell

T = TypeVar("T")

_EXPLAINING_S = 2.0
LISTENING = "listening"
"""The first that is told about a question: from then on a signal stops it."""


@dataclass(frozen=True)
class Setup:
    """What stays the same from question to question."""

    case: Case
    options: LearnOptions
    """Without what questions say."""
    initial_costs: Mapping[str, int] | None = None
    optimal: frozenset[int] = frozenset()
    """The observations that are optimal in the result."""
    costs: tuple[int, ...] = ()
    """Its costs, in the order of the actions of the case."""


@dataclass(frozen=True)
class Refused:
    """Why a question has no answer, in sentences."""

    words: tuple[str, ...]


class _StopError(BaseException):
    """A new question has come; nothing that ends at Ctrl-C with an answer may catch it."""


class Learner:
    """Answers questions about one case."""

    def __init__(self, setup: Setup) -> None:
        case = setup.case
        self._setup = setup
        self._oracles = Oracles.of(case, setup.options)
        best = (case.observations[number] for number in setup.optimal)
        known = frozenset((case.tasks[item.task].key, item.plan) for item in best)
        self._earlier = Earlier(answers=((known, setup.costs),))
        self._is_telling = False
        self._is_stopped = False
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def learn(self, question: Question, seconds: float) -> Result | Refused | None:
        """The answer to a question within so many seconds; None: it was stopped."""
        return self._stoppable(lambda: self._learn(question, Deadline.after(seconds)))

    def why_not(
        self, question: Question, costs: Mapping[str, int], asked: Asked, seconds: float
    ) -> Reasons | Refused | None:
        """Why a plan is not optimal under these costs; None: it was stopped."""

        def work() -> Reasons | Refused:
            run, task = self._begin(question, Deadline.after(seconds), asked)
            given = tuple(costs[name] for name in task.case.actions)
            if task.composition is not None:
                given = parameters_of(task.structure, task.case.actions, given)
            return why_not(run, task, given)

        return self._stoppable(work)

    def _begin(
        self, question: Question, deadline: Deadline, asked: Asked | None = None
    ) -> tuple[Run, LearningTask]:
        options = question.options(self._setup.options)
        case = without_plans(self._setup.case, options.drop)
        if asked is not None:
            case = asked.added_to(case)
        run = Run(options, self._oracles, deadline, self._progress, earlier=self._earlier)
        return run, learning_task(case, options, deadline, self._setup.initial_costs)

    def _learn(self, question: Question, deadline: Deadline) -> Result | Refused:
        run, task = self._begin(question, deadline)
        incumbent = Incumbent.baseline(task)
        try:
            result = learn_by(learn_exactly, run, incumbent)
        except RequiredPlansError as error:
            until = Deadline.after(_EXPLAINING_S)
            assert incumbent.first is not None
            return Refused((str(error), *conflict_in_words(incumbent.first, error.members, until)))
        finally:
            self._earlier = found_by(incumbent, self._earlier)
        return replace(result, case=None)

    def _stoppable(self, work: Callable[[], T | Refused]) -> T | Refused | None:
        self._is_stopped = False
        try:
            signal.signal(signal.SIGINT, self._on_signal)
            try:
                self._progress(LISTENING, 0, 0)
                return work()
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        except _StopError:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            return None
        except PlancostError as error:
            return Refused((str(error),))

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._is_stopped = True
        if not self._is_telling:
            raise _StopError

    def _progress(self, stage: str, done: int, total: int, known: str = "") -> None:
        """Tell it, without a signal in the middle of a message."""
        self._is_telling = True
        tell((stage, done, total, known))
        self._is_telling = False
        if self._is_stopped:
            raise _StopError

"""From a case and its RESULT.json to what is asked first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from plancost.errors import UsageError
from plancost.explore.answers import Answer
from plancost.explore.command_line import command_line
from plancost.explore.learner import Setup
from plancost.explore.question import Question
from plancost.explore.session import Session
from plancost.learning.problem.declaration import Topic
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.observations.case import Case
from plancost.observations.files import name_within
from plancost.results.claims import claims_of
from plancost.results.recorded import as_said
from plancost.results.result import Result

_SECONDS = 4.0
_SECONDS_OF_MANY = 8.0
_MANY = 300


def seconds_for(case: Case) -> float:
    """How long an answer may take, unless something else is said: longer for very many plans."""
    return _SECONDS_OF_MANY if len(case.observations) > _MANY else _SECONDS


def options_of(result: Result) -> LearnOptions:
    """The options that a result was learned with, as far as they change its meaning."""
    if result.groups:
        raise UsageError("this result has several groups; learn one cost function with --groups 1")
    if result.options.get("choose", Choose.LEAST.value) != Choose.LEAST:
        raise UsageError("explore is for the least costs; learn again without --choose")
    claims = claims_of(result)
    options = LearnOptions(
        default_cost=result.options.get("default_cost"),
        skip_invalid=result.options.get("on_invalid") == "skip",
        seed=result.options.get("seed", 0),
    )
    return as_said(claims, options, (), Topic.OPTIMALITY, Topic.COSTS)


def session_of(
    result: Result,
    case: Case,
    command: Sequence[str],
    seconds: float | None = None,
    number: Callable[[int], str] = str,
) -> Session:
    """A session that begins with a result, learned from this case without the plans left out.

    `command` is what learned it, without options; `number` writes a cost as that command reads it.
    """
    question, base = Question.of(options_of(result))
    optimal = {item.plan for item in result.observations if item.optimal}
    setup = Setup(
        case,
        base,
        result.initial_costs if result.refined else None,
        frozenset(
            n
            for n, item in enumerate(case.observations)
            if name_within(case.root, item.plan_file) in optimal
        ),
        tuple(result.costs[name] for name in case.actions),
    )

    def in_words(asked: Question) -> str:
        return command_line(command, asked.options(base), number)

    first = Answer(1, question, replace(result, case=None), result.seconds.get("total", 0.0))
    return Session(setup, first, seconds or seconds_for(case), in_words)

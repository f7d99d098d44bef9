"""The exact learner without files, and what its costs achieve by the definitions."""

from __future__ import annotations

from plancost.clock import Deadline, Stopwatch
from plancost.learning.answer import BestAnswer
from plancost.learning.exact import learn_exactly
from plancost.learning.options import LearnOptions
from plancost.learning.searchers import Searchers
from plancost.learning.task import LearningTask
from plancost.observations.planfile import Plan
from plancost.progress import no_progress
from support.brute_force import is_optimal


def learned(task: LearningTask) -> BestAnswer:
    """The answer of the exact learner."""
    answer = BestAnswer.baseline(task)
    options = LearnOptions(concept=task.concept)
    searchers = Searchers.of(task.case, options)
    learn_exactly(task, options, searchers, Deadline(), answer, Stopwatch(), no_progress)
    return answer


def weight_under(task: LearningTask, costs: tuple[int, ...], plans: list[list[Plan]]) -> int:
    """How many plans costs make optimal, straight from the definitions."""
    return sum(
        observation.count
        for number, observation in enumerate(task.case.observations)
        if is_optimal(task, number, costs, plans[observation.task])
    )

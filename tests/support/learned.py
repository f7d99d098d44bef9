"""The exact learner without files, and what its costs achieve by the definitions."""

from __future__ import annotations

from plancost.learning.exact.strategy import learn_exactly
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Oracles, Run
from plancost.learning.subproblem.earlier import Earlier
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import is_optimal


def learned(task: LearningTask, earlier: Earlier = Earlier()) -> Incumbent:  # noqa: B008 (frozen)
    """The answer of the exact learner, with what was found before."""
    answer = Incumbent.baseline(task)
    options = LearnOptions(concept=task.concept)
    searchers = Oracles.of(task.case, options)
    learn_exactly(Run(options, searchers, Deadline(), earlier=earlier), task, answer)
    return answer


def weight_under(task: LearningTask, costs: tuple[int, ...], plans: list[list[Plan]]) -> int:
    """How many plans costs make optimal, straight from the definitions."""
    return sum(
        observation.count
        for number, observation in enumerate(task.case.observations)
        if is_optimal(task, number, costs, plans[observation.task])
    )

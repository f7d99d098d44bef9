"""What regret is usual: regrets of plans under costs that were not learned from them.

The plans that costs were learned from are optimal far more often than others, so their own
regrets say nothing. Each is measured instead under costs learned from the other folds
(cross-validation). Plans that were held out from the beginning are measured as they are; only
then are their regrets exchangeable with those of new plans in the strict sense. Costs of folds
come from fewer plans, so regrets by cross-validation are, if anything, somewhat larger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plancost.api.learn import learn
from plancost.errors import LimitError, UsageError
from plancost.evaluation.measures import Measurer
from plancost.evaluation.splits import SplitBy, folds
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import Case
from plancost.observations.parts import part_of_case
from plancost.system.clock import Deadline
from plancost.system.progress import Progress, no_progress
from plancost.system.schedule import SCHEDULE


def regrets_across_folds(
    case: Case,
    options: LearnOptions,
    count: int,
    default_cost: int = 1,
    progress: Progress = no_progress,
    deadline: Deadline | None = None,
) -> list[float]:
    """The regrets of all plans, each under costs learned without its fold."""
    if len(case.observations) < 2:
        raise UsageError("one plan is not enough to find out what regret is usual")
    splits = folds(case, min(count, len(case.observations)), SplitBy.OBSERVATIONS, options.seed)
    deadline = deadline or options.deadline()
    measurer = Measurer(case, options, deadline.share(1 / (len(splits) + 1)))
    found: list[float] = []
    for number, split in enumerate(splits):
        progress("calibrating", number, len(splits))
        if deadline.is_over:
            raise LimitError("what regret is usual was not found out within the time limit")
        left = deadline.share(1 / (len(splits) - number))
        train = part_of_case(case, split.train)
        result = learn(train, options.until(left.share(SCHEDULE.trial_learning)))
        if result.interrupted:
            raise KeyboardInterrupt
        found += measurer.regrets(_cost_of(result.costs, default_cost), split.test, left)
    progress("calibrating", len(splits), len(splits))
    return found


def regrets_of_held_out(
    case: Case,
    costs: Mapping[str, int],
    options: LearnOptions,
    default_cost: int = 1,
    deadline: Deadline | None = None,
) -> list[float]:
    """The regrets of plans that the costs were not learned from."""
    deadline = deadline or options.deadline()
    measurer = Measurer(case, options, deadline.share(SCHEDULE.monitor_graphs))
    numbers = range(len(case.observations))
    return measurer.regrets(_cost_of(costs, default_cost), numbers, deadline)


def _cost_of(costs: Mapping[str, int], default_cost: int) -> Callable[[str], int]:
    return lambda name: costs.get(name, default_cost)

"""The k cheapest plans of every task, listed by a top-k planner."""

from __future__ import annotations

from collections.abc import Iterable

from plancost.errors import PlannerError
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.oracles.alternatives import Alternatives, find_alternatives
from plancost.oracles.cache import PlanCache, default_directory
from plancost.oracles.search import Verdict
from plancost.system.processes import Limits
from plancost.system.workers import Workers


def find_all_alternatives(run: Run, task: LearningTask) -> list[Alternatives]:
    """The k cheapest plans of every task, beside those that were observed."""
    case, options = task.case, run.options
    cache = PlanCache(default_directory() if options.use_cache else None)
    costs = task.named(task.baseline)

    def find(number: int) -> Alternatives:
        """Ask for k and as many more as were observed, so that k remain without those."""
        observed = {case.observations[m].plan for m in case.observations_of_task[number]}
        count = options.top_k_seed or options.alternative_count
        try:
            return find_alternatives(
                case.tasks[number],
                costs,
                None if count is None else count + len(observed),
                cache=cache,
                limits=Limits(run.deadline.remaining(), options.memory_limit_mb),
                executor=run.executor,
            )
        except PlannerError as error:
            return Alternatives((), False, 0.0, Verdict.FAILED, str(error))

    found: list[Alternatives] = []
    run.progress("alternatives", 0, len(case.tasks))
    with Workers(run.executor.width) as pool:
        for item in pool.map(find, range(len(case.tasks))):
            found.append(item)
            plans = sum(len(item.plans) for item in found)
            run.progress("alternatives", len(found), len(case.tasks), f"{plans} plans")
    return found


def failures_in(found: Iterable[Alternatives]) -> list[str]:
    """What planners failed with while they listed plans."""
    return [item.failure for item in found if item.failure is not None]

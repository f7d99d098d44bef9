"""The k cheapest simple plans of a task, from SymK or from the cache.

What a planner returns is checked before it is used: every plan is replayed, plans
that visit a state twice or do not reach the goal are an error of the planner, and
the order is ours (cost, then length, then names).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from plancost.errors import InputError, PlannerError
from plancost.observations.case import Task
from plancost.observations.planfile import Plan, plan_cost
from plancost.observations.replay import replay
from plancost.observations.sas import LARGEST_PLANNER_COST, sas_text
from plancost.oracles import symk
from plancost.oracles.cache import PlanCache
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.system.clock import Deadline
from plancost.system.executors import Executor, LocalExecutor
from plancost.system.processes import Limits

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Alternatives:
    """Plans of a task, cheapest first. `complete`: these are all simple plans."""

    plans: tuple[Plan, ...]
    complete: bool
    seconds: float
    verdict: Verdict
    """How the planner ended."""
    failure: str | None = None
    """What it failed with, if it did."""

    @property
    def finished(self) -> bool:
        """Whether the planner found as many as asked, or all there are."""
        return self.verdict in (Verdict.FOUND, Verdict.NONE)


def find_alternatives(
    task: Task,
    costs: Mapping[str, int],
    count: int | None,
    *,
    cache: PlanCache,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    executor: Executor = LocalExecutor(),  # noqa: B008 (frozen)
) -> Alternatives:
    """The `count` cheapest simple plans of a task (None: all of them)."""
    greatest = max((costs[name] for name in task.actions), default=0)
    if greatest > LARGEST_PLANNER_COST:
        raise InputError(
            f"SymK counts in 32 bits and cannot list plans of {task.name} with an action "
            f"that costs {greatest}: use smaller initial costs, or --alternatives exact"
        )
    text = sas_text(task.sas, costs)
    cached = cache.load(text)
    if cached is not None and (
        cached.complete or (count is not None and len(cached.plans) >= count)
    ):
        _log.debug("%s: %d plans from the cache", task.name, len(cached.plans))
        plans = _in_order(task, cached.plans, costs)
        found = Alternatives(plans, cached.complete, 0.0, Verdict.FOUND)
    else:
        outcome = _distinct_plans(text, count, limits, executor)
        plans = _in_order(task, outcome.plans, costs)
        found = Alternatives(plans, outcome.complete, outcome.seconds, outcome.verdict)
        if found.finished:
            cache.store(text, plans, outcome.complete)
    if count is None or len(plans) <= count:
        return found
    return replace(found, plans=plans[:count], complete=False)


def _distinct_plans(
    text: str, count: int | None, limits: Limits, executor: Executor
) -> SearchOutcome:
    """Ask SymK, again for more if some plans differ only in operators of one name."""
    deadline = Deadline.after(limits.time_s)
    asked, seconds = count, 0.0
    while True:
        left = replace(limits, time_s=deadline.remaining())
        outcome = executor.run(partial(symk.top_plans, text, asked), left)
        seconds += outcome.seconds
        enough = count is None or len(outcome.plans) >= count or outcome.complete
        if enough or asked is None or outcome.verdict is not Verdict.FOUND:
            return replace(outcome, seconds=seconds)
        asked *= 4


def _in_order(task: Task, plans: tuple[Plan, ...], costs: Mapping[str, int]) -> tuple[Plan, ...]:
    for plan in plans:
        replayed = replay(task.sas, plan)
        if not replayed.is_valid or replayed.visits_a_state_twice:
            raise PlannerError(
                f"SymK returned a plan for {task.name} that is not a simple plan of it"
            )
    return tuple(
        sorted(
            dict.fromkeys(plans),
            key=lambda plan: (plan_cost(plan, costs), len(plan), plan),
        )
    )

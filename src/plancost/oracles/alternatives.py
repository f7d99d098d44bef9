"""The k cheapest simple plans of a task, from SymK or from the cache.

What a planner returns is checked before it is used: every plan is replayed, plans
that visit a state twice or do not reach the goal are an error of the planner, and
the order is ours (cost, then length, then names).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plancost.clock import Deadline
from plancost.errors import PlannerError
from plancost.observations.case import Task
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.observations.sas import sas_text
from plancost.oracles import symk
from plancost.oracles.cache import PlanCache
from plancost.oracles.search import Verdict
from plancost.processes import Limits


@dataclass(frozen=True)
class Alternatives:
    """Plans of a task, cheapest first.

    `complete`: these are all simple plans. `finished` is False if the planner
    ran out of time or memory before it had found as many as asked.
    """

    plans: tuple[Plan, ...]
    complete: bool
    finished: bool
    seconds: float


def find_alternatives(
    task: Task,
    costs: Mapping[str, int],
    count: int | None,
    *,
    cache: PlanCache,
    deadline: Deadline,
    memory_mb: int | None = None,
) -> Alternatives:
    """The `count` cheapest simple plans of a task (None: all of them)."""
    text = sas_text(task.sas, costs)
    cached = cache.load(text)
    if cached is not None and (
        cached.complete or (count is not None and len(cached.plans) >= count)
    ):
        plans = _in_order(task, cached.plans, costs)
        return Alternatives(plans[:count], cached.complete, finished=True, seconds=0.0)
    outcome = symk.top_plans(
        text, count, limits=Limits(time_s=deadline.remaining(), memory_mb=memory_mb)
    )
    plans = _in_order(task, outcome.plans, costs)
    finished = outcome.verdict in (Verdict.FOUND, Verdict.NONE)
    if finished:
        cache.store(text, plans, outcome.complete)
    return Alternatives(plans[:count], outcome.complete, finished, outcome.seconds)


def _in_order(task: Task, plans: tuple[Plan, ...], costs: Mapping[str, int]) -> tuple[Plan, ...]:
    for plan in plans:
        replayed = replay(task.sas, plan)
        if not replayed.is_valid or replayed.visits_a_state_twice:
            raise PlannerError(
                f"SymK returned a plan for {task.problem.path} that is not a simple plan of it"
            )
    return tuple(
        sorted(
            dict.fromkeys(plans),
            key=lambda plan: (sum(costs[name] for name in plan), len(plan), plan),
        )
    )

"""The alternatives of each problem, listed once and shared by all tasks and rows.

One *ladder* a problem: its k cheapest plans for each k of the study, smallest first, each
by a SymK of its own, without the cache. So every k has its own measured seconds and
its own ending, and a k that is too much does not take the smaller ones with it. Together
they cost about a ninth more than the largest alone, since each is ten times the one before.

A listing asks for as many plans more than k as any task observes of the problem, because
observed plans are not alternatives to themselves. What it finds goes into the cache of the
runs, which then only read it. Where the costs of the domain, raised to 1, are all 1, its
listings are those under unit costs and are not done twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from plancost.errors import CalledOffError, LimitError, PlannerError
from plancost.experiments.inference import (
    GROUNDING_FAILED,
    PLANNER_OUT_OF_MEMORY,
    PLANNER_OUT_OF_TIME,
    is_of_the_listing,
)
from plancost.experiments.layout import Layout
from plancost.experiments.plan import ALL, INITIAL, UNIT, Bounds, PoolPlan
from plancost.experiments.records import Content, Key, versions
from plancost.files.checksum import CHECKSUM
from plancost.observations.case import Task
from plancost.observations.grounding import ground
from plancost.observations.pddl import initial_cost, read_domain, read_problem
from plancost.observations.sas import sas_text
from plancost.oracles.alternatives import find_alternatives
from plancost.oracles.cache import PlanCache
from plancost.oracles.search import Verdict
from plancost.system.clock import Deadline
from plancost.system.processes import Limits

_REASONS = {
    Verdict.OUT_OF_TIME: PLANNER_OUT_OF_TIME,
    Verdict.OUT_OF_MEMORY: PLANNER_OUT_OF_MEMORY,
    Verdict.GAVE_UP: "planner gave up",
    Verdict.NONE: "planner found no plan",
}


@dataclass(frozen=True)
class Ladder:
    """The listings of one problem under one kind of costs, smallest k first."""

    pool: PoolPlan
    problem: str
    costs: str
    rows: tuple[str, ...]
    observed: int
    bounds: Bounds

    def key(self, row: str) -> Key:
        """What tells one listing from all others."""
        return {
            "kind": "alternatives",
            "pool": self.pool.name,
            "domain": self.pool.domain,
            "problem": self.problem,
            "costs": self.costs,
            "row": row,
            "observed": self.observed,
            "time_limit_s": self.bounds.time_s,
            "memory_limit_mb": self.bounds.memory_mb,
            **versions(),
        }


def forget_lost(ladder: Ladder, layout: Layout) -> None:
    """Remove the records of a ladder if plans that they tell of are no longer in the cache.

    All of them, so that the cache never holds less than the records say.
    """
    contents = [layout.records.load(ladder.key(row)) for row in ladder.rows]
    files = {content["cache_file"] for content in contents if content and "cache_file" in content}
    if any(not (layout.cache / name).is_file() for name in files):
        for row in ladder.rows:
            layout.records.remove(ladder.key(row))


def list_plans(ladder: Ladder, row: str, layout: Layout) -> bool:
    """Do one listing of a ladder and record it; False if that was called off.

    When the one before found all plans, or failed within the limits, this one ends in the same way.
    """
    records = layout.records
    earlier = ladder.rows[: ladder.rows.index(row)]
    before = records.load(ladder.key(earlier[-1])) if earlier else None
    if before is not None and (is_of_the_listing(before) or before["complete"]):
        _copy(before, ladder.key(row), layout)
        return True
    try:
        task, costs, grounding_s = _grounded(ladder, layout)
        if ladder.costs == INITIAL and set(costs.values()) <= {1}:
            twin = replace(ladder, costs=UNIT)
            forget_lost(twin, layout)
            if records.load(twin.key(row)) is None and not list_plans(twin, row, layout):
                return False
            _copy(records.load(twin.key(row)) or {}, ladder.key(row), layout)
            return True
        content = _listed(ladder, row, layout, task, costs)
    except CalledOffError:
        return False
    except LimitError as error:
        grounding_s = 0.0
        content = _failed(GROUNDING_FAILED, str(error))
    records.save(ladder.key(row), {**content, "grounding_seconds": round(grounding_s, 3)})
    return True


def _copy(content: Content, key: Key, layout: Layout) -> None:
    """Record the same ending under another key."""
    names = [name for name in content if name not in ("format", "key", CHECKSUM)]
    layout.records.save(key, {name: content[name] for name in names})


def _grounded(ladder: Ladder, layout: Layout) -> tuple[Task, dict[str, int], float]:
    """The task with the costs that learning would ask for, and how long grounding took."""
    deadline = Deadline.after(ladder.bounds.time_s)
    folder = layout.pool(ladder.pool)
    domain = read_domain(folder / "domain.pddl")
    problem = read_problem(folder / f"{ladder.problem}.pddl")
    limits = Limits(deadline.remaining(), ladder.bounds.memory_mb)
    task = Task.of(domain, problem, ground(domain, problem, limits))
    costs = {
        name: max(1, initial_cost(domain, problem, name)) if ladder.costs == INITIAL else 1
        for name in task.actions
    }
    return task, costs, ladder.bounds.time_s - (deadline.remaining() or 0.0)


def _listed(ladder: Ladder, row: str, layout: Layout, task: Task, costs: dict[str, int]) -> Content:
    try:
        found = find_alternatives(
            task,
            costs,
            None if row == ALL else int(row) + ladder.observed,
            cache=PlanCache(None),  # so that the seconds are those of this k
            limits=Limits(ladder.bounds.time_s, ladder.bounds.memory_mb),
        )
    except PlannerError as error:
        return _failed("planner failed", str(error))
    if found.verdict is Verdict.STOPPED:
        raise CalledOffError(f"{task.name}: listing plans was called off")
    if not found.finished:
        return _failed(_REASONS[found.verdict], f"{len(found.plans)} plans found", found.seconds)
    text = sas_text(task.sas, costs)
    PlanCache(layout.cache).store(text, found.plans, found.complete)
    return {
        "status": "solved",
        "reason": None,
        "plans": len(found.plans),
        "complete": found.complete,
        "seconds": round(found.seconds, 3),
        "cache_file": PlanCache.file_name(text),
    }


def _failed(reason: str, detail: str, seconds: float = 0.0) -> Content:
    return {
        "status": "failed",
        "reason": reason,
        "detail": detail,
        "complete": False,
        "seconds": round(seconds, 3),
    }

"""Find a cheapest plan of one problem, or its K cheapest, with the bundled planners.

One plan: a quick search first, for any plan; it bounds the optimal search, and is the answer
if that does not end in time. The optimal search is Fast Downward's or SymK's, or both side by
side. Several plans: SymK, which lists them in the order of their costs.

That there is no plan at all does not depend on costs. So when nothing is found below the
largest cost that the planners count to, the same is asked again with all costs 1.
"""

from __future__ import annotations

import enum
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from plancost.errors import InputError, PlannerError, UnsolvableError, UsageError
from plancost.observations.case import Task
from plancost.observations.grounding import ground
from plancost.observations.pddl import (
    Domain,
    Problem,
    check_same_domain,
    initial_cost,
    read_domain,
    read_problem,
)
from plancost.observations.planfile import Plan, plan_cost
from plancost.observations.sas import LARGEST_PLANNER_COST, SasTask
from plancost.oracles.alternatives import find_alternatives
from plancost.oracles.cache import PlanCache, default_directory
from plancost.oracles.portfolio import LARGEST_BOUND, PlannerPortfolio
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.planning.new_costs import NewCosts, new_costs
from plancost.progress.shown import shows_progress
from plancost.results.claims import GivenCosts
from plancost.system.clock import Deadline, Stopwatch
from plancost.system.executors import LocalExecutor
from plancost.system.memory import MemoryShares
from plancost.system.options import options_of
from plancost.system.processes import Limits
from plancost.system.progress import Progress
from plancost.system.schedule import SCHEDULE
from plancost.system.values import PathLike, as_path, real_number, shown, whole_number

_log = logging.getLogger(__name__)


class PlannerName(enum.StrEnum):
    """Who searches."""

    FAST_DOWNWARD = "fast-downward"
    SYMK = "symk"


class SolveStatus(enum.StrEnum):
    """What is known at the end."""

    PROVEN = "proven"
    """The plans are proven to be the cheapest, as many as asked for or all there are."""
    FOUND = "found"
    """There are plans, but a limit was reached before they were proven to be the cheapest."""
    UNSOLVABLE = "unsolvable"
    """Proven: the problem has no plan."""
    OUT_OF_TIME = "out of time"
    OUT_OF_MEMORY = "out of memory"
    GAVE_UP = "gave up"
    """The planner ended without a plan and without a proof."""


@dataclass(frozen=True)
class PricedPlan:
    """A plan with the cost of each step."""

    steps: Plan
    costs: tuple[int, ...]

    @property
    def cost(self) -> int:
        """What the whole plan costs."""
        return sum(self.costs)

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        steps = zip(self.steps, self.costs, strict=True)
        return {
            "cost": self.cost,
            "steps": [{"action": name, "cost": cost} for name, cost in steps],
        }


@dataclass(frozen=True)
class SolveResult:
    """Plans, cheapest first, and what is proven about them."""

    problem: Path
    status: SolveStatus
    plans: tuple[PricedPlan, ...]
    complete: bool
    """Whether these are all plans that visit no state twice (of each set of actions one)."""
    planner: str
    seconds: float
    costs: NewCosts | None
    """Where the costs come from; None: from the PDDL."""
    failures: tuple[str, ...] = ()
    """What planners failed with on the way."""

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "problem": str(self.problem),
            "status": self.status.value,
            "proven": self.status in (SolveStatus.PROVEN, SolveStatus.UNSOLVABLE),
            "complete": self.complete,
            "planner": self.planner,
            "seconds": self.seconds,
            "plans": [plan.to_json() for plan in self.plans],
            "costs": None if self.costs is None else self.costs.to_json(),
            **({"failures": list(self.failures)} if self.failures else {}),
        }


@dataclass(frozen=True)
class SolveOptions:
    """How to search. None as the planner: both side by side, or SymK for several plans."""

    planner: PlannerName | None = None
    count: int = 1
    time_limit_s: float | None = None
    started_at: float | None = None
    """When the time began to run, on `time.monotonic`; None: when the work begins."""
    memory_limit_mb: int | None = None
    use_cache: bool = True

    def __post_init__(self) -> None:
        if self.planner is not None:
            try:
                object.__setattr__(self, "planner", PlannerName(self.planner))
            except ValueError as error:
                words = " or ".join(name.value for name in PlannerName)
                raise UsageError(f"planner is {words}, not '{self.planner}'") from error
        count = whole_number(self.count)
        if count is None or count < 1:
            raise UsageError("--count takes a whole number of at least 1")
        object.__setattr__(self, "count", count)
        for name, unit in (("time_limit_s", "number of seconds"), ("memory_limit_mb", "number")):
            value = getattr(self, name)
            if value is not None and (real_number(value) or 0) <= 0:
                raise UsageError(f"{name} takes a {unit} above 0, not {shown(value)}")
        if self.count > 1 and self.planner is PlannerName.FAST_DOWNWARD:
            raise UsageError("--count above 1 needs SymK; Fast Downward finds one plan")

    @property
    def executor(self) -> LocalExecutor:
        """Where planners run, and within what memory."""
        limit = self.memory_limit_mb
        return LocalExecutor.within(1, None if limit is None else MemoryShares.of(limit))


@shows_progress
def solve(
    problem: PathLike,
    *,
    domain: PathLike,
    costs: GivenCosts | None = None,
    default_cost: int | None = None,
    options: SolveOptions | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> SolveResult:
    """Find the cheapest plans of a problem, under given costs or those in its PDDL.

    Args:
        problem: The PDDL problem.
        domain: Its PDDL domain.
        costs: The path of a RESULT.json or of a plain file of costs, costs by action, or a
            result; None: the costs in the PDDL.
        default_cost: Of actions that `costs` does not name; None: the median of their schema.
        options: How to search; None: the defaults.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done.
        keywords: Single options, such as ``count=3`` or ``time_limit_s=60``.

    Returns:
        The plans, cheapest first, and whether they are proven to be the cheapest.

    Raises:
        InputError: A file is wrong, or the costs are of another domain.
        UsageError: The options are wrong.
        PlannerError: The planners are not installed, or all of them failed.
    """
    assert not isinstance(progress, bool)
    options = options_of(SolveOptions, options, keywords)
    problem = as_path(problem, "problem")
    stopwatch = Stopwatch()
    deadline = Deadline.after(options.time_limit_s, options.started_at)
    the_domain, the_problem = read_domain(as_path(domain, "domain")), read_problem(problem)
    check_same_domain(the_domain, the_problem)
    progress("grounding", 0, 1)
    try:
        work = partial(ground, the_domain, the_problem)
        sas = options.executor.run(work, Limits(deadline.remaining()))
    except UnsolvableError:
        seconds = stopwatch.seconds()["total"]
        unsolvable = SolveStatus.UNSOLVABLE
        return SolveResult(problem, unsolvable, (), True, "translator", seconds, None)
    found, priced = _costs(the_domain, the_problem, sas, costs, default_cost)
    task = Task.of(the_domain, the_problem, sas)
    progress("grounding", 1, 1, f"{len(priced)} actions")
    search = _Search(task, priced, options, deadline, partial(progress, "searching", 0, 1))
    words = (problem, len(priced), min(priced.values(), default=0), max(priced.values(), default=0))
    _log.info("%s: %d actions that cost %d to %d", *words)
    answer = search.several() if options.count > 1 else search.one()
    _log.info("%s: %s, %d plans", answer.planner, answer.status.value, len(answer.plans))
    return SolveResult(
        problem,
        answer.status,
        tuple(PricedPlan(plan, tuple(priced[step] for step in plan)) for plan in answer.plans),
        answer.complete,
        answer.planner,
        stopwatch.seconds()["total"],
        found,
        search.failures,
    )


def _costs(
    domain: Domain,
    problem: Problem,
    sas: SasTask,
    given: GivenCosts | None,
    default_cost: int | None,
) -> tuple[NewCosts | None, dict[str, int]]:
    """The cost of every action, and where they come from if not from the PDDL."""
    if given is not None:
        found = new_costs(given, domain, sas.operators_by_name, default_cost, problem)
        return found, found.costs
    if default_cost is not None:
        raise UsageError("--default-cost is for actions that --costs does not name")
    return None, {name: initial_cost(domain, problem, name) for name in sas.operators_by_name}


@dataclass(frozen=True)
class _Answer:
    status: SolveStatus
    plans: tuple[Plan, ...]
    planner: str
    complete: bool = False


class _Search:
    """The search for plans of one task under fixed costs."""

    def __init__(
        self,
        task: Task,
        costs: dict[str, int],
        options: SolveOptions,
        deadline: Deadline,
        say: Callable[[str], None],
    ) -> None:
        self._task = task
        self._costs = costs
        self._options = options
        self._deadline = deadline
        self._say = say
        only = None if options.planner is None else options.planner.value
        self._planners = PlannerPortfolio([task], None, only, options.executor)

    def one(self) -> _Answer:
        """A cheapest plan."""
        self._say("")
        known = self._first_plan()
        upper_bound = LARGEST_BOUND - 1 if known is None else self._cost(known)
        if known is not None:
            _log.info("a first plan costs %d; looking for a cheaper one", upper_bound)
            self._say(f"a plan that costs {upper_bound}")
        proving = self._deadline.share(SCHEDULE.proving)
        outcome = self._planners.optimal(0, self._costs, upper_bound, proving)
        if outcome.verdict is Verdict.FOUND:
            return _Answer(SolveStatus.PROVEN, outcome.plans[:1], outcome.planner)
        if outcome.verdict is Verdict.NONE:
            if known is None:
                return self._none_below_the_limit(outcome)
            self._planners.failures.note(
                f"{outcome.planner} says that {self._task.name} has no plan, but there is one"
            )
        _log.info("%s: %s; looking for any better plan", outcome.planner, outcome.verdict.value)
        best = self._improved(known)
        if best is not None:
            return _Answer(SolveStatus.FOUND, (best,), outcome.planner)
        self._require_an_answer(outcome)
        return _Answer(_STATUS[outcome.verdict], (), outcome.planner)

    def _first_plan(self) -> Plan | None:
        """Any plan that the planners can count, if there is one soon."""
        if self._options.planner is PlannerName.SYMK:
            return None
        until = self._deadline.within(SCHEDULE.first_plan_s).share(SCHEDULE.first_plan)
        return self._planners.first_plan(0, self._costs, until)

    def _improved(self, known: Plan | None) -> Plan | None:
        """The best plan that quick searches find in the time that is left."""
        while True:
            bound = LARGEST_BOUND if known is None else self._cost(known)
            better = self._planners.quickly_below(
                0, self._costs, bound, self._deadline, patience_s=SCHEDULE.cheaper_plan_s
            )
            if better is None:
                return known
            known = better

    def _none_below_the_limit(self, outcome: SearchOutcome) -> _Answer:
        """Whether there is no plan at all, or none that the planners can count."""
        if max(self._costs.values(), default=0) > 1 and not self._planners.found(0):
            ones = dict.fromkeys(self._costs, 1)
            outcome = self._planners.optimal(0, ones, LARGEST_BOUND - 1, self._deadline)
        if found := self._planners.found(0):
            return _Answer(SolveStatus.FOUND, (min(found, key=self._cost),), outcome.planner)
        if outcome.verdict is Verdict.NONE:
            return _Answer(SolveStatus.UNSOLVABLE, (), outcome.planner, complete=True)
        self._require_an_answer(outcome)
        return _Answer(_STATUS[outcome.verdict], (), outcome.planner)

    def _require_an_answer(self, outcome: SearchOutcome) -> None:
        """An error if there is nothing to say because planners failed."""
        if outcome.verdict is Verdict.FAILED:
            raise PlannerError(self.failures[-1])

    @property
    def failures(self) -> tuple[str, ...]:
        """What planners failed with."""
        return self._planners.failures.said

    def several(self) -> _Answer:
        """The cheapest plans that visit no state twice, one of each set of actions."""
        self._say(f"{self._options.count} cheapest plans")
        greatest = max(self._costs.values(), default=0)
        if greatest > LARGEST_PLANNER_COST:
            raise InputError(
                f"SymK counts in 32 bits and cannot list plans with an action that costs {greatest}"
            )
        found = find_alternatives(
            self._task,
            self._costs,
            self._options.count,
            cache=PlanCache(default_directory() if self._options.use_cache else None),
            limits=Limits(self._deadline.remaining()),
            executor=self._options.executor,
        )
        name = "SymK"
        if not found.finished:
            status = SolveStatus.FOUND if found.plans else _STATUS[found.verdict]
            return _Answer(status, found.plans, name)
        status = SolveStatus.PROVEN if found.plans else SolveStatus.UNSOLVABLE
        return _Answer(status, found.plans, name, found.complete)

    def _cost(self, plan: Plan) -> int:
        return plan_cost(plan, self._costs)


_STATUS = {
    Verdict.OUT_OF_TIME: SolveStatus.OUT_OF_TIME,
    Verdict.OUT_OF_MEMORY: SolveStatus.OUT_OF_MEMORY,
    Verdict.GAVE_UP: SolveStatus.GAVE_UP,
    Verdict.STOPPED: SolveStatus.GAVE_UP,
}

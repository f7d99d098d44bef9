"""Is there a plan below a bound? Cheapest question first, and the faster planner last.

A search that is not after the best plan finds one quickly where there is one. That there
is none takes an exhaustive search; which planner is faster at that differs from task to task,
so the first time both run side by side, and the winner is remembered. So is every proof: the
check of an answer asks again what learning asked last.

Both planners count in 32 bits. An action that costs more than the bound is in no plan
below it (nor in one as expensive as the bound), so it is left out; that also keeps priced-out
actions away from the planners.

A planner that fails has said nothing: it is as if it had run out of time, except that the
failure is noted. Side by side, the other one may still have the answer.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from functools import partial

from plancost.errors import ClusterError, PlannerError
from plancost.observations.case import Task
from plancost.observations.planfile import Plan, plan_cost
from plancost.observations.replay import replay
from plancost.observations.sas import LARGEST_PLANNER_COST, sas_text
from plancost.oracles import fast_downward, symk
from plancost.oracles.failures import Failures
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.system.clock import Deadline
from plancost.system.executors import Executor, LocalExecutor
from plancost.system.processes import Limits
from plancost.system.schedule import SCHEDULE
from plancost.system.workers import Workers

_log = logging.getLogger(__name__)

Search = Callable[[threading.Event | None], SearchOutcome]

LARGEST_BOUND = LARGEST_PLANNER_COST // 4
"""Plans that cost more are not trusted to 32-bit planners."""
_SIDE_BY_SIDE = ("fast-downward", "symk")
"""The planners that run at the same time where none is asked for by name."""
_ANSWERS = (Verdict.FOUND, Verdict.NONE)


@dataclass(frozen=True)
class Below:
    """A plan below the bound; or, if `proven`, that there is none; or neither."""

    plan: Plan | None
    proven: bool


class PlannerPortfolio:
    """Looks for plans below a bound, and remembers proofs and who is fast at which task."""

    def __init__(
        self,
        tasks: Sequence[Task],
        memory_mb: int | None,
        planner: str | None = None,
        executor: Executor = LocalExecutor(),  # noqa: B008 (frozen)
        observed: Sequence[Sequence[Plan]] = (),
    ) -> None:
        """`observed` are plans of each task that are known from the start."""
        self._tasks = tasks
        self._memory_mb = memory_mb
        self._only = planner
        self._executor = executor
        self._winner: dict[int, str] = {}
        self._quick_s: dict[int, float] = {}
        self._found = {task: dict.fromkeys(plans) for task, plans in enumerate(observed)}
        self._proven: set[tuple[int, str, int]] = set()
        self.failures = Failures()
        """What planners failed with so far."""

    def below(
        self,
        task: int,
        costs: Mapping[str, int],
        bound: int,
        deadline: Deadline,
        actions: frozenset[str] | None = None,
    ) -> Below:
        """A plan of the task that costs less than the bound, or the proof that none does.

        `actions` restricts the actions that may be used.
        """
        if bound > LARGEST_BOUND:
            return Below(None, proven=False)
        known = self._knows_plan(task, costs, bound, actions)
        text = self.text(task, costs, bound, actions)
        key = (task, hashlib.sha256(text.encode()).hexdigest(), bound)
        if key in self._proven:
            return Below(None, proven=True)
        if deadline.is_over:
            return Below(None, proven=False)
        if self._only != "symk":
            quick = self._quick(task, text, bound, deadline, known=known)
            plan = _cheaper(quick, costs, bound)
            if plan is not None:
                return Below(plan, proven=True)
            if quick.verdict is Verdict.NONE:
                self._proven.add(key)
                return Below(None, proven=True)
        outcome = self._exhaust(task, text, bound, deadline, known=known)
        plan = _cheaper(outcome, costs, bound)
        if plan is None and outcome.verdict in _ANSWERS:
            self._proven.add(key)
            return Below(None, proven=True)
        return Below(plan, proven=plan is not None)

    def quickly_below(
        self,
        task: int,
        costs: Mapping[str, int],
        bound: int,
        deadline: Deadline,
        *,
        patience_s: float | None = None,
    ) -> Plan | None:
        """A plan below the bound, if one is found quickly; None says nothing.

        With `patience_s` quickly means within so many seconds.
        """
        if self._only == "symk" or bound > LARGEST_BOUND or deadline.is_over:
            return None
        quick = self._quick(task, self.text(task, costs, bound), bound, deadline, patience_s)
        return _cheaper(quick, costs, bound)

    def _quick(
        self,
        task: int,
        text: str,
        bound: int,
        deadline: Deadline,
        patience_s: float | None = None,
        *,
        known: bool = False,
    ) -> SearchOutcome:
        patience = deadline.within(patience_s or self._quick_s.get(task, SCHEDULE.quick_s[1]))
        work = partial(fast_downward.any_plan_below, text, bound)

        def ask() -> SearchOutcome:
            outcome = self._executor.run(work, self._limits(patience))
            if known and outcome.unsolvable:
                raise self._denial(task, outcome)
            return outcome

        return self._ask(task, ask)

    def found(self, task: int) -> list[Plan]:
        """The plans of a task that were observed or found so far, all of them replayed."""
        return list(self._found.get(task, ()))

    def task(self, number: int) -> Task:
        """The task of this number."""
        return self._tasks[number]

    def proves_none_below(self, task: int, costs: Mapping[str, int], bound: int) -> bool:
        """Whether it is known already that no plan costs less than the bound."""
        text = self.text(task, costs, bound)
        return (task, hashlib.sha256(text.encode()).hexdigest(), bound) in self._proven

    def optimal(
        self, task: int, costs: Mapping[str, int], upper_bound: int, deadline: Deadline
    ) -> SearchOutcome:
        """A cheapest plan of the task if that costs no more than `upper_bound`."""
        text = self.text(task, costs, upper_bound)
        known = self._knows_plan(task, costs, upper_bound)
        outcome = self._exhaust(task, text, upper_bound + 1, deadline, known=known)
        if any(plan_cost(plan, costs) > upper_bound for plan in outcome.plans):
            # SymK knows no bound. Without the actions that were left out this may be the
            # cheapest plan, with them it need not be.
            return replace(outcome, verdict=Verdict.NONE, plans=())
        return outcome

    def text(
        self,
        task: int,
        costs: Mapping[str, int],
        bound: int,
        actions: frozenset[str] | None = None,
    ) -> str:
        """The task without the actions that cost more than the bound."""
        return sas_text(
            self._tasks[task].sas,
            costs,
            keep=lambda name: costs[name] <= bound and (actions is None or name in actions),
        )

    def top_plans(
        self, task: int, text: str, count: int, deadline: Deadline, *, ordered: bool
    ) -> SearchOutcome:
        """The cheapest plans of a task that was made a text. See `symk.top_plans`."""
        work = partial(symk.top_plans, text, count, ordered=ordered)
        return self._ask(task, lambda: self._executor.run(work, self._limits(deadline)))

    def _limits(self, deadline: Deadline) -> Limits:
        """What a planner may use until the deadline."""
        return Limits(deadline.remaining(), self._memory_mb)

    def _exhaust(
        self, task: int, text: str, bound: int, deadline: Deadline, *, known: bool
    ) -> SearchOutcome:
        """Optimal search by the planner that is known to be the faster one here.

        If a plan is `known` that costs no more than the bound, there is one to be found, and a
        planner that finds none is wrong.
        """
        only = self._only or self._winner.get(task)
        if only is None and self._executor.most_programs < len(_SIDE_BY_SIDE):
            only = _SIDE_BY_SIDE[0]
        planner = only or ""

        def ask() -> SearchOutcome:
            nonlocal planner
            planner, found = self._executor.run(
                partial(exhaust, text, bound, only),
                self._limits(deadline),
                programs=len(_SIDE_BY_SIDE) if only is None else 1,
            )
            if known and found.verdict is Verdict.NONE and found.witness is None:
                raise self._denial(task, found)
            return found

        outcome = self._ask(task, ask)
        words = (self._tasks[task].name, bound, outcome.verdict.value, planner, outcome.seconds)
        _log.debug("%s: a plan below %d: %s (%s, %.2f s)", *words)
        if outcome.verdict in _ANSWERS:
            self._winner[task] = planner
            least, _, most = SCHEDULE.quick_s
            self._quick_s[task] = min(max(least, outcome.seconds), most)
        return outcome

    def _knows_plan(
        self,
        task: int,
        costs: Mapping[str, int],
        bound: int,
        actions: frozenset[str] | None = None,
    ) -> bool:
        """Whether a plan of these actions is known that costs no more than the bound."""
        return bound > 0 and any(
            plan_cost(plan, costs) <= bound and (actions is None or actions.issuperset(plan))
            for plan in self.found(task)
        )

    def _denial(self, task: int, outcome: SearchOutcome) -> PlannerError:
        name = self._tasks[task].name
        return PlannerError(f"{outcome.planner} does not find a plan of {name} that is known")

    def _ask(self, task: int, question: Callable[[], SearchOutcome]) -> SearchOutcome:
        """What a planner says, once all its plans have been tried out; FAILED if it fails."""
        if not self.failures.are_too_many:
            try:
                outcome = self._replayed(task, question())
            except (PlannerError, ClusterError) as error:
                self.failures.note(error)
            else:
                for failure in outcome.failures:
                    self.failures.note(failure)
                self.failures.note_success()
                return outcome
        return SearchOutcome(Verdict.FAILED, (), 0.0, "")

    def _replayed(self, task: int, outcome: SearchOutcome) -> SearchOutcome:
        """What a planner says, once all its plans have been tried out."""
        plans = outcome.plans if outcome.witness is None else (*outcome.plans, outcome.witness)
        for plan in plans:
            if not replay(self._tasks[task].sas, plan).is_valid:
                raise PlannerError(
                    f"{outcome.planner} returned a plan that does not solve "
                    f"{self._tasks[task].name}"
                )
        self._found.setdefault(task, {}).update(dict.fromkeys(plans))
        return outcome


def _cheaper(outcome: SearchOutcome, costs: Mapping[str, int], bound: int) -> Plan | None:
    """The plan found, if it is below the bound."""
    return next((plan for plan in outcome.plans if plan_cost(plan, costs) < bound), None)


def exhaust(
    text: str, bound: int, planner: str | None, *, limits: Limits
) -> tuple[str, SearchOutcome]:
    """Optimal search below a bound by a planner (None: side by side), and who had the answer."""
    searches: dict[str, Search] = {
        "fast-downward": lambda stop: fast_downward.optimal_plan_below(
            text, bound, limits=limits, stop=stop
        ),
        "symk": lambda stop: symk.optimal_plan(text, limits=limits, stop=stop),
    }
    if planner is not None:
        return planner, searches[planner](None)
    return _race({name: searches[name] for name in _SIDE_BY_SIDE})


def _race(searches: dict[str, Search]) -> tuple[str, SearchOutcome]:
    """Run all side by side; the first with an answer stops the others.

    One that fails leaves it to the others, and what it failed with goes with their outcome.
    """
    stop = threading.Event()
    with Workers(len(searches)) as pool:
        running: dict[Future[SearchOutcome], str] = {
            pool.submit(partial(search, stop)): name for name, search in searches.items()
        }
        try:
            last: tuple[str, SearchOutcome] | None = None
            failures: list[PlannerError] = []
            pending = set(running)
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    try:
                        outcome = future.result()
                    except PlannerError as error:
                        failures.append(error)
                        continue
                    last = running[future], outcome
                    if outcome.verdict in _ANSWERS:
                        pending = set()
                        break
            if last is None:
                raise failures[0]
            return last[0], replace(last[1], failures=tuple(map(str, failures)))
        finally:
            stop.set()

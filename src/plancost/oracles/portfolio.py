"""Is there a plan below a bound? Cheapest question first, and the faster planner last.

A search that is not after the best plan finds one quickly where there is one. That there
is none takes an exhaustive search. Which planner is faster at that differs from task to task, and
with how many actions of average cost fit below the bound: the fewer, the shorter is the search. So
the first time both run side by side, and the winner is remembered; the one that has won more such
races is asked alone about other tasks first. Every proof is remembered as well: the check of an
answer asks again what learning asked last.

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
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from functools import cached_property, partial

from plancost.errors import ClusterError, PlannerError
from plancost.observations.case import Task
from plancost.observations.planfile import Plan, plan_cost
from plancost.observations.replay import replay
from plancost.observations.sas import LARGEST_PLANNER_COST, sas_text
from plancost.oracles import fast_downward, symk
from plancost.oracles.failures import Failures
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.system.clock import Deadline
from plancost.system.executors import Executor, LocalExecutor, Work
from plancost.system.processes import Limits
from plancost.system.schedule import SCHEDULE
from plancost.system.workers import Workers

_log = logging.getLogger(__name__)

LARGEST_BOUND = LARGEST_PLANNER_COST // 4
"""Plans that cost more are not trusted to 32-bit planners."""
_SIDE_BY_SIDE = ("fast-downward", "symk")
"""The planners that run at the same time where none is asked for by name."""
_RACES = 2
"""After so many races, who has won more is taken to be the faster one for other tasks too."""
_ANSWERS = (Verdict.FOUND, Verdict.NONE)
_OPTION = {fast_downward.FAST_DOWNWARD.name: "fast-downward", symk.SYMK.name: "symk"}
"""How users name each planner."""


@dataclass(frozen=True)
class Below:
    """A plan below the bound; or, if `proven`, that there is none; or neither."""

    plan: Plan | None
    proven: bool


@dataclass(frozen=True)
class _Question:
    """Is there a plan of a task, as a SAS+ text, below a bound?

    If a plan is `known` that costs no more than the bound, there is one to be found, and a
    planner that finds none is wrong.
    """

    task: int
    text: str
    bound: int
    known: bool = False
    depth: int = 0
    """For an exhaustive search: how many actions of average cost fit below the bound, as a power of
    two."""

    @cached_property
    def key(self) -> tuple[int, str, int]:
        """The same for questions with one answer."""
        return self.task, hashlib.sha256(self.text.encode()).hexdigest(), self.bound


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
        self._winner: dict[tuple[int, int], str] = {}
        self._wins: dict[int, list[tuple[str, float]]] = {}
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
        question = _Question(task, text, bound, known, _depth(self._tasks[task], costs, bound))
        if question.key in self._proven:
            return Below(None, proven=True)
        if deadline.is_over:
            return Below(None, proven=False)
        if self._only != "symk":
            quick = self._quick(question, deadline)
            plan = _cheaper(quick, costs, bound)
            if plan is not None:
                return Below(plan, proven=True)
            if quick.verdict is Verdict.NONE:
                self._proven.add(question.key)
                return Below(None, proven=True)
        outcome = self._exhaust(question, deadline)
        plan = _cheaper(outcome, costs, bound)
        if plan is None and outcome.verdict in _ANSWERS:
            self._proven.add(question.key)
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
        question = _Question(task, self.text(task, costs, bound), bound)
        return _cheaper(self._quick(question, deadline, patience_s), costs, bound)

    def first_plan(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Plan | None:
        """Any plan that the planners can count, if there is one soon; None says nothing."""
        text = self.text(task, costs, LARGEST_BOUND - 1)
        outcome = self._ask(task, partial(fast_downward.first_plan, text), deadline)
        return _cheaper(outcome, costs, LARGEST_BOUND)

    def found(self, task: int) -> list[Plan]:
        """The plans of a task that were observed or found so far, all of them replayed."""
        return list(self._found.get(task, ()))

    def task(self, number: int) -> Task:
        """The task of this number."""
        return self._tasks[number]

    def proves_none_below(self, task: int, costs: Mapping[str, int], bound: int) -> bool:
        """Whether it is known already that no plan costs less than the bound."""
        return _Question(task, self.text(task, costs, bound), bound).key in self._proven

    def optimal(
        self, task: int, costs: Mapping[str, int], upper_bound: int, deadline: Deadline
    ) -> SearchOutcome:
        """A cheapest plan of the task if that costs no more than `upper_bound`."""
        known = self._knows_plan(task, costs, upper_bound)
        text = self.text(task, costs, upper_bound)
        depth = _depth(self._tasks[task], costs, upper_bound)
        question = _Question(task, text, upper_bound + 1, known, depth)
        outcome = self._exhaust(question, deadline)
        if any(plan_cost(plan, costs) > upper_bound for plan in outcome.plans):
            # SymK is given no bound here. Without the actions that were left out this may be the
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
        self, task: int, text: str, count: int, deadline: Deadline, *, below: int, ordered: bool
    ) -> SearchOutcome:
        """The cheapest plans of a task that was made a text. See `symk.top_plans`."""
        work = partial(symk.top_plans, text, count, below=below, ordered=ordered)
        return self._ask(task, work, deadline)

    def _quick(
        self, question: _Question, deadline: Deadline, patience_s: float | None = None
    ) -> SearchOutcome:
        """Search for any plan, for a short time."""
        seconds = patience_s or self._quick_s.get(question.task, SCHEDULE.quick_s[1])
        work = partial(fast_downward.any_plan_below, question.text, question.bound)
        return self._ask(
            question.task,
            work,
            deadline.within(seconds),
            denies=lambda outcome: question.known and outcome.unsolvable,
        )

    def _exhaust(self, question: _Question, deadline: Deadline) -> SearchOutcome:
        """Optimal search by the planner that is known to be the faster one here, or by both.

        One that was the faster one for other tasks gets some time before both are asked.
        """
        wins = self._wins.get(question.depth, [])
        only = self._only or self._winner.get((question.task, question.depth))
        leader = _leader([planner for planner, _ in wins])
        if only is None and leader is not None:
            longest_s = max(seconds for _, seconds in wins)
            until = deadline.within(max(SCHEDULE.leader_s, SCHEDULE.leader_times * longest_s))
            outcome = self._exhaust_by(leader, question, until)
            if outcome.verdict in _ANSWERS or deadline.is_over:
                return outcome
        if only is None and self._executor.most_programs < len(_SIDE_BY_SIDE):
            only = _SIDE_BY_SIDE[0]
        outcome = self._exhaust_by(only, question, deadline)
        if only is None and outcome.verdict in _ANSWERS:
            won = self._winner[question.task, question.depth], outcome.seconds
            self._wins.setdefault(question.depth, []).append(won)
        return outcome

    def _exhaust_by(
        self, only: str | None, question: _Question, deadline: Deadline
    ) -> SearchOutcome:
        """Optimal search by one planner; None: by both, side by side."""
        task = question.task
        outcome = self._ask(
            task,
            partial(exhaust, question.text, question.bound, only),
            deadline,
            programs=len(_SIDE_BY_SIDE) if only is None else 1,
            denies=lambda outcome: (
                question.known and outcome.verdict is Verdict.NONE and outcome.witness is None
            ),
        )
        planner = only or _OPTION.get(outcome.planner, outcome.planner)
        words = (outcome.verdict.value, planner, outcome.seconds)
        name = self._tasks[task].name
        _log.debug("%s: a plan below %d: %s (%s, %.2f s)", name, question.bound, *words)
        if outcome.verdict in _ANSWERS:
            self._winner[task, question.depth] = _OPTION[outcome.planner]
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

    def _ask(
        self,
        task: int,
        work: Work[SearchOutcome],
        deadline: Deadline,
        *,
        programs: int = 1,
        denies: Callable[[SearchOutcome], bool] = lambda _: False,
    ) -> SearchOutcome:
        """What a planner says, once all its plans have been tried out; FAILED if it fails.

        It fails too if it `denies` that there is a plan which is known.
        """
        if not self.failures.are_too_many:
            limits = Limits(deadline.remaining(), self._memory_mb)
            try:
                outcome = self._executor.run(work, limits, programs=programs)
                self._keep_plans(task, outcome, denied=denies(outcome))
            except (PlannerError, ClusterError) as error:
                self.failures.note(error)
            else:
                for failure in outcome.failures:
                    self.failures.note(failure)
                self.failures.note_success()
                return outcome
        return SearchOutcome(Verdict.FAILED, (), 0.0, "")

    def _keep_plans(self, task: int, outcome: SearchOutcome, *, denied: bool) -> None:
        """Keep the plans that a planner found, once they have been tried out."""
        name = self._tasks[task].name
        if denied:
            raise PlannerError(f"{outcome.planner} does not find a plan of {name} that is known")
        plans = outcome.plans if outcome.witness is None else (*outcome.plans, outcome.witness)
        for plan in plans:
            if not replay(self._tasks[task].sas, plan).is_valid:
                raise PlannerError(f"{outcome.planner} returned a plan that does not solve {name}")
        self._found.setdefault(task, {}).update(dict.fromkeys(plans))


def _leader(winners: Sequence[str]) -> str | None:
    """Who has won more races than the other, if there were enough of them."""
    (first, wins), *others = Counter(winners).most_common() or [("", 0)]
    is_ahead = len(winners) >= _RACES and all(wins > less for _, less in others)
    return first if is_ahead else None


def _depth(task: Task, costs: Mapping[str, int], bound: int) -> int:
    """How many actions of average cost fit below a bound, as a power of two."""
    kept = [costs[name] for name in task.actions if costs[name] <= bound]
    return (bound * len(kept) // max(1, sum(kept))).bit_length()


def _cheaper(outcome: SearchOutcome, costs: Mapping[str, int], bound: int) -> Plan | None:
    """The plan found, if it is below the bound."""
    return next((plan for plan in outcome.plans if plan_cost(plan, costs) < bound), None)


def exhaust(text: str, bound: int, planner: str | None, *, limits: Limits) -> SearchOutcome:
    """Optimal search below a bound by a planner; None: by several, side by side."""
    searches: dict[str, Callable[..., SearchOutcome]] = {
        "fast-downward": partial(fast_downward.optimal_plan_below, text, bound, limits=limits),
        "symk": partial(symk.optimal_plan, text, limits=limits),
    }
    if planner is not None:
        return searches[planner]()
    return _race([searches[name] for name in _SIDE_BY_SIDE])


def _race(searches: Collection[Callable[..., SearchOutcome]]) -> SearchOutcome:
    """Run all side by side; the first with an answer stops the others.

    One that fails leaves it to the others, and what it failed with goes with their outcome.
    """
    stop = threading.Event()
    outcome: SearchOutcome | None = None
    failures: list[PlannerError] = []
    with Workers(len(searches)) as pool:
        try:
            for future in as_completed([pool.submit(search, stop=stop) for search in searches]):
                try:
                    outcome = future.result()
                except PlannerError as error:
                    failures.append(error)
                    continue
                if outcome.verdict in _ANSWERS:
                    break
        finally:
            stop.set()
    if outcome is None:
        raise failures[0]
    return replace(outcome, failures=tuple(map(str, failures)))

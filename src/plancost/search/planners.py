"""Fast Downward and SymK: is there a cheaper plan, which are the cheapest, are there others?

A search that is not after the best plan finds one quickly where there is one. That there is none
takes an exhaustive search: A* by Fast Downward, which starts in milliseconds, and where that
takes long, SymK beside it. A planner that fails is as one that ran out of time as long as the
other one answers; else the failure is a `PlannerError`.

A question is a task with costs as SAS+ text. An action that costs more than the bound is in no plan
below it, so it is left out; that also keeps large costs away from the planners, which count in 32
bits. Every plan that comes back is replayed in our own world and its cost added up, and whoever
denies a plan that was observed is wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar

from plancost.case.model import Actions, Case, Network
from plancost.clock import Clock
from plancost.errors import LimitError, PlannerError
from plancost.processes import Limits, usable_cores
from plancost.search.downward import (
    ARRIVAL,
    FAST_DOWNWARD,
    LARGEST_COST,
    SYMK,
    Answer,
    Costs,
    Program,
    SasTask,
    Verdict,
    sas_of_network,
    sas_of_pddl,
    symk_proofs,
)
from plancost.search.redundant import Simulated, simulated

LARGEST_BOUND = LARGEST_COST // 4
"""Plans that cost more are not entrusted to planners."""
_ALONE_S = 10.0
"""For the planner that was the faster one, before the other one joins in (barman-10_0: Fast
Downward takes 9 to 18 s a task, SymK 10 to 40 s)."""
_SILENCE_S = 10.0
"""Listing all plans, SymK may run in a circle without a word, most often when it has them all."""

_PATTERNS = "ipdb(max_time=10,pdb_max_size=50000,collection_max_size=500000)"
"""Larger databases, the planner's default, take longer to build than they save."""
_ANY_PLAN = "let(h,ff(),eager_wastar([h],preferred=[h],w=2,reopen_closed=true,bound={bound}))"
"""Greedy search finds none where this does, and what it says of bounds is not true."""
_TOP_K = (
    "symk_{direction}({bound}simple=true,plan_selection={order}(num_plans={count},dump_plans=true))"
)
T = TypeVar("T")

_MOST_LISTED = 2000
"""If so many plans in a list are all known, nobody looks for another one."""

_PROGRAMS = (FAST_DOWNWARD, SYMK)
ANSWERS = (Verdict.FOUND, Verdict.NONE)
"""What ends a search for good."""


@dataclass(frozen=True)
class Search:
    """What is known after a search: plans, the cheapest first, and the cost of that one."""

    verdict: Verdict
    plans: tuple[Actions, ...] = ()
    cost: int | None = None
    complete: bool = False
    """Proven that there are no more plans like these."""


@dataclass(frozen=True)
class Question:
    """Is there a plan that costs at most so much?"""

    task: int
    sas: SasTask
    text: str
    costs: Costs
    most: int | None
    """Operators that cost more are not in the text."""
    largest_cost: int


class Planners:
    """Asks planners about the tasks of a case; each task is translated once."""

    def __init__(
        self, case: Case, *, memory_mb: int | None = None, jobs: int | None = None
    ) -> None:
        """The memory limit is one for each program."""
        self._case = case
        self.jobs = jobs or usable_cores()
        """Questions at a time."""
        self._stop = threading.Event()
        self._memory_mb = memory_mb
        self._tasks: dict[int, SasTask] = {}
        self._simulated: dict[int, Simulated] = {}
        self._numbers = {name: number for number, name in enumerate(case.actions)}
        self._leader: dict[int, Program] = {}
        self._cheapest: dict[tuple[int, tuple[int, ...]], Search] = {}
        """By task and costs: learner and check ask the same (barman-10_0: 110 s each time)."""
        self.ran_out_of_memory = False
        """Whether a question has no answer for that reason."""

    def together(self, questions: Sequence[Callable[[], T]]) -> list[T]:
        """Ask several at a time; whatever ends this early ends the planners.

        Barman's ten plans are proven in half the time.
        """
        self._stop.clear()
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                return list(pool.map(lambda ask: ask(), questions))
            except BaseException:
                self._stop.set()
                raise

    def solves(self, task: int, plan: Actions) -> bool:
        """Whether a sequence of actions is a plan of the task."""
        item = self._case.tasks[task]
        if item.world not in self._simulated:
            self._simulated[item.world] = simulated(self._case.worlds[item.world])
        return self._simulated[item.world].solves(item, plan)

    def any_below(self, task: int, costs: Costs, bound: int, clock: Clock) -> Search:
        """Any plan that costs less than the bound, soon; or NONE if it turns out so."""
        known = self._cheapest.get((task, tuple(map(int, costs))))
        if known is not None:
            return _at_most(known, bound - 1)
        question = self._ask(task, costs, bound - 1, clock)
        if isinstance(question, Search):
            return question
        search = _ANY_PLAN.format(bound=bound)
        limits = self._limits(clock)
        try:
            answer = FAST_DOWNWARD.search(question.text, search, limits, self._stop.is_set)
            found = self._believed(FAST_DOWNWARD, question, answer)
        except PlannerError:  # the search for the cheapest will say so, unless SymK helps
            return Search(Verdict.GAVE_UP)
        if found.verdict is Verdict.NONE and not question.sas.is_simple:
            return Search(Verdict.GAVE_UP)  # with axioms it may see dead ends that are none
        return found

    def cheapest(self, task: int, costs: Costs, clock: Clock, *, most: int | None = None) -> Search:
        """A cheapest plan, if it costs at most so much; NONE is a proof that it does not."""
        key, observed = (task, tuple(map(int, costs))), self._observed(task, costs)
        if most is None and observed is not None:
            most = observed.cost
        if key not in self._cheapest:
            question = self._ask(task, costs, most, clock)
            if isinstance(question, Search):
                return question
            found = self._exhaust(question, clock)
            if observed and most is not None and found.cost == observed.cost == most + 1:
                found = observed  # none costs less, and the planner found one that costs as much
            if found.verdict is not Verdict.FOUND:
                return Search(found.verdict)
            self._cheapest[key] = found
        return _at_most(self._cheapest[key], most)

    def top_k(
        self,
        task: int,
        costs: Costs,
        count: int | None,
        clock: Clock,
        *,
        most: int | None = None,
        ordered: bool = False,
    ) -> Search:
        """The so many cheapest plans that visit no state twice; None: all of them.

        Unless `ordered`, one ordering stands for all orderings of the same actions. Plans that
        cost more than `most` are not asked for. `complete`: there are no more. Any other verdict
        than FOUND comes with the plans found until then. Plans that differ in operators of one
        name only count as several, so that there may be fewer.
        """
        question = self._ask(task, costs, most, clock)
        if isinstance(question, Search):
            return question
        found = Search(Verdict.OUT_OF_TIME)
        # If SymK seems to run in a circle, it may not in another direction.
        for direction in ("bd", "fw"):
            search = _TOP_K.format(
                direction=direction,
                bound="" if most is None else f"bound={most + 1},",
                order="top_k" if ordered else "unordered",
                count="infinity" if count is None else count,
            )
            limits = replace(self._limits(clock), silence_s=_SILENCE_S)
            answer = SYMK.search(question.text, search, limits, self._stop.is_set)
            answer = symk_proofs(answer, question.largest_cost, count)
            latest = self._believed(SYMK, question, answer)
            if latest.verdict is not Verdict.OUT_OF_TIME:
                return latest
            found = max(found, latest, key=lambda search: len(search.plans))
        return found

    def other_plans(
        self,
        task: int,
        costs: Costs,
        most: int,
        known: Collection[Actions],
        clock: Clock,
        *,
        reorderings: bool = False,
    ) -> Search:
        """Some plan that costs at most so much and is none of the known; NONE is a proof.

        With `reorderings` other orders of the actions of known plans are known too.
        """

        def alike(plan: Actions) -> Actions:
            return tuple(sorted(plan)) if reorderings else plan

        seen = {alike(plan) for plan in known}
        count = len(seen) + 1
        while True:
            found = self.top_k(task, costs, count, clock, most=most, ordered=not reorderings)
            cheap = [plan for plan in found.plans if self._case.cost(plan, costs) <= most]
            others = tuple(plan for plan in cheap if alike(plan) not in seen)
            if others:
                return Search(Verdict.FOUND, others, self._case.cost(others[0], costs))
            if found.verdict not in ANSWERS:
                return Search(found.verdict)
            # The cheapest are listed, so that all are that cost less than the last.
            if found.complete or len(cheap) < len(found.plans):
                return Search(Verdict.NONE)
            if count > _MOST_LISTED:
                return Search(Verdict.GAVE_UP)
            count *= 4  # known plans by other operators of the same names hide the rest

    def _exhaust(self, question: Question, clock: Clock) -> Search:
        """A cheapest plan: by the planner that was the faster one, after a while by both."""
        over, turn = threading.Event(), threading.Event()
        leader = self._leader.get(question.task, FAST_DOWNWARD)

        def is_over() -> bool:
            return over.is_set() or self._stop.is_set()

        def ask(program: Program) -> Search | PlannerError:
            if program is not leader:
                turn.wait(min(_ALONE_S, clock.remaining))
                if is_over():
                    return Search(Verdict.OUT_OF_TIME)
            try:
                found = self._optimal(program, question, clock, is_over)
                if found.verdict in ANSWERS:
                    self._leader[question.task] = program
                    over.set()
                return found
            except PlannerError as error:
                return error
            finally:
                turn.set()

        with ThreadPoolExecutor(len(_PROGRAMS)) as pool:
            try:
                said = list(pool.map(ask, _PROGRAMS))
            finally:
                over.set()
                turn.set()
        answers = [own for own in said if isinstance(own, Search)]
        failures = [own for own in said if isinstance(own, PlannerError)]
        if not answers:
            raise failures[0]
        found = min(answers, key=lambda own: list(Verdict).index(own.verdict))
        self.ran_out_of_memory |= found.verdict is Verdict.OUT_OF_MEMORY
        return found

    def _optimal(
        self, program: Program, question: Question, clock: Clock, stop: Callable[[], bool]
    ) -> Search:
        """A cheapest plan by one planner; NONE if it costs more than asked for."""
        most, limits = question.most, self._limits(clock)
        if program is SYMK:
            answer = SYMK.search(question.text, "sym_bd()", limits, stop)
            if answer.verdict is Verdict.GAVE_UP:
                answer = symk_proofs(answer, question.largest_cost)
        else:
            # It must be allowed to reach a plan that costs just too much: see `downward`.
            bound = "" if most is None else f",bound={most + 2}"
            search = f"astar({_PATTERNS if question.sas.is_simple else 'blind()'}{bound})"
            answer = FAST_DOWNWARD.search(question.text, search, limits, stop)
        found = self._believed(program, question, answer)
        if found.cost is not None and most is not None and found.cost > most:
            # Actions that cost more were left out: with them this may not be the cheapest.
            none = self._believed(program, question, Answer(Verdict.NONE, (), ""))
            return replace(none, plans=found.plans, cost=found.cost)
        return found

    def _ask(self, task: int, costs: Costs, most: int | None, clock: Clock) -> Question | Search:
        """About plans that cost at most so much; or what can be said without a planner."""
        if most is not None and most < 0:
            return Search(Verdict.NONE)
        if self.solves(task, ()):  # no other plan costs less
            return Search(Verdict.FOUND, ((),), 0, complete=True)
        if (int(max(costs, default=0)) if most is None else most) > LARGEST_BOUND:
            return Search(Verdict.GAVE_UP)
        if task not in self._tasks:
            try:
                self._tasks[task] = self._sas(task, clock)
            except LimitError:
                return Search(Verdict.OUT_OF_TIME)
        sas = self._tasks[task]
        charged = [int(costs[action]) for action, _ in sas.operators if action != ARRIVAL]
        largest = max((cost for cost in charged if most is None or cost <= most), default=0)
        return Question(task, sas, sas.text(costs, largest), costs, most, largest)

    def _sas(self, task: int, clock: Clock) -> SasTask:
        item = self._case.tasks[task]
        world = self._case.worlds[item.world]
        if isinstance(world, Network):
            return sas_of_network(world, item)
        assert self._case.pddl is not None
        return sas_of_pddl(self._case.pddl, item.name, self._numbers, self._limits(clock))

    def _observed(self, task: int, costs: Costs) -> Search | None:
        """The cheapest plan that was observed; whoever denies it is wrong."""
        plans = (o.actions for o in self._case.observations if o.task == task)
        cost, plan = min(((self._case.cost(p, costs), p) for p in plans), default=(None, ()))
        return None if cost is None else Search(Verdict.FOUND, (plan,), cost)

    def _limits(self, clock: Clock) -> Limits:
        """For one program."""
        return Limits(clock.remaining, self._memory_mb)

    def _believed(self, program: Program, question: Question, answer: Answer) -> Search:
        """What an answer says, if it stands up to what we know ourselves."""
        name = self._case.tasks[question.task].name
        plans: dict[Actions, int] = {}
        for steps, said in answer.plans:
            plan = tuple(action for action in steps if action != ARRIVAL)
            if not all(0 <= action < len(question.costs) for action in plan):
                raise PlannerError(f"{program.name} wrote a plan with an unknown action")
            cost = self._case.cost(plan, question.costs)
            if cost != said:
                raise PlannerError(f"{program.name} says that a plan costs {said}; it costs {cost}")
            if cost + 2 * question.largest_cost > LARGEST_COST:
                raise PlannerError(f"{program.name} counts in 32 bits and may miscount {cost}")
            if not self.solves(question.task, plan):
                raise PlannerError(f"{program.name} returned a plan that does not solve {name}")
            plans[plan] = cost
        observed = self._observed(question.task, question.costs)
        is_known = observed is not None and observed is _at_most(observed, question.most)
        if is_known and answer.verdict is Verdict.NONE:
            raise PlannerError(f"{program.name} does not find a plan of {name} that was observed")
        ordered = sorted(plans, key=lambda plan: (plans[plan], len(plan), plan))
        cost_of_first = plans[ordered[0]] if ordered else None
        return Search(answer.verdict, tuple(ordered), cost_of_first, answer.complete)


def _at_most(cheapest: Search, most: int | None) -> Search:
    """A cheapest plan, if it costs at most so much."""
    assert cheapest.cost is not None
    return cheapest if most is None or cheapest.cost <= most else Search(Verdict.NONE)

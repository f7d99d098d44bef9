"""Questions to planners, and what is believed of their answers.

A question is a task with costs as SAS+ text. An action that costs more than the bound is in no plan
below it, so it is left out; that also keeps large costs away from the planners, which count in 32
bits. Every plan that comes back is replayed in our own world and its cost added up, and whoever
denies a plan that was observed is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from plancost.case.model import Case, Network, Strips
from plancost.case.plans import Simulator
from plancost.clock import Clock
from plancost.errors import LimitError, PlannerError
from plancost.processes import Limits
from plancost.search.downward import LARGEST_COST, Answer, Program, Verdict
from plancost.search.sas import ARRIVAL, Costs, SasTask, sas_of_network, sas_of_pddl

Plan = tuple[int, ...]

LARGEST_BOUND = LARGEST_COST // 4
"""Plans that cost more are not entrusted to planners."""


@dataclass(frozen=True)
class Search:
    """What is known after a search: plans, the cheapest first, and the cost of that one."""

    verdict: Verdict
    plans: tuple[Plan, ...] = ()
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
    known_cost: int | None


class Questions:
    """Makes questions about the tasks of a case; each task is translated once."""

    def __init__(self, case: Case, memory_mb: int | None) -> None:
        self._case = case
        self._memory_mb = memory_mb
        self._tasks: dict[int, SasTask] = {}
        self._simulators: dict[int, Simulator] = {}
        self._numbers = {name: number for number, name in enumerate(case.actions)}

    def ask(self, task: int, costs: Costs, most: int | None, clock: Clock) -> Question | Search:
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
        known_cost = self.known_cost(task, costs)
        return Question(task, sas, sas.text(costs, largest), costs, most, largest, known_cost)

    def _sas(self, task: int, clock: Clock) -> SasTask:
        item = self._case.tasks[task]
        world = self._case.worlds[item.world]
        if isinstance(world, Network):
            return sas_of_network(world, item)
        assert self._case.pddl is not None
        return sas_of_pddl(self._case.pddl, item.name, self._numbers, self.limits(clock))

    def known_cost(self, task: int, costs: Costs) -> int | None:
        """Of the cheapest plan that was observed; whoever denies it is wrong."""
        observed = (o.actions for o in self._case.observations if o.task == task)
        return min((self._case.cost(plan, costs) for plan in observed), default=None)

    def limits(self, clock: Clock) -> Limits:
        """For one program."""
        return Limits(clock.remaining, self._memory_mb)

    def solves(self, task: int, plan: Plan) -> bool:
        """Whether a sequence of actions is a plan of the task."""
        item = self._case.tasks[task]
        world = self._case.worlds[item.world]
        if isinstance(world, Strips):
            if item.world not in self._simulators:
                self._simulators[item.world] = Simulator(world)
            return self._simulators[item.world].failure(item, plan) is None
        (state,) = item.initial
        for action in plan:
            after = world.target[(world.source == state) & (world.action == action)]
            if not len(after):
                return False
            state = int(after[0])
        return state in item.goal_states

    def believed(self, program: Program, question: Question, answer: Answer) -> Search:
        """What an answer says, if it stands up to what we know ourselves."""
        name = self._case.tasks[question.task].name
        plans: dict[Plan, int] = {}
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
        known, most = question.known_cost, question.most
        is_known = known is not None and (most is None or known <= most)
        if is_known and answer.verdict is Verdict.NONE:
            raise PlannerError(f"{program.name} does not find a plan of {name} that was observed")
        ordered = sorted(plans, key=lambda plan: (plans[plan], len(plan), plan))
        cost_of_first = plans[ordered[0]] if ordered else None
        return Search(answer.verdict, tuple(ordered), cost_of_first, answer.complete)

"""Is each plan optimal under these whole costs? A check that the learner did not steer.

It goes backwards from each goal by SciPy's Dijkstra over the actions that cost no more than the
dearest plan (others are in no cheaper one), and shares nothing with the learner's search but the
transitions. Where the states are too many, planners are asked. Strict concepts look at the
cheapest plans themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import ceil

import numpy as np

from plancost.case.model import Actions, Case, Task
from plancost.clock import Clock
from plancost.errors import PlancostError
from plancost.learn.outcome import Ending, Verdict
from plancost.learn.rows import Mask
from plancost.options import LearnOptions
from plancost.search.cheapest import costs_to_go
from plancost.search.graph import EXACT
from plancost.search.planners import ANSWERS, Planners
from plancost.search.transitions import Reached, state_graph

_MOST_KEPT = 80_000_000
"""Transitions of all graphs together; about 2 GB."""
_MOST_STATES, _MOST_DOUBTFUL = 3_000_000, 300_000
"""Larger worlds are left to planners; 0.5 GB. Sooner where plans are hardly optimal: planners find
cheaper ones at once (elevators-10_0: 59 s without)."""


class Oracles:
    """The state graphs and planners of a run, made once.

    Graphs are kept while they fit; a second question about the same actions finds them again.
    """

    def __init__(self, case: Case, options: LearnOptions) -> None:
        self.case, self.options = case, options
        self.planners = Planners(case, memory_mb=options.memory_limit, jobs=options.jobs)
        """Fast Downward and SymK."""
        self._graphs: dict[object, list[tuple[Mask, Reached]]] = defaultdict(list)
        """By world and tasks; each with its actions."""
        self._room = _MOST_KEPT

    def undecided(self, clock: Clock) -> Ending:
        """Why a check did not decide about all plans."""
        if clock.is_over:
            return "time limit"
        return "out of memory" if self.planners.ran_out_of_memory else "gave up"

    def graph(
        self, world: int, tasks: Sequence[Task], allowed: Mask, most_states: int, clock: Clock
    ) -> Reached | None:
        """See `state_graph`; if there is one already that has more actions, that one."""
        key = world, tuple((task.initial, task.goal, task.goal_states) for task in tasks)
        for actions, known in self._graphs[key]:
            if (actions >= allowed).all():
                return known
        made = state_graph(self.case.worlds[world], tasks, allowed, most_states, clock)
        if made is not None and len(made.graph.action) <= self._room:
            self._room -= len(made.graph.action)
            self._graphs[key].append((allowed.copy(), made))
        return made


@dataclass(frozen=True)
class _Problem:
    """A task with all observations of it, whatever their files are called."""

    task: Task
    number: int
    members: list[int]
    least: int
    """No cheapest plan costs more."""


class Check:
    """Says what is true of each observation, as far as it comes."""

    def __init__(
        self, costs: Sequence[int], oracles: Oracles, claimed: Sequence[bool] = ()
    ) -> None:
        """Plans that are claimed to be optimal are looked at first."""
        self.oracles, self.case, self.options = oracles, oracles.case, oracles.options
        self.costs, self.claimed = np.array(costs, dtype=np.int64), claimed
        self.own = [self.case.cost(o.actions, costs) for o in self.case.observations]
        self.factors = [self.options.factor(o.factor) for o in self.case.observations]
        self._found: dict[int, Verdict] = {}

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Of each observation; open where nothing was found."""
        open_ones = (Verdict(cost, None, None) for cost in self.own)
        return tuple(self._found.get(n, verdict) for n, verdict in enumerate(open_ones))

    def run(self, clock: Clock) -> None:
        """Look at all; where the clock or an exception ends this, what was found stays."""
        if max(self.own, default=0) >= EXACT:
            raise PlancostError("plans that cost 2^53 or more cannot be checked")
        self.clock = clock
        worlds: dict[tuple[bool, int], list[_Problem]] = defaultdict(list)
        for problem in self._problems():
            is_claimed = any(self.claimed[n] for n in problem.members if self.claimed)
            worlds[not is_claimed, problem.task.world].append(problem)
        for (is_last, world), problems in sorted(worlds.items(), key=lambda item: item[0]):
            self._world(world, problems, doubtful=is_last)

    def _problems(self) -> Iterator[_Problem]:
        """What the observed tasks ask, each once."""
        found: dict[object, list[int]] = defaultdict(list)
        for n, observation in enumerate(self.case.observations):
            task = self.case.tasks[observation.task]
            found[task.world, task.initial, task.goal, task.goal_states].append(n)
        for members in found.values():
            number = self.case.observations[members[0]].task
            least = min(self.own[n] for n in members)
            yield _Problem(self.case.tasks[number], number, members, least)

    def _world(self, world: int, problems: list[_Problem], *, doubtful: bool) -> None:
        """Problems of one world; `doubtful`: nobody claims that one of their plans is optimal.

        Actions that cost more than the least of every problem are in no cheapest plan. So problems
        of plans that are claimed to be optimal come first, without those whose plans have actions
        that are priced out: elevators-100_0 has some hundred states then instead of 30 million.
        """
        reached = None
        if self.options.oracle != "planners":
            tasks, dearest = [p.task for p in problems], max(p.least for p in problems)
            allowed = self.costs <= dearest
            most = _MOST_DOUBTFUL if doubtful else _MOST_STATES
            reached = self.oracles.graph(world, tasks, allowed, most, self.clock)
        if reached is not None:
            self._on_graph(reached, problems)
        elif self.options.oracle != "graph":
            asked = [
                partial(self._by_planners, problem, len(problems) - place, doubtful)
                for place, problem in enumerate(problems)
            ]
            self.oracles.planners.together(asked)

    def _on_graph(self, reached: Reached, problems: list[_Problem]) -> None:
        merge = self.options.ties == "reorderings"
        for togo, places in costs_to_go(reached, self.costs, [p.least for p in problems]):
            if self.clock.is_over:
                return
            for place in places:
                start = reached.starts[place]
                ways = togo.cheapest(start, merge=merge)
                self._judge(problems[place], int(togo.value[start]), ways)

    def _by_planners(self, problem: _Problem, left: int, doubtful: bool) -> None:
        """One of so many problems that are left to look at."""
        planners, task = self.oracles.planners, problem.number
        clock = self.clock.part(self.clock.remaining * planners.jobs / left)
        if doubtful:  # none of its plans counts if another one costs less than enough
            enough = min(ceil(self.own[n] / self.factors[n]) for n in problem.members)
            soon = planners.any_below(task, self.costs, enough, clock)
            if soon.cost is not None:
                self._found.update((n, Verdict(self.own[n], False, None)) for n in problem.members)
                return
        cost = planners.cheapest(task, self.costs, clock, most=problem.least).cost
        if cost is None:
            return
        ways: list[Actions] = []
        if self.options.solution == "scf" and cost == problem.least:
            known = {
                self.case.observations[n].actions for n in problem.members if self.own[n] == cost
            }
            others = planners.other_plans(
                task, self.costs, cost, known, clock, reorderings=self.options.ties == "reorderings"
            )
            if others.verdict not in ANSWERS:
                return
            ways = [*others.plans[:1], *known]
        self._judge(problem, cost, ways)

    def _judge(self, problem: _Problem, cost: int, ways: Iterable[Actions]) -> None:
        """By the concept, from the cost of a cheapest plan and the cheapest plans."""
        plans = [self.case.observations[n].actions for n in problem.members]
        others: list[Actions] = []
        if self.options.solution == "scf":
            # So many that one is among them that may not tie, if there is one.
            most = len(set(plans)) + 1 if self.options.ties == "observed" else 2
            others = list(islice(ways, most))
        for n, plan in zip(problem.members, plans, strict=True):
            is_optimal = self.own[n] <= cost * self.factors[n] and all(
                self._may_tie(plan, other, plans) for other in others
            )
            self._found[n] = Verdict(self.own[n], is_optimal, cost)

    def _may_tie(self, plan: Actions, other: Actions, observed: Sequence[Actions]) -> bool:
        if self.options.ties == "observed":
            return other in observed
        if self.options.ties == "reorderings":
            return sorted(other) == sorted(plan)
        return other == plan

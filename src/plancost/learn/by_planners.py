"""The same questions as on state graphs, answered by planners: where the states are too many.

Planners need whole costs, so floating-point ones are scaled and rounded first; what is found is an
alternative all the same, and its row is broken by the costs that were asked about or left out. Only
actions that are open take part. The cheapest question comes first: any plan below the cost of the
dearest plan of a task, soon; only if no task has one, the proof that there is none. Tasks are asked
about side by side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice

import numpy as np
from scipy.sparse import csr_array

from plancost.clock import Clock, OutOfTimeError
from plancost.learn.concept import TOLERANCE, uses
from plancost.learn.mcf import Maximal
from plancost.learn.rows import Alternative, Costs, Cut, Whole, whole
from plancost.learn.scf import REORDERINGS
from plancost.learn.task import LearningTask
from plancost.search.downward import Verdict
from plancost.search.planners import ANSWERS, Planners, Search

_SOON_S = 3.0
"""For a plan that is not the best: longer only in vain."""
_GRID = 1000
"""Fractions are rounded to such parts where no small factor makes costs whole."""
_CLOSED = 2**31
"""Planners are asked about plans that cost less."""


class ByPlanners:
    """The rules of all plans, asked of Fast Downward and SymK."""

    def __init__(
        self, task: LearningTask, rules: Sequence[Maximal], planners: Planners, clock: Clock
    ) -> None:
        self.task, self.rules, self.planners, self.clock = task, rules, planners, clock
        self.merges = all(getattr(rule, "ties", "") == REORDERINGS for rule in rules)
        self.known: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        """Of each problem all plans that were found or observed: an alternative of one is one of
        all.
        """
        self._uses: dict[int, csr_array] = {}
        for plan in task.plans:
            self.add(plan.problem, [plan.actions])

    def add(self, problem: int, plans: Iterable[tuple[int, ...]]) -> None:
        """Take note of plans of a problem."""
        self.known[problem] = list(dict.fromkeys([*self.known[problem], *plans]))
        self._uses[problem] = uses(self.known[problem], self.task.action_count)

    def separate(self, costs: Costs, plans: Sequence[int], most: int = 6) -> dict[int, list[Cut]]:
        """Plans that do not count under these costs of actions (infinite: closed), with rows."""
        found = self.among_known(costs, plans, most)
        if found:
            return found
        asked = _whole(costs)
        members: dict[int, list[int]] = defaultdict(list)
        for plan in plans:
            members[self.task.plans[plan].problem].append(plan)
        for ask in (self._soon, self._exhaust):
            self.clock.check()
            answers = self.planners.together(
                [partial(ask, problem, own, asked) for problem, own in members.items()]
            )
            for problem, answer in zip(members, answers, strict=True):
                self.add(problem, answer.plans)
            found = self.among_known(costs, plans, most)
            if found:
                return found
        if any(answer.verdict not in ANSWERS for answer in answers):
            raise OutOfTimeError
        return {}

    def rebuild(self, why: Alternative) -> Cut | None:
        """The cut of an alternative from a file, if it is a plan: it is replayed here."""
        rule, problem = self.rules[why.plan], self.task.plans[why.plan].problem
        is_other = why.is_whole and not rule.allows(why.plan, why.other)
        if not is_other or not self.planners.solves(self._place(problem), why.other):
            return None
        return rule.cut(why)

    def among_known(self, costs: Costs, plans: Sequence[int], most: int) -> dict[int, list[Cut]]:
        """What plans that were observed or found earlier say, the cheapest first."""
        tolerance = 0.0 if costs.dtype == np.int64 else TOLERANCE
        found: dict[int, list[Cut]] = {}
        for plan in plans:
            own, rule = self.task.plans[plan], self.rules[plan]
            others, values = self.known[own.problem], self._uses[own.problem] @ costs
            cost = float(values[others.index(own.actions)])
            cheap = np.flatnonzero(values < rule.limit(plan, cost) - tolerance)
            against = (
                others[n]
                for n in cheap[np.argsort(values[cheap], kind="stable")].tolist()
                if values[n] < cost - tolerance or not rule.allows(plan, others[n])
            )
            cuts = [rule.cut(whole(plan, other)) for other in islice(against, most)]
            if cuts:
                found[plan] = cuts
        return found

    def _soon(self, problem: int, plans: list[int], costs: Whole) -> Search:
        """Some plan that counts against one of these plans of a problem."""
        bound, clock = self._bound(plans, costs), self.clock.part(_SOON_S)
        return self.planners.any_below(self._place(problem), costs, bound, clock)

    def _exhaust(self, problem: int, plans: list[int], costs: Whole) -> Search:
        """The same, or the proof that there is none."""
        bound, task = self._bound(plans, costs), self._place(problem)
        found = self.planners.cheapest(task, costs, self.clock, most=bound - 1)
        if found.verdict is not Verdict.NONE or not any(self.rules[n].margin for n in plans):
            return found
        known = set(self.known[problem])
        return self.planners.other_plans(
            task, costs, bound, known, self.clock, reorderings=self.merges
        )

    def _bound(self, plans: Sequence[int], costs: Whole) -> int:
        """What costs no less counts against none of the plans, unless it ties."""
        price = self.task.case.cost
        own = ((self.rules[n], n, price(self.task.plans[n].actions, costs)) for n in plans)
        return int(max(np.ceil(rule.limit(n, cost) - rule.margin) for rule, n, cost in own))

    def _place(self, problem: int) -> int:
        """The first task of the case that is this problem."""
        return self.task.problem_of.index(problem)


def _whole(costs: Costs) -> Whole:
    """Whole costs in proportion to the given ones; closed actions cost more than any bound."""
    if costs.dtype == np.int64:
        return costs.astype(np.int64)
    is_open = np.isfinite(costs)
    finite = np.where(is_open, costs, 1.0)
    for scale in (1, 2, 3, 4, 6, 12, 60, _GRID):
        whole = np.maximum(1, np.rint(scale * finite))
        if np.abs(whole - scale * finite).max(initial=0) < 1e-6:
            break
    return np.where(is_open, whole, _CLOSED).astype(np.int64)

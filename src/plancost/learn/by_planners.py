"""The same questions as on state graphs, answered by planners: where the states are too many.

Planners need whole costs, so floating-point ones are scaled and rounded first; what is found is an
alternative all the same, and its row is broken by the costs that were asked about or left out. Only
actions that are open take part. The cheapest question comes first: any plan below the cost of the
dearest plan of a task, soon; only then the proof that there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plancost.case.model import Network
from plancost.case.plans import Simulator, replay
from plancost.clock import Clock
from plancost.learn.concept import TOLERANCE, Costs, Rule, whole
from plancost.learn.feasibility import OutOfTimeError
from plancost.learn.rows import Alternative, Cut
from plancost.learn.scf import REORDERINGS
from plancost.learn.task import LearningTask
from plancost.search.planners import Planners, Verdict

_GRID = 1000
"""Fractions are rounded to such parts where no small factor makes costs whole."""


class ByPlanners:
    """The rules of all plans, asked of Fast Downward and SymK."""

    def __init__(
        self, task: LearningTask, rules: Sequence[Rule], planners: Planners, clock: Clock
    ) -> None:
        self.task, self.rules, self.planners, self.clock = task, rules, planners, clock
        self.merges = all(getattr(rule, "ties", "") == REORDERINGS for rule in rules)
        self._case_task = {p: n for n, p in reversed(list(enumerate(task.problem_of)))}
        self._found: dict[int, dict[tuple[int, ...], None]] = defaultdict(dict)
        """Of each problem all plans that were found or observed: an alternative of one is one of
        all.
        """
        for plan in task.plans:
            self._found[plan.problem][plan.actions] = None

    def separate(self, costs: Costs, plans: Sequence[int], most: int = 6) -> dict[int, list[Cut]]:
        """Plans that do not count under these costs of actions (infinite: closed), with rows."""
        found = self._known(costs, plans, most)
        if found:
            return found
        by_problem: dict[int, list[int]] = defaultdict(list)
        for plan in plans:
            by_problem[self.task.plans[plan].problem].append(plan)
        whole = _whole(costs)
        allowed = frozenset(np.flatnonzero(np.isfinite(costs.astype(np.float64))).tolist())
        for problem, members in by_problem.items():
            self._ask(problem, members, whole, allowed)
        return self._known(costs, plans, most)

    def optimal(self, costs: npt.NDArray[np.int64], plans: Sequence[int]) -> list[int]:
        """Those of the plans that count under whole costs."""
        wrong = self.separate(costs, plans)
        return [plan for plan in plans if plan not in wrong]

    def rebuild(self, why: Alternative) -> Cut | None:
        """The cut of an alternative from a file, if it is a plan: it is replayed here."""
        own = self.task.problems[self.task.plans[why.plan].problem]
        world = self.task.case.worlds[own.world]
        if isinstance(world, Network):
            return None
        simulator = Simulator(world)
        if not why.is_whole or self.rules[why.plan].allows(why.plan, why.other):
            return None
        if replay(simulator, own, why.other).failed is not None:
            return None
        return self.rules[why.plan].cut(why)

    def _known(self, costs: Costs, plans: Sequence[int], most: int) -> dict[int, list[Cut]]:
        """What plans that were observed or found earlier say."""
        found: dict[int, list[Cut]] = {}
        for plan in plans:
            own, rule = self.task.plans[plan], self.rules[plan]
            cost = _total(own.actions, costs)
            tolerance = 0.0 if costs.dtype == np.int64 else TOLERANCE
            cuts: list[Cut] = []
            for other in self._found[own.problem]:
                value = _total(other, costs)
                if value >= rule.limit(plan, cost) - tolerance:
                    continue
                if value < cost - tolerance or not rule.allows(plan, other):
                    cuts.append(rule.cut(whole(plan, other)))
            if cuts:
                found[plan] = cuts[:most]
        return found

    def _ask(
        self, problem: int, plans: list[int], costs: npt.NDArray[np.int64], allowed: frozenset[int]
    ) -> None:
        """Find plans that count against one of these plans of a problem, if there are any."""
        if self.clock.is_over:
            raise OutOfTimeError
        task = self._case_task[problem]
        own = {plan: _total(self.task.plans[plan].actions, costs) for plan in plans}
        strict = any(self.rules[n].margin for n in plans)
        bound = int(
            max(np.ceil(self.rules[n].limit(n, c) - self.rules[n].margin) for n, c in own.items())
        )
        answer = self.planners.ask(task, costs, bound=bound, allowed=allowed, clock=self.clock)
        if answer.verdict is Verdict.NONE and strict:
            answer = self.planners.other_plans(
                task, costs, bound, set(self._found[problem]), self.clock, reorderings=self.merges
            )
        if answer.verdict not in (Verdict.FOUND, Verdict.NONE):
            raise OutOfTimeError
        self._found[problem].update(dict.fromkeys(answer.plans))


def _total(actions: Sequence[int], costs: Costs) -> float:
    return float(sum(costs[action] for action in actions))


def _whole(costs: Costs) -> npt.NDArray[np.int64]:
    """Whole costs in proportion to the given ones; closed actions are not asked about."""
    if costs.dtype == np.int64:
        return costs.astype(np.int64)
    finite = np.where(np.isfinite(costs), costs, 1.0)
    for scale in (1, 2, 3, 4, 6, 12, 60):
        scaled = np.rint(scale * finite)
        if np.abs(scaled - scale * finite).max(initial=0) < 1e-6:
            return np.asarray(np.maximum(1, scaled), dtype=np.int64)
    return np.asarray(np.maximum(1, np.rint(_GRID * finite)), dtype=np.int64)

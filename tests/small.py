"""A case of two trips made by hand, and what may be learned from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from plancost.case.model import Case, Network, Observation, Task, plain_model
from plancost.learn.outcome import Learned, Point, Second, Verdict

ACTIONS = ("(go a b)", "(go a c)", "(go c b)")


def small_case(*groups: str | None) -> Case:
    """Direct from a to b (seen three times), and over c; a plan for each group."""
    numbers = [np.array(ints, dtype=np.int64) for ints in ([0, 0, 2], [1, 2, 1], [0, 1, 2])]
    world = Network(("a", "b", "c"), *numbers)
    task = Task("p.pddl", 0, frozenset({0}), goal_states=frozenset({1}))
    first, second = groups or (None, None)
    observations = (
        Observation("direct.plan", 0, (0,), count=3, group=first),
        Observation("over.plan", 0, (1, 2), group=second),
    )
    model = plain_model(ACTIONS)
    return Case("small", ACTIONS, (world,), (task,), observations, model, notes=("of the case",))


def small_learned(case: Case) -> Learned:
    """Costs under which only the first plan is optimal, as if no more were possible."""
    verdicts = (Verdict(1, True, 1), Verdict(2, False, 1))[: len(case.observations)]
    return Learned(
        costs=(1, 1, 1),
        parameters=(1, 1, 1),
        claimed=(True, False)[: len(case.observations)],
        upper_bound=3,
        second=Second(3, 3, True),
        verdicts=verdicts,
        seconds={"total": 0.5},
        history=(Point(0.1, 3, 4),),
    )


def undecided(learned: Learned) -> Learned:
    """The same where the check did not finish."""
    cut = tuple(replace(verdict, optimal=None, optimal_cost=None) for verdict in learned.verdicts)
    return replace(learned, verdicts=cut)

"""Small learning tasks whose plans may cost more than the optimum, also plans with loops."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from plancost.learning.problem.concept import Concept
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from plancost.observations.sas import SasTask, State
from support.brute_force import LARGEST_COST
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]
FACTORS = [Fraction(1), Fraction(11, 10), Fraction(4, 3), Fraction(3, 2), Fraction(2), Fraction(5)]


def with_loops(task: SasTask, most_steps: int, most: int) -> list[Plan]:
    """Plans that may visit states twice, up to so many steps."""
    found: list[Plan] = []
    open_ways: list[tuple[State, Plan]] = [(task.initial_state, ())]
    while open_ways and len(found) < most:
        state, way = open_ways.pop(0)
        if task.is_goal(state):
            found.append(way)
        if len(way) == most_steps:
            continue
        open_ways += [
            (task.apply(operator, state), (*way, operator.name))
            for operator in task.operators
            if task.holds(operator.preconditions, state)
        ]
    return found


@st.composite
def factor_tasks(draw: st.DrawFn, factors: list[Fraction] = FACTORS) -> Example:
    """A learning task whose plans have factors; some of the plans have loops."""
    task, plans = draw(learning_tasks(5))
    observations = list(task.case.observations)
    for number, observation in enumerate(observations):
        if draw(st.booleans()):
            loose = with_loops(task.case.tasks[observation.task].sas, 5, 40)
            if loose:
                plan = draw(st.sampled_from(loose))
                observations[number] = replace(observation, plan=plan)
    case = replace(task.case, observations=tuple(observations))
    found = tuple(draw(st.sampled_from(factors)) for _ in observations)
    task = LearningTask(case, Concept(), task.initial_costs, factors=found)
    if draw(st.booleans()):
        ends = st.one_of(st.none(), st.integers(1, LARGEST_COST))
        task = replace(task, ranges=tuple((1, draw(ends)) for _ in case.actions))
    return task, plans

"""Replaying a plan step by step: is it valid, and if not, where and why?"""

from __future__ import annotations

from dataclasses import dataclass

from plancost.observations.planfile import Plan
from plancost.observations.sas import Fact, Operator, SasTask, State


@dataclass(frozen=True)
class Replay:
    """What happened when a plan was replayed.

    A valid plan has one state more than steps, `failed_step` None and no
    `open_goals`. `failed_step` counts from 0; `unmet` are the preconditions that
    do not hold there, and empty if the action does not exist in this task.
    """

    states: tuple[State, ...]
    failed_step: int | None = None
    unmet: tuple[Fact, ...] = ()
    open_goals: tuple[Fact, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether the plan can be executed and ends in the goal."""
        return self.failed_step is None and not self.open_goals

    @property
    def visits_a_state_twice(self) -> bool:
        """Whether the plan has a loop, so that it can never be optimal."""
        return len(set(self.states)) < len(self.states)


def replay(task: SasTask, plan: Plan) -> Replay:
    """Execute a plan in a task."""
    state = task.initial_state
    states = [state]
    for number, name in enumerate(plan):
        operators = task.operators_by_name.get(name, ())
        operator = applicable(task, operators, state)
        if operator is None:
            unmet = min((_unmet(op.preconditions, state) for op in operators), key=len, default=())
            return Replay(tuple(states), failed_step=number, unmet=unmet)
        state = task.apply(operator, state)
        states.append(state)
    return Replay(tuple(states), open_goals=_unmet(task.goal, state))


def applicable(task: SasTask, operators: tuple[Operator, ...], state: State) -> Operator | None:
    """The first of the operators that can be applied.

    Operators that share a name come from one disjunctive or existential
    precondition; they have the same effects, so the first is as good as any.
    """
    for operator in operators:
        if task.holds(operator.preconditions, state):
            return operator
    return None


def _unmet(facts: tuple[Fact, ...], state: State) -> tuple[Fact, ...]:
    return tuple(fact for fact in facts if state[fact[0]] != fact[1])

"""Replaying plans step by step, on a task small enough to check by hand."""

from __future__ import annotations

import pytest

from plancost.observations.planfile import Plan
from plancost.observations.replay import applicable, replay
from plancost.observations.sas import Effect, Operator, SasTask, Variable

PLACE = Variable("place", -1, ("Atom at(a)", "Atom at(b)", "Atom at(c)"))
KEY = Variable("key", -1, ("Atom key()", "NegatedAtom key()"))


def step(name: str, before: int, after: int, *, key: bool = False) -> Operator:
    conditions = ((0, before), (1, 0)) if key else ((0, before),)
    return Operator(name, conditions, (Effect((), 0, after),))


TASK = SasTask(
    (PLACE, KEY),
    (),
    (0, 1),
    ((0, 2), (1, 0)),
    (
        step("(go a b)", 0, 1),
        step("(go b a)", 1, 0),
        step("(go b c)", 1, 2, key=True),
        Operator("(take)", ((0, 1),), (Effect((), 1, 0),)),
        Operator("(rest)", (), ()),
        # One action with a disjunctive precondition is two operators of one name.
        Operator("(shout)", ((0, 2),), ()),
        Operator("(shout)", ((1, 0), (0, 1)), ()),
        # With the key in hand, drop it; otherwise walk from a to c.
        Operator("(odd)", ((0, 0),), (Effect(((1, 0),), 1, 1), Effect(((1, 1),), 0, 2))),
    ),
    (),
)


def test_a_valid_plan() -> None:
    replayed = replay(TASK, ("(go a b)", "(take)", "(go b c)"))
    assert replayed.is_valid
    assert replayed.states == ((0, 1), (1, 1), (1, 0), (2, 0))
    assert not replayed.visits_a_state_twice


@pytest.mark.parametrize(
    ("plan", "failed_step", "unmet"),
    [
        (("(go b a)",), 0, ((0, 1),)),
        (("(go a b)", "(go b c)"), 1, ((1, 0),)),
        (("(go b c)",), 0, ((0, 1), (1, 0))),
        (("(go a b)", "(fly)"), 1, ()),
    ],
)
def test_where_and_why_a_plan_fails(
    plan: Plan, failed_step: int, unmet: tuple[tuple[int, int], ...]
) -> None:
    replayed = replay(TASK, plan)
    assert not replayed.is_valid
    assert (replayed.failed_step, replayed.unmet) == (failed_step, unmet)
    assert len(replayed.states) == failed_step + 1


def test_of_several_operators_the_nearest_is_named() -> None:
    """(shout) needs to be at c, or the key at b; at b only the key is missing."""
    replayed = replay(TASK, ("(go a b)", "(shout)"))
    assert (replayed.failed_step, replayed.unmet) in [(1, ((0, 2),)), (1, ((1, 0),))]
    operators = TASK.operators_by_name["(shout)"]
    assert applicable(TASK, operators, (1, 0)) is operators[1]
    assert applicable(TASK, operators, (0, 0)) is None


def test_open_goals() -> None:
    assert replay(TASK, ()).open_goals == ((0, 2), (1, 0))
    assert replay(TASK, ("(go a b)", "(take)")).open_goals == ((0, 2),)


def test_conditional_effects_see_the_state_before_the_action() -> None:
    assert replay(TASK, ("(odd)",)).states == ((0, 1), (2, 1))
    assert replay(TASK, ("(go a b)", "(take)", "(go b a)", "(odd)")).states[-1] == (0, 1)


@pytest.mark.parametrize(
    "plan",
    [
        ("(go a b)", "(go b a)", "(go a b)", "(take)", "(go b c)"),
        ("(go a b)", "(take)", "(take)", "(go b c)"),
        ("(rest)", "(go a b)", "(take)", "(go b c)"),
    ],
    ids=["a round trip", "an effect that holds already", "an action without effects"],
)
def test_a_state_visited_twice(plan: Plan) -> None:
    replayed = replay(TASK, plan)
    assert replayed.is_valid
    assert replayed.visits_a_state_twice

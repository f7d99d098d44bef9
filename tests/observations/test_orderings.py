"""Other orderings of a plan's actions, against trying all permutations."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.observations.case import Case
from plancost.observations.orderings import OtherOrdering, other_ordering
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.observations.sas import Effect, Operator, SasTask, Variable
from support.small_tasks import cases


@settings(max_examples=150, deadline=None)
@given(cases(), st.data())
def test_random_plans(example: tuple[Case, list[list[Plan]]], data: st.DataObject) -> None:
    case, plans = example
    number = data.draw(st.integers(0, len(case.tasks) - 1))
    task = case.tasks[number].sas
    plan = data.draw(st.sampled_from(plans[number]).filter(lambda plan: len(plan) <= 6))
    valid = {order for order in permutations(plan) if replay(task, order).is_valid}
    known = {plan}
    while True:
        other = other_ordering(task, plan, known)
        assert other.proven
        if other.plan is None:
            break
        assert other.plan in valid - known
        known.add(other.plan)
    assert known == valid


def chain(length: int) -> SasTask:
    """Switches that can only be pressed one after the other."""
    variables = tuple(Variable(f"v{i}", -1, ("Atom off()", "Atom on()")) for i in range(length))
    operators = tuple(
        Operator(f"(press {i})", ((i - 1, 1),) if i else (), (Effect((), i, 1),))
        for i in range(length)
    )
    return SasTask(variables, (), (0,) * length, ((length - 1, 1),), operators, ())


def test_a_long_plan_with_one_ordering() -> None:
    task = chain(700)
    plan = tuple(operator.name for operator in task.operators)
    assert other_ordering(task, plan, [plan]) == OtherOrdering(None, proven=True)


def test_an_empty_plan() -> None:
    task = SasTask((Variable("v", -1, ("Atom p()", "Atom q()")),), (), (0,), ((0, 0),), (), ())
    assert other_ordering(task, (), [()]) == OtherOrdering(None, proven=True)


def test_the_search_gives_up_in_time() -> None:
    """Forty presses in any order, but the door closes at the first: no way to the end."""
    size = 40
    names = tuple(f"(press {i})" for i in range(size))
    variables = tuple(Variable(f"v{i}", -1, ("Atom off()", "Atom on()")) for i in range(size + 1))
    operators = tuple(
        Operator(name, (), (Effect((), i, 1), Effect((), size, 1))) for i, name in enumerate(names)
    )
    task = SasTask(variables, (), (0,) * (size + 1), ((size, 0),), operators, ())
    assert other_ordering(task, names, [names]) == OtherOrdering(None, proven=False)

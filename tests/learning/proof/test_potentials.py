"""Potentials on random small tasks: what the rest of a plan costs at least, in every state."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.cli import check_proof, check_search
from plancost.learning.proof import potentials
from plancost.learning.proof.potentials import Potentials, potentials_of
from plancost.observations.sas import Effect, Operator, SasTask, State, Variable, sas_text
from plancost.system.clock import Deadline
from support.random_sas import Costs, sas_tasks


@pytest.fixture(autouse=True)
def small_tasks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(potentials, "_FEW_STATES", 0)


def states_of(sas: SasTask) -> list[State]:
    """All states that can be reached."""
    found, new = {sas.initial_state}, [sas.initial_state]
    for state in new:
        for operator in sas.operators:
            if sas.holds(operator.preconditions, state):
                after = sas.apply(operator, state)
                new.extend({after} - found)
                found.add(after)
    return new


def rest_of(sas: SasTask, costs: Costs) -> dict[State, float]:
    """What the cheapest way to the goal costs from every state, step by step until all is known."""
    rest: dict[State, float] = {s: 0 if sas.is_goal(s) else inf for s in states_of(sas)}
    before: dict[State, float] = {}
    while before != rest:
        before = dict(rest)
        for state in rest:
            for operator in sas.operators:
                if sas.holds(operator.preconditions, state):
                    left = costs[operator.name] + rest[sas.apply(operator, state)]
                    rest[state] = min(rest[state], left)
    return rest


def guided(sas: SasTask, costs: Costs, numbers: Any, parts: int) -> tuple[Any, Any]:  # noqa: ANN401
    plain = check_proof.Task("p", sas_text(sas, costs))
    return plain, check_search.Guided(plain, numbers, parts, costs)


@settings(max_examples=300, deadline=None)
@given(sas_tasks())
def test_no_state_is_promised_too_much(example: tuple[SasTask, Costs]) -> None:
    sas, costs = example
    found = potentials_of(sas, costs, Deadline())
    rest = rest_of(sas, costs)
    if found is None:
        return
    for state, cost in rest.items():
        total = sum(own[value] for own, value in zip(found.numbers, state, strict=True))
        assert total <= cost * found.parts
    plain, with_them = guided(sas, costs, found.numbers, found.parts)
    known = sum(costs.values()) + 1
    assert with_them._are_right(costs)
    least = min(known, rest[sas.initial_state])
    for task in plain, with_them:
        assert task.cheapest(costs, known, frozenset(), ordered=False) == least


@settings(max_examples=300, deadline=None)
@given(sas_tasks(), st.data())
def test_numbers_that_are_not_right_are_not_used(
    example: tuple[SasTask, Costs], data: st.DataObject
) -> None:
    """Whatever the numbers are, the answer is the same; those taken for right promise nothing."""
    sas, costs = example
    numbers = [
        [data.draw(st.integers(-3, 6)) for _ in variable.values] for variable in sas.variables
    ]
    plain, with_them = guided(sas, costs, numbers, data.draw(st.integers(0, 2)))
    known = sum(costs.values()) + 1
    right = plain.cheapest(costs, known, frozenset(), ordered=False)
    assert with_them.cheapest(costs, known, frozenset(), ordered=False) == right
    if with_them._are_right(costs):
        for state, cost in rest_of(sas, costs).items():
            total = sum(own[value] for own, value in zip(numbers, state, strict=True))
            assert total <= cost * with_them.parts


def row_of_switches(count: int) -> tuple[SasTask, Costs]:
    """Switches that are all to be on, each by an action of its own."""
    variables = tuple(
        Variable(f"var{n}", -1, (f"NegatedAtom on({n})", f"Atom on({n})")) for n in range(count)
    )
    operators = tuple(
        Operator(f"(switch {n})", ((n, 0),), (Effect((), n, 1),)) for n in range(count)
    )
    goal = tuple((n, 1) for n in range(count))
    costs = {operator.name: n + 1 for n, operator in enumerate(operators)}
    return SasTask(variables, (), (0,) * count, goal, operators, ()), costs


def test_they_spare_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2^14 states none has to be looked at, as the initial one already promises the cost."""
    sas, costs = row_of_switches(14)
    found = potentials_of(sas, costs, Deadline())
    assert found is not None
    total = sum(own[0] for own in found.numbers)
    assert total == sum(costs.values()) * found.parts
    plain, with_them = guided(sas, costs, found.numbers, found.parts)
    monkeypatch.setattr(check_proof, "MOST_STATES", 100)
    known = sum(costs.values())
    assert with_them.cheapest(costs, known, frozenset(), ordered=False) == known
    with pytest.raises(check_proof.VerdictError):
        plain.cheapest(costs, known, frozenset(), ordered=False)


def test_none_where_they_say_nothing_or_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    sas, costs = row_of_switches(3)
    assert potentials_of(replace(sas, goal=((0, 0),)), costs, Deadline()) is None
    assert isinstance(potentials_of(sas, costs, Deadline()), Potentials)
    monkeypatch.setattr(potentials, "_FEW_STATES", 8)
    assert potentials_of(sas, costs, Deadline()) is None


@pytest.mark.parametrize(
    ("effects", "drop"),
    [
        ([Effect((), 0, 1), Effect((), 1, 1)], 0),  # one sinks by 2, the other rises by 2
        ([Effect((), 0, 1), Effect(((2, 1),), 1, 1)], 2),  # it may stay
        ([Effect((), 0, 1), Effect(((2, 1),), 0, 0), Effect((), 1, 1)], 0),  # the worst of both
        ([Effect(((2, 1),), 0, 1)], 2),
        ([Effect((), 2, 0)], 5),  # its value before is not known
    ],
)
def test_by_how_much_a_sum_may_fall(effects: list[Effect], drop: int) -> None:
    numbers = [[2, 0], [-2, 0], [0, 5]]
    operator = Operator("(a)", ((0, 0), (1, 0)), tuple(effects))
    assert sum(change.drop(numbers) for change in potentials._changes(operator)) == drop
    checker = object.__new__(check_search.Guided)
    checker.numbers = numbers
    plain = [(effect.conditions, effect.variable, effect.value) for effect in effects]
    assert checker._drop(dict(operator.preconditions), plain) == drop


@pytest.mark.parametrize(
    "numbers",
    [[], [[0, 0]], [[5], [5], [5]], [[0], [0], [0, 0]], [["a", "b"]] * 3, [None] * 3, 7],
)
def test_numbers_of_another_shape_are_not_used(numbers: Any) -> None:  # noqa: ANN401
    sas, costs = row_of_switches(3)
    known = sum(costs.values()) + 1
    _, with_them = guided(sas, costs, numbers, 1)
    assert with_them.cheapest(costs, known, frozenset(), ordered=False) == known - 1


def test_numbers_are_not_used_with_costs_that_are_not_whole() -> None:
    """What is left is rounded up, which is right for whole costs only."""
    costs: Any = {"(b)": 3, "(a1)": 1, "(a2)": Fraction(3, 2)}
    steps = {"(b)": (0, 2), "(a1)": (0, 1), "(a2)": (1, 2)}
    operators = tuple(
        Operator(name, ((0, a),), (Effect((), 0, b),)) for name, (a, b) in steps.items()
    )
    place = Variable("var0", -1, ("Atom at(0)", "Atom at(1)", "Atom at(2)"))
    sas = SasTask((place,), (), (0,), ((0, 2),), operators, ())
    plain = check_proof.Task("p", sas_text(sas, dict.fromkeys(costs, 1)))
    with_them = check_search.Guided(plain, [[5, 3, 0]], 2, costs)
    assert with_them.cheapest(costs, 3, frozenset(), ordered=False) == Fraction(5, 2)

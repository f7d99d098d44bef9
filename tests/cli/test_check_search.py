"""The faster search of the checker of proofs: it says what the plain one says."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from plancost.cli import check_proof, check_search
from plancost.learning.proof import potentials
from plancost.learning.proof.potentials import potentials_of
from plancost.observations.sas import Effect, Operator, SasTask, Variable, sas_text
from plancost.system.clock import Deadline
from support.random_sas import Costs, sas_tasks


@pytest.fixture(autouse=True)
def small_tasks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(potentials, "_FEW_STATES", 0)


def walks(sas: SasTask, data: st.DataObject) -> frozenset[tuple[str, ...]]:
    """The steps of some walks from the initial state, plans or not."""
    found = []
    for _ in range(data.draw(st.integers(0, 2))):
        state, steps = sas.initial_state, []
        for _ in range(data.draw(st.integers(0, 4))):
            possible = [op for op in sas.operators if sas.holds(op.preconditions, state)]
            if possible:
                operator = data.draw(st.sampled_from(possible))
                state = sas.apply(operator, state)
                steps.append(operator.name)
        found.append(tuple(steps))
    return frozenset(found)


def searched(task: Any, *question: Any) -> Any:  # noqa: ANN401
    try:
        return task.cheapest(*question)
    except check_proof.VerdictError as error:
        return error.args[0]


@pytest.mark.parametrize("plain", [True, False])
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_it_says_what_the_plain_search_says(plain: bool, data: st.DataObject) -> None:
    """With and without potentials, and with plans that may tie in any order or in one."""
    sas, costs = data.draw(sas_tasks(plain=plain))
    allowed = walks(sas, data)
    slow = check_proof.Task("p", sas_text(sas, costs))
    tasks: list[Any] = [check_search.Packed(slow)]
    found = potentials_of(sas, costs, Deadline())
    if found is not None:
        guided = check_search.Guided(slow, [list(own) for own in found.numbers], found.parts, costs)
        tasks += [guided, check_search.Packed(guided)]
        event("with potentials")
    if plain:
        assert tasks[-1].is_packed
    known = data.draw(st.integers(0, 3 * sum(costs.values())))
    ordered = data.draw(st.booleans())
    right = slow.cheapest(costs, known, allowed, ordered)
    event("cheaper" if right < known else "none cheaper")
    for task in tasks:
        assert task.cheapest(costs, known, allowed, ordered) == right


def counter_case(digits: int) -> tuple[check_proof.Task, Costs]:
    """Digits that are counted up one by one: ten to the power of their number states."""
    variables = tuple(
        Variable(f"var{n}", -1, tuple(f"Atom d{n}({d})" for d in range(10))) for n in range(digits)
    )
    operators = tuple(
        Operator(f"(up {digit} {value})", ((digit, value),), (Effect((), digit, value + 1),))
        for digit in range(digits)
        for value in range(9)
    )
    goal = tuple((digit, 9) for digit in range(digits))
    costs = {operator.name: 1 for operator in operators}
    sas = SasTask(variables, (), (0,) * digits, goal, operators, ())
    return check_proof.Task("counter", sas_text(sas, costs)), costs


def test_states_that_need_many_bits() -> None:
    """Four digits of four bits, all of which must be 9; the tables of potentials are several."""
    task, costs = counter_case(4)
    numbers = [[9 - value for value in range(10)]] * 4
    guided = check_search.Guided(task, numbers, 1, costs)
    packed = check_search.Packed(guided)
    assert len(packed._tables()) == 2
    assert packed.cheapest(costs, 50, frozenset(), ordered=False) == 36
    assert packed.cheapest(costs, 36, frozenset(), ordered=False) == 36
    plain = check_search.Packed(task)
    assert plain._tables() == []
    assert plain.cheapest(costs, 37, frozenset(), ordered=False) == 36


def test_numbers_for_too_few_values_promise_nothing() -> None:
    task, costs = counter_case(2)
    guided = check_search.Guided(task, [[0] * 10] * 2, 1, costs)
    guided.numbers = [[0] * 9] * 2
    assert check_search.Packed(guided)._tables() == []


@pytest.mark.parametrize("numbers", [5, None, True, [[5, "a"]]])
def test_numbers_of_another_shape_are_not_used(numbers: Any) -> None:  # noqa: ANN401
    task, costs = counter_case(2)
    packed = check_search.Packed(check_search.Guided(task, numbers, 1, costs))
    assert packed.cheapest(costs, 30, frozenset(), ordered=False) == 18


def test_what_is_promised_is_compared_with_a_bound_that_is_not_whole() -> None:
    task, costs = counter_case(1)
    guided = check_search.Guided(task, [[9 - value for value in range(10)]], 1, costs)
    tasks: list[Any] = [task, guided, check_search.Packed(guided)]
    for one in tasks:
        assert one.cheapest(costs, Fraction(91, 10), frozenset(), ordered=False) == 9


def test_it_gives_up_at_its_own_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """More states fit than in the plain search, but not any number."""
    task, costs = counter_case(3)
    packed = check_search.Packed(task)
    monkeypatch.setattr(check_proof, "MOST_STATES", 500)
    monkeypatch.setattr(check_search, "MOST_STATES", 1000)
    assert searched(task, costs, 27, frozenset(), False) == "not proven"
    assert searched(packed, costs, 27, frozenset(), False) == 27
    monkeypatch.setattr(check_search, "MOST_STATES", 500)
    assert searched(packed, costs, 27, frozenset(), False) == "not proven"


def test_states_that_promise_too_little_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the initial state 28 successors wait, none of which can lead to a cheaper plan."""
    task, costs = switches_case(28, 0)
    costs = dict.fromkeys(costs, 2)
    guided = check_search.Guided(task, [[1, 0]] * 28, 1, costs)
    monkeypatch.setattr(check_search, "MOST_STATES", 20)
    packed = check_search.Packed(guided)
    assert packed.cheapest(costs, 29, frozenset(), ordered=False) == 29
    assert searched(check_search.Packed(task), costs, 29, frozenset(), False) == "not proven"


def test_many_variables_and_many_conditions() -> None:
    """Deeper than Python's own limit: every switch needs its own, and one action all of them."""
    count = 2 * sys.getrecursionlimit()
    task, costs = switches_case(count, 2)
    packed = check_search.Packed(task)
    assert packed.cheapest(costs, 2, frozenset(), ordered=False) == 1
    del task.operators["(all 0)"], task.operators["(all 1)"]
    assert check_search.Packed(task).cheapest(costs, 2, frozenset(), ordered=False) == 2


def test_an_action_that_is_always_possible_ends() -> None:
    """It leads back to where it was possible, and the bound is far away."""
    task, costs = switches_case(2, 0)
    task.operators["(nothing)"] = [((), [])]
    costs["(nothing)"] = 1
    del task.operators["(switch 0)"]
    assert check_search.Packed(task).cheapest(costs, 10**30, frozenset(), ordered=False) == 10**30


def switches_case(count: int, ways: int) -> tuple[check_proof.Task, Costs]:
    """Switches that are all to be on, each by its own action, or all at once in so many ways."""
    task = object.__new__(check_proof.Task)
    task.name, task.rules, task.layers = "switches", {}, [-1] * count
    task.start = (0,) * count
    task.goal = tuple((number, 1) for number in range(count))
    one = {f"(switch {n})": [(((n, 0),), [((), n, 1)])] for n in range(count)}
    off = tuple((number, 0) for number in range(count))
    effects = [((), number, 1) for number in range(count)]
    task.operators = {**one, **{f"(all {n})": [(off, effects)] for n in range(ways)}}
    return task, dict.fromkeys(task.operators, 1)

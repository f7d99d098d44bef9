"""One answer out of many: the weights never change, and no other answer is preferred."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings

from plancost.learning.exact.tie_break import name_weight
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import ObservedFile
from plancost.observations.planfile import Plan
from plancost.observations.sas import Effect, Operator, SasTask, Variable
from support.brute_force import is_optimal
from support.learned import learned
from support.small_tasks import DOMAIN, PROBLEM, learning_tasks


def test_weights_of_names_never_change() -> None:
    """Other weights would give other costs than earlier versions did."""
    names = ["(move a b)", "(move b a)", "", "task 0 (a1)"]
    assert [name_weight(name) for name in names] == [8252, 5219, 1653, 9581]
    many = [name_weight(str(number)) for number in range(3000)]
    assert min(many) >= 1
    assert max(many) <= 10_000
    assert len(set(many)) > 2000


@settings(max_examples=60, deadline=None)
@given(learning_tasks(most_actions=4))
def test_no_answer_as_good_is_preferred(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, plans = example
    answer = learned(task)
    assert answer.facts["canonical"]
    value = task.secondary(answer.costs)

    def liked(chosen: PlanSet) -> int:
        found = (task.candidates[number] for number in chosen)
        return sum(name_weight(f"{task.case.tasks[c.task].key} {' '.join(c.plan)}") for c in found)

    def weighted(costs: tuple[int, ...]) -> int:
        pairs = zip(task.parameters, costs, strict=True)
        return sum(name_weight(name) * cost for name, cost in pairs)

    for costs in product(range(1, 6), repeat=len(task.parameters)):
        if task.secondary(costs) != value:
            continue
        chosen = frozenset(
            number
            for number, candidate in enumerate(task.candidates)
            if is_optimal(task, candidate.observations[0], costs, plans[candidate.task])
        )
        if task.weight(chosen) == answer.weight:
            assert liked(chosen) <= liked(answer.chosen)
            if chosen == answer.chosen:
                assert weighted(costs) >= weighted(answer.costs)


@pytest.mark.parametrize("names", list(permutations(["(a)", "(b)", "(c)"])))
def test_of_three_ways_to_make_a_detour_optimal(names: tuple[str, str, str]) -> None:
    """Two steps of 2 against one of 3: one of the three costs has to change by 1."""
    first, second, direct = names
    place = Variable("var0", -1, ("Atom at(x)", "Atom at(y)", "Atom at(z)"))
    moves = ((first, 0, 1), (second, 1, 2), (direct, 0, 2))
    operators = tuple(Operator(n, ((0, a),), (Effect((), 0, b),)) for n, a, b in moves)
    task = Task(PROBLEM, SasTask((place,), (), (0,), ((0, 2),), operators, ()), "task", "world")
    source = ObservedFile(Path("p.pddl"), Path("p.plan"))
    plan = Observation(0, (first, second), False, source)
    case = Case(Path(), DOMAIN, (), (task,), (plan,), ())
    wishes = {first: 2, second: 2, direct: 3}
    initial = tuple(wishes[name] for name in case.actions)
    answer = learned(LearningTask(case, Concept(), initial))
    changes = [(first, -1), (second, -1), (direct, 1)]
    name, change = min(changes, key=lambda one: one[1] * name_weight(one[0]))
    found = dict(zip(case.actions, answer.costs, strict=True))
    assert found == {**wishes, name: wishes[name] + change}

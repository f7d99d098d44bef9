"""Plans and costs in one integer program: no set of maximal weight is below its bound."""

from __future__ import annotations

from math import ceil, inf

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.master.cost_program import CostProgram, RowOfSets, most_violation
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.maximal_sets import Maximal, least_secondary, maximal_sets
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


Divided = tuple[list[Row], dict[Row, PlanSet]]
"""Rows that all sets of maximal weight have, and other rows with the plans that induce them."""


def rows_with_plans(known: Maximal) -> dict[Row, PlanSet]:
    classes: dict[Row, set[int]] = {}
    for number, rows in enumerate(known.rows):
        for row in rows:
            classes.setdefault(row, set()).add(number)
    return {row: frozenset(members) for row, members in classes.items()}


def divided(known: Maximal) -> Divided:
    rows = rows_with_plans(known)
    always = [r for r, members in rows.items() if not any(map(members.isdisjoint, known.least))]
    return always, {row: members for row, members in rows.items() if row not in always}


def program_of(task: LearningTask, known: Maximal, rows: Divided, budget: int) -> CostProgram:
    always, sometimes = rows
    inequalities = Inequalities(len(task.candidates), known.conflicts)
    classes = set(rows_with_plans(known).values())
    necessary = [c for c in classes if always and not any(map(c.isdisjoint, known.least))]
    most = most_violation(task, always, list(sometimes), budget, Deadline())
    switched = [
        RowOfSets(row, members, far)
        for (row, members), far in zip(sometimes.items(), most, strict=True)
    ]
    return CostProgram(task, inequalities, known.weight, always, switched, necessary, [], budget)


@settings(max_examples=60, deadline=None)
@given(learning_tasks(), st.integers(0, 3), st.booleans())
def test_the_cheapest_set_of_all(example: Example, room: int, divides: bool) -> None:
    """With all rows, the bound is what the cheapest set costs, whichever rows are switched."""
    task, plans = example
    known = maximal_sets(task, plans)
    least = min(known.least.values())
    rows: Divided = divided(known) if divides else ([], rows_with_plans(known))
    budget = ceil(least - 1e-6) + room
    choice = program_of(task, known, rows, budget).cheapest(Deadline())
    assert choice.finished
    assert choice.chosen is not None
    assert known.least[choice.chosen] <= least + 2e-3, "as cheap, up to the gap of the solver"
    assert choice.bound == ceil(least - 1e-6)


@settings(max_examples=60, deadline=None)
@given(learning_tasks(), st.data())
def test_fewer_rows_bound_less(example: Example, data: st.DataObject) -> None:
    task, plans = example
    known = maximal_sets(task, plans)
    least = ceil(min(known.least.values()) - 1e-6)
    always, sometimes = divided(known)
    always = [row for row in always if data.draw(st.booleans())]
    sometimes = {row: c for row, c in sometimes.items() if data.draw(st.booleans())}
    choice = program_of(task, known, (always, sometimes), least).cheapest(Deadline())
    assert choice.chosen in known.least
    assert choice.bound <= least


@settings(max_examples=40, deadline=None)
@given(learning_tasks())
def test_no_set_within_the_budget(example: Example) -> None:
    task, plans = example
    known = maximal_sets(task, plans)
    least = ceil(min(known.least.values()) - 1e-6)
    choice = program_of(task, known, divided(known), least - 1).cheapest(Deadline())
    assert choice.chosen is None
    assert choice.finished
    assert choice.bound == least


@settings(max_examples=40, deadline=None)
@given(learning_tasks(), st.data())
def test_a_lift_is_the_price_of_a_set(example: Example, data: st.DataObject) -> None:
    """What is known of single sets counts, also without any row."""
    task, plans = example
    known = maximal_sets(task, plans)
    prices = {chosen: task.secondary_floor + data.draw(st.integers(0, 6)) for chosen in known.least}
    lifts = [(tuple(frozenset([n]) for n in s), price) for s, price in prices.items()]
    inequalities = Inequalities(len(task.candidates), known.conflicts)
    budget = task.secondary_floor + 6
    program = CostProgram(task, inequalities, known.weight, [], [], [], lifts, budget)
    choice = program.cheapest(Deadline())
    assert choice.chosen is not None
    assert choice.bound == min(prices.values()) == prices[choice.chosen]


@settings(max_examples=40, deadline=None)
@given(learning_tasks(), st.data())
def test_the_preferred_set_within_the_budget(example: Example, data: st.DataObject) -> None:
    task, plans = example
    known = maximal_sets(task, plans)
    likes = [data.draw(st.integers(1, 9)) for _ in task.candidates]
    budget = ceil(data.draw(st.sampled_from(sorted(known.least.values()))) - 1e-6)
    program = program_of(task, known, divided(known), budget)
    chosen = program.preferred(likes, Deadline())

    def liked(plan_set: PlanSet) -> int:
        return sum(likes[plan] for plan in plan_set)

    within = [s for s, value in known.least.items() if value <= budget + 1e-6]
    assert chosen in within
    assert liked(chosen) == max(map(liked, within))


@settings(max_examples=40, deadline=None)
@given(learning_tasks(), st.integers(0, 5))
def test_how_far_a_row_can_be_broken(example: Example, room: int) -> None:
    """No corner of the costs within the budget breaks it by more."""
    task, plans = example
    known = maximal_sets(task, plans)
    always, sometimes = divided(known)
    rows = list(sometimes)
    budget = ceil(least_secondary(task, always) - 1e-6) + room
    found = most_violation(task, always, rows, budget, Deadline())
    for (coefficients, margin), most in zip(rows, found, strict=True):
        # Breaking it by more than that takes costs beyond the budget.
        opposite = tuple((action, -value) for action, value in coefficients)
        beyond: Row = (opposite, -margin + ceil(most) + 1)
        assert least_secondary(task, [*always, beyond]) > budget + 1e-6
    assert most_violation(task, always, rows, budget, Deadline.after(-1)) == [inf] * len(rows)

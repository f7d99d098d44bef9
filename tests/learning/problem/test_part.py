"""Some of the observations as a task of their own: the same plans, the same questions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import WriteGraphCase, graph_problem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.part import costs_in_the_whole, part_of_costs, part_of_task
from plancost.learning.problem.plan_cost_constraints import PlanCostConstraint, least_deviation
from plancost.learning.problem.task import LearningTask
from plancost.observations.case import load_case
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import is_optimal
from support.small_tasks import few_copies, learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def some_of(task: LearningTask, data: st.DataObject) -> list[int]:
    """Some of the observations, in any order."""
    everything = range(len(task.case.observations))
    return data.draw(st.lists(st.sampled_from(everything), min_size=1, unique=True))


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_costs_on_the_way_there_and_back(example: Example, data: st.DataObject) -> None:
    task, plans = example
    members = some_of(task, data)
    part = part_of_task(task, members, Deadline())
    costs = tuple(data.draw(st.integers(1, 9)) for _ in task.case.actions)
    own = part_of_costs(task, part, costs)
    for place, number in enumerate(members):
        plan = task.case.observations[number].plan
        assert part.case.observations[place].plan == plan
        assert part.cost(plan, own) == task.cost(plan, costs)
        if len(members) == len(task.case.observations):  # all are observed, so ties are the same
            known = plans[task.case.observations[number].task]
            assert is_optimal(part, place, own, known) == is_optimal(task, number, costs, known)
    back = costs_in_the_whole(task, part, own)
    for name, cost, found, usual in zip(task.case.actions, costs, back, task.baseline, strict=True):
        assert found == (cost if name in part.case.actions else usual)


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_what_is_known_goes_with_its_observation(example: Example, data: st.DataObject) -> None:
    task = few_copies(example[0])
    observations = task.case.observations
    cost = st.fractions(1, 9, max_denominator=2)
    task = replace(
        task,
        ranges=tuple((1, data.draw(st.integers(2, 6))) for _ in task.case.actions),
        factors=tuple(Fraction(data.draw(st.integers(1, 3))) for _ in observations),
        known=tuple(
            PlanCostConstraint(number, task.counts(item.plan), item.count, value, value)
            for number, item in enumerate(observations)
            if (value := data.draw(st.none() | cost)) is not None
        ),
        most_deviation=data.draw(st.none() | st.just(Fraction(0))),
    )
    members = some_of(task, data)
    part = part_of_task(task, members, Deadline())
    for place, number in enumerate(members):
        assert part.factor(place) == task.factor(number)
    assert part.ranges is not None and task.ranges is not None
    for name, own in zip(part.case.actions, part.ranges, strict=True):
        assert own == task.ranges[task.action_number[name]]
        if task.initial_costs is not None and part.initial_costs is not None:
            initial = part.initial_costs[part.action_number[name]]
            assert initial == task.initial_costs[task.action_number[name]]
    assert (part.initial_costs is None) == (task.initial_costs is None)
    kept = [item for item in task.known if item.observation in members]
    assert [members[item.observation] for item in part.known] == [i.observation for i in kept]
    for mine, theirs in zip(part.known, kept, strict=True):
        assert (mine.count, mine.least, mine.greatest) == (
            theirs.count,
            theirs.least,
            theirs.greatest,
        )
        assert mine.counts == part.counts(observations[theirs.observation].plan)
    soft = task.most_deviation is not None and bool(kept)
    least = least_deviation(part.known, part.terms, Deadline()) if soft else None
    assert part.most_deviation == least


def test_actions_that_no_task_of_the_part_has(write_graph_case: WriteGraphCase) -> None:
    folder = write_graph_case({("a", "b"): 5, ("b", "c"): 6}, ["abc", "ab"])
    small = graph_problem("p2", "xy", {("x", "y"): 7}, "x", "y")
    (folder / "p2.pddl").write_text(small)
    (folder / "p2.plan").write_text("(move x y)\n")
    task = LearningTask(load_case(folder), Concept(), (5, 6, 7))
    part = part_of_task(task, [1], Deadline())
    assert part.case.actions == ("(move x y)",)
    assert (part.initial_costs, part_of_costs(task, part, (1, 2, 3))) == ((7,), (3,))
    assert costs_in_the_whole(task, part, (9,)) == (5, 6, 9)

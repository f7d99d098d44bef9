"""The oracle of the check leaves out actions that cannot matter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.oracle import oracle_for
from plancost.learning.verify.verification import check_costs
from plancost.observations.planfile import Plan
from plancost.observations.strings import case_from_strings
from plancost.oracles.graph_limits import GraphLimits
from support.brute_force import is_optimal
from support.small_tasks import learning_tasks


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.data())
def test_the_check_on_few_actions_is_that_on_all(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    """Some actions cost so much that the check leaves them out for some of the tasks."""
    task, plans = example
    numbers = st.sampled_from([1, 2, 3, 40])
    costs = tuple(data.draw(numbers, label=name) for name in task.case.actions)
    options = LearnOptions(concept=task.concept)
    run = Run.of(task.case, options)
    oracle = oracle_for(run, task, costs)
    verdicts = check_costs(run, task, costs, oracle)
    for number, verdict in enumerate(verdicts):
        known = plans[task.case.observations[number].task]
        assert verdict.optimal == is_optimal(task, number, costs, known)


SWITCHES = """(define (domain switches) (:predicates (on ?s) (off ?s))
  (:action flip :parameters (?s) :precondition (off ?s) :effect (and (on ?s) (not (off ?s))))
  (:action back :parameters (?s) :precondition (on ?s) :effect (and (off ?s) (not (on ?s)))))"""
PROBLEM = """(define (problem p) (:domain switches) (:objects a b c)
  (:init (off a) (off b) (off c)) (:goal (on {goal})))"""


@pytest.mark.parametrize(("goals", "on_graphs"), [("a", False), ("ab", True), ("abc", True)])
def test_a_graph_that_serves_several_tasks_may_be_larger(goals: str, *, on_graphs: bool) -> None:
    """Three switches have eight states, twice as many as the graph of a single task may have."""
    case = case_from_strings(
        SWITCHES,
        {goal: PROBLEM.format(goal=goal) for goal in goals},
        [(goal, f"(flip {goal})") for goal in goals],
    )
    run = Run.of(case, LearnOptions(graph_limits=GraphLimits(states=4, growth=4)))
    task, costs = LearningTask(case, Concept(), None), (1,) * len(case.actions)
    oracle = oracle_for(run, task, costs)
    assert (oracle.name == "graph") is on_graphs
    assert all(verdict.optimal for verdict in check_costs(run, task, costs, oracle))

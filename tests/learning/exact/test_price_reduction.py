"""Prices come down as far as they may, and the chosen plans stay optimal."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings

from plancost.learning.exact.insertion import Inserter
from plancost.learning.exact.price_reduction import reduce_prices
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.combined import build_separator
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.pricing_out import priced_out
from plancost.observations.case import load_case
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.small_tasks import learning_tasks


@settings(max_examples=300, deadline=None)
@given(learning_tasks())
def test_lower_prices_keep_the_chosen_plans_optimal(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, _ = example
    options = LearnOptions(concept=task.concept)
    separator = build_separator(Run.of(task.case, options), task, None)
    graphs = separator.graphs()
    assert graphs is not None
    subproblem = Subproblem(task, range(len(task.case.actions)), separator)
    found = Inserter(subproblem).insert(range(len(task.candidates)), Deadline(), 0)
    if found.costs is None:
        return
    expensive = priced_out(task, found.chosen, found.costs)
    assert subproblem.check(expensive, found.chosen, Deadline())
    lower = reduce_prices(task, graphs, found.chosen, expensive, Deadline())
    assert subproblem.check(lower, found.chosen, Deadline())
    used = {a for number in found.chosen for a, _ in task.candidates[number].counts}
    for action, cost in enumerate(lower):
        assert cost == expensive[action] if action in used else cost <= expensive[action]
        assert cost >= 1
    assert reduce_prices(task, graphs, found.chosen, lower, Deadline()) == lower


def test_a_task_without_actions(tmp_path: Path) -> None:
    """Where nothing can be done, nothing has a price."""
    (tmp_path / "domain.pddl").write_text(
        "(define (domain d) (:predicates (at ?p) (road ?p ?q)) (:action drive :parameters (?p ?q)"
        " :precondition (and (at ?p) (road ?p ?q)) :effect (and (at ?q) (not (at ?p)))))"
    )
    files = {
        "here.pddl": ("a", "(at a)", "(and)"),
        "there.pddl": ("a b", "(at a) (road a b)", "(at b)"),
    }
    for name, (objects, init, goal) in files.items():
        (tmp_path / name).write_text(
            f"(define (problem p) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}))"
        )
    (tmp_path / "here.plan").write_text("")
    (tmp_path / "there.plan").write_text("(drive a b)\n")
    task = LearningTask(load_case(tmp_path), Concept(), None)
    graphs = build_separator(Run.of(task.case, LearnOptions()), task, None).graphs()
    assert graphs is not None
    assert reduce_prices(task, graphs, frozenset([0, 1]), (7,), Deadline()) == (7,)

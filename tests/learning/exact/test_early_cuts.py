"""Cuts found before the linear program: they are true, and change no answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact import early_cuts
from plancost.learning.exact.early_cuts import find_early_cuts
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.rows import is_violated
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.observations.road_map import case_from_routes
from plancost.routes.network import Link, Network, Trip
from plancost.routes.road_maps import NetworkMap
from plancost.system.clock import Deadline
from support.small_networks import draw_trips, small_networks
from support.small_tasks import learning_tasks


def _subproblem(task: LearningTask) -> Subproblem:
    options = LearnOptions(concept=task.concept)
    return first_subproblem(Run.of(task.case, options, Deadline()), task)


def _two_ways() -> LearningTask:
    """Two ways from a to c, and a trip on each."""
    links = [("1", "a", "b"), ("2", "b", "c"), ("3", "a", "c")]
    road_map = NetworkMap.of(Network(tuple(Link(*each) for each in links)))
    trips = [Trip("long", ("1", "2")), Trip("short", ("3",))]
    case = case_from_routes(road_map.road_map, [road_map.route(trip) for trip in trips])
    return LearningTask(case, Concept(), None)


@settings(max_examples=15)
@given(drawn=learning_tasks())
def test_answers_stay_the_same(drawn: tuple[LearningTask, list[list[Plan]]]) -> None:
    task, _ = drawn
    everyone = frozenset(range(len(task.candidates)))
    plain, early = _subproblem(task), _subproblem(task)
    find_early_cuts(early, everyone, Deadline())
    for chosen in (everyone, *(frozenset([number]) for number in everyone)):
        answers = [each.decide(chosen, Deadline()) for each in (plain, early)]
        assert type(answers[0]) is type(answers[1])


@given(seeds=st.lists(st.integers(0, 999), min_size=2, max_size=6), data=st.data())
def test_cuts_are_of_plans_of_the_task(seeds: list[int], data: st.DataObject) -> None:
    """Under any costs, a plan that breaks a row of its own costs more than the alternative."""
    network = data.draw(small_networks())
    trips = draw_trips(network, seeds, None)
    if not trips:
        return
    road_map = NetworkMap.of(network)
    case = case_from_routes(road_map.road_map, [road_map.route(trip) for trip in trips])
    task = LearningTask(case, Concept(), None)
    subproblem = _subproblem(task)
    find_early_cuts(subproblem, frozenset(range(len(task.candidates))), Deadline())
    costs = data.draw(
        st.lists(st.integers(1, 9), min_size=len(task.parameters), max_size=len(task.parameters))
    )
    for cut in subproblem.cuts():
        own = task.cost(task.candidates[cut.candidate].plan, costs)
        assert is_violated(cut.row, costs) == (own > task.cost(cut.alternative, costs))


def test_most_rows_are_known_before_the_linear_program() -> None:
    """Only plans of the set have rows; costs of several parameters are left to the program."""
    task = _two_ways()
    subproblem = _subproblem(task)
    subproblem = Subproblem(task, subproblem.actions, subproblem.separator, prices_out=True)
    assert subproblem.row_count == 0
    find_early_cuts(subproblem, frozenset([0]), Deadline.after(0))
    assert subproblem.row_count == 0
    find_early_cuts(subproblem, frozenset([0, 1]), Deadline())
    assert subproblem.row_count == 1
    shared = replace(task, composition=CostModel.by_names(["x"] * len(task.case.actions)))
    nothing = _subproblem(shared)
    known = nothing.row_count
    find_early_cuts(nothing, frozenset([0, 1]), Deadline())
    assert nothing.row_count == known


def test_known_cuts_are_no_reason_to_stop() -> None:
    """Of two shorter ways one is known already; it must rise before the other is found."""
    links = [("1", "a", "b"), ("2", "b", "c"), ("3", "a", "c"), ("4", "a", "c")]
    road_map = NetworkMap.of(Network(tuple(Link(*each) for each in links)))
    trips = [Trip("long", ("1", "2")), Trip("short", ("3",)), Trip("other", ("4",))]
    case = case_from_routes(road_map.road_map, [road_map.route(trip) for trip in trips])
    task = LearningTask(case, Concept(), None)
    separator = _subproblem(task).separator
    subproblem = Subproblem(task, task.deciding_actions, separator, prices_out=True)
    subproblem.satisfying(subproblem.start, [0, 1, 2], Deadline())
    assert subproblem.row_count == 1
    find_early_cuts(subproblem, frozenset([0, 1, 2]), Deadline())
    assert subproblem.row_count > 1


def test_rows_are_nearly_satisfied() -> None:
    """One row, ``c1 + c2 <= c3``: one step is enough, and no cost falls below 1."""
    task = _two_ways()
    subproblem = _subproblem(task)
    find_early_cuts(subproblem, frozenset([0]), Deadline())
    rows = early_cuts._Rows(subproblem)
    start = subproblem.start * 6
    costs = rows.nearly_satisfied(start, subproblem.pool.induced([0]))
    assert costs.min() >= 1
    assert costs[:2].sum() <= costs[2] + 1e-6
    assert start.tolist() == [6, 6, 6]


def test_a_row_that_no_costs_satisfy() -> None:
    """Strictly cheaper than another order of the same actions: nothing is left to change."""
    subproblem = _subproblem(_two_ways())
    subproblem.pool.add(((), 1), 0)
    only = np.array([not coefficients for coefficients, _ in subproblem.pool.rows])
    costs = early_cuts._Rows(subproblem).nearly_satisfied(subproblem.start, only)
    assert costs.tolist() == subproblem.start.tolist()

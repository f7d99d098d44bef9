"""What planners are asked and what is believed of their answers."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from brute_force import loopless_plans
from fake_planner import fake
from plancost.case.model import Case, Network, Observation, Task, plain_model
from plancost.case.read import read_case
from plancost.clock import Clock
from plancost.search.downward import Verdict
from plancost.search.planners import LARGEST_BOUND, Planners
from random_tasks import bare_case, draw_network, with_observations

FD, SYMK = "PLANCOST_FAST_DOWNWARD", "PLANCOST_SYMK"
FOUND, NONE = Verdict.FOUND, Verdict.NONE

DOMAIN = """(define (domain lamps) (:requirements :adl :derived-predicates :action-costs)
(:constants one two three) (:predicates (lit ?l) (near ?a ?b) (bright))
(:functions (total-cost) (price ?l)) (:derived (bright) (and (lit one) (lit two)))
(:action press :parameters (?l) :precondition (not (lit ?l))
 :effect (and (lit ?l) (increase (total-cost) (price ?l))
  (forall (?m) (when (and (near ?l ?m) (not (lit ?m))) (lit ?m)))))
(:action rest :parameters () :effect (and))
(:action dim :parameters (?l) :precondition (lit ?l) :effect (not (lit ?l))))
"""
PROBLEM = """(define (problem one) (:domain lamps)
(:init (near three one) (near three two) (= (price one) 2) (= (price two) 0.5))
(:goal (and (bright) (not (lit three)))) (:metric minimize (total-cost)))
"""


def one_link(count: int = 2) -> Case:
    """Places in a row, with a trip along the first link."""
    links = np.arange(count - 1)
    world = Network(tuple(map(str, range(count))), links, links + 1, links)
    task = Task("t", 0, frozenset([0]), goal_states=frozenset([1]))
    names = tuple(f"l{link}" for link in range(count - 1))
    return Case("x", names, (world,), (task,), (Observation("o", 0, (0,)),), plain_model(names))


def draw_streets(seed: int) -> tuple[Case, list[int]]:
    """A case on a network, and costs."""
    random = Random(seed)
    count, make = draw_network(random)
    case = with_observations(random, bare_case(count, (make(),)), [1] * count)
    return case, [random.randint(1, 9) for _ in range(count)]


@pytest.mark.parametrize("piece", range(4))
def test_streets_against_enumeration(piece: int) -> None:
    for seed in range(piece * 6, piece * 6 + 6):
        case, costs = draw_streets(seed)
        planners = Planners(case)
        for number, task in enumerate(case.tasks[:3]):
            every = [case.cost(plan, costs) for plan in loopless_plans(case, task)]
            best = min(every)
            found = planners.cheapest(number, costs, Clock(30))
            assert (found.verdict, found.cost) == (FOUND, best), seed
            found = planners.cheapest(number, costs, Clock(30), most=best)
            assert (found.verdict, found.cost) == (FOUND, best), seed
            assert planners.cheapest(number, costs, Clock(30), most=best - 1).verdict is NONE, seed
            used = frozenset(case.observations[0].actions)
            within = [p for p in loopless_plans(case, task) if used.issuperset(p)]
            closed = [cost if n in used else 2**40 for n, cost in enumerate(costs)]
            found = planners.cheapest(number, closed, Clock(30), most=sum(costs))
            assert found.cost == min((case.cost(p, costs) for p in within), default=None), seed


def test_top_k_and_other_plans() -> None:
    case, costs = next(
        (case, costs)
        for case, costs in map(draw_streets, range(50))
        if case.tasks and len(loopless_plans(case, case.tasks[0])) > 5
    )
    every = sorted(
        loopless_plans(case, case.tasks[0]), key=lambda plan: (case.cost(plan, costs), plan)
    )
    planners = Planners(case)
    found = planners.top_k(0, costs, 3, Clock(60))
    assert [case.cost(p, costs) for p in found.plans] == [case.cost(p, costs) for p in every[:3]]
    found = planners.top_k(0, costs, None, Clock(60))
    assert set(every) <= set(found.plans)
    second = case.cost(every[1], costs)
    found = planners.other_plans(0, costs, second, [every[0]], Clock(60))
    assert (found.verdict, found.cost) == (FOUND, second)
    known = [plan for plan in every if case.cost(plan, costs) <= second]
    assert planners.other_plans(0, costs, second, known, Clock(60)).verdict is NONE


@pytest.fixture
def lamps(tmp_path: Path) -> Case:
    """Conditional effects, an axiom, an action without effect, and a cost that is undefined."""
    (tmp_path / "domain.pddl").write_text(DOMAIN, encoding="ascii")
    (tmp_path / "one.pddl").write_text(PROBLEM, encoding="ascii")
    (tmp_path / "one.plan").write_text("(press one)\n(press two)\n", encoding="ascii")
    return read_case(tmp_path)


def test_pddl_with_axioms_and_conditional_effects(lamps: Case) -> None:
    number = {name: place for place, name in enumerate(lamps.actions)}
    costs = [1] * len(number)
    for name in ("(press one)", "(press two)"):
        costs[number[name]] = 5
    planners = Planners(lamps)
    # Its cost is undefined: the translator would have dropped it.
    by_three = (number["(press three)"], number["(dim three)"])
    found = planners.cheapest(0, costs, clock=Clock(60), most=9)
    assert (found.verdict, found.plans, found.cost) == (FOUND, (by_three,), 2)
    assert planners.cheapest(0, costs, clock=Clock(60), most=1).verdict is NONE
    found = planners.other_plans(0, costs, 2, [by_three], Clock(60))
    assert found.verdict in (NONE, Verdict.GAVE_UP)
    first, second = number["(press one)"], number["(press two)"]
    found = planners.other_plans(0, [1] * len(number), 2, [by_three], Clock(60))
    assert found.verdict is FOUND
    assert {(first, second), (second, first)} > set(found.plans)
    found = planners.other_plans(
        0, [1] * len(number), 2, [by_three, (first, second)], Clock(60), reorderings=True
    )
    assert found.verdict is not FOUND


def test_a_goal_that_holds_needs_no_planner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FD, fake(tmp_path, "crash"))
    monkeypatch.setenv(SYMK, fake(tmp_path, "crash"))
    links = np.array([0])
    world = Network(("a", "b"), links, links + 1, links)
    task = Task("t", 0, frozenset([0]), goal_states=frozenset([0, 1]))
    case = Case("x", ("l",), (world,), (task,), (Observation("o", 0, (0,)),), plain_model(("l",)))
    planners = Planners(case)
    assert planners.cheapest(0, [1], clock=Clock(9), most=0).plans == ((),)
    assert planners.cheapest(0, [1], Clock(9)).cost == 0
    assert planners.cheapest(0, [1], clock=Clock(9), most=-1).verdict is NONE


def test_costs_beyond_32_bits_are_not_asked_about() -> None:
    planners = Planners(one_link())
    assert planners.cheapest(0, [2**31], clock=Clock(9), most=2147483648).verdict is Verdict.GAVE_UP
    assert planners.cheapest(0, [LARGEST_BOUND], Clock(9)).cost == LARGEST_BOUND
    # Actions that cost too much are in no plan below a bound.
    large = Planners(one_link(3)).cheapest(0, [1, 2**40], clock=Clock(9), most=1)
    assert (large.verdict, large.cost) == (FOUND, 1)

"""Cheapest plans: what is found, what is proven, and what happens at a limit."""

from __future__ import annotations

from pathlib import Path

import pytest

import plancost
from conftest import DOMAIN, both_ways, graph_problem
from plancost.errors import PlannerError, UsageError
from plancost.observations.planfile import Plan
from plancost.oracles import fast_downward
from plancost.oracles.portfolio import PlannerPortfolio
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.planning.solve import PlannerName, SolveOptions, SolveStatus, solve
from plancost.system.processes import Limits

SQUARE = both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1})


@pytest.fixture
def domain(tmp_path: Path) -> Path:
    path = tmp_path / "domain.pddl"
    path.write_text(DOMAIN)
    return path


@pytest.fixture
def square(domain: Path) -> Path:
    """From a to d through b or through c."""
    return write(domain, graph_problem("square", "abcd", SQUARE, "a", "d"))


def write(domain: Path, text: str) -> Path:
    path = domain.with_name("p.pddl")
    path.write_text(text)
    return path


@pytest.mark.parametrize("planner", [None, *PlannerName])
def test_each_planner_finds_the_same(
    planner: PlannerName | None, domain: Path, square: Path
) -> None:
    costs = {"(move a b)": 5, "(move a c)": 2, "(move c d)": 3}
    options = SolveOptions(planner)
    found = solve(square, domain=domain, costs=costs, default_cost=1, options=options)
    assert found.status is SolveStatus.PROVEN
    (plan,) = found.plans
    assert (plan.steps, plan.costs, plan.cost) == (("(move a c)", "(move c d)"), (2, 3), 5)
    assert found.costs is not None
    assert len(found.costs.fixed) == 5


def test_several_plans_are_all_there_are(domain: Path, square: Path) -> None:
    """Two ways to the goal, and both are listed, the cheaper first."""
    found = solve(
        square,
        domain=domain,
        costs={"(move a b)": 5},
        default_cost=1,
        options=SolveOptions(count=9, use_cache=False),
    )
    assert (found.status, found.complete) == (SolveStatus.PROVEN, True)
    assert [plan.cost for plan in found.plans] == [2, 6]
    two = solve(square, domain=domain, options=SolveOptions(count=1, planner=PlannerName.SYMK))
    assert [plan.cost for plan in two.plans] == [2]


@pytest.mark.parametrize("count", [1, 3])
def test_no_way_is_proven_by_the_translator(count: int, domain: Path) -> None:
    problem = write(domain, graph_problem("p", "abd", both_ways({"ab": 1}), "a", "d"))
    found = solve(problem, domain=domain, options=SolveOptions(count=count))
    assert (found.status, found.plans) == (SolveStatus.UNSOLVABLE, ())


ONE_KEY = """(define (domain keys) (:predicates (key) (open-a) (open-b))
  (:action open-a :parameters () :precondition (key) :effect (and (open-a) (not (key))))
  (:action open-b :parameters () :precondition (key) :effect (and (open-b) (not (key)))))
"""
TWO_DOORS = """(define (problem doors) (:domain keys) (:init (key))
  (:goal (and (open-a) (open-b))))
"""


@pytest.mark.parametrize("options", [SolveOptions(p) for p in (None, *PlannerName)], ids=str)
def test_no_plan_is_proven_by_search(options: SolveOptions, tmp_path: Path) -> None:
    """One key for two doors: only a search can tell (also with costs above 1)."""
    domain, problem = tmp_path / "domain.pddl", tmp_path / "doors.pddl"
    domain.write_text(ONE_KEY)
    problem.write_text(TWO_DOORS)
    for costs in (None, {"(open-a)": 3}):
        found = solve(problem, domain=domain, costs=costs, options=options)
        assert (found.status, found.plans) == (SolveStatus.UNSOLVABLE, ())


LIGHTS = """(define (domain lights)
  (:requirements :conditional-effects :derived-predicates :negative-preconditions)
  (:predicates (on ?l) (next ?l ?m) (lit) (last ?l))
  (:derived (lit) (exists (?l) (and (last ?l) (on ?l))))
  (:action press :parameters (?l) :precondition (not (on ?l))
    :effect (and (on ?l) (forall (?m) (when (next ?l ?m) (on ?m))))))
"""
THREE_LIGHTS = """(define (problem three) (:domain lights) (:objects a b c)
  (:init (next a b) (next b c) (last c)) (:goal (and (lit) (on a))))
"""


@pytest.mark.parametrize("options", [SolveOptions(p) for p in (None, *PlannerName)], ids=str)
def test_axioms_and_conditional_effects(options: SolveOptions, tmp_path: Path) -> None:
    """a lights b, and b or c must be pressed for c: whichever is cheaper and possible."""
    domain, problem = tmp_path / "domain.pddl", tmp_path / "three.pddl"
    domain.write_text(LIGHTS)
    problem.write_text(THREE_LIGHTS)
    costs = {"(press a)": 2, "(press b)": 3, "(press c)": 9}
    found = solve(problem, domain=domain, costs=costs, options=options)
    # b first, while it is dark: pressing a would light it.
    assert (found.status, found.plans[0].cost) == (SolveStatus.PROVEN, 5)
    assert found.plans[0].steps == ("(press b)", "(press a)")


def test_a_first_search_that_fails_is_no_obstacle(
    domain: Path, square: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> SearchOutcome:
        raise PlannerError("does not support this")

    monkeypatch.setattr(fast_downward, "first_plan", fail)
    assert solve(square, domain=domain).status is SolveStatus.PROVEN


def test_a_first_plan_is_no_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Greedy search that finds nothing has proven nothing, whatever its exit code is."""
    binary = tmp_path / "planner"
    binary.write_text("#!/bin/sh\nexit 11\n")
    binary.chmod(0o755)
    monkeypatch.setenv(fast_downward.FAST_DOWNWARD.variable, str(binary))
    outcome = fast_downward.first_plan("", limits=Limits())
    assert outcome.verdict is Verdict.GAVE_UP


def test_a_goal_that_holds_needs_no_step(domain: Path) -> None:
    problem = write(domain, graph_problem("p", "ab", both_ways({"ab": 1}), "a", "a"))
    found = solve(problem, domain=domain)
    assert (found.status, found.plans[0].steps, found.plans[0].cost) == (SolveStatus.PROVEN, (), 0)


def test_costs_beyond_the_planners(domain: Path, square: Path) -> None:
    """An action too dear for 32 bits is left out while there is a way around it."""
    huge = {"(move a b)": 10**11, "(move a c)": 4}
    found = solve(square, domain=domain, costs=huge, default_cost=1)
    assert (found.status, found.plans[0].cost) == (SolveStatus.PROVEN, 5)
    found = solve(square, domain=domain, costs=huge | {"(move a c)": 10**11}, default_cost=1)
    assert (found.status, found.plans[0].cost) == (SolveStatus.FOUND, 10**11 + 1)


@pytest.mark.parametrize("planner", [None, *PlannerName])
def test_a_plan_beyond_the_planners_is_not_proven(
    planner: PlannerName | None, domain: Path
) -> None:
    """SymK finds a plan without the action that is left out, and a cheaper one has it."""
    lengths = {("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1}
    problem = write(domain, graph_problem("detour", "abc", lengths, "a", "c"))
    costs = {"(move a b)": 5 * 10**8, "(move b c)": 5 * 10**8, "(move a c)": 6 * 10**8}
    found = solve(problem, domain=domain, costs=costs, options=SolveOptions(planner))
    assert found.status is SolveStatus.FOUND
    (plan,) = found.plans
    assert plan.cost == sum(costs[step] for step in plan.steps)


def test_out_of_time_with_a_plan_is_not_proven(
    domain: Path, square: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(self: PlannerPortfolio, *_: object) -> SearchOutcome:
        return SearchOutcome(Verdict.OUT_OF_TIME, (), 0.1, "stub")

    monkeypatch.setattr(PlannerPortfolio, "optimal", give_up)
    found = solve(square, domain=domain)
    assert found.status is SolveStatus.FOUND
    assert found.plans[0].cost == 2
    assert found.to_json()["proven"] is False


def test_out_of_time_without_a_plan(
    domain: Path, square: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object, **__: object) -> SearchOutcome:
        return SearchOutcome(Verdict.OUT_OF_MEMORY, (), 0.1, "stub")

    def no_plan(self: PlannerPortfolio, *_: object, patience_s: float = 0) -> Plan | None:
        return None

    monkeypatch.setattr(PlannerPortfolio, "optimal", give_up)
    monkeypatch.setattr(PlannerPortfolio, "quickly_below", no_plan)
    monkeypatch.setattr(fast_downward, "first_plan", give_up)
    found = solve(square, domain=domain)
    assert (found.status, found.plans) == (SolveStatus.OUT_OF_MEMORY, ())


def test_wrong_options(domain: Path, square: Path) -> None:
    with pytest.raises(UsageError, match="SymK"):
        SolveOptions(PlannerName.FAST_DOWNWARD, count=2)
    with pytest.raises(UsageError, match="count"):
        SolveOptions(count=0)
    with pytest.raises(UsageError, match="fast-downward or symk"):
        SolveOptions("lama")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="costs"):
        solve(square, domain=domain, default_cost=1)


def test_the_front_door(domain: Path, square: Path, tmp_path: Path) -> None:
    costs = {"(move a b)": 3}
    applied = plancost.apply_costs(costs, square, domain=domain, output=tmp_path / "out")
    assert applied.costs.costs["(move b d)"] == 3
    assert plancost.solve(applied.files[1], domain=applied.files[0]).plans[0].cost == 6

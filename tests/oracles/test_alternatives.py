"""The k cheapest plans from the real SymK, against all simple plans by depth-first search."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from conftest import DOMAIN, TABLE_1, graph_problem
from plancost.observations.case import Task
from plancost.observations.grounding import ground
from plancost.observations.pddl import parse_domain, parse_problem
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.oracles import symk
from plancost.oracles.alternatives import Alternatives, find_alternatives
from plancost.oracles.cache import PlanCache
from plancost.oracles.search import SearchOutcome
from plancost.system.processes import Limits
from support.small_tasks import simple_plans

# `flash` has three operators of one name; pressing a and b commutes.
LAMPS = """(define (domain lamps) (:requirements :adl) (:predicates (on ?l))
  (:action press :parameters (?l) :precondition (not (on ?l)) :effect (on ?l))
  (:action flash :parameters () :precondition (exists (?l) (not (on ?l)))
    :effect (forall (?l) (on ?l))))
"""
THREE = """(define (problem three) (:domain lamps) (:objects a b c) (:init)
  (:goal (and (on a) (on b) (on c))))
"""


def make_task(domain: str, problem: str) -> Task:
    parsed = parse_problem(problem)
    return Task(parsed, ground(parse_domain(domain), parsed, Limits()), "key", "world")


@pytest.fixture(scope="module")
def lamps() -> Task:
    return make_task(LAMPS, THREE)


@pytest.fixture(scope="module")
def streets() -> Task:
    nodes = sorted({a for a, _ in TABLE_1})
    return make_task(DOMAIN, graph_problem("p", nodes, TABLE_1, "a", "f"))


def prices(task: Task) -> dict[str, int]:
    return {name: 1 + number % 3 for number, name in enumerate(sorted(task.actions))}


def find(
    task: Task, costs: Mapping[str, int], count: int | None, cache: Path | None = None
) -> Alternatives:
    return find_alternatives(task, costs, count, cache=PlanCache(cache))


def by_actions(plans: list[Plan]) -> list[Plan]:
    """One ordering for all plans with the same actions."""
    return list({tuple(sorted(plan)): plan for plan in plans}.values())


def costs_of(plans: tuple[Plan, ...] | list[Plan], costs: Mapping[str, int]) -> list[int]:
    return sorted(sum(costs[name] for name in plan) for plan in plans)


@pytest.mark.parametrize("name", ["lamps", "streets"])
def test_all_simple_plans(name: str, request: pytest.FixtureRequest) -> None:
    task: Task = request.getfixturevalue(name)
    costs = prices(task)
    found = find(task, costs, None)
    expected = by_actions(simple_plans(task.sas))
    assert found.complete
    assert found.finished
    assert sorted(map(sorted, found.plans)) == sorted(map(sorted, expected))


@pytest.mark.parametrize("name", ["lamps", "streets"])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_the_cheapest_plans(name: str, count: int, request: pytest.FixtureRequest) -> None:
    """Distinct, valid, without loops, the cheapest ones, and as many as asked for."""
    task: Task = request.getfixturevalue(name)
    costs = prices(task)
    found = find(task, costs, count)
    expected = costs_of(by_actions(simple_plans(task.sas)), costs)
    assert costs_of(found.plans, costs) == expected[:count]
    assert len(set(found.plans)) == len(found.plans)
    for plan in found.plans:
        replayed = replay(task.sas, plan)
        assert replayed.is_valid
        assert not replayed.visits_a_state_twice
    assert found.complete == (count >= len(expected))
    own = [sum(costs[name] for name in plan) for plan in found.plans]
    assert own == sorted(own)


def test_what_was_found_is_kept(
    streets: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = prices(streets)
    first = find(streets, costs, 3, tmp_path)

    def must_not_run(*_: object, **__: object) -> SearchOutcome:
        raise AssertionError("the plans are in the cache")

    monkeypatch.setattr(symk, "top_plans", must_not_run)
    assert find(streets, costs, 3, tmp_path).plans == first.plans
    fewer = find(streets, costs, 2, tmp_path)
    assert (fewer.plans, fewer.complete) == (first.plans[:2], False)
    with pytest.raises(AssertionError, match="in the cache"):
        find(streets, costs, 4, tmp_path)
    with pytest.raises(AssertionError, match="in the cache"):
        find(streets, dict.fromkeys(costs, 1), 3, tmp_path)


def test_a_complete_list_in_the_cache_serves_all_questions(
    streets: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = prices(streets)
    everything = find(streets, costs, None, tmp_path)
    monkeypatch.setattr(symk, "top_plans", None)
    assert find(streets, costs, 100, tmp_path).complete
    fewer = find(streets, costs, 2, tmp_path)
    assert (fewer.plans, fewer.complete) == (everything.plans[:2], False)


def test_out_of_time(streets: Task) -> None:
    found = find_alternatives(
        streets, prices(streets), 3, cache=PlanCache(None), limits=Limits(time_s=0)
    )
    assert (found.plans, found.finished, found.complete) == ((), False, False)

"""SAS+ files of really translated tasks, and that our semantics are the planner's."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import replace

import pytest

from plancost.errors import PlannerError
from plancost.observations.grounding import ground
from plancost.observations.pddl import parse_domain, parse_problem
from plancost.observations.replay import replay
from plancost.observations.sas import LARGEST_PLANNER_COST, SasTask, Variable, parse_sas, sas_text
from plancost.oracles.fast_downward import optimal_plan
from plancost.oracles.search import Verdict
from plancost.system.processes import Limits

# Conditional effects (switch), derived predicates with recursion and negation (reach,
# happy), several operators of one name (ring), actions without an effect (wait, go a a).
ROOMS = """(define (domain rooms) (:requirements :adl :derived-predicates) (:types room)
  (:predicates (at ?r - room) (door ?a ?b - room) (lit ?r - room)
               (reach ?a ?b - room) (bell) (happy) (sad))
  (:derived (reach ?a ?b - room)
    (or (door ?a ?b) (exists (?c - room) (and (door ?a ?c) (reach ?c ?b)))))
  (:derived (happy) (forall (?r - room) (lit ?r)))
  (:derived (sad) (not (happy)))
  (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (reach ?a ?b))
    :effect (and (not (at ?a)) (at ?b)))
  (:action switch :parameters () :effect (forall (?r - room) (when (at ?r) (lit ?r))))
  (:action toggle :parameters (?r - room) :precondition (at ?r)
    :effect (and (when (lit ?r) (not (lit ?r))) (when (not (lit ?r)) (lit ?r))))
  (:action ring :parameters (?r - room) :precondition (or (lit ?r) (at ?r)) :effect (bell))
  (:action wait :parameters () :precondition (bell) :effect (and))
  (:action open :parameters (?a ?b - room) :precondition (and (sad) (at ?a))
    :effect (door ?a ?b)))
"""
THREE_ROOMS = """(define (problem three) (:domain rooms) (:objects a b c - room)
  (:init (at a) (door a b) (lit b)) (:goal (and (happy) (bell) (at a))))
"""


@pytest.fixture(scope="module")
def rooms() -> SasTask:
    return ground(parse_domain(ROOMS), parse_problem(THREE_ROOMS), Limits())


def prices(task: SasTask) -> dict[str, int]:
    """Some costs that are not all the same."""
    return {name: 1 + number % 4 for number, name in enumerate(task.operators_by_name)}


def cheapest(task: SasTask, costs: Mapping[str, int]) -> int | None:
    """Dijkstra's algorithm with our own semantics of states and operators."""
    frontier = [(0, task.initial_state)]
    closed = set()
    while frontier:
        cost, state = heapq.heappop(frontier)
        if task.is_goal(state):
            return cost
        if state in closed:
            continue
        closed.add(state)
        for operator in task.operators:
            if task.holds(operator.preconditions, state):
                after = task.apply(operator, state)
                heapq.heappush(frontier, (cost + costs[operator.name], after))
    return None


def test_what_the_translator_makes_of_adl(rooms: SasTask) -> None:
    assert rooms.axioms
    assert any(effect.conditions for o in rooms.operators for effect in o.effects)
    assert len(rooms.operators_by_name["(ring a)"]) == 2
    assert rooms.operators_by_name["(wait)"][0].effects == ()
    assert "(go a a)" in rooms.operators_by_name


def test_a_task_survives_being_written_and_read(rooms: SasTask) -> None:
    """Only operators without effects are left out: they are in no simple plan."""
    written = parse_sas(sas_text(rooms, prices(rooms)))
    assert written == replace(rooms, operators=tuple(o for o in rooms.operators if o.effects))
    assert written.initial_state == rooms.initial_state
    assert parse_sas(sas_text(written, prices(rooms))) == written


def test_costs_stand_in_the_last_line_of_each_operator(rooms: SasTask) -> None:
    costs = prices(rooms)
    lines = sas_text(rooms, costs).splitlines()
    assert lines[lines.index("begin_metric") + 1] == "1"
    names = [lines[n + 1] for n, line in enumerate(lines) if line == "begin_operator"]
    values = [int(lines[n - 1]) for n, line in enumerate(lines) if line == "end_operator"]
    assert values == [costs[f"({name})"] for name in names]


def test_operators_can_be_left_out_by_name(rooms: SasTask) -> None:
    kept = parse_sas(sas_text(rooms, prices(rooms), keep=lambda name: name.startswith("(ring")))
    assert {o.name for o in kept.operators} == {"(ring a)", "(ring b)", "(ring c)"}
    assert len(kept.operators) == 6


@pytest.mark.parametrize("cost", [-1, LARGEST_PLANNER_COST + 1])
def test_costs_that_the_planners_cannot_count(rooms: SasTask, cost: int) -> None:
    with pytest.raises(ValueError, match="does not fit the planners' 32 bits"):
        sas_text(rooms, dict.fromkeys(rooms.operators_by_name, cost))


def test_our_semantics_are_those_of_fast_downward(rooms: SasTask) -> None:
    """Axioms, conditional effects and shared names: same optimum, and its plan is ours."""
    costs = prices(rooms)
    outcome = optimal_plan(sas_text(rooms, costs), limits=Limits(time_s=60))
    assert outcome.verdict is Verdict.FOUND
    replayed = replay(rooms, outcome.plans[0])
    assert replayed.is_valid
    assert sum(costs[name] for name in outcome.plans[0]) == cheapest(rooms, costs)


def test_facts_are_shown_as_pddl(rooms: SasTask) -> None:
    texts = {
        rooms.fact_text((variable, value))
        for variable, known in enumerate(rooms.variables)
        for value in range(len(known.values))
    }
    assert {"(at a)", "(lit b)", "(not (lit b))", "(bell)", "(not (bell))"} <= texts


def test_commas_of_names_stay() -> None:
    at = Variable("var0", -1, ("Atom at(a,b, c,)", "NegatedAtom idle()"))
    task = SasTask((at,), (), (0,), ((0, 1),), (), ())
    assert task.fact_text((0, 0)) == "(at a,b c,)"
    assert task.fact_text((0, 1)) == "(not (idle))"


def test_none_of_those_is_shown_as_a_negation() -> None:
    hand = Variable("var0", -1, ("Atom holding(a)", "Atom holding(b)", "<none of those>"))
    task = SasTask((hand,), (), (0,), ((0, 2),), (), ())
    assert task.fact_text((0, 1)) == "(holding b)"
    assert task.fact_text((0, 2)) == "(not (or (holding a) (holding b)))"


@pytest.mark.parametrize("text", ["", "begin_version\n4\nend_version\n", "begin_version\n3\n"])
def test_what_is_no_sas_file(text: str) -> None:
    with pytest.raises(PlannerError, match="cannot read"):
        parse_sas(text)


def test_half_a_sas_file(rooms: SasTask) -> None:
    text = sas_text(rooms, prices(rooms))
    for part in (3, 2):
        with pytest.raises(PlannerError):
            parse_sas(text[: len(text) // part])


def test_planners_accept_a_goal_that_always_holds() -> None:
    problem = THREE_ROOMS.replace("(and (happy) (bell) (at a))", "(or (at a) (not (at a)))")
    task = ground(parse_domain(ROOMS), parse_problem(problem), Limits(time_s=60))
    assert "(go a b)" in task.action_names
    outcome = optimal_plan(sas_text(task, prices(task)), limits=Limits(time_s=60))
    assert (outcome.verdict, outcome.plans) == (Verdict.FOUND, ((),))

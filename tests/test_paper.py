"""The paper's own examples, from files to results: by all alternatives and by its algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import plancost
from plancost.case.streets import street_case

HOW: tuple[dict[str, Any], ...] = (
    {"alternatives": "exact"},
    {"alternatives": "all", "solver": "scip"},
    {"alternatives": "all", "solver": "cbc"},
)
GRAPH = {"AB": 2, "AC": 2, "BD": 1, "CD": 2, "CE": 2, "DF": 1, "EF": 2}
"""Of Table 1: edges that can be taken both ways, with C̄."""
MOVES = """(define (domain moves) (:requirements :strips :action-costs)
(:predicates (at ?a) (edge ?a ?b)) (:functions (total-cost) (far ?a ?b))
(:action move :parameters (?a ?b) :precondition (and (at ?a) (edge ?a ?b))
 :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (far ?a ?b)))))
"""
BLOCKS = """(define (domain blocks) (:requirements :strips)
(:predicates (on ?x ?y) (table ?x) (clear ?x) (free) (held ?x))
(:action pickup :parameters (?x) :precondition (and (clear ?x) (table ?x) (free))
 :effect (and (not (table ?x)) (not (clear ?x)) (not (free)) (held ?x)))
(:action putdown :parameters (?x) :precondition (held ?x)
 :effect (and (not (held ?x)) (clear ?x) (free) (table ?x)))
(:action stack :parameters (?x ?y) :precondition (and (held ?x) (clear ?y))
 :effect (and (not (held ?x)) (not (clear ?y)) (clear ?x) (free) (on ?x ?y)))
(:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (free))
 :effect (and (held ?x) (clear ?y) (not (clear ?x)) (not (free)) (not (on ?x ?y)))))
"""
FOUR_BLOCKS = """(define (problem four) (:domain blocks) (:objects a b c d)
(:init (free) (on d c) (on b a) (table c) (table a) (clear d) (clear b)) (:goal (on a b)))
"""
REDUNDANT = ["unstack d c", "putdown d", "unstack b a", "putdown b", "pickup a", "stack a b"]


def both_ways(edges: dict[str, int]) -> list[tuple[str, str, int]]:
    ways = [(edge[0], edge[1], cost) for edge, cost in edges.items()]
    return ways + [(b, a, cost) for a, b, cost in ways]


def as_pddl(edges: dict[str, int], plans: Sequence[str]) -> plancost.Case:
    ways = both_ways(edges)
    facts = "".join(f"(edge {a} {b}) (= (far {a} {b}) {cost})" for a, b, cost in ways)
    objects = " ".join(sorted(set("".join(edges))))
    problems = {
        plan: f"(define (problem p) (:domain moves) (:objects {objects}) "
        f"(:init (at {plan[0]}) {facts}) (:goal (at {plan[-1]})))"
        for plan in plans
    }
    steps = {plan: [[f"move {a} {b}" for a, b in pairwise(plan)]] for plan in plans}
    return plancost.pddl_case(problems, steps, domain=MOVES)


def as_streets(edges: dict[str, int], plans: Sequence[str]) -> plancost.Case:
    ways = both_ways(edges)
    links = [{"link": f"{a}{b}", "from": a, "to": b, "far": cost} for a, b, cost in ways]
    return street_case(links, [[f"{a}{b}" for a, b in pairwise(plan)] for plan in plans])


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    ("solution", "refined", "second"),
    [("mcf", False, 14), ("scf", False, 16), ("mcf", True, 2), ("scf", True, 3)],
)
def test_table_1(how: dict[str, Any], solution: str, refined: bool, second: int) -> None:
    for make, known in ((as_pddl, True), (as_streets, "far")):
        case = make(GRAPH, ["ABD", "ACEF"])
        found = plancost.learn(case, solution=solution, refine=refined and known, **how)
        assert (found.optimal_plans, found.upper_bound, found.proved) == (2, 2, True)
        assert found.secondary is not None
        assert (found.secondary.value, found.secondary.proved) == (second, True)
        assert len(found.costs) == 14


@pytest.mark.parametrize("how", HOW)
def test_example_1(how: dict[str, Any]) -> None:
    for make in (as_pddl, as_streets):
        case = make({"AB": 1, "BC": 1, "AC": 1}, ["ACB", "ABC"])
        found = plancost.learn(case, **how)
        assert (found.optimal_plans, found.upper_bound, found.proved) == (1, 1, True)
        assert found.secondary is not None
        assert (found.secondary.value, found.secondary.proved) == (7, True)
        ideal = plancost.learn(case, solution="icf", **how)
        assert (ideal.ending, ideal.secondary) == ("none exists", None)
        assert set(ideal.costs.values()) == {1}


@pytest.mark.parametrize("how", [HOW[0], {"alternatives": 5}])
def test_example_2(how: dict[str, Any]) -> None:
    case = plancost.pddl_case({"four": FOUR_BLOCKS}, {"four": [REDUNDANT]}, domain=BLOCKS)
    found = plancost.learn(case, **how)
    assert (found.plans, found.optimal_plans, found.upper_bound, found.proved) == (1, 0, 0, True)
    (why,) = plancost.explain(case, found)
    assert why.kind == "redundant"
    assert why.steps == (1, 2)


def test_files_say_the_same(tmp_path: Path) -> None:
    """Table 1 from a folder, with plans as Fast Downward prints them."""
    case = as_pddl(GRAPH, ["ABD", "ACEF"])
    assert case.pddl is not None
    (tmp_path / "domain.pddl").write_text(MOVES, encoding="ascii")
    for name, text in case.pddl.problems.items():
        (tmp_path / f"{name}.pddl").write_text(text, encoding="ascii")
        plan = "".join(f"move {a} {b} (1)\n" for a, b in pairwise(name.lower()))
        (tmp_path / f"{name}.plan").write_text(plan, encoding="ascii")
    found = plancost.learn(tmp_path)
    assert found.secondary is not None
    assert (found.optimal_plans, found.secondary.value) == (2, 14)

"""Grounding by the real translator, and what users are told when it refuses."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest

from conftest import DOMAIN, both_ways, graph_problem
from plancost.errors import InputError, LimitError
from plancost.observations.grounding import ground
from plancost.observations.pddl import parse_domain, parse_problem
from plancost.observations.sas import SasTask
from plancost.system.processes import Limits

TRIANGLE = both_ways({"ab": 1, "bc": 2, "ac": 4})
PROBLEM = graph_problem("p", "abc", TRIANGLE, "a", "c")
DOMAIN_FILE, PROBLEM_FILE = Path("my-domain.pddl"), Path("trips/monday.pddl")


def grounded(problem: str = PROBLEM, domain: str = DOMAIN, time_s: float | None = 60) -> SasTask:
    return ground(
        parse_domain(domain, DOMAIN_FILE), parse_problem(problem, PROBLEM_FILE), Limits(time_s)
    )


def names(task: SasTask) -> set[str]:
    return set(task.operators_by_name)


ALL_MOVES = {f"(move {a} {b})" for a, b in TRIANGLE}


def test_all_actions_are_kept() -> None:
    """Also those that lead away from the goal, and variables that do not matter for it."""
    assert names(grounded()) == ALL_MOVES
    with_bell = DOMAIN.replace("(at ?n - node)", "(at ?n - node) (rung ?n - node)").replace(
        "(:action move",
        "(:action ring :parameters (?n - node) :precondition (at ?n) :effect (rung ?n))\n"
        "(:action nap :parameters (?n - node) :precondition (at ?n) :effect (and))\n(:action move",
    )
    extra = {f"({action} {node})" for action in ("ring", "nap") for node in "abc"}
    assert names(grounded(domain=with_bell)) == ALL_MOVES | extra


def test_an_action_whose_cost_has_no_value_is_kept() -> None:
    """The translator alone would drop it without a word."""
    assert names(grounded(PROBLEM.replace("(= (length a c) 4)", ""))) == ALL_MOVES
    assert names(grounded(PROBLEM.replace("(= (length a c) 4)", "(= (length a c) 0.5)"))) == (
        ALL_MOVES
    )


def test_an_unsolvable_problem() -> None:
    one_way = graph_problem("p", "abc", {("a", "b"): 1}, "a", "c")
    with pytest.raises(
        InputError, match=r"^trips/monday\.pddl: the goal cannot be reached .* by any plan$"
    ):
        grounded(one_way)


@pytest.mark.parametrize(
    "goal", ["(edge a b)", "(and (edge a b) (edge b a))", "(and)", "(or (at c) (edge a b))"]
)
def test_a_goal_that_always_holds(goal: str) -> None:
    """The translator alone would ground nothing; plans may have steps all the same."""
    task = grounded(PROBLEM.replace("(:goal (at c))", f"(:goal {goal})"))
    assert names(task) == ALL_MOVES
    assert task.is_goal(task.initial_state)
    (move,) = task.operators_by_name["(move a b)"]
    assert task.is_goal(task.apply(move, task.initial_state))


def test_names_that_another_goal_would_take() -> None:
    """The goal that is asked for instead is called like nothing in the user's files."""
    domain = parse_domain(
        """(define (domain d) (:constants reach-the-end1) (:predicates (reach-the-end ?x))
        (:action reach-the-end :parameters (?x) :effect (not (reach-the-end ?x))))"""
    )
    problem = parse_problem(
        """(define (problem p) (:domain d) (:init (reach-the-end reach-the-end1))
        (:goal (= reach-the-end1 reach-the-end1)))"""
    )
    task = ground(domain, problem, Limits(60))
    assert names(task) == {"(reach-the-end reach-the-end1)"}


def test_a_domain_without_predicates() -> None:
    domain = parse_domain("(define (domain d) (:action rest :parameters ()))")
    problem = parse_problem("(define (problem p) (:domain d) (:init) (:goal (and)))")
    task = ground(domain, problem, Limits(60))
    assert names(task) == {"(rest)"}
    assert task.is_goal(task.initial_state)


def test_a_goal_that_holds_at_the_start_but_can_be_lost() -> None:
    task = grounded(PROBLEM.replace("(:goal (at c))", "(:goal (at a))"))
    assert task.is_goal(task.initial_state)
    assert names(task) == ALL_MOVES


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (
            PROBLEM.replace("- node)", "- nod)"),
            r"trips/monday\.pddl: .*\(KeyError: 'nod'\); check that every type, object and "
            r"predicate that it uses is declared",
        ),
        (
            PROBLEM.replace("(at a)", "(att a)"),
            r"trips/monday\.pddl: the translator rejects this PDDL: Undefined predicate; "
            r"found att \(in element #1 in init block\)",
        ),
        (
            PROBLEM.replace("(at a)", "(at a b)"),
            r"trips/monday\.pddl: .*arity 1 used with 2 arguments; found \(at a b\).*",
        ),
        (
            PROBLEM.replace("(:goal (at c))", "(:goal (at z))"),
            r"trips/monday\.pddl: the translator rejects this PDDL: Undefined object; found z",
        ),
    ],
    ids=["type", "predicate", "arity", "object"],
)
def test_problems_that_the_translator_refuses(problem: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        grounded(problem)
    assert re.fullmatch(message, str(caught.value)), caught.value


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(not (at ?a))", "(not (at ?z))", r".*Undefined variable; found \?z \(in action 'move'\)"),
        ("(not (at ?a))", "(not (gone ?a))", r".*Undefined predicate; found gone .*"),
        ("(:types node)", "(:types node) (:foo bar)", r".*found \(:foo bar\)"),
        (":typing", ":telepathy", r".*Invalid requirement; found :telepathy .*"),
    ],
)
def test_domains_that_the_translator_refuses(old: str, new: str, message: str) -> None:
    """The error is in the domain, and so it is the domain that is named."""
    with pytest.raises(InputError) as caught:
        grounded(domain=DOMAIN.replace(old, new))
    assert re.fullmatch(rf"my-domain\.pddl: {message}", str(caught.value)), caught.value
    assert "\n" not in str(caught.value)


def test_out_of_time() -> None:
    with pytest.raises(LimitError, match="did not end within the time limit"):
        grounded(time_s=0.0)


def test_out_of_memory() -> None:
    domain, problem = parse_domain(DOMAIN), parse_problem(PROBLEM)
    with pytest.raises(LimitError, match="needs more memory than it may use"):
        ground(domain, problem, Limits(memory_mb=20))


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    grounded()
    with pytest.raises(InputError):
        grounded(PROBLEM.replace("(at a)", "(att a)"))
    assert [*(tmp_path / "tmp").iterdir(), *(tmp_path / "here").iterdir()] == []

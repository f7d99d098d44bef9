"""Which problems are one task: rewriting never makes another one, another meaning always does."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.observations.pddl import parse_domain, parse_problem, task_key, world_key
from plancost.observations.pddl.normal_form import normal_form
from plancost.observations.sexpr import SList
from plancost.observations.strings import case_from_strings

DOMAIN = """
(define (domain town) (:types place person - object child - person)
  (:predicates (at ?x - person ?p - place) (road ?a ?b - place) (awake))
  (:functions (total-cost) (length ?a ?b - place))
  (:action walk :parameters (?x - person ?a ?b - place)
    :precondition (and (at ?x ?a) (road ?a ?b))
    :effect (and (not (at ?x ?a)) (at ?x ?b) (increase (total-cost) (length ?a ?b))))
  (:action wake :parameters () :precondition () :effect (awake)))
"""
PLAIN = """
(define (problem plain) (:domain town) (:objects a b - place eve - person)
  (:init (at eve a) (road a b)) (:goal (and (at eve b) (awake))))
"""
ROADS = """
(define (domain d) (:requirements :strips :action-costs)
  (:predicates (at ?p) (road ?a ?b)) (:functions (total-cost))
  (:action move :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))
    :effect (and (not (at ?a)) (at ?b))))
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(awake))))", "(awake)))) ; a comment"),
        ("(awake))))", "(awake))) (:metric minimize (total-cost)))"),
        ("(at eve a)", "(= (total-cost) 0) (at eve a)"),
        ("(at eve a)", "(= (length a b) 3) (at eve a) (= (length b a) 4)"),
        ("(at eve a)", "(at eve a) (at eve a) (not (at eve b))"),
        ("(at eve a) (road a b)", "(ROAD a b)(At Eve a)"),
        ("(problem plain)", "(problem other)"),
        ("(:objects", "(:requirements :typing) (:objects"),
        ("a b - place", "b - place a - place"),
        ("eve - person", "eve - (either person)"),
        ("(and (at eve b) (awake))", "(and (awake) (and) (and (at eve b) (awake)))"),
        ("(and (at eve b) (awake))", "(not (or (not (at eve b)) (not (awake))))"),
        ("(and (at eve b) (awake))", "(not (imply (at eve b) (not (awake))))"),
        ("(and (at eve b) (awake))", "(not (not (and (or (at eve b)) (awake))))"),
        ("(and (at eve b) (awake))", "(forall () (and (at eve b) (awake)))"),
    ],
)
def test_another_way_to_write_it_is_the_same_task(old: str, new: str) -> None:
    domain = parse_domain(DOMAIN)
    assert old in PLAIN
    first, second = parse_problem(PLAIN), parse_problem(PLAIN.replace(old, new))
    assert task_key(domain, first) == task_key(domain, second)
    assert world_key(domain, first) == world_key(domain, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(forall (?x - place) (road ?x b))", "(forall (?y - place) (road ?y b))"),
        ("(exists (?x) (= ?x b))", "(exists (?y - object) (= b ?y))"),
        (
            "(forall (?x) (forall (?y) (road ?x ?y)))",
            "(not (exists (?y ?z) (not (road ?y ?z))))",
        ),
        (
            "(exists (?x) (and (road ?x ?x) (exists (?x) (road a ?x))))",
            "(exists (?u) (and (exists (?v) (road a ?v)) (road ?u ?u)))",
        ),
    ],
)
def test_names_of_bound_variables_do_not_count(first: str, second: str) -> None:
    assert _form(first) == _form(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(forall (?x) (road ?x a))", "(exists (?x) (road ?x a))"),
        ("(forall (?x) (road ?x a))", "(forall (?x) (road a ?x))"),
        ("(forall (?x - place) (awake))", "(forall (?x - person) (awake))"),
        ("(exists (?x ?y) (road ?x ?y))", "(exists (?x ?y) (road ?x ?x))"),
        ("(forall (?x) (exists (?y) (road ?x ?y)))", "(exists (?x) (forall (?y) (road ?x ?y)))"),
        ("(and)", "(or)"),
        ("(awake)", "(not (awake))"),
    ],
)
def test_conditions_that_mean_something_else(first: str, second: str) -> None:
    assert _form(first) != _form(second)


def test_what_is_said_of_costs_makes_no_other_task() -> None:
    """Two observed plans of one task may tie, so both can be strictly optimal."""
    text = """(define (problem p) (:domain d) (:objects a b c d)
      (:init (at a) (road a b) (road b d) (road a c) (road c d)) (:goal (at d)))"""
    case = case_from_strings(
        ROADS,
        {
            "plain": text,
            "metric": text[:-1] + "(:metric minimize (total-cost)))",
            "zero": text.replace("(at a)", "(= (total-cost) 0) (at a)"),
        },
        [
            ("plain", "(move a b)\n(move b d)"),
            ("metric", "(move a c)\n(move c d)"),
            ("zero", "(move a c)\n(move c d)"),
        ],
    )
    assert len(case.tasks) == 1
    assert [observation.task for observation in case.observations] == [0, 0, 0]
    assert len(case.problems) == 3


# Random problems, written in random ways


@dataclass(frozen=True)
class Formula:
    """`atom` alone, or a connective with its parts."""

    word: str
    parts: tuple[Formula, ...] = ()


ATOMS = ("(awake)", "(at eve a)", "(at eve b)", "(road a b)")
formulas = st.recursive(
    st.sampled_from(ATOMS).map(Formula),
    lambda inner: st.one_of(
        inner.map(lambda part: Formula("not", (part,))),
        st.tuples(inner, inner).map(lambda parts: Formula("imply", parts)),
        st.builds(Formula, st.sampled_from(["and", "or"]), st.lists(inner, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)


@given(formulas, formulas)
def test_equal_normal_forms_mean_the_same(first: Formula, second: Formula) -> None:
    if _form(_plain(first)) == _form(_plain(second)):
        assert _truth_table(first) == _truth_table(second)


@given(formulas, st.randoms(use_true_random=False))
def test_rewriting_a_goal_keeps_its_normal_form(formula: Formula, chance: random.Random) -> None:
    again = _rewritten(formula, chance)
    assert _truth_table(formula) == _truth_table(again)
    assert _form(_plain(formula)) == _form(_plain(again))


@dataclass(frozen=True)
class Written:
    """A problem in parts."""

    objects: tuple[tuple[str, str], ...]
    facts: frozenset[str]
    goal: Formula


problems = st.builds(
    Written,
    st.just((("a", "place"), ("b", "place"), ("eve", "person"), ("tim", "child"))),
    st.frozensets(st.sampled_from([*ATOMS, "(road b a)", "(at tim b)"])),
    formulas,
)


@given(problems, st.randoms(use_true_random=False))
def test_a_problem_written_in_two_ways_is_one_task(problem: Written, chance: random.Random) -> None:
    domain = parse_domain(DOMAIN)
    first, second = (parse_problem(_text(problem, chance)) for _ in range(2))
    assert task_key(domain, first) == task_key(domain, second)
    assert world_key(domain, first) == world_key(domain, second)


@given(problems, problems, st.randoms(use_true_random=False))
def test_problems_with_another_meaning_are_two_tasks(
    problem: Written, other: Written, chance: random.Random
) -> None:
    domain = parse_domain(DOMAIN)
    key = task_key(domain, parse_problem(_text(problem, chance)))
    changed = [
        replace(problem, objects=problem.objects[:-1]),
        replace(problem, objects=(*problem.objects[:-1], ("tim", "person"))),
        replace(problem, facts=problem.facts ^ {"(road b b)"}),
        replace(problem, goal=Formula("not", (problem.goal,))),
    ]
    if problem.facts != other.facts:
        changed.append(replace(problem, facts=other.facts))
    if _truth_table(problem.goal) != _truth_table(other.goal):
        changed.append(replace(problem, goal=other.goal))
    for item in changed:
        assert task_key(domain, parse_problem(_text(item, chance))) != key


def _form(condition: str) -> str:
    goal = parse_problem(f"(define (problem x) (:domain d) (:init) (:goal {condition}))").goal
    assert isinstance(goal, SList)
    return normal_form(goal)


def _plain(formula: Formula) -> str:
    if formula.word.startswith("("):
        return formula.word
    return f"({' '.join([formula.word, *map(_plain, formula.parts)])})"


def _holds(formula: Formula, facts: Mapping[str, bool]) -> bool:
    parts = [_holds(part, facts) for part in formula.parts]
    match formula.word:
        case "and":
            return all(parts)
        case "or":
            return any(parts)
        case "not":
            return not parts[0]
        case "imply":
            return not parts[0] or parts[1]
    return facts[formula.word]


def _truth_table(formula: Formula) -> list[bool]:
    return [
        _holds(formula, dict(zip(ATOMS, values, strict=True)))
        for values in itertools.product([False, True], repeat=len(ATOMS))
    ]


def _rewritten(formula: Formula, chance: random.Random) -> Formula:
    """The same meaning in other words."""
    parts = [_rewritten(part, chance) for part in formula.parts]
    again = Formula(formula.word, tuple(parts))
    if formula.word in ("and", "or"):
        parts += parts[: chance.randrange(2)]
        chance.shuffle(parts)
        cut = chance.randrange(len(parts) + 1)
        nested = Formula(formula.word, tuple(parts[cut:]))
        again = Formula(formula.word, (*parts[:cut], nested))
        if chance.random() < 0.3:
            dual = {"and": "or", "or": "and"}[formula.word]
            negated = tuple(Formula("not", (part,)) for part in parts)
            again = Formula("not", (Formula(dual, negated),))
    elif formula.word == "imply" and chance.random() < 0.5:
        again = Formula("or", (parts[1], Formula("not", (parts[0],))))
    if chance.random() < 0.2:
        again = Formula("not", (Formula("not", (again,)),))
    if chance.random() < 0.2:
        again = Formula(chance.choice(["and", "or"]), (again,))
    return again


def _text(problem: Written, chance: random.Random) -> str:
    """The problem in one of many ways to write it."""
    objects = [f"{name} - {kind}" for name, kind in problem.objects]
    costs = ["(= (total-cost) 0)", f"(= (length a b) {chance.randrange(9)})"]
    facts = sorted(problem.facts) + costs[: chance.randrange(3)]
    facts += sorted(problem.facts)[: chance.randrange(3)]
    chance.shuffle(objects)
    chance.shuffle(facts)
    goal = _plain(_rewritten(problem.goal, chance))
    text = (
        f"(define (problem p{chance.randrange(99)}) (:domain town)"
        f"{chance.choice(['', '(:requirements :adl)'])} (:objects {' '.join(objects)})\n"
        f"(:init {' '.join(facts)}) ; a comment\r\n(:goal {goal})"
        f"{chance.choice(['', '(:metric minimize (total-cost))', '(:metric maximize (x))'])})"
    )
    return chance.choice([text, text.upper()])

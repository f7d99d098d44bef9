from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.observations.pddl import (
    Domain,
    Literal,
    check_same_domain,
    explain_missing_action,
    initial_cost,
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
    split_action,
    static_predicates,
    task_key,
    without_costs,
    world_key,
)

DELIVERY = """\
(define (domain delivery) ; comments stay
  (:requirements :typing :action-costs)
  (:types place thing - object
          van truck - vehicle
          vehicle parcel - thing)
  (:constants depot - place)
  (:predicates (at ?x - thing ?p - place) (road ?a ?b - place) (in ?x - parcel ?v - vehicle)
               (closed ?p - place) (awake))
  (:functions (total-cost) - number (length ?a ?b - place) - number (fee) - number)
  (:action drive
    :parameters (?v - vehicle ?a ?b - place)
    :precondition (and (at ?v ?a) (road ?a ?b) (not (closed ?b)) (not (= ?a ?b)))
    :effect (and (not (at ?v ?a)) (at ?v ?b) (increase (total-cost) (length ?a ?b))))
  (:action load
    :parameters (?x - parcel ?v - (either van truck) ?p - place)
    :precondition (and (at ?x ?p) (and (at ?v ?p)))
    :effect (and (not (at ?x ?p)) (in ?x ?v) (increase (total-cost) 3)))
  (:action rest :effect (awake))
  (:action pay :parameters () :precondition () :effect (and (increase (total-cost) (fee)))))
"""

PROBLEM = """\
(define (problem one)
  (:domain Delivery)
  (:objects v1 - van  a b - place  box - parcel)
  (:init (at v1 a) (at box b) (road a b) (road b a) (road b depot) (closed depot)
         (= (total-cost) 0) (= (length a b) 4) (= (length b a) 2.0) (= (fee) 7))
  (:goal (and (in box v1) (at v1 a)))
  (:metric minimize (total-cost)))
"""


def domain_with(action: str, more: str = "") -> Domain:
    return parse_domain(
        f"(define (domain d)\n(:predicates (p ?x) (q ?x) (assign ?x))\n{more}\n{action}\n)",
        Path("d.pddl"),
    )


# Reading


def test_a_domain_is_read() -> None:
    domain = parse_domain(DELIVERY)
    assert domain.name == "delivery"
    assert domain.requirements == (":typing", ":action-costs")
    assert domain.types["van"] == ("vehicle",)
    assert domain.types["place"] == ("object",)
    assert domain.constants == {"depot": ("place",)}
    assert domain.predicates == {"at": 2, "road": 2, "in": 2, "closed": 1, "awake": 0}
    assert domain.functions == {
        "total-cost": (),
        "length": (("place",), ("place",)),
        "fee": (),
    }
    assert list(domain.schemas) == ["drive", "load", "rest", "pay"]
    assert domain.schemas["load"].parameters == (
        ("?x", ("parcel",)),
        ("?v", ("van", "truck")),
        ("?p", ("place",)),
    )
    assert domain.has_cost_effects
    assert not domain.derived
    assert domain.fits(("van",), ("thing",))
    assert domain.fits(("truck",), ("van", "truck"))
    assert domain.fits(("unheard-of",), ("object",))
    assert not domain.fits(("place",), ("vehicle",))


def test_a_problem_is_read() -> None:
    problem = parse_problem(PROBLEM)
    assert (problem.name, problem.domain_name) == ("one", "delivery")
    assert problem.objects == {
        "v1": ("van",),
        "a": ("place",),
        "b": ("place",),
        "box": ("parcel",),
    }
    assert ("road", "b", "depot") in problem.init_atoms
    assert len(problem.init_atoms) == 6
    assert problem.init_values == {
        ("total-cost",): Fraction(0),
        ("length", "a", "b"): Fraction(4),
        ("length", "b", "a"): Fraction(2),
        ("fee",): Fraction(7),
    }
    assert problem.metric is not None
    start, end = problem.metric.start, problem.metric.end
    assert problem.text[start:end] == "(:metric minimize (total-cost))"


def test_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "d.pddl").write_bytes(b"\xef\xbb\xbf" + DELIVERY.replace("\n", "\r\n").encode())
    (tmp_path / "p.pddl").write_text(PROBLEM.upper())
    domain, problem = read_domain(tmp_path / "d.pddl"), read_problem(tmp_path / "p.pddl")
    assert domain.path == tmp_path / "d.pddl"
    assert domain.text.startswith("(define") and "\r\n" in domain.text
    check_same_domain(domain, problem)
    assert task_key(domain, problem) == task_key(parse_domain(DELIVERY), parse_problem(PROBLEM))


def test_domain_and_problem_taken_for_each_other() -> None:
    with pytest.raises(InputError, match="this is a problem, not a domain"):
        parse_domain(PROBLEM)
    with pytest.raises(InputError, match="this is a domain, not a problem"):
        parse_problem(DELIVERY)


def test_a_problem_of_another_domain() -> None:
    domain = parse_domain(DELIVERY, Path("dom.pddl"))
    problem = parse_problem(PROBLEM.replace("Delivery", "barman"), Path("p.pddl"))
    with pytest.raises(InputError) as error:
        check_same_domain(domain, problem)
    for part in ("p.pddl:2:", "'barman'", "dom.pddl", "'delivery'"):
        assert part in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(:goal (and (in box v1) (at v1 a)))", "", r"\(:goal \.\.\.\) is missing"),
        ("(:goal (and (in box v1) (at v1 a)))", "(:goal)", "expected one condition"),
        ("(:goal (and (in box v1) (at v1 a)))", "(:goal (< (fee) 3))", "compares numbers"),
        ("(:domain Delivery)", "", r"\(:domain \.\.\.\) is missing"),
        ("(:domain Delivery)", "(:domain)", r"expected '\(:domain NAME\)'"),
        ("(:domain Delivery)", "(:domain Delivery) (:init)", "two"),
        ("(:domain Delivery)", "stray", "expected a section"),
        ("(= (fee) 7)", "(= (fee) 7) (= (fee) 8)", r"p\.pddl:5: \(fee\) has two values"),
        ("(= (fee) 7)", "(= (fee) many)", "NUMBER"),
        ("(= (fee) 7)", "(= (fee))", "NUMBER"),
        ("(= (fee) 7)", f"(= (fee) {'9' * 5000})", "NUMBER"),
        ("(at v1 a) ", "(at 5 (at v1 a)) ", "timed initial literals"),
        ("box - parcel", "box -", "a type is missing"),
        ("box - parcel", "(box) - parcel", "expected a name"),
        ("v1 - van ", "v1 - (van) ", "either"),
    ],
)
def test_broken_problems(old: str, new: str, message: str) -> None:
    assert old in PROBLEM
    with pytest.raises(InputError, match=message):
        parse_problem(PROBLEM.replace(old, new), Path("p.pddl"))


def test_the_same_value_twice_and_negative_facts_do_no_harm() -> None:
    text = PROBLEM.replace("(= (fee) 7)", "(= (fee) 7) (= (FEE) 7.0) (not (closed a))")
    assert parse_problem(text).init_atoms == parse_problem(PROBLEM).init_atoms


# Actions


def test_cost_expressions() -> None:
    schemas = parse_domain(DELIVERY).schemas
    drive = schemas["drive"].cost
    assert drive is not None
    assert drive.amount == ("length", "?a", "?b")
    assert (
        DELIVERY[drive.effect.start : drive.effect.end] == "(increase (total-cost) (length ?a ?b))"
    )
    load = schemas["load"].cost
    assert load is not None
    assert load.amount == Fraction(3)
    assert schemas["rest"].cost is None
    bare = domain_with("(:action a :effect (increase (total-cost) fee))").schemas["a"].cost
    assert bare is not None
    assert bare.amount == ("fee",)


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("(and (increase (total-cost) 1) (increase (total-cost) 2))", "twice"),
        ("(forall (?x) (increase (total-cost) 1))", "inside 'forall' or 'when'"),
        ("(and (p ?x) (when (p ?x) (and (increase (total-cost) 1))))", "inside"),
        ("(increase (total-cost) (+ 1 2))", "must be a number or a function term"),
        ("(increase (total-cost) (* 2 (f ?x)))", "must be a number or a function term"),
        ("(increase (total-cost) (total-cost))", "must be a number or a function term"),
        ("(increase (total-cost) (f ?y))", r"uses \?y"),
        ("(increase (fuel) 1)", "numeric planning"),
        ("(decrease (total-cost) 1)", "numeric planning"),
        ("(increase (total-cost))", "numeric planning"),
        ("(and (scale-up (fuel ?x) 2))", "numeric planning"),
    ],
)
def test_costs_that_are_not_one_number(effect: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"d\.pddl:5: .*'move'.*{message}"):
        domain_with(f"(:action move :parameters (?x)\n :effect {effect})")


@pytest.mark.parametrize("condition", ["(< (f) 3)", "(and (p ?x) (not (= (f ?x) 1)))"])
def test_numeric_conditions_are_not_supported(condition: str) -> None:
    with pytest.raises(InputError, match=r"d\.pddl:4: action 'a' compares numbers"):
        domain_with(f"(:action a :parameters (?x) :precondition {condition} :effect (p ?x))")


@pytest.mark.parametrize("section", [":durative-action", ":process", ":event"])
def test_time_is_not_supported(section: str) -> None:
    with pytest.raises(InputError, match=r"d\.pddl:4: .* not supported"):
        domain_with(f"({section} a :effect (p c))")


@pytest.mark.parametrize(
    "action",
    [
        "(:action)",
        "(:action (a))",
        "(:action a :effect)",
        "(:action a :effect p)",
        "(:action a :effect (p c) :effect (p c))",
        "(:action a :cost 3)",
        "(:action a (p c))",
        "(:action a :parameters (x) :effect (p x))",
        "(:action a :parameters (?x -) :effect (p ?x))",
        "(:action a :effect (p c)) (:action A :effect (p c))",
    ],
)
def test_broken_actions(action: str) -> None:
    with pytest.raises(InputError, match=r"d\.pddl:4: "):
        domain_with(action)


def test_a_predicate_may_be_called_like_a_numeric_effect() -> None:
    domain = domain_with("(:action a :parameters (?x) :effect (assign ?x))")
    assert domain.schemas["a"].strips is not None
    assert static_predicates(domain) == {"p", "q"}


def test_strips_schemas_list_their_literals() -> None:
    schemas = parse_domain(DELIVERY).schemas
    drive = schemas["drive"].strips
    assert drive is not None
    assert drive.preconditions == (
        Literal("at", ("?v", "?a"), True),
        Literal("road", ("?a", "?b"), True),
        Literal("closed", ("?b",), False),
        Literal("=", ("?a", "?b"), False),
    )
    assert drive.effects == (
        Literal("at", ("?v", "?a"), False),
        Literal("at", ("?v", "?b"), True),
    )
    load, rest, pay = (schemas[name].strips for name in ("load", "rest", "pay"))
    assert load is not None and len(load.preconditions) == 2
    assert rest is not None and rest.effects == (Literal("awake", (), True),)
    assert pay is not None and pay.effects == () and pay.preconditions == ()


@pytest.mark.parametrize(
    ("precondition", "effect"),
    [
        ("(or (p ?x) (q ?x))", "(p ?x)"),
        ("(imply (p ?x) (q ?x))", "(p ?x)"),
        ("(exists (?y) (p ?y))", "(p ?x)"),
        ("(and (p ?x) (forall (?y) (p ?y)))", "(p ?x)"),
        ("(not (and (p ?x)))", "(p ?x)"),
        ("(not (not (p ?x)))", "(p ?x)"),
        ("(p ?x)", "(when (p ?x) (q ?x))"),
        ("(p ?x)", "(and (q ?x) (forall (?y) (p ?y)))"),
        ("(derived-one ?x)", "(p ?x)"),
        ("(undeclared ?x)", "(p ?x)"),
        ("(p ?x ?x)", "(p ?x)"),
        ("(p ?y)", "(p ?x)"),
        ("(p ?x)", "(p somewhere)"),
        ("(p ?x)", "(= ?x ?x)"),
        ("(and p)", "(p ?x)"),
    ],
)
def test_in_doubt_an_action_is_not_strips(precondition: str, effect: str) -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (p ?x) (q ?x) (derived-one ?x))"
        "(:derived (derived-one ?x) (p ?x))"
        f"(:action a :parameters (?x) :precondition {precondition} :effect {effect}))"
    )
    assert domain.derived
    assert domain.schemas["a"].strips is None


def test_static_predicates() -> None:
    assert static_predicates(parse_domain(DELIVERY)) == {"road", "closed"}
    domain = parse_domain(
        "(define (domain d) (:predicates (p) (q) (r) (s) (t))"
        "(:derived (t) (p))"
        "(:action a :effect (and (forall (?x) (when (r) (not (p)))) (when (p) (q)))))"
    )
    assert static_predicates(domain) == {"r", "s"}


# Costs


@pytest.mark.parametrize(
    ("action", "cost"),
    [
        ("(drive v1 a b)", 4),
        ("(drive v1 b a)", 2),
        ("(load box v1 b)", 3),
        ("(rest)", 0),
        ("(pay)", 7),
        ("(PAY )", 7),
    ],
)
def test_initial_costs(action: str, cost: int) -> None:
    domain = parse_domain(DELIVERY)
    assert initial_cost(domain, parse_problem(PROBLEM), action) == cost
    whole = parse_problem(PROBLEM)
    assert whole.metric is not None
    no_metric = parse_problem(PROBLEM.replace(PROBLEM[whole.metric.start : whole.metric.end], ""))
    assert no_metric.metric is None
    assert initial_cost(domain, no_metric, action) == cost


def test_without_cost_effects_every_action_costs_one() -> None:
    domain = domain_with("(:action a :parameters (?x) :effect (p ?x))")
    problem = parse_problem("(define (problem x) (:domain d) (:init) (:goal (p c)))")
    assert initial_cost(domain, problem, "(a c)") == 1


def test_constants_in_cost_terms() -> None:
    domain = domain_with(
        "(:action a :parameters (?x) :effect (increase (total-cost) (f c ?x)))", "(:constants c)"
    )
    problem = parse_problem(
        "(define (problem x) (:domain d) (:init (= (f c e) 8)) (:goal (p c)))", Path("p.pddl")
    )
    assert initial_cost(domain, problem, "(a e)") == 8
    with pytest.raises(InputError, match=r"p\.pddl: .*\(f c c\)"):
        initial_cost(domain, problem, "(a c)")


@pytest.mark.parametrize("value", ["1.5", "-3", "0.25"])
def test_fractions_and_negative_costs_are_refused_when_asked_for(value: str) -> None:
    domain = parse_domain(DELIVERY)
    problem = parse_problem(PROBLEM.replace("(= (fee) 7)", f"(= (fee) {value})"), Path("p.pddl"))
    assert initial_cost(domain, problem, "(drive v1 a b)") == 4
    with pytest.raises(InputError, match=rf"p\.pddl: \(fee\) is {value}, .*\(pay\)"):
        initial_cost(domain, problem, "(pay)")
    constant = parse_domain(DELIVERY.replace(" 3)", f" {value})"), Path("d.pddl"))
    with pytest.raises(InputError, match=rf"d\.pddl:17: action 'load' costs {value}"):
        initial_cost(constant, problem, "(load box v1 b)")


def test_a_missing_value_is_named() -> None:
    with pytest.raises(InputError, match=r"problem\.pddl: .*\(length b depot\)"):
        initial_cost(parse_domain(DELIVERY), parse_problem(PROBLEM), "(drive v1 b depot)")


@pytest.mark.parametrize("action", ["(fly v1 a b)", "(drive v1 a)"])
def test_the_cost_of_an_unknown_action(action: str) -> None:
    with pytest.raises(InputError, match="no action"):
        initial_cost(parse_domain(DELIVERY), parse_problem(PROBLEM), action)


def test_the_metric_becomes_blanks() -> None:
    text = "(define (problem x) (:domain d) (:init) (:goal (p c))\n (:metric ; why\n  minimize x))"
    domain, problem = domain_with("(:action a :effect (p c))"), parse_problem(text)
    blank = without_costs(domain, problem)[1]
    assert len(blank) == len(text)
    assert blank.count("\n") == text.count("\n")
    assert "metric" not in blank and "why" not in blank
    assert problem.metric is not None
    start, end = problem.metric.start, problem.metric.end
    assert (blank[:start], blank[end:]) == (text[:start], text[end:])
    assert without_costs(domain, parse_problem(blank))[1] == blank


def test_costs_are_taken_out_for_grounding() -> None:
    source = DELIVERY.replace(":effect (awake)", ":effect ()").replace(
        "(:action pay", "(:action pay2)(:action pay"
    )
    domain_text, problem_text = without_costs(parse_domain(source), parse_problem(PROBLEM))
    domain, problem = parse_domain(domain_text), parse_problem(problem_text)
    assert not domain.has_cost_effects
    assert domain_text.count("\n") == source.count("\n")
    assert "(:action pay2 :effect (and))" in domain_text
    assert "(:action rest :effect (and))" in domain_text
    assert problem.init_values == {}
    assert problem.metric is None
    assert problem.init_atoms == parse_problem(PROBLEM).init_atoms


# Which problems are one task


def test_files_that_differ_in_form_only_are_one_task() -> None:
    domain = parse_domain(DELIVERY)
    other = """
(DEFINE (problem two) (:domain delivery) ; another file
  (:objects b - place box - parcel a - place v1 - van)
  (:init (= (fee) 99) (= (length b a) 1) (= (total-cost) 0) (= (length a b) 1.5)
         (road b depot) (closed depot) (road b a) (road a b) (AT box b) (at v1 a) (at v1 a))
  (:goal (and (and (at V1 a)) (in box v1) (in box v1)))
  (:metric maximize (fee)))"""
    first, second = parse_problem(PROBLEM, Path("a")), parse_problem(other, Path("b"))
    assert task_key(domain, first) == task_key(domain, second)
    assert world_key(domain, first) == world_key(domain, second)
    reordered = parse_domain(DELIVERY.replace("; comments stay", "; or go").upper())
    assert task_key(reordered, first) == task_key(domain, first)


@pytest.mark.parametrize(
    ("old", "new", "same_world"),
    [
        ("(at v1 a) (at box b)", "(at v1 b) (at box b)", True),
        ("(:goal (and (in box v1) (at v1 a)))", "(:goal (in box v1))", True),
        ("(:goal (and (in box v1) (at v1 a)))", "(:goal (or (in box v1) (at v1 a)))", True),
        ("(road a b)", "", False),
        ("v1 - van", "v1 - truck", False),
        ("v1 - van", "v1 v2 - van", False),
    ],
)
def test_what_makes_another_task_or_world(old: str, new: str, same_world: bool) -> None:
    domain = parse_domain(DELIVERY)
    first, second = parse_problem(PROBLEM), parse_problem(PROBLEM.replace(old, new))
    assert task_key(domain, first) != task_key(domain, second)
    assert (world_key(domain, first) == world_key(domain, second)) is same_world


def test_another_domain_is_another_world() -> None:
    problem = parse_problem(PROBLEM)
    first, second = parse_domain(DELIVERY), parse_domain(DELIVERY.replace("(not (closed ?b))", ""))
    assert task_key(first, problem) != task_key(second, problem)
    assert world_key(first, problem) != world_key(second, problem)


# Explanations


@pytest.mark.parametrize(
    ("action", "clause"),
    [
        ("(drvie v1 a b)", "the domain has no action 'drvie' (did you mean 'drive'?)"),
        ("(teleport)", "the domain has no action 'teleport'"),
        ("(drive v1 a)", "'drive' takes 3 arguments, not 2"),
        ("(rest v1)", "'rest' takes 0 arguments, not 1"),
        ("(load bx v1 b)", "there is no object 'bx' (did you mean 'box'?)"),
        ("(drive truck-7 a b)", "there is no object 'truck-7'"),
        ("(drive a a b)", "'a' is of type place, not vehicle"),
        ("(load box box b)", "'box' is of type parcel, not van or truck"),
        ("(drive v1 a depot)", "(road a depot) does not hold"),
        ("(drive v1 b depot)", "(closed depot) holds"),
        ("(load box v1 depot)", "it can never be applied in this problem"),
        ("()", "the domain has no action ''"),
    ],
)
def test_missing_actions_are_explained(action: str, clause: str) -> None:
    assert explain_missing_action(parse_domain(DELIVERY), parse_problem(PROBLEM), action) == clause


def test_equal_arguments_are_explained() -> None:
    domain = parse_domain(DELIVERY.replace("(road ?a ?b) (not (closed ?b))", ""))
    problem = parse_problem(PROBLEM)
    assert explain_missing_action(domain, problem, "(drive v1 a a)") == "?a and ?b must differ"
    same = parse_domain(
        DELIVERY.replace("(road ?a ?b) (not (closed ?b)) (not (= ?a ?b))", "(= ?a ?b)")
    )
    assert explain_missing_action(same, problem, "(drive v1 a b)") == "?a and ?b must be the same"


def test_types_in_circles_do_not_hang() -> None:
    domain = parse_domain(
        "(define (domain d) (:types a - b b - a object - object) (:predicates (p))"
        "(:action go :parameters (?x - c) :effect (p)))"
    )
    problem = parse_problem("(define (problem p) (:domain d) (:objects o - a) (:init) (:goal (p)))")
    assert explain_missing_action(domain, problem, "(go o)") == "'o' is of type a, not c"


def test_split_action() -> None:
    assert split_action("(Drive van  A b)") == ("drive", ("van", "a", "b"))
    assert split_action("(noop )") == ("noop", ())

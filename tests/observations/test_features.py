"""Features of actions: which are meant, and what they are worth in a problem."""

from __future__ import annotations

import pytest

from conftest import DOMAIN, graph_problem
from plancost.errors import InputError, UsageError
from plancost.observations.features import (
    CONSTANT,
    Feature,
    feature_values,
    features_of,
    kept_parameters,
    linear_cost,
    read_features,
)
from plancost.observations.pddl import parse_domain, parse_problem
from plancost.observations.shares import read_shares

GRAPH = parse_domain(DOMAIN)
TWO = parse_domain(
    "(define (domain d) (:types t) (:constants hub - t) (:predicates (p ?x - t))"
    " (:functions (far ?x ?y - t) (heavy ?x - t))"
    " (:action go :parameters (?v ?x ?y - t) :precondition (p ?x) :effect (p ?y))"
    " (:action stay :parameters (?x - t) :effect (p ?x)))"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fly (length ?a ?b)", "no action fly, only move"),
        ("move", "names no feature"),
        ("", "no action"),
        ("(length ?a ?b)", "no action of that name"),
        ("move (length ?a ?c)", r"move has no parameter \?c, only \?a \?b"),
        ("move (length ?a)", "length takes 2 arguments, not 1"),
        ("move (width ?a)", "no numeric function width for this, only length"),
        ("move (total-cost)", "no numeric function total-cost"),
        ("move length", "expected a feature"),
        ("move (length ?a ?b", "expected 'ACTION"),
        ("move (length ?a ?b) (LENGTH ?a ?b)", "a feature twice"),
    ],
)
def test_wrong_features(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_features([text], GRAPH)


def test_two_schemas_and_a_constant_of_the_domain() -> None:
    features = read_features(["Go (far ?x hub) (heavy ?v)", "stay (heavy ?x)"], TWO)
    assert features["go"] == (Feature("far", ("?x", "hub")), Feature("heavy", ("?v",)))
    assert kept_parameters(features, TWO) == {"go": (0, 1), "stay": (0,)}
    assert read_shares(["schema"], TWO, features) == {}
    with pytest.raises(UsageError, match="has features already"):
        read_features(["go (heavy ?v)", "go (heavy ?x)"], TWO)
    with pytest.raises(UsageError, match="the cost of go is linear"):
        read_shares(["go ?x"], TWO, features)


def test_values_and_costs() -> None:
    problem = parse_problem(
        "(define (problem p) (:domain d) (:objects car a - t)"
        " (:init (= (far a hub) 3) (= (heavy car) 2) (= (heavy a) 1.5)) (:goal (p a)))"
    )
    weights = {"go": {CONSTANT: 1, "(far ?x hub)": 2, "(heavy ?v)": 5}}
    features = features_of(weights, TWO)
    values = feature_values(features, TWO, problem, "(go car a hub)")
    assert values == (3, 2)
    assert linear_cost(weights["go"], features["go"], values) == 1 + 2 * 3 + 5 * 2
    assert linear_cost({CONSTANT: 0}, features["go"], values) == 1, "never less"
    with pytest.raises(InputError, match=r"problem\.pddl: :init gives no value to \(far car hub\)"):
        feature_values(features, TWO, problem, "(go car car hub)")
    with pytest.raises(InputError, match=r"\(heavy a\) is 1\.5; .* smaller unit"):
        feature_values(features, TWO, problem, "(go a a hub)")


def test_a_problem_that_lacks_a_length() -> None:
    text = graph_problem("p", "ab", {("a", "b"): 1}, "a", "b")
    features = read_features(["move (length ?a ?b)"], GRAPH)
    with pytest.raises(InputError, match=r"\(length b a\), a feature of the action move"):
        feature_values(features, GRAPH, parse_problem(text), "(move b a)")

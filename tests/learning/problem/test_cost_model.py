"""What costs are made of: shared and linear costs beside plain ones."""

from __future__ import annotations

from plancost.learning.problem.cost_model import CostModel
from plancost.observations.features import read_features
from plancost.observations.pddl import parse_domain
from plancost.observations.shares import read_shares


def test_shared_and_linear_costs_together() -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (p)) (:functions (far ?a ?b))"
        " (:action go :parameters (?v ?a ?b) :effect (p)) (:action load :parameters (?v ?a)"
        " :effect (p)) (:action wait :parameters (?v) :effect (p)))"
    )
    actions = ["(go v a b)", "(go w b a)", "(load v a)", "(load w a)", "(wait v)"]
    features = read_features(["go (far ?a ?b)"], domain)
    kept = read_shares(["load ?a"], domain, features)
    values = {"(go v a b)": (5,), "(go w b a)": (0,)}
    found = CostModel.of(actions, kept, features, values)
    assert found.parameters == ("(load * a)", "(wait v)", "go: constant", "go: (far ?a ?b)")
    assert found.costs([3, 4, 1, 2]) == [11, 1, 3, 3, 4]
    assert found.counts([0, 0, 1, 2, 3]) == ((0, 2), (2, 3), (3, 10))
    assert found.totals == (2, 1, 2, 5)
    some = found.only([1, 3])
    assert some.parameters == ("(load * a)", "go: constant")
    assert some.costs([3, 1]) == [1, 3]

"""Which cost each action of a new problem gets."""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.errors import InputError, UsageError
from plancost.observations.pddl import parse_domain, parse_problem
from plancost.planning.new_costs import new_costs
from plancost.results.claims import LearnedCosts

DOMAIN = parse_domain(
    "(define (domain d) (:predicates (p)) (:action go :parameters (?a) :effect (p))"
    " (:action stay :parameters (?a) :effect (p)))"
)
NAMES = [f"(go {letter})" for letter in "abcdef"]


@given(
    learned=st.dictionaries(st.sampled_from(NAMES), st.integers(0, 50), min_size=1),
    default=st.none() | st.integers(0, 9),
)
def test_the_rule(learned: dict[str, int], default: int | None) -> None:
    actions = [*NAMES, "(stay a)"]
    found = new_costs(learned, DOMAIN, actions, default)
    of_schema = max(1, math.ceil(median(learned.values())))
    assert set(found.costs) == set(actions)
    for name in NAMES:
        assert found.costs[name] == learned.get(name, of_schema if default is None else default)
    assert found.costs["(stay a)"] == (1 if default is None else default)
    assert found.learned == frozenset(learned)
    assert set(found.defaults) == set(actions) - set(learned)
    assert found.learned | found.from_schema | found.fixed == set(actions)
    assert len(found.learned) + len(found.from_schema) + len(found.fixed) == len(actions)
    assert found.fixed >= {"(stay a)"}


def test_names_are_spelt_in_one_way(tmp_path: Path) -> None:
    file = tmp_path / "costs.json"
    file.write_text(json.dumps({"costs": {"( GO   a )": 7}}))
    assert new_costs(file, DOMAIN, ["(go a)"]).costs == {"(go a)": 7}
    assert new_costs({"(GO A)": 7}, DOMAIN, ["(go a)"]).costs == {"(go a)": 7}
    with pytest.raises(InputError, match=r"^\(go a\) has two costs, 7 and 8$"):
        new_costs({"(GO A)": 7, "go a": 8}, DOMAIN, ["(go a)"])


@pytest.mark.parametrize("content", [{}, {"(fly a)": 1}, {"(go a)": -1}, {"(go a)": 2**53}])
def test_wrong_costs(content: dict[str, int], tmp_path: Path) -> None:
    file = tmp_path / "costs.json"
    file.write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"costs\.json"):
        new_costs(file, DOMAIN, NAMES)


def test_a_default_cost_is_not_negative() -> None:
    with pytest.raises(UsageError):
        new_costs({"(go a)": 1}, DOMAIN, NAMES, -1)


LINEAR = parse_domain(
    "(define (domain d) (:predicates (p)) (:functions (far ?a))"
    " (:action go :parameters (?a) :effect (p)) (:action stay :parameters (?a ?b) :effect (p)))"
)
PROBLEM = parse_problem(
    "(define (problem p) (:domain d) (:objects a b c)"
    " (:init (= (far a) 3) (= (far b) 4)) (:goal (p)))"
)
WITH_WEIGHTS = LearnedCosts(
    {"(go a)": 7, "(go c)": 9, "(stay a b)": 5},
    {"(stay a *)": 5},
    {"go": {"constant": 1, "(far ?a)": 2}},
)


def test_classes_and_weights() -> None:
    """What the class or the weights say is learned too; only the rest is guessed."""
    actions = ["(go a)", "(go b)", "(go c)", "(stay a b)", "(stay a c)", "(stay b a)"]
    found = new_costs(WITH_WEIGHTS, LINEAR, actions, problem=PROBLEM)
    assert found.costs == dict(zip(actions, [7, 9, 9, 5, 5, 5], strict=True))
    assert found.learned == {"(go a)", "(go c)", "(stay a b)"}
    assert found.from_weights == {"(go b)"}
    assert found.from_class == {"(stay a c)"}
    assert set(found.defaults) == {"(stay b a)"}
    other = new_costs(WITH_WEIGHTS, LINEAR, actions, 2, PROBLEM)
    assert other.costs == found.costs | {"(stay b a)": 2}


def test_the_numbers_of_the_new_problem_count() -> None:
    """An action of a learned name whose number is another now costs another."""
    problem = parse_problem(PROBLEM.text.replace("(= (far a) 3)", "(= (far a) 10)"))
    found = new_costs(WITH_WEIGHTS, LINEAR, ["(go a)"], problem=problem)
    assert found.costs == {"(go a)": 21}
    assert found.from_weights == {"(go a)"}


def test_a_number_that_is_missing() -> None:
    weights = LearnedCosts({"(go a)": 7}, {}, WITH_WEIGHTS.weights)
    with pytest.raises(InputError, match=r"no value to \(far c\)"):
        new_costs(weights, LINEAR, ["(go c)"], problem=PROBLEM)
    assert new_costs(weights, LINEAR, ["(go c)"], 4, PROBLEM).costs == {"(go c)": 4}


@pytest.mark.parametrize("linear", [{"go": 3}, {"go": {"constant": 1.5}}, {"fly": {"(far ?a)": 1}}])
def test_wrong_weights(linear: object, tmp_path: Path) -> None:
    file = tmp_path / "costs.json"
    file.write_text(json.dumps({"costs": {"(go a)": 1}, "linear": linear}))
    with pytest.raises(InputError, match=r"costs\.json"):
        new_costs(file, LINEAR, ["(go a)"], problem=PROBLEM)


def test_names_with_brackets_are_no_patterns() -> None:
    """A class of ``a[1]`` says nothing about ``a1``."""
    learned = LearnedCosts({"(stay a[1] b)": 3}, {"(stay a[1] *)": 3})
    found = new_costs(learned, LINEAR, ["(stay a[1] c)", "(stay a1 c)"], 9)
    assert found.costs == {"(stay a[1] c)": 3, "(stay a1 c)": 9}
    assert found.from_class == {"(stay a[1] c)"}

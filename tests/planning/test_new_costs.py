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
from plancost.observations.pddl import parse_domain
from plancost.planning.new_costs import new_costs

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


@pytest.mark.parametrize("content", [{}, {"(fly a)": 1}, {"(go a)": -1}, {"(go a)": 10**13}])
def test_wrong_costs(content: dict[str, int], tmp_path: Path) -> None:
    file = tmp_path / "costs.json"
    file.write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"costs\.json"):
        new_costs(file, DOMAIN, NAMES)


def test_a_default_cost_is_not_negative() -> None:
    with pytest.raises(UsageError):
        new_costs({"(go a)": 1}, DOMAIN, NAMES, -1)

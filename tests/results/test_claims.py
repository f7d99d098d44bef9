"""A RESULT.json's claims against an independent check."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plancost.api.learn import learn
from plancost.results.claims import contradiction
from plancost.results.result import Result

Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def result(table_1: Path) -> Result:
    return learn(table_1)


def claims(result: Result, change: Change) -> str | None:
    """What contradicts the result, after a change of what it says itself."""
    content = json.loads(json.dumps(result.to_json()))
    change(content)
    return contradiction(content, result)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c.update(optimal_plans=1), "1 optimal plans; the check finds 2"),
        (lambda c: c.update(optimal_plans=None), "None optimal plans; the check finds 2"),
        (
            lambda c: c["observations"][0].update(optimal=False),
            "of p1.plan that optimal is false; the check finds true",
        ),
        (
            lambda c: c["observations"][1].update(cost=99),
            "of p2.plan that cost is 99; the check finds ",
        ),
        (lambda c: c.update(verified=False, optimal_plans=3), "3 optimal plans; the check finds 2"),
    ],
)
def test_contradictions(result: Result, change: Change, words: str) -> None:
    found = claims(result, change)
    assert found is not None
    assert found.startswith(words)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: None,
        lambda c: c.update(observations="none"),
        lambda c: c.update(observations=[3, {"plan": "p9.plan", "cost": 3}]),
        lambda c: c["observations"][0].update(optimal=None, optimal_cost=None),
        lambda c: c.update(verified=False, optimal_plans=0),
    ],
    ids=["nothing changed", "no list", "other plans", "left open", "not verified"],
)
def test_no_contradiction(result: Result, change: Change) -> None:
    assert claims(result, change) is None


def test_a_plan_that_is_listed_twice_is_claimed_about_twice(table_1: Path) -> None:
    manifest = table_1 / "m.csv"
    manifest.write_text("problem,plan\np1.pddl,p1.plan\np1.pddl,p1.plan\n")
    result = learn(manifest, domain=table_1 / "domain.pddl")
    assert claims(result, lambda c: None) is None
    second = claims(result, lambda c: c["observations"][1].update(cost=99))
    assert second is not None

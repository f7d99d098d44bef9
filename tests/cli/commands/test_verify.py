"""``plancost verify``, called as a user calls it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plancost.api.learn import learn
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from support.command import plancost
from support.contract import assert_contract


@pytest.fixture
def result_file(table_1: Path, tmp_path: Path) -> Path:
    path = tmp_path / "RESULT.json"
    learn(table_1, LearnOptions(Concept(Solution.SCF))).write(path)
    return path


def test_verify_agrees(table_1: Path, result_file: Path) -> None:
    done = plancost("verify", table_1, result_file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 of 2" in done.stdout
    assert "agrees" in done.stdout
    content = json.loads(plancost("verify", table_1, result_file, "--json").stdout)
    assert_contract(content)
    assert (content["solution"], content["optimal_plans"]) == ("scf", 2), "as the file says"
    assert plancost("verify", table_1, result_file, "--quiet").stdout == ""


@pytest.mark.parametrize(
    "tamper",
    [
        lambda content: content["costs"].update({"(move a c)": 9}),
        lambda content: content.update(optimal_plans=1),
        lambda content: content["observations"][0].update(optimal=False),
        lambda content: content["observations"][1].update(optimal_cost=1),
    ],
    ids=["costs", "optimal_plans", "optimal", "optimal_cost"],
)
def test_verify_contradicts_a_tampered_file(
    table_1: Path, result_file: Path, tamper: Callable[[dict[str, Any]], None]
) -> None:
    content = json.loads(result_file.read_text())
    tamper(content)
    result_file.write_text(json.dumps(content))
    done = plancost("verify", table_1, result_file)
    assert done.returncode == 5
    assert "the check finds" in done.stdout
    assert done.stderr == ""


def test_verify_has_nothing_against_what_was_left_open(table_1: Path, result_file: Path) -> None:
    content = json.loads(result_file.read_text())
    content.update(verified=False, optimal_plans=0)
    for item in content["observations"]:
        item.update(optimal=None, optimal_cost=None)
    result_file.write_text(json.dumps(content))
    assert plancost("verify", table_1, result_file).returncode == 0


def test_verify_plain_costs(table_1: Path, result_file: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps(json.loads(result_file.read_text())["costs"]))
    done = plancost("verify", table_1, plain, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["solution"] == "mcf"
    plain.write_text('{"(move a b)": 3}')
    assert plancost("verify", table_1, plain).returncode == 1
    done = plancost("verify", table_1, plain, "--default-cost", "2", "--json")
    assert json.loads(done.stdout)["optimal_plans"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("oracle", ["graph", "fast-downward", "symk"])
def test_verify_with_each_oracle(table_1: Path, result_file: Path, oracle: str) -> None:
    assert plancost("verify", table_1, result_file, "--oracle", oracle).returncode == 0

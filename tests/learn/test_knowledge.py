"""The knowledge file: what an ended run has found is used again, what is wrong in it is not."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from agreement import wrong_in
from brute_force import BruteForce, TooLargeError
from plancost.clock import Clock
from plancost.learn.run import learn_costs
from plancost.progress import silent
from random_tasks import draw_case, draw_options


def _with_conflicts(path: Path) -> list[BruteForce]:
    found = []
    for seed in range(500, 620):
        case = draw_case(seed)
        force = BruteForce(case, draw_options(seed, case))
        path.unlink(missing_ok=True)
        try:
            _ = force.truth
            learn_costs(case, force.options, Clock(30), silent, path)
        except Exception:
            continue
        if json.loads(path.read_text())["conflicts"]:
            found.append(force)
    return found


@pytest.fixture(scope="module")
def forces(tmp_path_factory: pytest.TempPathFactory) -> list[BruteForce]:
    found = _with_conflicts(tmp_path_factory.mktemp("known") / "RESULT.proof.json")
    assert len(found) > 10
    return found


def test_a_damaged_file_proves_nothing_wrong(forces: list[BruteForce], tmp_path: Path) -> None:
    chance = random.Random(1)
    path = tmp_path / "RESULT.proof.json"
    for force in forces[:12]:
        path.unlink(missing_ok=True)
        learn_costs(force.case, force.options, Clock(30), silent, path)
        document = json.loads(path.read_text())
        for _ in range(4):
            damaged = json.loads(json.dumps(document))
            _damage(damaged, chance)
            path.write_text(json.dumps(damaged))
            learned = learn_costs(force.case, force.options, Clock(30), silent, path)
            assert not wrong_in(force, learned), force.case.name


def test_conflicts_are_read_again(forces: list[BruteForce], tmp_path: Path) -> None:
    path = tmp_path / "RESULT.proof.json"
    for force in forces[:5]:
        path.unlink(missing_ok=True)
        learn_costs(force.case, force.options, Clock(30), silent, path)
        before = json.loads(path.read_text())["conflicts"]
        learn_costs(force.case, force.options, Clock(30), silent, path)
        after = json.loads(path.read_text())["conflicts"]
        classes = [conflict["classes"] for conflict in after]
        assert all(conflict["classes"] in classes for conflict in before if conflict["rows"])


def _damage(document: dict[str, object], chance: random.Random) -> None:
    """Change some numbers, or cut a list."""
    conflicts, alternatives = document["conflicts"], document["alternatives"]
    assert isinstance(conflicts, list)
    assert isinstance(alternatives, list)
    conflict = chance.choice(conflicts)
    kind = chance.randrange(4)
    if kind == 0:
        conflict["classes"] = [[chance.randrange(4)]]
    elif kind == 1 and conflict["rows"]:
        conflict["rows"] = [[number, times + 1] for number, times in conflict["rows"][:-1]]
    elif kind == 2 and alternatives:
        alternative = chance.choice(alternatives)
        key = chance.choice(["plan", "begin", "end", "is_whole"])
        alternative[key] = not alternative[key] if key == "is_whole" else chance.randrange(-1, 3)
    else:
        conflict["rows"] = [[chance.randrange(-3, 3), 1], ["x", None]]


def test_too_large(tmp_path: Path) -> None:
    path = tmp_path / "RESULT.proof.json"
    path.write_text("{" + "[" * 50)
    case = draw_case(500)
    try:
        force = BruteForce(case, draw_options(500, case))
        learned = learn_costs(case, force.options, Clock(30), silent, path)
        assert not wrong_in(force, learned)
    except TooLargeError:
        pytest.skip("nobody knows the truth")

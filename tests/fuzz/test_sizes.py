"""Files that are right but far too large: they end within the limits, and say which."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import plancost
from conftest import DOMAIN, TABLE_1, WriteGraphCase, graph_problem
from plancost.errors import LimitError
from plancost.observations.files import read_manifest
from plancost.observations.outside import NamedFolders
from plancost.observations.pddl import parse_domain, parse_problem
from plancost.observations.redundancy import without_redundant_actions
from plancost.system.processes import Limits
from support.fuzzing import check, ground_once

QUICK = ("--oracle", "graph", "--jobs", "1", "--no-cache", "--quiet")
EXPLODES = """(define (domain e) (:predicates (p ?x) (g))
  (:action a :parameters (?a ?b ?c ?d ?e ?f)
    :precondition (and (p ?a) (p ?b) (p ?c) (p ?d) (p ?e) (p ?f)) :effect (g)))
"""


@pytest.fixture
def case(write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("plancost.observations.case.ground", ground_once)
    return write_graph_case(TABLE_1, ["abd", "acef"])


def test_a_grounding_that_explodes(tmp_path: Path) -> None:
    """Billions of ground actions."""
    names = [f"o{number}" for number in range(60)]
    facts = " ".join(f"(p {name})" for name in names)
    (tmp_path / "domain.pddl").write_text(EXPLODES)
    (tmp_path / "p.pddl").write_text(
        f"(define (problem p) (:domain e) (:objects {' '.join(names)}) (:init {facts}) (:goal (g)))"
    )
    (tmp_path / "p.plan").write_text("(a o0 o1 o2 o3 o4 o5)\n")
    started = time.monotonic()
    ended = check(["learn", tmp_path, "--time-limit", 2])
    assert ended.status == 4
    assert "time limit" in ended.err
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("loops", [500, pytest.param(2500, marks=pytest.mark.slow)])
def test_a_plan_of_many_loops(case: Path, loops: int) -> None:
    """Thousands of steps, of which two matter."""
    (case / "p1.plan").write_text("(move a b)\n(move b a)\n" * loops + "(move a b)\n(move b d)\n")
    started = time.monotonic()
    ended = check(["learn", case, *QUICK])
    assert ended.status == 0
    assert time.monotonic() - started < 60


def test_loops_are_cut_out_first() -> None:
    domain = parse_domain(DOMAIN)
    problem = parse_problem(graph_problem("p", "abcdef", TABLE_1, "a", "d"))
    task = ground_once(domain, problem, Limits())
    loop = ("(move a b)", "(move b a)")
    started = time.monotonic()
    found = without_redundant_actions(task, loop * 20_000 + ("(move a b)", "(move b d)"))
    assert found == ("(move a b)", "(move b d)")
    assert time.monotonic() - started < 30  # it took hours, one step after the other


def test_a_long_manifest(case: Path) -> None:
    """Each file that it names is looked at once."""
    manifest = case / "m.csv"
    manifest.write_text("problem,plan\n" + "p1.pddl,p1.plan\np2.pddl,p2.plan\n" * 10_000)
    started = time.monotonic()
    assert len(read_manifest(manifest, NamedFolders.of(manifest))) == 20_000
    assert time.monotonic() - started < 30


def test_costs_of_many_other_actions(case: Path, tmp_path: Path) -> None:
    """A hint at typing errors is not worth hours."""
    costs = {f"(move x{number} y{number})": 1 for number in range(100_000)}
    (tmp_path / "costs.json").write_text(json.dumps(costs))
    started = time.monotonic()
    ended = check(["verify", case, tmp_path / "costs.json", *QUICK])
    assert ended.status == 1
    assert "there is no cost for (move" in ended.err
    assert time.monotonic() - started < 60


def test_reading_costs_has_a_limit(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(*words: object, **named: object) -> None:
        for _ in range(300):
            time.sleep(0.1)

    (tmp_path / "costs.json").write_text("{}")
    monkeypatch.setattr("plancost.api.check.read_groups", slowly)
    options = plancost.LearnOptions(time_limit_s=0.5)
    loaded = plancost.load_case(case)
    with pytest.raises(LimitError, match=r"costs\.json: reading it did not end within"):
        plancost.verify(loaded, tmp_path / "costs.json", options)


def test_a_count_that_is_too_large(case: Path, tmp_path: Path) -> None:
    manifest = case / "m.csv"
    for count, words in (("9" * 5000, "m.csv:2: count must be"), ("1000000001", "m.csv:2: count")):
        manifest.write_text(f"problem,plan,count\np1.pddl,p1.plan,{count}\n")
        ended = check(["learn", manifest, "--domain", case / "domain.pddl", *QUICK])
        assert ended.status == 1
        assert words in ended.err
    manifest.write_text("problem,plan,count\np1.pddl,p1.plan,999999999\n")
    result = tmp_path / "result.json"
    assert check(["learn", case, "--output", result, *QUICK]).status == 0
    rest = ["--domain", case / "domain.pddl", "--training", case, *QUICK]
    ended = check(["monitor", result, "--observations", manifest, *rest])
    assert ended.status == 1
    assert "at most 1000000" in ended.err

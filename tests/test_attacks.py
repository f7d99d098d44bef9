"""Small cases on which the first version was once wrong, or that invite the same mistakes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from plancost.api import explain, learn, verify
from plancost.case.read import read_case
from plancost.case.streets import street_case
from plancost.errors import InputError
from plancost.result.model import Result

TRAM = """(define (domain tram) (:requirements :strips :action-costs)
  (:predicates (in ?x) (rail ?x ?y) (been ?x)) (:functions (total-cost) (fare ?x))
  (:action go :parameters (?x ?y) :precondition (and (in ?x) (rail ?x ?y))
    :effect (and (in ?y) (not (in ?x)) (been ?y))))"""

SHOP = """(define (domain shop) (:predicates (baked) (swept ?r))
  (:action bake :parameters () :effect (baked))
  (:action sweep :parameters (?r) :effect (swept ?r)))"""


def tram(rails: str, start: str, goal: str, more: str = "", extra: str = "") -> str:
    """A problem: rails such as ``a-b b-c``."""
    pairs = [rail.split("-") for rail in rails.split()]
    stops = " ".join(sorted({stop for pair in pairs for stop in pair}))
    facts = " ".join(f"(rail {one} {other})" for one, other in pairs)
    return (
        f"(define (problem t) (:domain tram) (:objects {stops}) (:init (in {start}) {facts} {more})"
        f" (:goal {goal}) {extra})"
    )


def ride(stops: str) -> str:
    """The plan through these stops."""
    words = stops.split()
    return "".join(f"(go {one} {other})\n" for one, other in pairwise(words))


def folder(path: Path, files: Mapping[str, str], domain: str = TRAM) -> Path:
    """A case folder with these files."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "domain.pddl").write_text(domain, encoding="utf-8")
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def value(result: Result) -> int:
    """The second objective, which must be proven."""
    assert result.secondary is not None
    assert result.secondary.proved
    return result.secondary.value


def command(*arguments: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """The command, as a user calls it."""
    line = [sys.executable, "-m", "plancost", *map(str, arguments)]
    return subprocess.run(line, text=True, capture_output=True, timeout=120, check=False, **more)


# 1: names with blanks


@pytest.mark.parametrize("names", [("Old", "Mill Lane", "Old Mill", "Lane"), ("a", "b", "c", "d")])
def test_nodes_with_blanks_do_not_collide(names: tuple[str, str, str, str]) -> None:
    """The direct link of the first pair must be dear, that of the second cheap."""
    one, two, three, four = names
    links = [(one, "x"), ("x", two), (one, two), (three, four), (three, "y"), ("y", four)]
    result = learn(street_case(nx.DiGraph(links), [[one, "x", two], [three, four]]))
    assert (result.optimal_plans, result.upper_bound, len(result.costs)) == (2, 2, 6)
    assert value(result) == 7


def test_numbers_and_texts_are_different_nodes() -> None:
    graph = nx.DiGraph([(1, "x"), ("x", 2), (1, 2), ("1", "2")])
    try:
        result = learn(street_case(graph, [[1, "x", 2]]))
    except InputError:
        return
    assert (result.optimal_plans, value(result)) == (1, 5)


# 2: what is not part of a task


def test_metric_and_zero_of_total_cost_make_no_other_task(tmp_path: Path) -> None:
    rails = "a-b b-d a-c c-d"
    files = {
        "one.pddl": tram(rails, "a", "(in d)"),
        "two.pddl": tram(rails, "a", "(in d)", extra="(:metric minimize (total-cost))"),
        "three.pddl": tram(rails, "a", "(in d)", more="(= (total-cost) 0)"),
        "one.plan": ride("a b d"),
        "two.plan": ride("a c d"),
        "three.plan": ride("a c d"),
    }
    case = folder(tmp_path, files)
    assert learn(case, solution="scf", ties="observed").optimal_plans == 3
    assert learn(case, solution="scf").optimal_plans == 2


# 3: brackets are no pattern


@pytest.mark.parametrize(("name", "least_sum"), [("(go s[1] t)", 14), ("(go s1 t)", 9)])
def test_brackets_in_bounds(tmp_path: Path, name: str, least_sum: int) -> None:
    """The other name must not cost 7; where the direct way does, the way round costs as much."""
    problem = tram("s[1]-s1 s1-t s[1]-t", "s[1]", "(in t)")
    case = folder(tmp_path, {"p.pddl": problem, "p.plan": ride("s[1] t")})
    result = learn(case, bounds={name: [7, 7]})
    assert [action for action, cost in result.costs.items() if cost == 7] == [name]
    assert value(result) == sum(result.costs.values()) == least_sum


# 4 and 10: large numbers


@pytest.mark.parametrize("scale", [10**8, 10**9])
def test_large_counts_and_costs(tmp_path: Path, scale: int) -> None:
    """Two ways of which the one seen more often wins, whatever the counts; known costs as large."""
    files = {
        "p.pddl": tram("a-b b-d a-c c-d a-d", "a", "(in d)"),
        "low": ride("a b d"),
        "high": ride("a c d"),
        "m.csv": f"problem,plan,count\np.pddl,low,{scale - 1}\np.pddl,high,{scale}\n",
    }
    case = read_case(folder(tmp_path, files) / "m.csv", domain=tmp_path / "domain.pddl")
    plain = learn(case, solution="scf", time_limit=60)
    assert (plain.optimal_plans, plain.upper_bound, value(plain)) == (scale, scale, 8)
    pairs = ("a b", "b d", "a c", "c d", "a d")
    known = {f"(go {pair})": scale + number for number, pair in enumerate(pairs)}
    refined = learn(case, refine=known, time_limit=60)
    assert refined.optimal_plans == 2 * scale - 1
    # The direct way rises to the way by b, and that by c sinks by 4 to it.
    assert value(refined) == 4 + (2 * scale + 1) - (scale + 4)


# 5: orderings of one plan


@pytest.mark.parametrize("features", [(), ("schema",)])
def test_orderings_with_redundant_steps(tmp_path: Path, features: tuple[str, ...]) -> None:
    """Each names its own redundant step, and neither is ever optimal."""
    problem = "(define (problem p) (:domain shop) (:objects r s) (:init) (:goal (baked)))"
    plans = {"p.1.plan": "(sweep r)\n(bake)\n", "p.2.plan": "(bake)\n(sweep s)\n"}
    result = learn(folder(tmp_path, {"p.pddl": problem, **plans}, SHOP), features=features)
    assert (result.optimal_plans, result.upper_bound) == (0, 0)
    assert [seen.optimal_cost for seen in result.observations] == [1, 1]
    assert set(result.costs) >= {"(bake)", "(sweep r)", "(sweep s)"}
    told = {one.name: (one.kind, one.steps) for one in explain(tmp_path, result)}
    assert told == {"p.1.plan": ("redundant", (1,)), "p.2.plan": ("redundant", (2,))}


# 6 and 9: the command must not destroy what it reads


@pytest.mark.parametrize("name", ["domain.pddl", "p.pddl", "p.plan"])
def test_inputs_are_not_overwritten(tmp_path: Path, name: str) -> None:
    problem = tram("a-b", "a", "(in b)")
    case = folder(tmp_path, {"p.pddl": problem, "p.plan": ride("a b")})
    before = (case / name).read_bytes()
    (tmp_path / "costs.json").write_text('{"(go a b)": 1}', encoding="utf-8")
    given = [(word, case, "costs.json") for word in ("report", "predict", "export")]
    for words in (("learn", case), ("learn", case, "--report"), *given):
        output = () if words[-1] == "--report" else ("--output",)
        done = command(*words, *output, case / name, cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert name in done.stderr
        assert (case / name).read_bytes() == before


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_closed_standard_output(tmp_path: Path, quiet: list[str]) -> None:
    case = folder(tmp_path, {"p.pddl": tram("a-b", "a", "(in b)"), "p.plan": ride("a b")})
    output = tmp_path / "RESULT.json"
    line = [sys.executable, "-m", "plancost", "learn", str(case), "--output", str(output)]
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *line, *quiet]
    done = subprocess.run(closed, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode != 70
    assert json.loads(output.read_text(encoding="utf-8"))["optimal_plans"] == 1


# 7: goals that hold anyway


def test_steps_behind_a_goal_that_always_holds(tmp_path: Path) -> None:
    """Steps where none is needed are valid, count among all actions, and are never optimal."""
    files = {
        "p.pddl": tram("a-b b-a", "a", "(been b)", more="(been b)"),
        "p.plan": ride("a b"),
        "q.pddl": tram("a-c c-a", "a", "(been c)", more="(been c)"),
        "q.plan": "; nothing to do\n",
    }
    result = learn(folder(tmp_path, files))
    assert len(result.costs) == 4
    assert (result.optimal_plans, result.upper_bound, value(result)) == (1, 1, 4)
    checked = verify(tmp_path, {"(go a b)": 3, "(go b a)": 3, "(go a c)": 1, "(go c a)": 1})
    assert [seen.optimal_cost for seen in checked.observations] == [0, 0]


# 8: what looks like a plan and is none


@pytest.mark.parametrize("kind", ["dangling", "outside", "pipe", "folder", "upper"])
def test_plans_that_cannot_be_read_are_not_passed_over(tmp_path: Path, kind: str) -> None:
    case = folder(
        tmp_path / "case", {"p.pddl": tram("a-b", "a", "(in b)"), "p.1.plan": ride("a b")}
    )
    odd = case / ("p.2.PLAN" if kind == "upper" else "p.2.plan")
    if kind in ("dangling", "outside"):
        other = tmp_path / "elsewhere"
        if kind == "outside":
            other.write_text(ride("a b"), encoding="utf-8")
        odd.symlink_to(other)
    elif kind == "pipe":
        os.mkfifo(odd)
    elif kind == "folder":
        odd.mkdir()
    else:
        odd.write_text(ride("a b"), encoding="utf-8")
    try:
        found = read_case(case)
    except InputError as error:
        assert odd.name in str(error)
        return
    assert kind == "upper"
    assert len(found.observations) == 2 or any(odd.name in note for note in found.notes)


# 11: costs made of weights


def test_every_action_costs_at_least_one(tmp_path: Path) -> None:
    """With a fare of 0 and no constant a way through y would be free; it is not."""
    problem = tram("x-y y-z x-z", "x", "(in z)", more="(= (fare y) 0) (= (fare z) 2)")
    case = folder(tmp_path, {"p.pddl": problem, "p.plan": ride("x y z")})
    result = learn(case, features=("go (fare ?y)",))
    assert (result.optimal_plans, result.upper_bound) == (0, 0)
    assert min(result.costs.values()) >= 1


# 13: plans with loops under factors


def test_loops_count_within_their_factor(tmp_path: Path) -> None:
    """A way there, back and there again costs three times the direct one, if all cost the same."""
    files = {"p.pddl": tram("a-b b-a", "a", "(in b)"), "p.plan": ride("a b a b")}
    case = folder(tmp_path, files)
    wide, narrow = learn(case, suboptimality="3"), learn(case, suboptimality="1.9")
    assert (wide.optimal_plans, wide.upper_bound, value(wide)) == (1, 1, 2)
    assert (narrow.optimal_plans, narrow.upper_bound) == (0, 0)
    assert not any("never" in note for note in wide.notes)


# 14: line ends that are none


@pytest.mark.parametrize("end", ["\u2028", "\x85", "\x0b", "\x0c"])
def test_only_real_line_ends_end_comments(tmp_path: Path, end: str) -> None:
    plan = f"; way out{end}(go b a)\n{ride('a b')}"
    case = folder(tmp_path, {"p.pddl": tram("a-b b-a", "a", "(in b)"), "p.plan": plan})
    (seen,) = read_case(case).observations
    assert len(seen.actions) == 1

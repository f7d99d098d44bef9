"""Whole commands, given files with something wrong in them: a documented status, one sentence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import TABLE_1, WriteGraphCase
from plancost.observations.case import Task
from plancost.oracles.alternatives import Alternatives
from plancost.oracles.search import Verdict
from support.fuzzing import check, examples, ground_once
from support.mutations import mutated_file, mutated_json

QUICK = ("--oracle", "graph", "--jobs", "1", "--no-cache", "--quiet")
STREAM = "problem,plan,count\ncase/p1.pddl,case/p1.plan,2\ncase/p2.pddl,case/p2.plan,3\n"
KNOWN = (
    "problem,plan,count,cost,suboptimality\n"
    'case/p1.pddl,case/p1.plan,2,4,1.1\ncase/p2.pddl,"case/p2.plan",1,,\n'
    "case/p3.pddl,case/p3.plan,1,7.5,11/10\n"
)
GROUPS = (
    "problem,plan,count,group\ncase/p1.pddl,case/p1.plan,2,a\n"
    'case/p2.pddl,"case/p2.plan",1,b\ncase/p3.pddl,case/p3.plan,1,b\n'
)
COORDINATES = "place,x,y\na,1,2\nb,2.5,-3\nc,1,1\nd,0,2\ne,3,3\nf,4,1\n"
BOUNDS = {"(move a b)": 3, "(move * c)": [1, 5], "(move c d)": {"least": 2, "greatest": None}}


def both_routes(task: Task, costs: dict[str, int], *_: object, **__: object) -> Alternatives:
    """What SymK finds from A to D, as far as the problem still has these actions."""
    routes = [("(move a b)", "(move b d)"), ("(move a c)", "(move c d)")]
    plans = tuple(plan for plan in routes if set(plan) <= set(costs))
    return Alternatives(plans, False, 0.1, Verdict.FOUND if plans else Verdict.GAVE_UP)


class Files:
    """A case, results that were learned from it, and where the changed file goes."""

    def __init__(self, case: Path) -> None:
        self.case = case
        self.root = case.parent
        self.bad = self.root / "bad.json"
        self.domain = case / "domain.pddl"

    def learned(self, *options: str) -> Any:  # noqa: ANN401 (any JSON)
        """The content of a RESULT.json."""
        path = self.root / "result.json"
        ended = check(["learn", self.case, "--output", path, *options, *QUICK])
        assert ended.status == 0, ended
        return json.loads(path.read_text())


@pytest.fixture
def files(write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch) -> Files:
    monkeypatch.setattr("plancost.observations.case.ground", ground_once)
    monkeypatch.setattr("plancost.planning.apply.ground", ground_once)
    monkeypatch.setattr("plancost.planning.solve.ground", ground_once)
    monkeypatch.setattr("plancost.planning.solve.find_alternatives", both_routes)
    case = write_graph_case(TABLE_1, ["abd", "acef", "abdcef"])
    (case / "p1.loop.plan").write_text("(move a b)\n(move b a)\n(move a b)\n(move b d)\n")
    return Files(case)


def fuzz(strategy: st.SearchStrategy[bytes], use: Callable[[bytes], int], usual: int) -> None:
    """Use examples; some must be refused, or nothing was wrong with them."""
    statuses = []

    @examples(usual)
    @given(strategy)
    def go(data: bytes) -> None:
        statuses.append(use(data))

    go()
    assert {1, 2} & set(statuses)


CHECKED: dict[str, tuple[object, ...]] = {
    "verify": QUICK,
    "explain": QUICK,
    "report": ("--output", "{root}/report.html", "--quiet"),
    "plot": ("--output", "{root}/map.svg", "--quiet"),
}


@pytest.mark.parametrize("command", CHECKED)
@pytest.mark.parametrize("groups", [1, 2])
def test_a_result_that_was_changed(files: Files, command: str, groups: int) -> None:
    result = files.learned("--groups", str(groups))
    words = [str(word).format(root=files.root) for word in CHECKED[command]]
    if groups > 1 and command in ("report", "plot"):
        words += ["--group", "group-1"]

    def use(data: bytes) -> int:
        files.bad.write_bytes(data)
        return check([command, files.case, files.bad, *words]).status

    fuzz(mutated_json(result), use, 15)


def test_apply(files: Files) -> None:
    result = files.learned()

    def use(data: bytes) -> int:
        files.bad.write_bytes(data)
        output = files.root / "out"
        options = ["--domain", files.domain, "--output", output, "--quiet"]
        return check(["apply", files.bad, files.case / "p1.pddl", *options]).status

    fuzz(mutated_json(result), use, 15)


@pytest.mark.parametrize("groups", [1, 2])
def test_solve_with_costs(files: Files, groups: int) -> None:
    result = files.learned("--groups", str(groups))
    words: list[object] = ["--count", 2, "--no-cache", "--output", files.root / "plan", "--costs"]
    group = ["--group", "group-1"] if groups > 1 else []

    def use(data: bytes) -> int:
        files.bad.write_bytes(data)
        problem = [files.case / "p1.pddl", "--domain", files.domain]
        return check(["solve", *problem, *words, files.bad, *group]).status

    fuzz(mutated_json(result), use, 12)


@pytest.mark.parametrize("command", ["solve", "apply"])
@pytest.mark.parametrize("name", ["domain.pddl", "p1.pddl"])
def test_a_problem_that_was_changed(files: Files, command: str, name: str) -> None:
    """Where the translator is asked too, a few examples."""
    files.learned()
    result, content = files.root / "result.json", (files.case / name).read_text()
    words: list[object] = [files.case / "p1.pddl", "--domain", files.domain, "--quiet"]
    if command == "solve":
        words += ["--costs", result, "--count", 2, "--no-cache"]
    else:
        words = [result, *words, "--output", files.root / "out"]

    def use(data: bytes) -> int:
        (files.case / name).write_bytes(data)
        return check([command, *words]).status

    fuzz(mutated_file(content), use, 8)


EVALUATE = ("--methods", "ours,unit,initial", "--folds", 2, *QUICK)


@pytest.mark.parametrize("what", ["plan", "manifest"])
def test_evaluate(files: Files, what: str) -> None:
    manifest, plan = files.root / "manifest.csv", files.case / "p1.plan"
    words: list[object] = [files.case, "--output", files.root / "tables"]
    if what == "manifest":
        words = [manifest, "--domain", files.domain, "--soft-costs"]
    strategies = {
        "plan": mutated_file(plan.read_text()),
        "manifest": st.one_of(mutated_file(KNOWN), mutated_file(GROUPS)),
    }

    def use(data: bytes) -> int:
        (manifest if what == "manifest" else plan).write_bytes(data)
        return check(["evaluate", *words, *EVALUATE]).status

    fuzz(strategies[what], use, 12)


@pytest.mark.parametrize("command", ["learn", "evaluate"])
@pytest.mark.parametrize("option", ["--initial-costs", "--bounds"])
def test_files_for_learning(files: Files, option: str, command: str) -> None:
    content = BOUNDS if option == "--bounds" else files.learned()["costs"]

    def use(data: bytes) -> int:
        files.bad.write_bytes(data)
        words = QUICK if command == "learn" else EVALUATE
        return check([command, files.case, option, files.bad, *words]).status

    fuzz(mutated_json(content), use, 15)


@pytest.mark.parametrize("name", ["domain.pddl", "p1.pddl", "p1.plan"])
def test_a_case_that_was_changed(files: Files, name: str) -> None:
    """Where the translator is asked too, a few examples."""
    content = (files.case / name).read_text()

    def use(data: bytes) -> int:
        (files.case / name).write_bytes(data)
        return check(["learn", files.case, *QUICK]).status

    fuzz(mutated_file(content), use, 25 if name == "p1.plan" else 12)


def test_manifests(files: Files) -> None:
    def use(data: bytes) -> int:
        manifest = files.root / "manifest.csv"
        manifest.write_bytes(data)
        return check(["learn", manifest, "--domain", files.domain, "--soft-costs", *QUICK]).status

    fuzz(st.one_of(mutated_file(KNOWN), mutated_file(GROUPS)), use, 40)


def test_plot_with_coordinates(files: Files) -> None:
    files.learned()
    places = files.root / "places.csv"
    words = [files.case, files.root / "result.json", "--output", files.root / "map.svg", "--quiet"]

    def use(data: bytes) -> int:
        places.write_bytes(data)
        return check(["plot", *words, "--coordinates", places]).status

    fuzz(mutated_file(COORDINATES), use, 12)


@pytest.mark.parametrize("what", ["state", "result", "stream", "training"])
def test_monitor(files: Files, what: str) -> None:
    result, stream = files.root / "result.json", files.root / "stream.csv"
    state, kept = files.root / "state.json", files.root / "kept.json"
    learned = files.learned()
    words: list[object] = ["monitor", result, "--domain", files.domain, "--observations", stream]
    words += ["--training", files.case, "--folds", 2, "--state", state, *QUICK]
    stream.write_text(STREAM)
    assert check(words).status == 0
    shutil.copy(state, kept)
    training = files.case / "p2.plan"
    changed = {"state": state, "result": result, "stream": stream, "training": training}[what]
    strategies = {
        "state": mutated_json(json.loads(kept.read_text())),
        "result": mutated_json(learned),
        "stream": mutated_file(STREAM),
        "training": mutated_file(training.read_text()),
    }

    def use(data: bytes) -> int:
        shutil.copy(kept, state)
        changed.write_bytes(data)
        return check(words).status

    fuzz(strategies[what], use, 12)

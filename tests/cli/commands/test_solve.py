"""``plancost apply`` and ``plancost solve`` as users call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import both_ways, graph_problem
from plancost.oracles import fast_downward
from plancost.oracles.portfolio import PlannerPortfolio
from plancost.oracles.search import SearchOutcome, Verdict
from support.command import in_process, plancost

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def new_problem(table_1: Path, tmp_path: Path) -> Path:
    """From f to a, which nobody was seen to do, with one street that nobody knows."""
    lengths = both_ways({"ac": 1, "bd": 1, "ab": 1, "ce": 1, "df": 1, "ef": 1, "cd": 1, "fg": 1})
    path = tmp_path / "new.pddl"
    path.write_text(graph_problem("new", "abcdefg", lengths, "f", "a"))
    return path


@pytest.fixture
def result_file(table_1: Path, tmp_path: Path) -> Path:
    path = tmp_path / "RESULT.json"
    done = plancost("learn", table_1, "--solution", "scf", "--output", path, "--quiet")
    assert done.returncode == 0
    return path


def test_apply_then_solve(
    table_1: Path, result_file: Path, new_problem: Path, tmp_path: Path
) -> None:
    domain, out = table_1 / "domain.pddl", tmp_path / "out"
    done = plancost("apply", result_file, new_problem, "--domain", domain, "--output", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "14 of 16 actions have a learned cost",
        "2 got the median of their action schema: (move f g) 1, (move g f) 1",
        f"wrote {out}/domain.pddl",
        f"wrote {out}/new.pddl",
    ]
    plan = tmp_path / "new.plan"
    done = plancost("solve", out / "new.pddl", "--domain", out / "domain.pddl", "--output", plan)
    assert (done.returncode, done.stderr) == (0, "")
    assert "proven" in done.stdout
    assert f"wrote {plan}" in done.stdout
    words = ("solve", new_problem, "--domain", domain, "--costs", result_file, "--json")
    content = json.loads(plancost(*words).stdout)
    assert (content["status"], content["proven"]) == ("proven", True)
    (found,) = content["plans"]
    assert found["cost"] == sum(step["cost"] for step in found["steps"])
    assert plan.read_text().splitlines()[-1] == f"; cost = {found['cost']}"
    assert content["costs"]["learned"] == 14
    assert content["costs"]["defaults"] == {"(move f g)": 1, "(move g f)": 1}


def test_apply_with_a_default_cost(
    table_1: Path, result_file: Path, new_problem: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = ("apply", result_file, new_problem, "--domain", table_1 / "domain.pddl")
    out = tmp_path / "out"
    done = in_process(capsys, *words, "--output", out, "--default-cost", 9, "--json")
    content = json.loads(done.stdout)
    assert content["defaults"] == {"(move f g)": 9, "(move g f)": 9}
    assert content["files"] == [f"{out}/domain.pddl", f"{out}/new.pddl"]
    assert "(= (cost-move f g) 9)" in (out / "new.pddl").read_text()
    assert in_process(capsys, *words, "--output", out, "--quiet").stdout == ""


def test_several_plans(table_1: Path, new_problem: Path, tmp_path: Path, capsys: Capture) -> None:
    words = ("solve", new_problem, "--domain", table_1 / "domain.pddl", "--no-cache")
    plan = tmp_path / "plans" / "new.plan"
    done = in_process(capsys, *words, "--count", 2, "--output", plan)
    assert done.returncode == 0
    assert "plan 2 of 2" in done.stdout
    assert "These are the 2 cheapest plans (proven" in done.stdout
    assert sorted(path.name for path in plan.parent.iterdir()) == ["new.plan.1", "new.plan.2"]
    assert "; cost = 3" in (plan.parent / "new.plan.2").read_text()


def test_there_is_no_plan(table_1: Path, tmp_path: Path, capsys: Capture) -> None:
    problem = tmp_path / "p.pddl"
    problem.write_text(graph_problem("p", "abd", both_ways({"ab": 1}), "a", "d"))
    plan = tmp_path / "p.plan"
    words = ("solve", problem, "--domain", table_1 / "domain.pddl", "--output", plan)
    done = in_process(capsys, *words)
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.startswith("There is no plan (proven")
    assert not plan.exists()


@pytest.mark.parametrize(("quick", "status", "words"), [(True, 6, "Not proven"), (False, 4, "No")])
def test_a_limit(
    quick: bool,
    status: int,
    words: str,
    table_1: Path,
    new_problem: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The proof takes too long; then it matters whether there is a plan at all."""
    late = SearchOutcome(Verdict.OUT_OF_TIME, (), 0.1, "stub")
    monkeypatch.setattr(PlannerPortfolio, "optimal", lambda *_: late)
    if not quick:
        monkeypatch.setattr(PlannerPortfolio, "quickly_below", lambda *_, **__: None)
        monkeypatch.setattr(fast_downward, "first_plan", lambda *_, **__: late)
    done = in_process(capsys, "solve", new_problem, "--domain", table_1 / "domain.pddl")
    assert done.returncode == status
    assert words in done.stdout


def test_no_time_for_grounding(table_1: Path, new_problem: Path, capsys: Capture) -> None:
    words = ("solve", new_problem, "--domain", table_1 / "domain.pddl", "--time-limit", "0.001")
    done = in_process(capsys, *words)
    assert (done.returncode, done.stdout) == (4, "")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["--domain", "{case}/domain.pddl", "--costs", "{case}/none.json"], 1, "none.json"),
        (["--domain", "{case}/none.pddl"], 1, "none.pddl"),
        (
            ["--domain", "{case}/domain.pddl", "--output", "{case}"],
            1,
            "this is a folder; name a file to write",
        ),
        (["--domain", "{case}/domain.pddl", "--default-cost", "2"], 2, "--costs"),
        (
            ["--domain", "{case}/domain.pddl", "--count", "2", "--planner", "fast-downward"],
            2,
            "needs SymK",
        ),
        ([], 2, "--domain"),
    ],
)
def test_wrong_words(
    words: list[str], status: int, complaint: str, table_1: Path, capsys: Capture
) -> None:
    done = in_process(
        capsys, "solve", table_1 / "p1.pddl", *(word.format(case=table_1) for word in words)
    )
    assert done.returncode == status
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_apply_never_writes_over_its_input(
    table_1: Path, result_file: Path, capsys: Capture
) -> None:
    before = (table_1 / "p1.pddl").read_text()
    words = ("apply", result_file, table_1 / "p1.pddl", "--domain", table_1 / "domain.pddl")
    done = in_process(capsys, *words, "--output", table_1)
    assert (done.returncode, done.stdout) == (1, "")
    assert "could overwrite the input" in done.stderr
    assert (table_1 / "p1.pddl").read_text() == before


def test_costs_of_another_domain(table_1: Path, tmp_path: Path, capsys: Capture) -> None:
    costs = tmp_path / "costs.json"
    costs.write_text('{"(fly a b)": 3}')
    words = ("apply", costs, table_1 / "p1.pddl", "--domain", table_1 / "domain.pddl")
    done = in_process(capsys, *words, "--output", tmp_path / "out")
    assert done.returncode == 1
    assert "no action of the domain graph has a cost here" in done.stderr
    assert not (tmp_path / "out").exists()

"""``plancost learn``, called as a user calls it."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from conftest import WriteGraphCase, graph_problem
from support.command import in_process, learned, plancost
from support.contract import assert_contract


def test_a_manifest_needs_a_domain(table_1: Path) -> None:
    manifest = table_1 / "m.csv"
    manifest.write_text("problem,plan\np1.pddl,p1.plan\n")
    done = plancost("learn", manifest)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--domain" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "secondary"),
    [
        (["--solution", "mcf"], 14),
        (["--solution", "scf"], 16),
        (["--solution", "mcf", "--refine"], 2),
        (["--solution", "scf", "--refine"], 3),
    ],
)
def test_table_1(table_1: Path, arguments: list[str], secondary: int) -> None:
    content = learned(table_1, *arguments, "--alternatives", "all")
    assert_contract(content)
    assert (content["optimal_plans"], content["plans"]) == (2, 2)
    assert content["secondary"] == {"value": secondary, "lower_bound": secondary, "proved": True}
    assert content["proved"]
    assert content["verified"]
    assert content["strict"] == ("scf" in arguments)
    assert content["refined"] == ("--refine" in arguments)
    assert content["alternatives"] == "all"
    assert len(content["costs"]) == 14
    assert content["observations"][1]["problem"] == "p2.pddl"
    assert content["observations"][1]["plan"] == "p2.plan"


def test_exact_is_the_default(table_1: Path) -> None:
    content = learned(table_1)
    assert_contract(content)
    assert (content["alternatives"], content["secondary"]["value"]) == ("exact", 14)


def test_the_table_and_the_files(table_1: Path, tmp_path: Path) -> None:
    result, pddl = tmp_path / "new" / "RESULT.json", tmp_path / "pddl"
    done = plancost("learn", table_1, "--output", result, "--pddl-out", pddl)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 of 2" in done.stdout
    assert "p2.plan" in done.stdout
    assert f"wrote {result}" in done.stdout
    assert_contract(json.loads(result.read_text()))
    assert sorted(path.name for path in pddl.iterdir()) == ["domain.pddl", "p1.pddl", "p2.pddl"]
    assert sorted(path.name for path in result.parent.iterdir()) == ["RESULT.json"]


def test_quiet_and_json(table_1: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    done = plancost("learn", table_1, "--quiet", "--output", result)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = plancost("learn", table_1, "--json", "--output", result)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == json.loads(result.read_text())


def test_nothing_is_written_unless_asked_for(table_1: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    before = sorted(table_1.iterdir())
    assert plancost("learn", table_1, cwd=here).returncode == 0
    assert list(here.iterdir()) == []
    assert sorted(table_1.iterdir()) == before


def test_answers_are_the_same_from_run_to_run(table_1: Path) -> None:
    first, second = (learned(table_1, "--seed", seed) for seed in (0, 5))
    assert first["costs"] == second["costs"]


def test_a_manifest_with_counts(table_1: Path) -> None:
    manifest = table_1 / "trips.csv"
    manifest.write_text(
        "problem,plan,count,group\np1.pddl,p1.plan,4,morning\np2.pddl,p2.plan,2,evening\n"
    )
    content = learned(manifest, "--domain", table_1 / "domain.pddl")
    assert_contract(content)
    assert (content["plans"], content["optimal_plans"]) == (6, 6)
    assert [item["count"] for item in content["observations"]] == [4, 2]


def test_the_heavier_plan_wins(example_1: Path) -> None:
    manifest = example_1 / "trips.csv"
    for counts, optimal in (((1, 3), [False, True]), ((5, 2), [True, False])):
        manifest.write_text(
            f"problem,plan,count\np1.pddl,p1.plan,{counts[0]}\np2.pddl,p2.plan,{counts[1]}\n"
        )
        content = learned(manifest, "--domain", example_1 / "domain.pddl")
        assert [item["optimal"] for item in content["observations"]] == optimal
        assert content["optimal_plans"] == max(counts)


def test_invalid_plans_can_be_skipped(table_1: Path) -> None:
    (table_1 / "p1.bad.plan").write_text("(move b d)\n")
    done = plancost("learn", table_1)
    assert done.returncode == 1
    assert "p1.bad.plan: step 1 (move b d) cannot be applied" in done.stderr
    content = learned(table_1, "--on-invalid", "skip")
    assert content["plans"] == 2
    assert any("p1.bad.plan" in note for note in content["notes"])
    assert "p1.bad.plan" in plancost("learn", table_1, "--on-invalid", "skip").stdout


def test_costs_learned_before_are_refined(table_1: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    assert plancost("learn", table_1, "--output", result, "--quiet").returncode == 0
    content = learned(table_1, "--initial-costs", result)
    assert content["refined"]
    assert content["secondary"] == {"value": 0, "lower_bound": 0, "proved": True}
    assert content["costs"] == json.loads(result.read_text())["costs"]


def test_goals_that_hold_already(write_graph_case: WriteGraphCase) -> None:
    """Empty plans are optimal, also where the goal can never be lost."""
    case = write_graph_case({("a", "b"): 1, ("b", "a"): 1}, ["ab"])
    problem = graph_problem("p2", "ab", {("a", "b"): 1, ("b", "a"): 1}, "a", "a")
    (case / "p2.pddl").write_text(problem)
    (case / "p2.plan").write_text("")
    (case / "p3.pddl").write_text(problem.replace("(:goal (at a))", "(:goal (edge a b))"))
    (case / "p3.plan").write_text("; nothing\n")
    for arguments in (["exact"], ["5"], ["exact", "--oracle", "fast-downward"], ["baseline"]):
        content = learned(case, "--alternatives", *arguments)
        assert (content["optimal_plans"], content["verified"]) == (3, True), arguments
        assert [item["cost"] for item in content["observations"]] == [1, 0, 0]


@pytest.mark.parametrize(
    "options", [[], ["--oracle", "fast-downward"], ["--alternatives", "5"], ["--solution", "scf"]]
)
def test_steps_towards_a_goal_that_always_holds(
    write_graph_case: WriteGraphCase, options: list[str]
) -> None:
    """The plan solves its problem but can never be optimal; its actions count in the sum."""
    case = write_graph_case({("a", "b"): 1, ("b", "a"): 1}, ["ab"])
    problem = graph_problem("p2", "ac", {("a", "c"): 1, ("c", "a"): 1}, "a", "c")
    (case / "p2.pddl").write_text(problem.replace("(:goal (at c))", "(:goal (edge a c))"))
    (case / "p2.plan").write_text("(move a c)\n")
    content = learned(case, *options)
    assert [item["optimal"] for item in content["observations"]] == [True, False]
    assert content["secondary"] == {"value": 4, "lower_bound": 4, "proved": True}
    assert content["proved"]


def test_nothing_but_goals_that_always_hold(
    write_graph_case: WriteGraphCase, tmp_path: Path
) -> None:
    case = write_graph_case({("a", "b"): 1}, ["ab"])
    problem = (case / "p1.pddl").read_text()
    (case / "p1.pddl").write_text(problem.replace("(:goal (at b))", "(:goal (edge a b))"))
    (case / "p1.plan").write_text("")
    content = learned(case, "--pddl-out", tmp_path / "pddl")
    assert_contract(content)
    assert (content["optimal_plans"], content["costs"]) == (1, {"(move a b)": 1})


def test_a_plan_with_a_loop_is_noted_and_never_optimal(table_1: Path) -> None:
    (table_1 / "p1.plan").write_text("(move a c)\n(move c a)\n(move a b)\n(move b d)\n")
    content = learned(table_1)
    assert [item["optimal"] for item in content["observations"]] == [False, True]
    assert content["proved"]
    assert any("visits a state twice" in note for note in content["notes"])


def test_no_ideal_costs(example_1: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    done = plancost("learn", example_1, "--solution", "icf", "--output", result)
    assert done.returncode == 3
    assert "No costs make all plans optimal (proven)" in done.stdout
    content = json.loads(result.read_text())
    assert_contract(content)
    assert content["exists"] is False
    assert content["conflict"] == ["p1.plan", "p2.plan"]
    assert content["upper_bound"] == 1


def test_ideal_costs(table_1: Path) -> None:
    assert learned(table_1, "--solution", "icf", "--strict")["exists"] is True


def test_out_of_time_is_not_an_error_but_undecided(table_1: Path, tmp_path: Path) -> None:
    """A limit so short that not even grounding ends: no answer, and no claim."""
    done = plancost("learn", table_1, "--time-limit", "0.001", "--output", tmp_path / "r.json")
    assert done.returncode == 4
    assert "Traceback" not in done.stderr


def test_refinement_prints_what_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    town = Path(__file__).parents[3] / "examples" / "town"
    same = in_process(capsys, "learn", town, "--initial-costs", _costs(tmp_path, {}))
    assert same.returncode == 1 and "there is no cost for" in same.stderr
    given = _costs(tmp_path, {"(walk river bridge)": 9})
    done = in_process(capsys, "learn", town, "--initial-costs", given, "--default-cost", "1")
    assert done.returncode == 0, done.stderr
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "Changed: 2 of 12 costs" in lines
    assert lines[lines.index("action initially now") + 2].startswith("(walk river bridge) 9 ")


def test_costs_from_a_pipe(tmp_path: Path) -> None:
    """As ``<(...)`` of a shell: it can be read only once."""
    pipe = tmp_path / "costs"
    os.mkfifo(pipe)
    town = Path(__file__).parents[3] / "examples" / "town"
    writer = threading.Thread(target=lambda: pipe.write_text("{}"))
    writer.start()
    done = plancost("learn", town, "--initial-costs", pipe, "--default-cost", "5")
    writer.join()
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["verify", "explain"])
def test_a_result_from_a_pipe(command: str, tmp_path: Path) -> None:
    """It is read once, and what it claims is compared all the same."""
    town = Path(__file__).parents[3] / "examples" / "town"
    result, pipe = tmp_path / "RESULT.json", tmp_path / "pipe"
    assert plancost("learn", town, "--output", result, "--quiet").returncode == 0
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(result.read_text()))
    writer.start()
    done = plancost(command, town, pipe)
    writer.join()
    assert done.returncode == 0, done.stderr
    assert command == "explain" or f"This agrees with {pipe}." in done.stdout


def _costs(folder: Path, costs: dict[str, int]) -> Path:
    path = folder / "costs.json"
    path.write_text(json.dumps(costs))
    return path

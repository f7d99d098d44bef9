"""Options beyond the paper, as a user gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import WriteGraphCase, graph_problem
from plancost.planning.solve import solve
from plancost.results.reading import read_result
from support.command import in_process

Capture = pytest.CaptureFixture[str]


def test_bounds_and_their_explanation(table_1: Path, tmp_path: Path, capsys: Capture) -> None:
    bounds = tmp_path / "bounds.csv"
    bounds.write_text("action,least,greatest\n(move a *),,1\n(move * d),2,4\n(move d f),,1\n")
    result = tmp_path / "result.json"
    done = in_process(
        capsys, "learn", table_1, "--bounds", bounds, "--fix", "(move c e)=5", "--output", result
    )
    assert done.returncode == 0, done.stderr
    content = json.loads(result.read_text())
    assert content["costs"]["(move c e)"] == 5
    assert content["costs"]["(move a b)"] == 1
    assert min(content["costs"]["(move b d)"], content["costs"]["(move c d)"]) >= 2
    explained = in_process(capsys, "explain", table_1, result)
    assert explained.returncode == 0, explained.stderr
    assert "given (bound): (move" in explained.stdout


def test_a_plan_that_is_listed_with_two_factors(
    example_1: Path, tmp_path: Path, capsys: Capture
) -> None:
    """It is optimal enough for one of them only, and the check agrees with that."""
    manifest, output = example_1 / "plans.csv", tmp_path / "result.json"
    plans = sorted(path.name for path in example_1.glob("*.plan"))
    rows = [f"p1.pddl,{plans[0]},{factor}\n" for factor in (1, 3)]
    manifest.write_text("problem,plan,suboptimality\n" + "".join(rows))
    words = (manifest, "--domain", example_1 / "domain.pddl")
    done = in_process(capsys, "learn", *words, "--max-cost", "1", "--output", output)
    assert done.returncode == 0, done.stderr
    found = [item["optimal"] for item in json.loads(output.read_text())["observations"]]
    assert found == [False, True]
    assert in_process(capsys, "verify", *words, output).returncode == 0


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--fix", "(move a z)=2"], 1, "no action of this case is (move a z)"),
        (["--fix", "(move a b)"], 2, "--fix takes an action"),
        (["--fix", "(move a b)=3", "--max-cost", "2"], 1, "at most 2 (--max-cost 2)"),
        (["--fix", "(move a b)=3", "--alternatives", "5"], 2, "goes with --alternatives exact"),
    ],
)
def test_wrong_use(
    table_1: Path, words: list[str], status: int, message: str, capsys: Capture
) -> None:
    done = in_process(capsys, "learn", table_1, *words)
    assert done.returncode == status
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_known_costs(table_1: Path, tmp_path: Path, capsys: Capture) -> None:
    manifest, domain = table_1 / "plans.csv", table_1 / "domain.pddl"
    manifest.write_text("problem,plan,cost\np1.pddl,p1.plan,7\np2.pddl,p2.plan,3.5\n")
    impossible = in_process(capsys, "learn", manifest, "--domain", domain)
    assert impossible.returncode == 1
    assert "p2.plan (3.5)" in impossible.stderr
    assert "p1.plan" not in impossible.stderr
    output = tmp_path / "result.json"
    words = ["learn", manifest, "--domain", domain, "--soft-costs", "--output", output]
    done = in_process(capsys, *words)
    assert done.returncode == 0, done.stderr
    assert "deviation" in done.stdout
    content = json.loads(output.read_text())
    assert content["deviation"] == 0.5
    assert [item["known_cost"] for item in content["observations"]] == [7, 3.5]
    assert [item["deviation"] for item in content["observations"]] in ([0, 0.5], [0, -0.5])
    explained = in_process(capsys, "explain", manifest, output, "--domain", domain)
    assert explained.returncode == 0, explained.stderr
    near = in_process(
        capsys, "learn", manifest, "--domain", domain, "--cost-tolerance", "20%", "--json"
    )
    assert json.loads(near.stdout)["deviation"] == 0


@pytest.mark.parametrize(
    ("cost", "words", "status", "message"),
    [
        ("much", [], 1, "the cost of a plan must be a number"),
        ("-1", [], 1, "the cost of a plan must be a number"),
        ("7", ["--cost-tolerance", "x"], 2, "--cost-tolerance takes a number"),
        ("7", ["--cost-tolerance", "1", "--ignore-costs"], 2, "--ignore-costs goes with"),
        ("7", ["--alternatives", "5"], 2, "add --ignore-costs"),
    ],
)
def test_wrong_use_of_known_costs(
    table_1: Path, cost: str, words: list[str], status: int, message: str, capsys: Capture
) -> None:
    manifest = table_1 / "plans.csv"
    manifest.write_text(f"problem,plan,cost\np1.pddl,p1.plan,{cost}\n")
    done = in_process(capsys, "learn", manifest, "--domain", table_1 / "domain.pddl", *words)
    assert done.returncode == status
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_suboptimality(example_1: Path, tmp_path: Path, capsys: Capture) -> None:
    output = tmp_path / "result.json"
    done = in_process(
        capsys, "learn", example_1, "--suboptimality", "2", "--least-factors", "--output", output
    )
    assert done.returncode == 0, done.stderr
    assert "allowed" in done.stdout
    assert "at best" in done.stdout
    content = json.loads(output.read_text())
    assert content["optimal_plans"] == 2
    assert {item["suboptimality"] for item in content["observations"]} == {"2"}
    assert {item["least_factor"]["infimum"] for item in content["observations"]} == {"1"}
    # The check uses the factor of the file, unless another is asked for.
    assert in_process(capsys, "verify", example_1, output).returncode == 0
    other = in_process(capsys, "verify", example_1, output, "--suboptimality", "1", "--json")
    assert other.returncode == 0
    assert json.loads(other.stdout)["optimal_plans"] < 2


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--suboptimality", "0.9"], 2, "--suboptimality takes a number from 1 to"),
        (["--suboptimality", "1.00001"], 2, "with four decimal places or a denominator up to"),
        (["--suboptimality", "x"], 2, "--suboptimality takes a number from 1 to"),
        (["--suboptimality", "2", "--solution", "scf"], 2, "suboptimality goes with"),
        (["--suboptimality", "2", "--alternatives", "5"], 2, "goes with --alternatives exact"),
    ],
)
def test_wrong_use_of_suboptimality(
    table_1: Path, words: list[str], status: int, message: str, capsys: Capture
) -> None:
    done = in_process(capsys, "learn", table_1, *words)
    assert done.returncode == status
    assert message in done.stderr


def test_shared_costs(table_1: Path, tmp_path: Path, capsys: Capture) -> None:
    output, pddl = tmp_path / "result.json", tmp_path / "pddl"
    done = in_process(
        capsys,
        *("learn", table_1, "--share", "move ?b", "--compare-unshared"),
        *("--output", output, "--pddl-out", pddl),
    )
    assert done.returncode == 0, done.stderr
    assert "without sharing" in done.stdout
    assert "classes of actions" in done.stdout
    content = json.loads(output.read_text())
    assert set(content["shared"]) == {f"(move * {node})" for node in "abcdef"}
    for name, cost in content["costs"].items():
        assert cost == content["shared"][f"(move * {name[-2]})"]
    assert content["unshared"]["optimal_plans"] == 2
    domain, problem = (pddl / "domain.pddl").read_text(), (pddl / "p1.pddl").read_text()
    assert "(cost-move ?b - node)" in domain
    assert "(increase (total-cost) (cost-move ?b))" in domain
    assert problem.count("(= (cost-move ") == 6
    assert in_process(capsys, "verify", table_1, output).returncode == 0
    assert in_process(capsys, "explain", table_1, output).returncode == 0


def test_linear_costs(write_graph_case: WriteGraphCase, tmp_path: Path, capsys: Capture) -> None:
    """Learned on one graph, written for planners, explained, and used on another graph."""
    ways = {"ab": 1, "bc": 2, "ac": 4, "gh": 1, "hi": 1, "gi": 3, "df": 1, "fe": 1, "de": 5}
    lengths = {(way[0], way[1]): length for way, length in ways.items()}
    case = write_graph_case(lengths, ["abc", "ghi", "de"])
    output, pddl = tmp_path / "result.json", tmp_path / "pddl"
    done = in_process(
        capsys,
        *("learn", case, "--linear", "move (length ?a ?b)", "--compare-unshared"),
        *("--output", output, "--pddl-out", pddl),
    )
    assert done.returncode == 0, done.stderr
    assert "Cost of move: (length ?a ?b)" in done.stdout
    assert "with costs of their own" in done.stdout
    content = json.loads(output.read_text())
    assert content["linear"] == {"move": {"constant": 0, "(length ?a ?b)": 1}}
    assert content["optimal_plans"] == 2
    (other,) = (item for item in content["observations"] if not item["optimal"])
    demands = [item for item in other["explanation"]["certificate"] if "plan" in item]
    assert {"move: constant": -1, "move: (length ?a ?b)": 3} in [d["weights"] for d in demands]
    assert read_result(output).to_json() == content
    for command in ("verify", "explain"):
        done = in_process(capsys, command, case, output)
        assert done.returncode == 0, done.stderr
    for item in content["observations"]:
        found = solve(pddl / item["problem"], domain=pddl / "domain.pddl")
        assert found.plans[0].cost == item["optimal_cost"]
    new = tmp_path / "new.pddl"
    new.write_text(
        graph_problem("n", "xyz", {("x", "y"): 7, ("y", "z"): 1, ("x", "z"): 9}, "x", "z")
    )
    done = in_process(
        capsys, "apply", output, new, "--domain", case / "domain.pddl", "--output", tmp_path / "out"
    )
    assert "3 got what the learned weights say: (move x y) 7" in done.stdout
    assert solve(tmp_path / "out/new.pddl", domain=tmp_path / "out/domain.pddl").plans[0].cost == 8


def test_a_class_has_a_cost_for_actions_never_seen(
    table_1: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Learned on one graph, checked on another whose nodes have other names."""
    output = tmp_path / "result.json"
    assert (
        in_process(capsys, "learn", table_1, "--share", "schema", "--output", output).returncode
        == 0
    )
    other = tmp_path / "other"
    other.mkdir()
    (other / "domain.pddl").write_text((table_1 / "domain.pddl").read_text())
    problem = graph_problem("q", "xyz", {("x", "y"): 1, ("y", "z"): 1, ("x", "z"): 1}, "x", "z")
    (other / "q.pddl").write_text(problem)
    (other / "q.plan").write_text("(move x z)\n")
    done = in_process(capsys, "verify", other, output, "--json")
    assert json.loads(done.stdout)["costs"] == dict.fromkeys(
        ["(move x y)", "(move x z)", "(move y z)"], 1
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--share", "fly ?a"], "the domain has no action fly"),
        (["--share", "move ?c"], "move has no parameter ?c, only ?a ?b"),
        (["--share", "move", "--alternatives", "all"], "--share goes with --alternatives exact"),
        (["--compare-unshared"], "--compare-unshared goes with --share or --linear"),
        (["--linear", "move (size ?a)"], "no numeric function size for this, only length"),
        (["--linear", "move (length ?a ?b)", "--groups", "2"], "does not go with linear costs"),
    ],
)
def test_wrong_use_of_sharing(
    table_1: Path, words: list[str], message: str, capsys: Capture
) -> None:
    done = in_process(capsys, "learn", table_1, *words)
    assert done.returncode == 2
    assert message in done.stderr


def test_learned_costs_beyond_those_that_may_be_given(
    write_graph_case: WriteGraphCase, tmp_path: Path, capsys: Capture
) -> None:
    """A-C must cost as much as A-B and B-C, each as dear as can be: everyone reads that back."""
    case = write_graph_case({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1}, ["abc"])
    fixed = ["--fix", "(move a b)=1000000000000", "--fix", "(move b c)=1000000000000"]
    result, pddl = tmp_path / "result.json", tmp_path / "applied"
    done = in_process(capsys, "learn", case, *fixed, "--output", result)
    assert done.returncode == 0, done.stderr
    assert json.loads(result.read_text())["costs"]["(move a c)"] == 2 * 10**12
    assert read_result(result).proved
    verified = in_process(capsys, "verify", case, result)
    assert verified.returncode == 0, verified.stderr
    page = tmp_path / "report.html"
    assert in_process(capsys, "report", case, result, "--output", page).returncode == 0
    problem, domain = case / "p1.pddl", case / "domain.pddl"
    applied = in_process(capsys, "apply", result, problem, "--domain", domain, "--output", pddl)
    assert applied.returncode == 0, applied.stderr
    refined = in_process(capsys, "learn", case, "--initial-costs", result)
    assert refined.returncode == 1
    assert "costs 2000000000000; costs are counted exactly up to" in refined.stderr

"""Several cost functions on the command line: ``--groups`` and the group column."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from plancost.api import learn as learning
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from support.command import in_process, learned

EXAMPLE = Path(__file__).parents[2] / "examples" / "two-kinds-of-drivers"
COLUMN = (EXAMPLE / "trips.csv", "--domain", EXAMPLE / "domain.pddl", "--solution", "scf")

Capture = pytest.CaptureFixture[str]


def written(capsys: Capture, path: Path, *arguments: object) -> dict[str, Any]:
    """The RESULT.json of a run that ends well."""
    done = in_process(capsys, "learn", *arguments, "--output", path)
    assert (done.returncode, done.stderr) == (0, "")
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def members(content: dict[str, Any]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {group["name"]: set() for group in content["groups"]}
    for item in content["observations"]:
        found[item["group"]].add(item["plan"])
    return found


def test_two_kinds_of_drivers_are_told_apart(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "r.json"
    content = written(capsys, file, EXAMPLE, "--solution", "scf", "--groups", 2)
    assert (content["optimal_plans"], content["upper_bound"], content["proved"]) == (8, 8, True)
    kinds = [
        {path.name for path in EXAMPLE.glob(f"*.{kind}.plan")} for kind in ("hurried", "scenic")
    ]
    assert sorted(members(content).values(), key=sorted) == sorted(kinds, key=sorted)
    assert content["format"] == 1
    assert content["costs"] == content["groups"][0]["costs"]
    assert content["options"]["groups"] == 2
    assert content["options"]["assignment"] == "search"
    assert content["options"]["answer_from"] in ("peeling", "alternating", "integer program")
    assert "bound_from" in content["options"]
    for group in content["groups"]:
        assert set(group) == {"name", "plans", "optimal_plans", "costs", "secondary"}
        assert group["secondary"]["proved"]
        assert group["secondary"]["value"] == sum(group["costs"].values())
    total = sum(group["secondary"]["value"] for group in content["groups"])
    assert content["secondary"] == {"value": total, "lower_bound": 160, "proved": False}
    alone = learned(EXAMPLE, "--solution", "scf")
    assert alone["optimal_plans"] == 4
    assert "groups" not in alone
    assert all("group" not in item for item in alone["observations"])


def test_the_table(capsys: Capture) -> None:
    done = in_process(capsys, "learn", EXAMPLE, "--solution", "scf", "--groups", 2)
    assert "no 2 cost functions make more plans optimal" in done.stdout
    assert "groups found by: " in done.stdout
    assert done.stdout.count("actions cost more than 1") == 2
    assert done.stdout.count("least for these plans") == 2


def test_verify_checks_each_plan_in_its_group(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "r.json"
    content = written(capsys, file, EXAMPLE, "--solution", "scf", "--groups", 2)
    done = in_process(capsys, "verify", EXAMPLE, file)
    assert done.returncode == 0
    assert "8 of 8 plans are optimal under the costs of their groups" in done.stdout
    assert "This agrees" in done.stdout
    # Under the costs of the other group no plan is the only cheapest one.
    first, second = content["groups"]
    first["costs"], second["costs"] = second["costs"], first["costs"]
    file.write_text(json.dumps(content))
    done = in_process(capsys, "verify", EXAMPLE, file)
    assert done.returncode == 5
    assert "8 of 8" not in done.stdout


def test_explain_speaks_of_the_group(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "r.json"
    content = written(capsys, file, EXAMPLE, "--solution", "scf", "--groups", 2)
    moved = next(item for item in content["observations"] if item["plan"] == "nurse.scenic.plan")
    there = next(group["name"] for group in content["groups"] if group["name"] != moved["group"])
    moved["group"] = there
    file.write_text(json.dumps(content))
    done = in_process(capsys, "explain", EXAMPLE, file)
    assert done.returncode == 0
    assert "7 of 8 plans are optimal" in done.stdout
    assert re.search(rf"nurse.scenic.plan costs \d+ in {there}", done.stdout)
    assert "in conflict: these plans cannot all be optimal" in done.stdout
    assert "hurried.plan" in done.stdout


def test_a_plan_that_the_file_does_not_know(tmp_path: Path, capsys: Capture) -> None:
    case = tmp_path / "case"
    shutil.copytree(EXAMPLE, case)
    file = tmp_path / "r.json"
    content = written(capsys, file, case, "--solution", "scf", "--groups", 2)
    shutil.copy(case / "nurse.scenic.plan", case / "nurse.new.plan")
    done = in_process(capsys, "verify", case, file)
    assert done.returncode == 1
    assert "does not say which group nurse.new.plan belongs to" in done.stderr
    # The manifest's group column stands in for what the file does not say.
    manifest = case / "more.csv"
    name = {item["plan"]: item["group"] for item in content["observations"]}
    rows = [
        f"{p.name.partition('.')[0]}.pddl,{p.name},{name[p.name]}" for p in EXAMPLE.glob("*.plan")
    ]
    rows.append(f"nurse.pddl,nurse.new.plan,{name['nurse.scenic.plan']}")
    manifest.write_text("\n".join(["problem,plan,group", *rows]))
    domain = ("--domain", case / "domain.pddl")
    done = in_process(capsys, "verify", manifest, file, *domain, "--json")
    assert json.loads(done.stdout)["optimal_plans"] == 9


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ([{"name": "a"}], "groups[0].costs is missing"),
        ({"a": 1}, "groups must be a list"),
        ([{"name": "a", "costs": {}}], "there is no cost for"),
        ([{"name": "a", "costs": {"(x)": "y"}}], "must be a whole number"),
    ],
)
def test_broken_groups_in_a_file(
    tmp_path: Path, capsys: Capture, groups: object, sentence: str
) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps({"format": 1, "optimal_plans": 1, "costs": {}, "groups": groups}))
    done = in_process(capsys, "verify", EXAMPLE, file)
    assert done.returncode == 1
    assert sentence in done.stderr


def test_pddl_has_a_folder_for_each_group(tmp_path: Path, capsys: Capture) -> None:
    file, pddl = tmp_path / "r.json", tmp_path / "pddl"
    content = written(capsys, file, *COLUMN, "--pddl-out", pddl)
    assert sorted(path.name for path in pddl.iterdir()) == ["hurried", "scenic"]
    for group in content["groups"]:
        folder = pddl / group["name"]
        shutil.copy(EXAMPLE / "nurse.scenic.plan", folder)
        for problem in ("baker", "commuter", "teacher", "visitor"):
            assert (folder / f"{problem}.pddl").exists()
        refined = learned(folder, "--refine", "--alternatives", "baseline")
        assert refined["costs"] == group["costs"]


def test_a_group_of_the_column_is_a_case_of_its_own(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "r.json"
    content = written(capsys, file, *COLUMN)
    assert content["options"]["assignment"] == "column"
    assert content["secondary"]["proved"]
    assert [group["name"] for group in content["groups"]] == ["hurried", "scenic"]
    for group in content["groups"]:
        case = tmp_path / group["name"]
        shutil.copytree(EXAMPLE, case)
        for plan in case.glob("*.plan"):
            if f".{group['name']}." not in plan.name:
                plan.unlink()
        alone = learned(case, "--solution", "scf")
        assert alone["costs"] == group["costs"]
        assert alone["secondary"] == group["secondary"]
        assert (alone["optimal_plans"], alone["plans"]) == (group["optimal_plans"], group["plans"])
    for command in ("verify", "explain"):
        done = in_process(capsys, command, *COLUMN[:1], file, *COLUMN[1:3])
        assert done.returncode == 0
    ignoring = learned(*COLUMN, "--groups", 1)
    assert ignoring["optimal_plans"] == 4
    assert "groups" not in ignoring


def test_actions_that_a_group_does_not_have(tmp_path: Path, capsys: Capture) -> None:
    """Another town, for one group only: every cost function still speaks of all actions."""
    case = tmp_path / "case"
    shutil.copytree(EXAMPLE, case)
    town = (case / "nurse.pddl").read_text().replace("x0y0", "z0").replace("nurse", "other")
    (case / "other.pddl").write_text(town)
    shutil.copy(case / "nurse.hurried.plan", case / "other.plan")
    manifest = case / "m.csv"
    manifest.write_text(
        "problem,plan,group\nnurse.pddl,nurse.scenic.plan,here\nother.pddl,other.plan,there\n"
    )
    for arguments in ([], ["--refine"]):
        file = tmp_path / "r.json"
        domain = ("--domain", case / "domain.pddl")
        content = written(capsys, file, manifest, *domain, "--solution", "scf", *arguments)
        here, there = content["groups"]
        assert set(here["costs"]) == set(there["costs"])
        assert here["costs"]["(drive car z0 x1y0)"] == there["costs"]["(drive car x0y0 x1y0)"] == 1
        for group in content["groups"]:
            values = [cost - (1 if arguments else 0) for cost in group["costs"].values()]
            assert group["secondary"]["value"] == sum(values)
        assert in_process(capsys, "verify", manifest, file, *domain).returncode == 0


def test_one_plan_in_two_groups(tmp_path: Path, capsys: Capture) -> None:
    case = tmp_path / "case"
    shutil.copytree(EXAMPLE, case)
    manifest, file = case / "m.csv", tmp_path / "r.json"
    manifest.write_text(
        "problem,plan,group\nnurse.pddl,nurse.scenic.plan,a\nnurse.pddl,nurse.scenic.plan,b\n"
        "nurse.pddl,nurse.hurried.plan,b\nnurse.pddl,nurse.hurried.plan,b\n"
    )
    arguments = (manifest, "--domain", case / "domain.pddl")
    content = written(capsys, file, *arguments, "--solution", "scf")
    assert [item["optimal"] for item in content["observations"]] == [True, False, True, True]
    done = in_process(capsys, "verify", manifest, file, *arguments[1:])
    assert done.returncode == 0
    assert "This agrees" in done.stdout


def test_a_plan_without_a_group(tmp_path: Path, capsys: Capture) -> None:
    case = tmp_path / "case"
    shutil.copytree(EXAMPLE, case)
    manifest = case / "m.csv"
    manifest.write_text(
        "problem,plan,group\nnurse.pddl,nurse.scenic.plan,a\nnurse.pddl,nurse.hurried.plan,\n"
    )
    arguments = (manifest, "--domain", case / "domain.pddl")
    done = in_process(capsys, "learn", *arguments)
    assert done.returncode == 1
    assert "nurse.hurried.plan: this plan has no group" in done.stderr
    assert in_process(capsys, "learn", *arguments, "--groups", 2).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--groups", "0"], "--groups"),
        (["--groups", "two"], "--groups"),
        (["--groups", "2", "--alternatives", "10"], "--groups goes with --alternatives exact"),
        (["--groups", "2", "--ranges"], "--ranges does not go with --groups"),
    ],
)
def test_wrong_usage(capsys: Capture, arguments: list[str], word: str) -> None:
    done = in_process(capsys, "learn", EXAMPLE, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert word in done.stderr


def test_ranges_need_one_cost_function(capsys: Capture) -> None:
    done = in_process(capsys, "learn", *COLUMN, "--ranges")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--groups 1" in done.stderr


@pytest.mark.parametrize(
    ("concept", "oracle"),
    [
        ("mcf", "graph"),
        ("scf", "graph"),
        ("mcf", "fast-downward"),
        pytest.param("scf", "fast-downward", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("refine", [[], ["--refine"]])
def test_example_1_in_two_groups(
    example_1: Path, capsys: Capture, tmp_path: Path, oracle: str, concept: str, refine: list[str]
) -> None:
    """One cost function makes one of the two plans optimal; two make both."""
    options = ("--solution", concept, "--groups", 2, "--oracle", oracle, *refine)
    content = written(capsys, tmp_path / "r.json", example_1, *options)
    assert (content["optimal_plans"], content["proved"], content["verified"]) == (2, True, True)
    assert sorted(group["plans"] for group in content["groups"]) == [1, 1]
    least = {("mcf", False): 7, ("scf", False): 8, ("mcf", True): 1, ("scf", True): 2}
    for group in content["groups"]:
        assert group["secondary"]["value"] == least[concept, bool(refine)]


def test_ideal_costs_in_groups(example_1: Path, example_2: Path, capsys: Capture) -> None:
    ideal = ("--solution", "icf", "--json")
    done = in_process(capsys, "learn", example_1, *ideal, "--groups", 2)
    assert (done.returncode, json.loads(done.stdout)["exists"]) == (0, True)
    # A plan with redundant actions is optimal under no costs.
    done = in_process(capsys, "learn", example_2, *ideal, "--groups", 2)
    assert (done.returncode, json.loads(done.stdout)["exists"]) == (3, False)


def test_groups_that_nobody_needs(table_1: Path) -> None:
    """Nobody needs more groups than there are plans."""
    content = learned(table_1, "--groups", 3)
    assert (content["optimal_plans"], content["proved"]) == (2, True)
    assert [group["plans"] for group in content["groups"]] == [2, 0]
    assert content["secondary"]["value"] == 14 * 2
    assert any("1 of 2 groups are enough" in note for note in content["notes"])


def test_groups_without_plans_are_not_listed(table_1: Path, capsys: Capture) -> None:
    printed = in_process(capsys, "learn", table_1, "--groups", 2).stdout
    assert "group-1" in printed
    assert "1 of 2 groups are enough" in printed
    assert "group-2" not in printed


def test_ctrl_c_keeps_the_best_groups_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
        incumbent.functions[1].chosen = frozenset([0])
        raise KeyboardInterrupt

    monkeypatch.setattr(learning, "learn_groups", stop)
    result = learning.learn(EXAMPLE, LearnOptions(groups=2))
    assert result.interrupted
    assert result.verified
    assert result.upper_bound == 8
    assert sum(item.optimal is True for item in result.observations) == result.optimal_plans > 0


def test_ctrl_c_leaves_the_later_groups_at_the_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(learning, "learn_exactly", stop)
    result = learning.learn(COLUMN[0], domain=EXAMPLE / "domain.pddl")
    assert result.interrupted
    assert not result.verified
    first, second = result.groups
    assert first.optimal_plans > 0
    assert second.optimal_plans == 0
    assert set(second.costs.values()) == {1}


def test_costs_of_groups_are_never_taken_for_one_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = Path(__file__).parents[2] / "examples" / "two-kinds-of-drivers"
    file = tmp_path / "R.json"
    in_process(capsys, "learn", case, "--solution", "scf", "--groups", "2", "--output", file)
    names = [group["name"] for group in json.loads(file.read_text())["groups"]]
    problem = ("--domain", case / "domain.pddl")
    solve = ("solve", case / "baker.pddl", *problem, "--costs", file)
    done = in_process(capsys, *solve)
    assert done.returncode == 1
    assert f"several groups; say which one with --group: {', '.join(names)}" in done.stderr
    done = in_process(capsys, *solve, "--group", "nobody")
    assert done.returncode == 1 and "there is no 'nobody'" in done.stderr
    costs = {}
    for name in names:
        done = in_process(capsys, *solve, "--group", name, "--json")
        assert done.returncode == 0, done.stderr
        costs[name] = json.loads(done.stdout)["plans"][0]["cost"]
    by_plan = {
        item["group"]: item["optimal_cost"]
        for item in json.loads(file.read_text())["observations"]
        if item["problem"] == "baker.pddl"
    }
    assert costs == by_plan
    apply = ("apply", file, case / "baker.pddl", *problem, "--output", tmp_path / "new")
    assert in_process(capsys, *apply).returncode == 1
    assert in_process(capsys, *apply, "--group", names[0]).returncode == 0
    done = in_process(capsys, "learn", case, "--initial-costs", file)
    assert done.returncode == 1 and "several groups" in done.stderr


@pytest.mark.parametrize("solution", ["mcf", "icf"])
def test_groups_with_all_that_is_known_are_learned_as_each_alone(
    tmp_path: Path, capsys: Capture, solution: str
) -> None:
    case = tmp_path / "case"
    shutil.copytree(EXAMPLE, case)
    rows = {
        "a": ["nurse.pddl,nurse.scenic.plan,17,", "baker.pddl,baker.hurried.plan,,1.5"],
        "b": ["nurse.pddl,nurse.hurried.plan,9,", "baker.pddl,baker.scenic.plan,7,1.25"],
    }
    domain = ("--domain", case / "domain.pddl")
    told = ("--max-cost", "5", "--soft-costs", "--fix", "(drive car x0y0 x1y0)=2")
    options = (*domain, *told, "--solution", solution)
    alone = {}
    for name, lines in rows.items():
        manifest = case / f"{name}.csv"
        manifest.write_text("\n".join(["problem,plan,cost,suboptimality", *lines]) + "\n")
        alone[name] = written(capsys, tmp_path / f"{name}.json", manifest, *options)
    both = case / "both.csv"
    lines = [f"{line},{name}" for name, lines in rows.items() for line in lines]
    both.write_text("\n".join(["problem,plan,cost,suboptimality,group", *lines]) + "\n")
    content = written(capsys, tmp_path / "both.json", both, *options)
    for group in content["groups"]:
        own = alone[group["name"]]
        assert group["optimal_plans"] == own["optimal_plans"]
        assert all(group["costs"][name] == cost for name, cost in own["costs"].items())
        assert all(1 <= cost <= 5 for cost in group["costs"].values())
        assert group["costs"]["(drive car x0y0 x1y0)"] == 2
    assert content["deviation"] == sum(own["deviation"] for own in alone.values())
    assert in_process(capsys, "verify", both, tmp_path / "both.json", *domain).returncode == 0


def test_named_groups_do_not_go_with_shared_costs(capsys: Capture) -> None:
    done = in_process(capsys, "learn", *COLUMN, "--share", "schema")
    assert (done.returncode, done.stdout) == (2, "")
    assert "a group column does not go with shared costs" in done.stderr

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from plancost.result.model import read_result, write_result
from towns import PDDL, STREETS, command, write

PLANCOST = Path(sys.executable).parent / "plancost"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    return write(tmp_path / "case", PDDL)


@pytest.mark.parametrize(
    ("words", "optimal", "second"),
    [
        ([], 3, 6),
        (["--solution", "scf"], 2, 7),
        (["--solution", "icf"], 3, 6),
        (["--alternatives", "baseline"], 1, 5),
        (["--alternatives", "2"], 3, 6),
    ],
)
def test_learn(
    words: Sequence[str],
    optimal: int,
    second: int,
    case: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = tmp_path / "RESULT.json"
    done = command(capsys, "learn", case, *words, "--output", output)
    assert (done.status, done.err) == (0, "")
    result = read_result(output)
    assert (result.plans, result.optimal_plans, result.verified) == (3, optimal, True)
    assert result.secondary is not None
    assert result.secondary.value == second == sum(result.costs.values())
    assert f"{optimal} of 3" in done.out
    checked = command(capsys, "verify", case, output)
    assert (checked.status, checked.err) == (0, "")
    assert f"{optimal} of 3" in checked.out


def test_streets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = write(tmp_path / "case", STREETS)
    done = command(capsys, "learn", case, "--json")
    assert done.status == 0
    assert done.json["optimal_plans"] == 3
    assert {item["trip"]: item["count"] for item in done.json["observations"]} == {
        "monday": 2,
        "friday": 1,
    }
    assert set(done.json["costs"]) == {"r1", "r2", "h"}
    refined = command(capsys, "learn", case, "--json", "--refine", "metres").json
    assert refined["refined"]
    assert refined["optimal_plans"] == 3
    assert refined["costs"]["h"] == refined["costs"]["r1"] + refined["costs"]["r2"]
    likely = command(capsys, "learn", case, "--solution", "likely").out
    assert "\n3 actions, costs in 1/100 nat\n" in likely
    assert "cost more than" not in likely


def test_groups_have_costs_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = (
        "problem,plan,group\nschool.pddl,school.monday.plan,a\nschool.pddl,school.friday.plan,b\n"
    )
    case = write(tmp_path / "case", PDDL, {"m.csv": rows})
    output = tmp_path / "RESULT.json"
    words = (case / "m.csv", "--domain", case / "domain.pddl")
    done = command(capsys, "learn", *words, "--solution", "scf", "--output", output)
    assert done.status == 0
    result = read_result(output)
    assert (result.optimal_plans, result.proved) == (2, True)
    one, two = result.parts
    assert (one.group, two.group) == ("a", "b")
    assert one.costs != two.costs
    assert command(capsys, "verify", *words, output).status == 0
    assert command(capsys, "verify", *words, "--solution", "mcf", output).status == 0


def test_none_exists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there_and_back = "(walk home hill)\n(walk hill home)\n"
    problem = PDDL["school.pddl"].replace(
        "(path hill school)", "(path hill school) (path hill home)"
    )
    files = {
        "school.pddl": problem,
        "school.friday.plan": there_and_back + PDDL["school.friday.plan"],
    }
    case = write(tmp_path / "case", PDDL, files)
    output = tmp_path / "RESULT.json"
    done = command(capsys, "learn", case, "--solution", "icf", "--output", output)
    assert done.status == 3
    assert read_result(output).ending == "none exists"


def test_export(case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "RESULT.json"
    assert command(capsys, "learn", case, "--output", output, "--quiet").status == 0
    other = tmp_path / "to-hill.pddl"
    other.write_text(PDDL["school.pddl"].replace("(:goal (at school", "(:goal (at hill"))
    words = ("export", case, output, "--output", tmp_path / "out", "--tasks", other)
    for _ in range(2):
        done = command(capsys, *words)
        assert (done.status, done.err) == (0, "")
        assert {file.name for file in (tmp_path / "out").iterdir()} == {
            "domain.pddl",
            "school.pddl",
            "to-hill.pddl",
        }
    assert command(capsys, "export", case, output, "--output", case).status == 1


def test_a_contradicted_result(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "RESULT.json"
    assert command(capsys, "learn", case, "--output", output, "--quiet").out == ""
    whole = output.read_text(encoding="utf-8")
    content = json.loads(whole)
    content["costs"]["(walk home hill)"] += 5
    output.write_text(json.dumps(content), encoding="utf-8")
    done = command(capsys, "verify", case, output)
    assert done.status == 5
    assert done.err
    for name, wrong in (("upper_bound", 1), ("secondary", {**content["secondary"], "value": 5})):
        other = {**json.loads(whole), name: wrong}
        output.write_text(json.dumps(other), encoding="utf-8")
        assert command(capsys, "verify", case, output).status == 5
    (case / "school.sunday.plan").write_text(PDDL["school.friday.plan"], encoding="utf-8")
    output.write_text(whole, encoding="utf-8")
    done = command(capsys, "verify", case, output)
    assert (done.status, "agrees" in done.out) == (5, False)
    assert "plans that the result does not have: school.sunday.plan" in done.err
    assert command(capsys, "verify", case, output, "--solution", "scf").status == 0
    (case / "school.sunday.plan").unlink()
    (case / "school.friday.plan").unlink()
    done = command(capsys, "verify", case, output, "--quiet")
    assert done.status == 5
    assert "plans that the case does not have: school.friday.plan" in done.err


@pytest.mark.parametrize("costs", ['{"(walk home hill)": 2}', '{"(WALK  home hill)": 2}'])
def test_verify_given_costs(
    costs: str, case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "costs.json"
    path.write_text(costs, encoding="utf-8")
    done = command(capsys, "verify", case, path, "--json")
    assert done.status == 0
    assert done.json["optimal_plans"] == 3
    assert done.json["costs"]["(walk home hill)"] == 2
    for wrong in ("{}", "[]", "3", '{"(walk home hill)": 0}', '{"format": 2}', '{"(fly)": 1}'):
        path.write_text(wrong, encoding="utf-8")
        done = command(capsys, "verify", case, path)
        assert (done.status, "costs.json: " in done.err) == (1, True), done


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["lern"],
        ["learn"],
        ["learn", "{case}", "--solution", "best"],
        ["learn", "{case}", "--time-limit", "-1"],
        ["learn", "{case}", "--time-limit", "nan"],
        ["learn", "{case}", "--ties", "observed"],
        ["learn", "{case}", "--suboptimality", "0.5"],
        ["learn", "{case}", "--alternatives", "0"],
        ["learn", "{case}", "--groups", "2", "--solution", "icf"],
        ["learn", "{case}", "--no-such-option"],
        ["verify", "{case}"],
    ],
)
def test_wrong_usage(words: list[str], case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = command(capsys, *(word.format(case=case) for word in words))
    assert (done.status, done.out) == (2, "")
    assert done.err
    assert "`" not in done.err, "options are named as flags"


@pytest.mark.parametrize("words", [["learn", "--refine"], ["evaluate", "--methods"]])
def test_an_option_that_takes_the_case(
    words: list[str], case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = command(capsys, *words, case)
    assert done.status == 2
    assert f"what follows {words[-1]} was read as its value" in done.err
    assert "was read" not in command(capsys, "learn", "--json").err


def test_bugs_are_one_sentence(
    case: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> NoReturn:
        raise ZeroDivisionError("not\nthis")

    monkeypatch.setattr("plancost.cli.learn.learn_case", fail)
    done = command(capsys, "learn", case)
    assert (done.status, done.err.count("\n")) == (70, 1)
    assert "ZeroDivisionError" in done.err
    assert "Traceback" in command(capsys, "learn", case, "--verbose").err


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_before_there_is_an_answer(
    number: signal.Signals,
    status: int,
    case: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "plancost.cli.inputs.read_case", lambda *_, **__: os.kill(os.getpid(), number)
    )
    done = command(capsys, "learn", case)
    assert (done.status, done.err.count("\n")) == (status, 1)


@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", ">&- 2>&-", "| true", ">/dev/full"])
def test_streams_that_lead_nowhere(redirection: str, case: Path, tmp_path: Path) -> None:
    output = tmp_path / "RESULT.json"
    shell = f'"$0" learn "$1" --output "$2" {redirection}'
    done = subprocess.run(
        ["/bin/sh", "-c", shell, PLANCOST, case, output],
        capture_output=True,
        text=True,
        check=False,
    )
    full = "full" in redirection
    assert done.returncode == (1 if full else 0)
    assert done.stderr.count("\n") == full, done.stderr
    assert read_result(output).optimal_plans == 3


def test_the_answer_so_far_after_ctrl_c(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from msgspec.structs import replace

    from plancost import pipeline
    from plancost.result.model import Result

    learn_one = pipeline._learn_one

    def interrupted(*arguments: object) -> Result:
        return replace(learn_one(*arguments), ending="interrupted")  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "_learn_one", interrupted)
    output = tmp_path / "RESULT.json"
    done = command(capsys, "learn", case, "--output", output)
    assert done.status == 130
    assert read_result(output).ending == "interrupted"
    assert "3 of 3" in done.out


def test_a_result_is_written_over_another(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "RESULT.json"
    for _ in range(2):
        assert command(capsys, "learn", case, "--output", output, "--no-proof").status == 0
    write_result(read_result(output), output)
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["RESULT.json"]


def test_help_comes_at_once() -> None:
    heavy = "import sys, plancost.cli.main as m; m.main(['--help'])\n"
    heavy += (
        "print([n for n in ('numpy', 'scipy', 'highspy', 'msgspec', 'rich') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_each_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("learn", "verify", "export", "doctor"):
        done = command(capsys, name, "--help")
        assert done.status == 0
        assert name in done.out


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    done = command(capsys, "doctor", "--json")
    assert done.json["ok"] is (done.status == 0)
    lines = command(capsys, "doctor").out.splitlines()
    assert len(lines) == len(done.json["findings"]) + 1

"""``plancost explain``, called as a user calls it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from plancost.api import pipeline
from plancost.errors import SolverError
from plancost.results.reading import read_result
from support.adding_up import check_on_paper, is_contradiction
from support.command import in_process, plancost


def test_explain(example_2: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    assert plancost("learn", example_2, "--output", result, "--quiet").returncode == 0
    done = plancost("explain", example_2, result)
    assert (done.returncode, done.stderr) == (0, "")
    assert "(unstack d c)" in done.stdout
    assert "(putdown d)" in done.stdout


def test_explanations_that_fail_are_not_called_done(
    example_2: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise SolverError("the solver is out of order")

    result = tmp_path / "r.json"
    assert in_process(capsys, "learn", example_2, "--output", result, "--quiet").returncode == 0
    monkeypatch.setattr(pipeline, "explain_observations", fail)
    done = in_process(capsys, "explain", example_2, result)
    assert done.returncode == 7
    assert "the solver is out of order" in done.stderr


def test_explanations_as_a_file(example_2: Path, tmp_path: Path) -> None:
    result, file = tmp_path / "r.json", tmp_path / "explained.json"
    assert plancost("learn", example_2, "--output", result, "--quiet").returncode == 0
    done = plancost("explain", example_2, result, "--output", file)
    assert done.returncode == 0 and done.stdout.endswith(f"wrote {file}\n")
    assert read_result(file).observations[0].explanation is not None
    same = plancost("explain", example_2, result, "--output", result)
    assert same.returncode == 1 and "would overwrite it" in same.stderr


TOWN = Path(__file__).parents[3] / "examples" / "town"


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--solution", "scf"),
        ("--share", "schema"),
        ("--max-cost", "2"),
        ("--suboptimality", "1.01", "--max-cost", "3"),
    ],
)
def test_the_printed_sums_add_up(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = tmp_path / "r.json"
    learn = ("learn", TOWN, "--groups", "1", *options, "--output", result, "--quiet")
    assert in_process(capsys, *learn).returncode == 0
    plain = in_process(capsys, "explain", TOWN, result).stdout
    lines = in_process(capsys, "explain", TOWN, result, "--check").stdout.splitlines()
    plans = {path.name: path.read_text().lower().split("\n") for path in TOWN.glob("*.plan")}
    plans = {name: [step for step in steps if step[:1] == "("] for name, steps in plans.items()}
    starts = [n for n, line in enumerate(lines) if line == "  to check by hand:"]
    assert starts and "to check by hand" not in plain
    for start in starts:
        end = next(n for n in range(start, len(lines)) if "this is false" in lines[n])
        found = check_on_paper([line[2:] for line in lines[start : end + 1]], plans)
        assert is_contradiction(found)


def test_a_copy_is_called_a_copy(example_2: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    shutil.copytree(example_2, case)
    (plan,) = case.glob("*.plan")
    copy = plan.with_name(plan.name.replace(".plan", ".again.plan"))
    shutil.copy(plan, copy)
    result = tmp_path / "r.json"
    assert plancost("learn", case, "--output", result, "--quiet").returncode == 0
    first, second = sorted([plan.name, copy.name])
    said = plancost("explain", case, result).stdout
    assert f"a copy of {first}: the same steps" in said
    assert f"a copy of {second}" not in said

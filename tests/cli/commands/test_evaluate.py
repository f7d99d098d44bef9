"""``plancost evaluate`` as users call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plancost.cli.commands.evaluate import METHODS, SYNTHETIC
from plancost.evaluation.methods import Method
from plancost.evaluation.recovery import SMALL_WORLDS
from support.command import in_process

EXAMPLE = Path(__file__).parents[3] / "examples" / "avoid-the-centre"


def test_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    done = in_process(
        capsys, "evaluate", EXAMPLE, "--folds", 2, "--methods", "ours,unit,maxent",
        "--output", folder, "--no-cache",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    rows = [line.split() for line in lines if line.split()[:1] in (["ours"], ["unit"], ["maxent"])]
    first, second = [["ours", "4"], ["unit", "4"], ["maxent", "4"]], [["ours", "4"], ["unit", "4"]]
    assert [row[:2] for row in rows] == first + second
    assert "against maxent" in done.stdout
    assert "4 plans of 3 tasks; held out by observations, 2 splits" in done.stdout
    assert f"wrote {folder}/evaluation.json" in lines
    assert json.loads((folder / "evaluation.json").read_text())["seed"] == 0


def test_json_by_tasks(capsys: pytest.CaptureFixture[str]) -> None:
    done = in_process(
        capsys, "evaluate", EXAMPLE, "--test-share", 0.3, "--split", "tasks", "--json",
        "--methods", "unit", "--seed", 1,
    )  # fmt: skip
    content = json.loads(done.stdout)
    assert (content["split"], content["seed"], len(content["splits"])) == ("tasks", 1, 1)
    assert content["methods"][0]["optimal"] == 0


def test_hidden_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = in_process(
        capsys, "evaluate", "--synthetic", "grid", "--side", 3, "--plans", "3", "--held-out", 3,
        "--seeds", 1, "--output", tmp_path / "study",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "grid (side 3): 9 states, 24 actions" in done.stdout
    assert (tmp_path / "study" / "recovery.md").read_text().count("\n") == 8 + 1 + 7


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        ([], 2, "either a CASE or --synthetic"),
        ([EXAMPLE, "--synthetic", "grid"], 2, "either a CASE or --synthetic"),
        ([EXAMPLE, "--held-out", 3], 2, "--held-out goes with --synthetic"),
        (["--synthetic", "grid", "--folds", 3], 2, "--folds goes with a CASE"),
        (["--synthetic", "city", "--links", 99], 2, "must be from 100 to 1000"),
        (["--synthetic", "grid", "--places", 3], 2, "grid has no size --places"),
        ([EXAMPLE, "--folds", 9], 2, "from 2 to 4"),
        ([EXAMPLE, "--folds", 2, "--test-share", 0.5], 2, "not allowed with"),
        ([EXAMPLE, "--test-share", 1], 2, "between 0 and 1"),
        ([EXAMPLE, "--methods", "ours,magic"], 2, "unknown method 'magic'"),
        ([EXAMPLE, "--default-cost", 0], 2, "no action is free"),
        (["/no/such/case"], 1, "no such folder"),
    ],
)
def test_wrong_words(
    words: list[object], status: int, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = in_process(capsys, "evaluate", *words)
    assert done.returncode == status
    assert complaint in done.stderr


def test_the_words_are_those_of_the_library() -> None:
    assert tuple(method.value for method in Method) == METHODS
    assert tuple(SMALL_WORLDS) == SYNTHETIC

"""Options beyond the paper, as a user gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
    assert "given: (move" in explained.stdout


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

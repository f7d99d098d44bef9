"""``plancost explain``, called as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.api import pipeline
from plancost.errors import SolverError
from plancost.results.reading import read_result
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

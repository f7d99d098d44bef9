"""``plancost routes generate`` as users call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command import in_process


def test_a_city_that_is_learned_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "city"
    asked = ("--links", 300, "--trips", 40, "--seed", 2, "--noise", 0, "--detours", 0)
    done = in_process(capsys, "routes", "generate", folder, *asked)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    links = len((folder / "links.csv").read_text().splitlines()) - 1
    assert first.startswith(f"{folder}: {links} links between ")
    assert first.endswith(" junctions, 40 trips")
    prefix = "learn from it: plancost "
    assert second.startswith(prefix)
    command = second.removeprefix(prefix).split()
    output = tmp_path / "result.json"
    learned = in_process(capsys, *command, "--output", output, "--quiet")
    assert learned.returncode == 0
    result = json.loads(output.read_text())
    assert (result["plans"], result["optimal_plans"], result["proved"]) == (40, 40, True)


def test_a_folder_that_is_not_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").touch()
    done = in_process(capsys, "routes", "generate", tmp_path, "--quiet")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"plancost: {tmp_path}: this folder is not empty; choose another\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--noise", "-1"), "argument --noise: expected a number of at least 0, not '-1'"),
        (("--noise", "nan"), "argument --noise: expected a number of at least 0, not 'nan'"),
        (("--detours", "2"), "the share of detours must be from 0 to 1, not 2.0"),
        (("--links", "5"), "the number of links must be from 100 to 1000000, not 5"),
    ],
)
def test_numbers_that_make_no_sense(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    done = in_process(capsys, "routes", "generate", tmp_path / "city", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "city").exists()

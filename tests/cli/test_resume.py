"""``plancost learn`` killed with SIGKILL, and the same command again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from plancost.cli.commands.learn import options_of
from plancost.cli.parser import build_parser
from support.command import PLANCOST, plancost
from support.grid_walks import random_walks, write_grid_case


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty walks on a grid, with a second or two of learning."""
    case = tmp_path_factory.mktemp("resume") / "walks"
    write_grid_case(case, 6, random_walks(6, 40, 4, seed=1))
    return case


def is_newer(folder: Path, than: dict[Path, int]) -> bool:
    found = {path: path.stat().st_mtime_ns for path in folder.glob("*.checkpoint")}
    return found != than


def killed_once_it_kept_something(command: list[str], folder: Path) -> bool:
    """Whether the command was killed; it may have been faster."""
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.checkpoint")}
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    try:
        patience = time.monotonic() + 100
        while process.poll() is None and time.monotonic() < patience:
            if is_newer(folder, before):
                os.killpg(process.pid, signal.SIGKILL)
                break
            time.sleep(0.001)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return process.returncode == -signal.SIGKILL


def proven(result: Path) -> list[Any]:
    content = json.loads(result.read_text())
    keys = ("optimal_plans", "upper_bound", "proved", "secondary", "verified", "costs")
    return [content[key] for key in keys]


def test_killed_again_and_again(walks: Path, tmp_path: Path) -> None:
    words = ["--quiet", "--jobs", "1", "--checkpoint-every", "0.02", "--output"]
    command = [str(PLANCOST), "learn", str(walks), *words]
    assert plancost(*command[1:], tmp_path / "plain.json").returncode == 0
    assert not (tmp_path / "plain.json.checkpoint").exists(), "the result is there"
    kept = tmp_path / "killed.json.checkpoint"
    killed = sum(
        killed_once_it_kept_something([*command, str(tmp_path / "killed.json")], kept)
        for _ in range(2)
    )
    assert killed >= 1
    assert kept.is_dir() or killed < 2
    done = plancost(*command[1:], tmp_path / "killed.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert proven(tmp_path / "killed.json") == proven(tmp_path / "plain.json")
    assert not kept.exists()
    if killed == 2:
        options = json.loads((tmp_path / "killed.json").read_text())["options"]
        assert options["resumed"]["runs"] >= 1


def test_where_it_is_kept(tmp_path: Path) -> None:
    """The options of the command, as those of the library."""

    def folder(*words: str) -> Path | None:
        return options_of(build_parser().parse_args(["learn", "CASE", *words])).checkpoint

    assert folder() is None
    assert folder("--output", "r.json") == Path("r.json.checkpoint")
    assert folder("--output", "r.json", "--checkpoint", "kept") == Path("kept")
    assert folder("--checkpoint", "kept") == Path("kept")
    assert folder("--output", "r.json", "--no-checkpoint") is None
    both = plancost("learn", tmp_path, "--checkpoint", "kept", "--no-checkpoint")
    assert both.returncode == 2

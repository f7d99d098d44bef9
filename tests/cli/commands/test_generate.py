"""``plancost generate`` as users call it."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from plancost.generators.worlds import WORLDS
from support.command import PLANCOST, in_process, learned

SMALL = ("--side", 3, "--plans", 4, "--no-cache", "--jobs", 1)


def test_a_pool_with_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "pool"
    done = in_process(
        capsys, "generate", "grid", "--output", folder, *SMALL, "--problems", 2, "--tasks", 2,
        "--sizes", "5,3",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"{folder}: 2 problems with 8 plans",
        f"{folder}/tasks: tasks, 2 of 3, 2 of 5 observations",
        f"learn from one: plancost learn {folder}/tasks/3-01.csv --domain {folder}/domain.pddl",
    ]
    result = learned(folder / "tasks" / "5-02.csv", "--domain", folder / "domain.pddl")
    assert (result["plans"], result["proved"]) == (5, True)
    again = in_process(
        capsys, "generate", "grid", "--output", folder, *SMALL, "--problems", 2, "--quiet"
    )
    assert (again.returncode, again.stdout) == (0, "")
    other = in_process(capsys, "generate", "grid", "--output", folder, *SMALL, "--problems", 3)
    assert other.returncode == 1
    assert other.stderr == (
        f"plancost: {folder}/pool.json: this pool was made with problems 2, not 3; "
        "choose another --output\n"
    )


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["grid"], 2, "--output"),
        (["sokoban", "--output", "x"], 2, "unknown value for DOMAIN"),
        (["grid", "--output", "x", "--sizes", "10,no"], 2, "expected a whole number from 1 to"),
        (["grid", "--output", "x", "--side", "1"], 2, "must be from 2 to 1000, not 1"),
        (["grid", "--output", "x", "--plans", "0", "--sizes", "5"], 2, "a task of 5 observations"),
        (["grid", "--output", "/proc/no/x"], 1, "nothing can be written here"),
    ],
)
def test_wrong_words(
    words: list[str], status: int, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = in_process(capsys, "generate", *words)
    assert done.returncode == status
    assert complaint in done.stderr


def test_help_names_every_size(capsys: pytest.CaptureFixture[str]) -> None:
    for name, world in WORLDS.items():
        done = in_process(capsys, "generate", name, "--help")
        assert done.returncode == 0
        for size, value in world().sizes().items():
            assert f"--{size} N" in done.stdout
            assert f"(default: {value})" in done.stdout


def problems_done(folder: Path) -> int:
    try:
        return len(json.loads((folder / "pool.json").read_text())["problems"])
    except FileNotFoundError:
        return 0


@pytest.mark.parametrize(
    ("number", "status", "words"),
    [
        (signal.SIGKILL, -signal.SIGKILL, ""),
        (signal.SIGTERM, 143, "plancost: interrupted; the same command resumes from here\n"),
    ],
)
def test_a_pool_goes_on_after_a_signal(
    number: signal.Signals, status: int, words: str, tmp_path: Path
) -> None:
    command = [
        PLANCOST, "generate", "grid", "--output", tmp_path / "pool", *SMALL, "--problems", 4
    ]  # fmt: skip
    with subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True) as process:
        while problems_done(tmp_path / "pool") < 1:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
        assert process.stderr is not None
        assert process.stderr.read() == words
    assert process.returncode == status
    kept = problems_done(tmp_path / "pool")
    assert kept < 4
    first = (tmp_path / "pool" / "p01.004.plan").stat()
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    assert problems_done(tmp_path / "pool") == 4
    assert len(list((tmp_path / "pool").glob("p0[1-4].00[1-4].plan"))) == 16
    assert (tmp_path / "pool" / "p01.004.plan").stat().st_ino == first.st_ino


def test_a_pool_too_small_for_tasks_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("generate", "grid", "--output", tmp_path / "pool", *SMALL, "--problems", 2)
    done = in_process(capsys, *words)
    assert done.stdout.splitlines()[1:] == [
        "no tasks: the smallest usual size is 10, and a task is at most half of the 8 plans of "
        "the pool; choose a size with --sizes"
    ]
    done = in_process(capsys, *words, "--tasks", 0)
    assert len(done.stdout.splitlines()) == 1, "no tasks were asked for"

"""Ctrl-C and SIGTERM: the best answer is kept, and nothing is left running."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from conftest import DOMAIN, graph_problem
from plancost.cli.main import main
from plancost.system.processes import dying_with_us
from support.command import PLANCOST
from support.running import children, is_running, is_symk, minds_sigterm

SIZE = 12


@pytest.fixture
def large_grid(tmp_path: Path) -> Path:
    """A grid whose simple plans nobody can list, with two plans along its edges."""
    case = tmp_path / "grid"
    case.mkdir()
    cells = [(x, y) for x in range(SIZE) for y in range(SIZE)]
    names = {cell: f"c{cell[0]}-{cell[1]}" for cell in cells}
    lengths = {
        (names[a], names[b]): 1
        for a in cells
        for b in cells
        if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    }
    last = SIZE - 1
    right_first = [(x, 0) for x in range(SIZE)] + [(last, y) for y in range(1, SIZE)]
    down_first = [(y, x) for x, y in right_first]
    (case / "domain.pddl").write_text(DOMAIN)
    for number, route in enumerate((right_first, down_first)):
        problem = graph_problem("p", names.values(), lengths, names[0, 0], names[last, last])
        (case / f"p{number}.pddl").write_text(problem)
        steps = (f"(move {names[a]} {names[b]})\n" for a, b in pairwise(route))
        (case / f"p{number}.plan").write_text("".join(steps))
    return case


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command puts temporary files."""
    found = tmp_path / "tmp"
    found.mkdir()
    monkeypatch.setenv("TMPDIR", str(found))
    return found


@contextmanager
def listing_plans(case: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """``plancost learn --alternatives all`` while SymK is at work for it."""
    command = [str(PLANCOST), "learn", str(case), "--alternatives", "all", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    planners: list[int] = []
    try:
        patience = time.monotonic() + 60
        while not planners and time.monotonic() < patience and process.poll() is None:
            time.sleep(0.05)
            planners = [child for child in children(process.pid) if is_symk(child)]
        assert planners, "SymK was never started"
        yield process, planners
    finally:
        process.kill()
        process.communicate()
        for planner in filter(is_running, planners):
            os.kill(planner, signal.SIGKILL)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_while_planners_run(
    large_grid: Path, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    result = tmp_path / "r.json"
    with listing_plans(large_grid, "--output", str(result)) as (process, planners):
        sent = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert time.monotonic() - sent < 15
        assert process.returncode == status
        assert not any(map(is_running, planners))
    assert "Traceback" not in err
    assert "Interrupted: this is the best answer so far." in out
    content = json.loads(result.read_text())
    assert content["interrupted"] is True
    assert content["verified"] is True
    assert content["plans"] == 2


def test_an_interrupt_before_there_is_anything(large_grid: Path, tmp_path: Path) -> None:
    """While PDDL is grounded there is no answer to keep, and no file appears."""
    result = tmp_path / "r.json"
    process = subprocess.Popen(
        [PLANCOST, "learn", large_grid, "--output", result],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        patience = time.monotonic() + 60
        while not children(process.pid) and time.monotonic() < patience:
            time.sleep(0.01)
        translators = children(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert err == "plancost: interrupted before there was an answer\n"
    assert not result.exists()
    assert not any(map(is_running, translators))


def test_an_interrupt_after_the_result_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("plancost.cli.output.tables.show", interrupted)
    result = tmp_path / "r.json"
    town = Path(__file__).parents[2] / "examples" / "town"
    assert main(["learn", str(town), "--output", str(result)]) == 130
    assert capsys.readouterr().err == f"plancost: interrupted after {result} was written\n"
    assert json.loads(result.read_text())["verified"]


INTERRUPTED_IMPORT = """
from plancost.cli import main

def interrupted(command, arguments):
    exec("raise KeyboardInterrupt")

main._run = interrupted
main.program()
"""


def test_an_interrupt_while_a_data_class_is_made(tmp_path: Path) -> None:
    """Such code is in a string, and ``python -m`` would end by the signal though it is handled."""
    (tmp_path / "interrupted.py").write_text(INTERRUPTED_IMPORT)
    words = [sys.executable, "-m", "interrupted", "doctor"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == "plancost: interrupted before there was an answer\n"
    assert done.returncode == 130


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupts_in_a_row_are_one(
    large_grid: Path, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    """As ``timeout`` and impatient people send them, until the command has gone."""
    output = tmp_path / "RESULT.json"
    with listing_plans(large_grid, "--output", str(output)) as (process, planners):
        patience = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < patience:
            process.send_signal(number)
            time.sleep(0.02)
        stdout, stderr = process.communicate(timeout=10)
    assert process.returncode == status
    assert "Traceback" not in stderr and "before there was an answer" not in stderr
    assert json.loads(output.read_text())["verified"]
    assert "2 of 2" in stdout
    assert not any(map(is_running, planners))


def test_planners_of_a_killed_command_die_and_the_next_clears_up(
    large_grid: Path, example_1: Path, place: Path
) -> None:
    if not dying_with_us():
        pytest.skip("this system has no setpriv")
    with listing_plans(large_grid) as (process, planners):
        process.kill()
        process.wait()
        patience = time.monotonic() + 30
        while any(map(is_running, planners)) and time.monotonic() < patience:
            time.sleep(0.02)
        assert not any(map(is_running, planners))
    assert list(place.iterdir()), "nobody was there to remove it"
    done = subprocess.run([PLANCOST, "learn", example_1], capture_output=True, timeout=120)
    assert done.returncode == 0
    assert not list(place.iterdir())


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 3))])
def test_a_signal_at_any_moment(example_1: Path, tmp_path: Path, place: Path, seed: int) -> None:
    """`python -m benchmarks.interrupts` does this many times, on larger cases."""
    chance = random.Random(seed)
    number = chance.choice([signal.SIGINT, signal.SIGTERM])
    output = tmp_path / "out" / "RESULT.json"
    process = subprocess.Popen(
        [PLANCOST, "learn", example_1, "--alternatives", "5", "--output", output],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    patience = time.monotonic() + 60
    while not minds_sigterm(process.pid) and time.monotonic() < patience:
        time.sleep(0.005)  # before Python has begun, a signal just ends it
    seen = set[int]()
    end = time.monotonic() + chance.uniform(0.0, 3.0)
    while time.monotonic() < end and process.poll() is None:
        seen.update(children(process.pid))
        time.sleep(0.01)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode in (0, 128 + number)
    assert "Traceback" not in err
    assert not output.exists() or json.loads(output.read_text())["plans"] > 0
    assert not any(map(is_running, seen))
    assert not list(place.iterdir())

"""Programs run within limits, and nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fake_planner import fake
from plancost.errors import PlannerError
from plancost.processes import Ending, Limits, private_directory, run


def is_alive(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def ends_soon(process: int) -> bool:
    """Whether a process ends within seconds."""
    for _ in range(300):
        if not is_alive(process):
            return True
        time.sleep(0.01)
    return False


def test_exit_code_output_and_input(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("said\n", encoding="ascii")
    finished = run(["sh", "-c", "cat; pwd >&2; exit 3"], directory=tmp_path, stdin=tmp_path / "in")
    assert (finished.ending, finished.exit_code) == (Ending.EXITED, 3)
    assert finished.output == f"said\n{tmp_path}\n"


def test_the_last_part_of_the_output_is_kept(tmp_path: Path) -> None:
    finished = run(["seq", "300000"], directory=tmp_path)
    assert finished.exit_code == 0
    assert finished.output.endswith("\n299999\n300000\n")
    assert len(finished.output) < 100_000


@pytest.mark.parametrize("mode", ["hang", "prints without end"])
def test_time_limit(tmp_path: Path, mode: str) -> None:
    finished = run([fake(tmp_path, mode)], directory=tmp_path, limits=Limits(0.3))
    assert finished.ending is Ending.OUT_OF_TIME
    assert finished.exit_code is None
    assert 0.3 <= finished.seconds < 3


def test_silence_is_a_limit(tmp_path: Path) -> None:
    words = "for n in 1 2 3 4 5 6; do echo $n; sleep 0.1; done; sleep 60"
    limits = Limits(30, silence_s=0.3)
    finished = run(["sh", "-c", words], directory=tmp_path, limits=limits)
    assert finished.ending is Ending.OUT_OF_TIME
    assert finished.output.endswith("6\n")
    assert finished.seconds < 10


def test_no_time_is_no_process(tmp_path: Path) -> None:
    finished = run(["touch", "made"], directory=tmp_path, limits=Limits(0.0))
    assert finished.ending is Ending.OUT_OF_TIME
    assert not (tmp_path / "made").exists()


@pytest.mark.skipif(sys.platform == "darwin", reason="no limit on address space there")
def test_memory_limit(tmp_path: Path) -> None:
    words = [sys.executable, "-S", "-c", "print(len(bytearray(900_000_000)))"]
    assert run(words, directory=tmp_path, limits=Limits(20)).exit_code == 0
    finished = run(words, directory=tmp_path, limits=Limits(20, memory_mb=500))
    assert finished.exit_code == 1
    assert "MemoryError" in finished.output


def test_stopped_by_the_caller(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    finished = run(["sleep", "60"], directory=tmp_path, stop=stop.is_set)
    assert finished.ending is Ending.STOPPED
    assert run(["touch", "made"], directory=tmp_path, stop=stop.is_set).ending is Ending.STOPPED
    assert not (tmp_path / "made").exists()


def test_killed_by_somebody_else(tmp_path: Path) -> None:
    finished = run([fake(tmp_path, "crash")], directory=tmp_path)
    assert (finished.ending, finished.signal) == (Ending.KILLED, signal.SIGSEGV)


def test_children_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHILD_NOTE", str(tmp_path / "child"))
    assert run([fake(tmp_path, "child")], directory=tmp_path).exit_code == 12
    assert ends_soon(int((tmp_path / "child").read_text(encoding="ascii")))


def test_ctrl_c_ends_the_program(tmp_path: Path) -> None:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run(["sh", "-c", f"echo $$ >{tmp_path}/own; sleep 60"], directory=tmp_path)
    assert time.monotonic() - began < 5
    assert ends_soon(int((tmp_path / "own").read_text(encoding="ascii")))


@pytest.mark.skipif(not Path("/usr/bin/setpriv").exists(), reason="no setpriv")
def test_the_program_dies_with_us(tmp_path: Path) -> None:
    words = (
        "from pathlib import Path; from plancost.processes import run;"
        "run(['sh', '-c', 'echo $$ >own; exec sleep 60'], directory=Path())"
    )
    us = subprocess.Popen([sys.executable, "-c", words], cwd=tmp_path)
    for _ in range(500):
        if (tmp_path / "own").exists() and (tmp_path / "own").read_text(encoding="ascii"):
            break
        time.sleep(0.01)
    us.kill()
    us.wait()
    assert ends_soon(int((tmp_path / "own").read_text(encoding="ascii")))


def test_what_cannot_be_started(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program", encoding="ascii")
    for command in ("no-such-program-anywhere", str(tmp_path / "text")):
        with pytest.raises(PlannerError, match="cannot start"):
            run([command], directory=tmp_path)


def test_private_directory() -> None:
    with pytest.raises(RuntimeError), private_directory() as directory:
        assert directory.stat().st_mode & 0o777 == 0o700
        (directory / "folder").mkdir()
        raise RuntimeError
    assert not directory.exists()

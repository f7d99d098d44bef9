"""Interrupts and alarms that come while a module is loaded come again when it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LIBRARY = """
import os, signal, time
try:
    {interrupt}
    time.sleep(0.3)
except BaseException:
    raise ImportError("initialization failed") from None
"""
INTERRUPT = "os.kill(os.getpid(), signal.{name})"
COMMAND = """
import sys, time
from plancost.cli import main

def work(arguments, started_at):
    import library
    print("loaded", flush=True)
    time.sleep(60)

main._parse_and_run = work
sys.exit(main.main([]))
"""
ALARM = """
import time
from plancost.system.clock import Deadline, TimeIsUp, alarm

try:
    with alarm(Deadline.after(0.0)):
        import library
        sys.stdout.write("loaded\\n")  # in one piece
        time.sleep(60)
except TimeIsUp:
    print("time is up")
"""


def run(script: str, interrupt: str, folder: Path) -> tuple[int, str]:
    (folder / "library.py").write_text(LIBRARY.format(interrupt=interrupt))
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{script}"],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_an_interrupt_waits(name: str, status: int, tmp_path: Path) -> None:
    """Found by a soak: the library's ImportError was reported as a bug."""
    assert run(COMMAND, INTERRUPT.format(name=name), tmp_path) == (status, "loaded\n")


def test_an_alarm_waits(tmp_path: Path) -> None:
    """It goes off a second after the deadline."""
    assert run(ALARM, "time.sleep(1.2)", tmp_path) == (0, "loaded\ntime is up\n")

"""Pieces of work for tests of executors; workers of a cluster import them from here."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from plancost.system.processes import Finished, Limits, run


def square(number: int, *, limits: Limits) -> int:
    return number * number


def where(number: int, *, limits: Limits) -> tuple[int, int]:
    """The number, and the process that was asked."""
    time.sleep(0.1)
    return number, os.getpid()


def sleep(seconds: float, notes: Path, *, limits: Limits) -> Finished:
    """Run a program for so long, and leave a note of who ran it.

    The note is called after the process that was asked and the program that it started.
    """
    script = f'touch "{notes}/$PPID-$$" && exec sleep {seconds}'
    return run(["/bin/sh", "-c", script], directory=Path("/"), limits=limits)


def disregard_limits(seconds: float, *, limits: Limits) -> str:
    if limits.time_s is not None and limits.time_s <= 0:
        return "out of time"
    time.sleep(seconds)
    return "done"


def kill_the_worker(*, limits: Limits) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(*, limits: Limits) -> None:
    raise OSError("no space left on device")

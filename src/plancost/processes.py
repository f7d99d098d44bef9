"""The one way in which plancost runs another program.

A child gets its own session, so that the whole process group (the program and all that
it starts) can be ended together: SIGTERM first, SIGKILL for what remains. That happens
at the time limit, when the caller says stop, and on Ctrl-C or any other exception.
The memory limit is a limit on the address space, set by the shell before the program
starts. Output is read all the time, so that a child never blocks on it, but only the
last part is kept.
"""

from __future__ import annotations

import contextlib
import enum
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_KEPT_OUTPUT = 65536
_GRACE_S = 0.5
"""Between SIGTERM and SIGKILL."""
_STOP_POLL_S = 0.05
"""How often a stop event is looked at."""
_LONGEST_WAIT_S = 5.0
_MOST_READS_AFTER_END = 64


@dataclass(frozen=True)
class Limits:
    """Wall-clock seconds and megabytes of address space; None is no limit."""

    time_s: float | None = None
    memory_mb: int | None = None


class Ending(enum.Enum):
    """How a process came to its end."""

    EXITED = "exited"
    OUT_OF_TIME = "out of time"
    KILLED = "killed by a signal that we did not send"
    STOPPED = "stopped by the caller"


@dataclass(frozen=True)
class Finished:
    """A process that has ended. `output` is the last part of what it printed."""

    ending: Ending
    exit_code: int | None
    signal: int | None
    output: str
    seconds: float


@contextlib.contextmanager
def private_directory(prefix: str = "plancost-") -> Iterator[Path]:
    """A temporary directory that is gone afterwards, whatever happens."""
    directory = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def run(
    command: Sequence[str],
    *,
    directory: Path,
    stdin: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    stop: threading.Event | None = None,
) -> Finished:
    """Run a program to its end, or to the end of what it is allowed."""
    started = time.monotonic()
    if limits.time_s is not None and limits.time_s <= 0:
        return Finished(Ending.OUT_OF_TIME, None, None, "", 0.0)
    if limits.memory_mb is not None:
        kilobytes = limits.memory_mb * 1024
        command = ["/bin/sh", "-c", f'ulimit -v {kilobytes} && exec "$@"', "sh", *command]
    with contextlib.ExitStack() as stack:
        source = subprocess.DEVNULL if stdin is None else stack.enter_context(stdin.open("rb"))
        process = subprocess.Popen(
            command,
            cwd=directory,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            end = None if limits.time_s is None else started + limits.time_s
            output, ending = _follow(process, end, stop)
        finally:
            _end_group(process)
    seconds = time.monotonic() - started
    text = output.decode("utf-8", errors="replace")
    if ending is not None:
        return Finished(ending, None, None, text, seconds)
    if process.returncode < 0:
        return Finished(Ending.KILLED, None, -process.returncode, text, seconds)
    return Finished(Ending.EXITED, process.returncode, None, text, seconds)


def _follow(
    process: subprocess.Popen[bytes], end: float | None, stop: threading.Event | None
) -> tuple[bytes, Ending | None]:
    """Read the output until the process ends; the ending is None if it did by itself."""
    assert process.stdout is not None
    output = b""
    drained = 0
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        watched = os.pidfd_open(process.pid)
        try:
            selector.register(watched, selectors.EVENT_READ)
            while True:
                wait = _LONGEST_WAIT_S if stop is None else _STOP_POLL_S
                if end is not None:
                    wait = min(wait, max(0.0, end - time.monotonic()))
                ready = {key.fileobj for key, _ in selector.select(wait)}
                if watched in ready:
                    # What is left in the pipe is at most its buffer; a grandchild that
                    # goes on writing does not keep us here.
                    drained += 1
                    if process.stdout not in ready or drained > _MOST_READS_AFTER_END:
                        return output, None
                if process.stdout in ready:
                    part = os.read(process.stdout.fileno(), _KEPT_OUTPUT)
                    output = (output + part)[-_KEPT_OUTPUT:]
                    if not part:
                        selector.unregister(process.stdout)
                if stop is not None and stop.is_set():
                    return output, Ending.STOPPED
                if end is not None and time.monotonic() >= end:
                    return output, Ending.OUT_OF_TIME
        finally:
            os.close(watched)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of the process group behind."""
    try:
        if process.poll() is None:
            _signal_group(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE_S)
    finally:
        _signal_group(process.pid, signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)

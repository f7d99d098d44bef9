"""The one way in which plancost runs another program; nothing of it is left behind.

A child gets a session of its own, so that the whole process group (the program and all its
children) can be ended together: SIGTERM first, then SIGKILL. This happens at the time limit, when
the caller says stop, and on Ctrl-C or any other exception. The shell sets the memory limit before
the program starts, because a function run between fork and exec is not safe beside threads.
All output is read, so that a child never blocks on it, but only the last part is kept.
If plancost itself is killed, the kernel kills the program we started where the system has
`setpriv`, and the next process that needs a temporary directory removes those that were left.
A child that starts a session of its own leaves the group; we cannot end it.
"""

from __future__ import annotations

import contextlib
import enum
import fcntl
import functools
import math
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from plancost.errors import PlannerError

_CANNOT_EXECUTE = (126, 127)
"""Exit codes by which shells and wrappers say that a program could not be started."""
_KEPT_OUTPUT = 65536
"""Bytes; also the most that is read at a time."""
_GRACE_S = 0.5
"""Between SIGTERM and SIGKILL."""
_SHORTEST_WAIT_S, _LONGEST_WAIT_S = 0.0005, 0.05
"""Between two looks at a process: a tenth of the time that it has run, within these."""
_PREFIX, _MARK = "plancost-", ".in-use"
"""Of temporary directories, and of the file in each that its owner holds a lock on."""
_YOUNG_S = 60.0
"""A younger directory without a lock may be about to get one."""

_groups: set[int] = set()
_directories: set[str] = set()
"""What is there now, for `abandon`."""


@dataclass(frozen=True)
class Limits:
    """Wall-clock seconds and megabytes of address space; None is no limit.

    So many seconds of silence, or as many as it took until the last output if that is more, count
    as out of time: for programs that may loop.
    """

    time_s: float | None = None
    memory_mb: int | None = None
    silence_s: float = math.inf


class Ending(enum.Enum):
    """How a process ended."""

    EXITED = "exited"
    OUT_OF_TIME = "out of time"
    KILLED = "killed by a signal that we did not send"
    STOPPED = "stopped by the caller"


@dataclass(frozen=True)
class Finished:
    """A process that has ended; `output` is the last part of what it printed."""

    ending: Ending
    exit_code: int | None
    signal: int | None
    output: str
    seconds: float


def run(
    command: Sequence[str],
    *,
    directory: Path,
    stdin: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    stop: Callable[[], bool] | None = None,
) -> Finished:
    """Run a program until it ends or reaches a limit; works in any thread."""
    began = time.monotonic()
    end = math.inf if limits.time_s is None else began + limits.time_s
    if end <= began or (stop is not None and stop()):
        ending = Ending.OUT_OF_TIME if end <= began else Ending.STOPPED
        return Finished(ending, None, None, "", 0.0)
    with contextlib.ExitStack() as stack:
        source = subprocess.DEVNULL if stdin is None else stack.enter_context(stdin.open("rb"))
        process = _start(command, directory, source, limits.memory_mb)
        stack.callback(_end_group, process)
        _groups.add(process.pid)
        cut_off, output = _follow(process, began, end, stop, limits.silence_s)
    seconds, status = time.monotonic() - began, process.returncode
    text = output.decode("utf-8", errors="replace")
    if cut_off is not None:
        return Finished(cut_off, None, None, text, seconds)
    if status < 0:
        return Finished(Ending.KILLED, None, -status, text, seconds)
    if status in _CANNOT_EXECUTE:
        raise PlannerError(f"cannot start {command[0]}: {text.strip()[-200:]}")
    return Finished(Ending.EXITED, status, None, text, seconds)


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def private_directory() -> Iterator[Path]:
    """A temporary directory that only this user can read and that exists within a block.

    That a file cannot be written there is a `PlannerError`, like all that keeps programs from
    working.
    """
    try:
        _remove_abandoned()
        with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name:
            _directories.add(name)
            with (Path(name) / _MARK).open("w", encoding="ascii") as mark:
                fcntl.flock(mark, fcntl.LOCK_EX)
                yield Path(name)
        _directories.discard(name)
    except OSError as error:
        raise PlannerError(
            f"temporary files cannot be written ({error.strerror}): make room, or name another "
            "folder in TMPDIR"
        ) from error


def abandon() -> None:
    """End all programs and remove all temporary directories at once: before the process exits."""
    for group in list(_groups):
        _signal_group(group, signal.SIGKILL)
    for name in list(_directories):
        shutil.rmtree(name, ignore_errors=True)


@functools.cache
def _remove_abandoned() -> None:
    """Remove the temporary directories of processes that were killed; once in a process."""
    for directory in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            status = directory.stat(follow_symlinks=False)
            if status.st_uid != os.getuid() or time.time() - status.st_mtime <= _YOUNG_S:
                continue
            with contextlib.suppress(FileNotFoundError), (directory / _MARK).open("rb") as mark:
                fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(directory, ignore_errors=True)


def _start(
    command: Sequence[str], directory: Path, source: int | IO[bytes], memory_mb: int | None
) -> subprocess.Popen[bytes]:
    program = shutil.which(command[0])
    if program is None:
        raise PlannerError(f"cannot start {command[0]}: no such program, or not executable")
    words = [program, *command[1:]]
    if memory_mb is not None:
        # The kernel kills it before us. A limit that the system does not know (macOS) is none.
        limit = f"echo 500 >/proc/self/oom_score_adj; ulimit -v {memory_mb * 1024}"
        words = ["/bin/sh", "-c", f'{{ {limit}; }} 2>/dev/null; exec "$@"', "sh", *words]
    try:
        return subprocess.Popen(
            [*_dying_with_us(), *words],
            cwd=directory,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise PlannerError(f"cannot start {command[0]}: {error.strerror}") from error


@functools.cache
def _dying_with_us() -> tuple[str, ...]:
    """A command prefix that lets the kernel kill the program when we die, if supported."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return ()
    prefix = (setpriv, "--pdeathsig", "KILL", "--")
    try:
        tried = subprocess.run([*prefix, "true"], capture_output=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return prefix if tried.returncode == 0 else ()


def _follow(
    process: subprocess.Popen[bytes],
    began: float,
    end: float,
    stop: Callable[[], bool] | None,
    silence: float,
) -> tuple[Ending | None, bytes]:
    """Wait until the process ends (None if it did by itself), and the last part of its output."""
    assert process.stdout is not None
    output, heard, pipe = b"", began, process.stdout.fileno()
    os.set_blocking(pipe, False)
    while True:
        has_ended, now = process.poll() is not None, time.monotonic()
        part = None  # nothing yet; b"" is the end
        with contextlib.suppress(BlockingIOError):
            part = os.read(pipe, _KEPT_OUTPUT)
        if part:
            output, heard = (output + part)[-_KEPT_OUTPUT:], now
        if has_ended and len(part or b"") < _KEPT_OUTPUT:  # what left the group may go on writing
            return None, output
        if stop is not None and stop():
            return Ending.STOPPED, output
        if now >= min(end, heard + max(silence, heard - began)):
            return Ending.OUT_OF_TIME, output
        wait = min(max(_SHORTEST_WAIT_S, (now - began) / 10), _LONGEST_WAIT_S, end - now)
        select.select([] if part == b"" else [pipe], [], [], wait)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End all processes of the group."""
    try:
        if process.poll() is None:
            _signal_group(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE_S)
    finally:
        _signal_group(process.pid, signal.SIGKILL)
        process.wait()
        _groups.discard(process.pid)
        if process.stdout is not None:
            process.stdout.close()


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)

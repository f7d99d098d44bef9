"""The one way in which plancost runs another program.

A child gets its own session, so that the whole process group (the program and all its
children) can be ended together: SIGTERM first, then SIGKILL for processes that remain. This
happens at the time limit, when the caller (or the owner of the thread, see `workers`) says
stop, and on Ctrl-C or any other exception.
The memory limit is a limit on the address space, set by the shell before the program
starts (about 1 ms; a function run between fork and exec would not be safe in a program
with threads). Output is read continuously, so that a child never blocks on it, but only the
last part is kept. The end of a process wakes us at once: the planners answer small queries in
6 ms, so the overhead here must stay at a few ms.

If plancost itself is killed (SIGKILL), nobody is left to end the group. Where the system
has ``setpriv`` (util-linux), the kernel then kills the program we started; elsewhere the pipe
of its output breaks, and a planner dies when it next prints. A child that starts a session
of its own leaves the group; we cannot end it.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import logging
import math
import os
import resource
import selectors
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from plancost.errors import PlancostError
from plancost.system.workers import StopSignal, stop_signal

_log = logging.getLogger(__name__)

_CANNOT_EXECUTE = (126, 127)
"""Exit codes by which shells and wrappers say that a program could not be started."""
_KEPT_OUTPUT = 65536
"""Bytes; also how much is read at a time."""
_GRACE_S = 0.5
"""Between SIGTERM and SIGKILL."""
_STOP_POLL_S = 0.05
"""How often the stop event is checked."""
_LONGEST_WAIT_S = 5.0
_POLL_S = 0.002
"""How often to look for the end of a process where the system has no pidfd."""
_MOST_READS_AFTER_END = 64
"""A pipe holds at most 1 MiB; more output comes from a process that left the group."""


@dataclass(frozen=True)
class Limits:
    """Wall-clock seconds and megabytes of address space; None is no limit.

    `silence_s` is for programs that may loop: this long without any output, or as long as it
    took until the last output if that is longer, counts as out of time.
    """

    time_s: float | None = None
    memory_mb: int | None = None
    silence_s: float | None = None


class Ending(enum.Enum):
    """How a process ended."""

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


def run(
    command: Sequence[str],
    *,
    directory: Path,
    stdin: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    stop: threading.Event | None = None,
) -> Finished:
    """Run a program until it ends or reaches a limit.

    Works in any thread. A program that cannot be started is a `PlancostError`.
    """
    started = time.monotonic()
    stops = [item for item in (stop, stop_signal()) if item is not None]
    if any(item.is_set() for item in stops):
        return Finished(Ending.STOPPED, None, None, "", 0.0)
    if limits.time_s is not None and limits.time_s <= 0:
        return Finished(Ending.OUT_OF_TIME, None, None, "", 0.0)
    with contextlib.ExitStack() as stack:
        source = subprocess.DEVNULL if stdin is None else stack.enter_context(stdin.open("rb"))
        process = _start(command, directory, source, limits.memory_mb)
        try:
            output, ending = _follow(process, started, limits, stops)
        finally:
            _end_group(process)
    seconds, status = time.monotonic() - started, process.returncode
    text = output.decode("utf-8", errors="replace")
    how = ending or (Ending.KILLED if status < 0 else Ending.EXITED)
    _log.debug("%s: %s, status %s, %.3f s", shlex.join(command), how.value, status, seconds)
    if how is Ending.EXITED and status in _CANNOT_EXECUTE:
        raise PlancostError(f"cannot start {command[0]}: {text.strip()[-200:]}")
    exit_code = status if how is Ending.EXITED else None
    number = -status if how is Ending.KILLED else None
    return Finished(how, exit_code, number, text, seconds)


def _start(
    command: Sequence[str], directory: Path, source: int | IO[bytes], memory_mb: int | None
) -> subprocess.Popen[bytes]:
    program = shutil.which(command[0])
    if program is None:
        raise PlancostError(f"cannot start {command[0]}: no such program, or not executable")
    words = [program, *command[1:]]
    if memory_mb is not None:
        # The shell's own limit may be lower already, and cannot be raised.
        _, hard_bytes = resource.getrlimit(resource.RLIMIT_AS)
        kilobytes = memory_mb * 1024
        if hard_bytes != resource.RLIM_INFINITY:
            kilobytes = min(kilobytes, hard_bytes // 1024)
        words = held_to(f"{_own_data_limit()}ulimit -v {kilobytes}", words)
    try:
        return subprocess.Popen(
            [*dying_with_us(), *words],
            cwd=directory,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise PlancostError(f"cannot start {command[0]}: {error.strerror}") from error


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def held_to(limit: str, command: Sequence[str]) -> list[str]:
    """A command that the shell starts with a memory limit, and that the kernel kills before us.

    If the whole system, or a control group, runs out of memory, the kernel chooses a process to
    kill. It should not choose the process that has the answer. Where the system knows no such
    limit (macOS), the command runs without it.
    """
    first = "{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null"
    return ["/bin/sh", "-c", f'{first}; {{ {limit}; }} 2>/dev/null; exec "$@"', "sh", *command]


def _own_data_limit() -> str:
    """Shell words that undo our own limit (`memory`), which children inherit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if soft == hard:
        return ""
    kilobytes = "unlimited" if hard == resource.RLIM_INFINITY else str(hard // 1024)
    return f"ulimit -S -d {kilobytes} && "


@functools.cache
def dying_with_us() -> tuple[str, ...]:
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
    started: float,
    limits: Limits,
    stops: Sequence[threading.Event | StopSignal],
) -> tuple[bytes, Ending | None]:
    """Read the output until the process ends; the ending is None if it did by itself."""
    assert process.stdout is not None
    output = b""
    reads_after_end = 0
    end = _end(started, started, limits)
    with selectors.DefaultSelector() as selector, _watch(process.pid) as watched:
        selector.register(process.stdout, selectors.EVENT_READ)
        longest = _STOP_POLL_S if stops else _LONGEST_WAIT_S
        if watched is None:
            longest = _POLL_S
        else:
            selector.register(watched, selectors.EVENT_READ)
        ended = False
        while True:
            wait = min(longest, max(0.0, end - time.monotonic()))
            ready = {key.fileobj for key, _ in selector.select(0 if ended else wait)}
            if process.stdout in ready:
                part = os.read(process.stdout.fileno(), _KEPT_OUTPUT)
                output = (output + part)[-_KEPT_OUTPUT:]
                end = _end(started, time.monotonic(), limits)
                if not part:
                    selector.unregister(process.stdout)
            if ended:
                # What is left in the pipe is at most its buffer; a grandchild that
                # goes on writing does not keep us here.
                reads_after_end += 1
                if process.stdout not in ready or reads_after_end > _MOST_READS_AFTER_END:
                    return output, None
            elif watched in ready or (watched is None and _has_ended(process)):
                ended = True
            elif any(item.is_set() for item in stops):
                return output, Ending.STOPPED
            elif time.monotonic() >= end:
                return output, Ending.OUT_OF_TIME


def _end(started: float, last_output: float, limits: Limits) -> float:
    """When the process is out of time if it prints nothing after its last output."""
    end = math.inf if limits.time_s is None else started + limits.time_s
    if limits.silence_s is None:
        return end
    return min(end, last_output + max(limits.silence_s, last_output - started))


@contextlib.contextmanager
def _watch(pid: int) -> Iterator[int | None]:
    """A file that becomes readable when the process ends, if the system supports this."""
    watched = None
    if hasattr(os, "pidfd_open"):  # some Pythons do not have it even on Linux
        with contextlib.suppress(OSError):  # an old kernel, or a sandbox that forbids it
            watched = os.pidfd_open(pid)
    try:
        yield watched
    finally:
        if watched is not None:
            os.close(watched)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether our child has ended. It stays a zombie, so its number is not reused.

    Where the system cannot look without taking, its number is free afterwards: the group is ended
    at once then, before the number comes round again.
    """
    if hasattr(os, "waitid"):
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, process.pid, flags) is not None
    return process.poll() is not None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End all processes of the group."""
    try:
        if not _has_ended(process):
            signal_group(process.pid, signal.SIGTERM)
            patience_ends = time.monotonic() + _GRACE_S
            while not _has_ended(process) and time.monotonic() < patience_ends:
                time.sleep(_POLL_S)
    finally:
        # Before the leader is reaped: until then the number of the group is ours.
        signal_group(process.pid, signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def signal_group(group: int, number: signal.Signals) -> None:
    """Send a signal to a process group, if it is still there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)

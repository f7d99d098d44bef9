"""``plancost``: from arguments to an exit status."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType

from plancost.cli import exit_codes, streams
from plancost.cli.bugs import report_bug
from plancost.cli.terminal import say
from plancost.errors import (
    ClusterError,
    LimitError,
    PlancostError,
    PlannerError,
    SolverError,
    UsageError,
)
from plancost.files.overwriting import inputs_protected
from plancost.system import cgroups
from plancost.system.memory import MemoryShares, holding_this_process

_TOGETHER_S = 1.0
"""Signals that come so soon after each other are one."""


class _Once:
    """Ctrl-C and SIGTERM, which is handled like it but has its own exit status.

    Another one right after it, as impatient people and programs send, is the same.
    """

    def __init__(self) -> None:
        self._last = -_TOGETHER_S
        self.terminated = False
        """Whether SIGTERM came."""

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.terminated |= number == signal.SIGTERM
        now = time.monotonic()
        is_new, self._last = now - self._last >= _TOGETHER_S, now
        if is_new:
            raise KeyboardInterrupt


def main(arguments: Sequence[str] | None = None, started_at: float | None = None) -> int:
    """Run the command line and return its exit status.

    A time limit counts from `started_at` on the monotonic clock, or from when the work begins.
    """
    on_signal = _Once()
    signal.signal(signal.SIGTERM, on_signal)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, on_signal)
    try:
        status = _parse_and_run(arguments, started_at)
        sys.stdout.flush()
    except KeyboardInterrupt:
        say("plancost: interrupted before there was an answer", error=True)
        status = exit_codes.INTERRUPTED
    except UsageError as error:
        say(f"plancost: {error}", error=True)
        status = exit_codes.USAGE
    except LimitError as error:
        say(f"plancost: {error}", error=True)
        status = exit_codes.UNDECIDED
    except (PlannerError, SolverError, ClusterError) as error:
        say(f"plancost: {error}", error=True)
        status = exit_codes.FAILED
    except PlancostError as error:
        say(f"plancost: {error}", error=True)
        status = exit_codes.BAD_INPUT
    except MemoryError:
        say(
            "plancost: memory ran out before there was an answer; give it a smaller case",
            error=True,
        )
        status = exit_codes.UNDECIDED
    except BrokenPipeError:
        status = exit_codes.OK
    except OSError as error:
        say(f"plancost: {error}", error=True)
        status = exit_codes.BAD_INPUT
    except Exception as error:
        words = sys.argv[1:] if arguments is None else arguments
        for line in report_bug(error, verbose="--verbose" in words):
            say(line, error=True)
        status = exit_codes.BUG
    if on_signal.terminated:
        status = exit_codes.TERMINATED
    return status


def _parse_and_run(arguments: Sequence[str] | None, started_at: float | None) -> int:
    # Imported here, as more is later, so that signals are minded from the first moment.
    parser = import_module("plancost.cli.arguments").build_parser()
    try:
        parsed = parser.parse_args(arguments)
    except SystemExit as stop:  # after --help, --version, or a sentence about wrong usage
        return stop.code if isinstance(stop.code, int) else exit_codes.OK
    parsed.started_at = started_at
    return _run(parsed)


_COMMANDS = {
    "learn": "commands",
    "verify": "commands",
    "explain": "commands",
    "evaluate": "evaluate",
    "monitor": "monitor",
    "apply": "solve",
    "solve": "solve",
    "generate": "generate",
    "reproduce": "reproduce",
    "plot": "report",
    "report": "report",
    "doctor": "doctor",
    "completion": "completion",
}
"""The module of each command; the function in it has the command's name."""
_HELD = frozenset({"learn", "verify", "explain", "evaluate", "monitor", "solve"})
"""Commands whose memory limit is for all of their processes together."""
_OWN_FOLDER = frozenset({"generate", "reproduce"})
"""Commands that read nothing but what they wrote themselves, and write it again."""


def _run(arguments: argparse.Namespace) -> int:
    # Imported here so that --help and wrong usage do not wait for the solver.
    module = import_module(f"plancost.cli.{_COMMANDS[arguments.command]}")
    run: Callable[[argparse.Namespace], int] = getattr(module, arguments.command)
    check_outputs = import_module("plancost.cli.outputs").check_outputs
    if arguments.command in _OWN_FOLDER:
        check_outputs(arguments)
        return run(arguments)
    with inputs_protected():
        check_outputs(arguments)
        with _memory_held(arguments):
            return run(arguments)


@contextlib.contextmanager
def _memory_held(arguments: argparse.Namespace) -> Iterator[None]:
    """Hold this process to its share of ``--memory-limit``, where that is for the whole run."""
    limit = getattr(arguments, "memory_limit", None)
    elsewhere = getattr(arguments, "scheduler", None) is not None
    if limit is None or elsewhere or arguments.command not in _HELD:
        yield
        return
    with cgroups.limited(limit), holding_this_process(MemoryShares.of(limit).own_mb):
        yield


def program() -> None:
    """The installed command: run, then leave without minding signals that come too late."""
    streams.prepare()
    try:
        status = main(started_at=_process_started())
    except KeyboardInterrupt:  # while an earlier one was being reported
        status = exit_codes.INTERRUPTED
    # From here on the interpreter takes its handlers down, and a signal would kill the process
    # although its answer is written.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # CPython remembers a Ctrl-C that came out of code in a string (as when a data class is made)
    # even if it was handled, and `python -m` then ends by SIGINT instead of with our status. Other
    # code in a string makes it forget.
    exec("")
    streams.let_go()
    sys.exit(status)


def _process_started() -> float | None:
    """When this process was started, on the monotonic clock, if the system tells."""
    with contextlib.suppress(OSError, ValueError, IndexError, AttributeError):
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return time.monotonic() - max(0.0, age)
    return None


if __name__ == "__main__":
    program()

"""``plancost``: from arguments to an exit status."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.output import streams
from plancost.cli.output.terminal import print_line
from plancost.errors import (
    ClusterError,
    LimitError,
    PlancostError,
    PlannerError,
    SolverError,
    UsageError,
    on_command_line,
)
from plancost.files.overwriting import inputs_protected
from plancost.system import cgroups
from plancost.system.bugs import bug_sentence, what_it_says
from plancost.system.importing import is_importing, send_again
from plancost.system.memory import MemoryShares, holding_this_process
from plancost.system.signals import noticed_while_waiting

if TYPE_CHECKING:
    from plancost.cli.command import Command

_log = logging.getLogger(__name__)

_TOGETHER_S = 1.0
"""Signals that come so soon after each other are one."""


class _Once:
    """Ctrl-C and SIGTERM, which is handled like it but has its own exit status.

    Another one right after it, as impatient people and programs send, is the same. While a module
    is being loaded it waits.
    """

    def __init__(self) -> None:
        self._last = -_TOGETHER_S
        self.terminated = False
        """Whether SIGTERM came."""

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.terminated |= number == signal.SIGTERM
        if is_importing(frame) and send_again(number):
            return
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
    status = None
    try:
        with on_command_line(), noticed_while_waiting():
            status = _status(arguments, started_at)
    except KeyboardInterrupt:  # while the block was entered or left
        status = _interrupted() if status is None else status
    if on_signal.terminated:
        status = exit_codes.TERMINATED
    return status


def _status(arguments: Sequence[str] | None, started_at: float | None) -> int:
    """Run, and say in one sentence what went wrong."""
    try:
        status = _parse_and_run(arguments, started_at)
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = _interrupted()
    except UsageError as error:
        print_line(f"plancost: {error}", error=True)
        status = exit_codes.USAGE
    except LimitError as error:
        print_line(f"plancost: {error}", error=True)
        status = exit_codes.UNDECIDED
    except (PlannerError, SolverError, ClusterError) as error:
        print_line(f"plancost: {error}", error=True)
        status = exit_codes.FAILED
    except PlancostError as error:
        print_line(f"plancost: {error}", error=True)
        status = exit_codes.BAD_INPUT
    except MemoryError:
        print_line(
            "plancost: memory ran out before there was an answer; give it a smaller case",
            error=True,
        )
        status = exit_codes.UNDECIDED
    except BrokenPipeError:
        status = exit_codes.OK
    except OSError as error:
        print_line(f"plancost: {error}", error=True)
        status = exit_codes.BAD_INPUT
    except Exception as error:
        words = sys.argv[1:] if arguments is None else arguments
        for line in _report_bug(error, verbose="--verbose" in words):
            print_line(line, error=True)
        status = exit_codes.BUG
    return status


def _interrupted() -> int:
    written = import_module("plancost.cli.outputs").results_written
    when = f"after {written[-1]} was written" if written else "before there was an answer"
    print_line(f"plancost: interrupted {when}", error=True)
    return exit_codes.INTERRUPTED


def _report_bug(error: Exception, *, verbose: bool) -> list[str]:
    """One line about an unexpected exception; with `verbose` where it comes from before it."""
    _log.error("unexpected: %s", what_it_says(error), exc_info=error)
    sentence = f"plancost: {bug_sentence(error)}"
    if not verbose:
        return [f"{sentence}; add --verbose to see where it comes from, and please report it"]
    lines = "".join(traceback.format_exception(error)).splitlines()
    return [*lines, f"{sentence}; please report it"]


def _parse_and_run(arguments: Sequence[str] | None, started_at: float | None) -> int:
    # Imported here, as more is later, so that signals are handled from the first moment.
    parser = import_module("plancost.cli.parser")
    words = sys.argv[1:] if arguments is None else list(arguments)
    if not words:
        for line in parser.build_parser().format_help().splitlines():
            print_line(line, error=True)
        return exit_codes.USAGE
    if words[0] == "help":  # as in other programs: plancost help learn
        words = [*words[1:], "--help"]
    try:
        parsed = parser.build_parser().parse_args(words)
    except SystemExit as stop:  # after --help, --version, or a sentence about wrong usage
        return stop.code if isinstance(stop.code, int) else exit_codes.OK
    parsed.started_at = started_at
    return _run(parser.COMMANDS[parsed.command].chosen(parsed), parsed)


def _run(command: Command, arguments: argparse.Namespace) -> int:
    # Imported here so that --help and wrong usage do not wait for more.
    outputs = import_module("plancost.cli.outputs")
    check_outputs = outputs.check_outputs
    outputs.results_written.clear()
    if command.owns_folder:
        check_outputs(command, arguments)
        return command.run(arguments)
    with inputs_protected():
        check_outputs(command, arguments)
        with _memory_held(command, arguments):
            return command.run(arguments)


@contextlib.contextmanager
def _memory_held(command: Command, arguments: argparse.Namespace) -> Iterator[None]:
    """Hold this process to its share of ``--memory-limit``, where that is for the whole run."""
    limit = getattr(arguments, "memory_limit", None)
    elsewhere = getattr(arguments, "scheduler", None) is not None
    if limit is None or elsewhere or not command.shares_memory:
        yield
        return
    with cgroups.limited(limit), holding_this_process(MemoryShares.of(limit).own_mb):
        yield


def program() -> None:
    """The installed command: run, then exit, ignoring signals that come too late."""
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
    if sys.platform != "linux":
        return None
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return time.monotonic() - max(0.0, age)
    return None


if __name__ == "__main__":
    program()

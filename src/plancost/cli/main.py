"""``plancost``: from arguments to an exit status.

Nothing is imported before it is needed, so that help and messages about wrong usage come at once.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import NoReturn

from plancost import __version__
from plancost.cli import exit_codes, streams
from plancost.errors import PlancostError

_COMMANDS = {
    "learn": ("learn", "learn what actions cost from observed plans"),
    "verify": ("verify", "check how many observed plans are optimal under given costs"),
    "explain": ("verify", "say why plans are not optimal, with sums that show it"),
    "report": ("export", "write one page to look at: what is proven, the map, every plan"),
    "predict": ("predict", "predict the cheapest, or most likely, plans of these or other tasks"),
    "export": ("export", "write PDDL, or links.csv, with costs"),
    "evaluate": ("predict", "learn from some plans, predict the others, and compare methods"),
    "monitor": ("predict", "look for unlikely plans and for change in a stream of new plans"),
    "check-proof": ("verify", "let a separate small program check what a result says"),
    "doctor": ("doctor", "check that everything that plancost needs works on this machine"),
}
"""The module of each, and what it does."""
_EPILOG = "Exit status: 0 an answer, 1 bad input, 2 wrong usage; docs/reference.md has the others."
_TOGETHER_S = 0.5
"""Signals that come so soon after each other are one, as some programs send several."""


class _Parser(argparse.ArgumentParser):
    hint = ""
    """For whoever has forgotten the case, or has given it to an option."""

    def error(self, message: str) -> NoReturn:
        super().error(message + self.hint * ("required: CASE" in message))


class _Signals:
    """The first Ctrl-C or SIGTERM raises KeyboardInterrupt, a later one ends the process."""

    def __init__(self) -> None:
        self.first: float | None = None
        """When it came."""
        self.terminated = False
        """Whether it was SIGTERM."""
        signal.signal(signal.SIGTERM, self)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first, self.terminated = now, number == signal.SIGTERM
            raise KeyboardInterrupt
        if now - self.first >= _TOGETHER_S:
            _clear_up()
            os._exit(exit_codes.TERMINATED if number == signal.SIGTERM else exit_codes.INTERRUPTED)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = list(sys.argv[1:] if words is None else words)
    signals = _Signals()
    try:
        status = _guarded(given, signals)
    except KeyboardInterrupt:
        streams.complain("interrupted before there was an answer")
        status = exit_codes.INTERRUPTED
    return (
        exit_codes.TERMINATED if status == exit_codes.INTERRUPTED and signals.terminated else status
    )


def program() -> NoReturn:
    """The installed command."""
    streams.prepare()
    status = main()
    for number in (signal.SIGINT, signal.SIGTERM):  # too late to change anything
        signal.signal(number, signal.SIG_IGN)
    _clear_up()
    streams.let_go()
    sys.exit(status)


def _clear_up() -> None:
    """End what still runs, remove temporary files, and show the cursor that progress has hidden."""
    # If it is not loaded, or not yet, nothing runs.
    getattr(sys.modules.get("plancost.processes"), "abandon", lambda: None)()
    streams.show_cursor()


def _guarded(words: list[str], signals: _Signals) -> int:
    """Run, and say in one sentence what went wrong."""
    try:
        status = _run(words)
        sys.stdout.flush()
    except PlancostError as error:
        streams.complain(_with_flags(str(error)))
        return exit_codes.of_error(error)
    except ModuleNotFoundError as missing:
        streams.complain(f"{missing.name} is not installed: run 'pip install {missing.name}'")
        return exit_codes.FAILED
    except BrokenPipeError:
        return exit_codes.OK
    except MemoryError:
        streams.complain("memory ran out before there was an answer; give it a smaller case")
        return exit_codes.UNDECIDED
    except OSError as error:
        streams.complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
        return exit_codes.BAD_INPUT
    except Exception as error:
        if (
            signals.first is not None
        ):  # in the middle of an import, which libraries may turn into anything
            raise KeyboardInterrupt from error
        return _bug(error, "--verbose" in words)
    return status


def _run(words: list[str]) -> int:
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    name = words[0] if words and words[0] in _COMMANDS else None
    parser = _Parser(
        "plancost", description="Learn what actions cost from observed plans.", epilog=_EPILOG
    )
    parser.add_argument("--version", action="version", version=f"plancost {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for known, (home, summary) in _COMMANDS.items():
        command = commands.add_parser(known, help=summary, description=f"{summary}.".capitalize())
        if known == name:
            module, function = import_module(f"plancost.cli.{home}"), name.replace("-", "_")
            getattr(module, f"add_{function}")(command)
            for flag in {"--refine", "--methods"}.intersection(words):
                command.hint = f"; what follows {flag} was read as its value: put CASE first"
            command.set_defaults(run=getattr(module, f"run_{function}"))
            said = "say more on standard error"
            command.add_argument("--verbose", action="store_true", help=said)
    try:
        arguments = parser.parse_args(words)
    except SystemExit as stop:  # after --help, --version, or a sentence about wrong usage
        return stop.code if isinstance(stop.code, int) else exit_codes.USAGE
    return int(arguments.run(arguments))


def _with_flags(message: str) -> str:
    """Options as the user of the command writes them: `time_limit` is --time-limit."""
    return re.sub(r"`([a-z][a-z_]*)`", lambda found: f"--{found[1].replace('_', '-')}", message)


def _bug(error: Exception, verbose: bool) -> int:
    if verbose:
        from traceback import format_exception

        for line in "".join(format_exception(error)).splitlines():
            streams.complain(line)
    words = " ".join(str(error).split())
    hint = "please report it" if verbose else "add --verbose to see where it comes from"
    streams.complain(f"a bug in plancost: {type(error).__name__}: {words}; {hint}")
    return exit_codes.BUG

"""``plancost``: from arguments to an exit status."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from types import FrameType

from plancost.cli import exit_codes
from plancost.cli.arguments import build_parser
from plancost.errors import LimitError, PlancostError, UsageError


class _Terminated(KeyboardInterrupt):
    """SIGTERM, handled like Ctrl-C but with its own exit status."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parsed = build_parser().parse_args(arguments)
    terminated = False

    def on_sigterm(number: int, frame: FrameType | None) -> None:
        nonlocal terminated
        terminated = True
        raise _Terminated

    signal.signal(signal.SIGTERM, on_sigterm)
    try:
        status = _run(parsed)
    except KeyboardInterrupt:
        print("plancost: interrupted before there was an answer", file=sys.stderr)
        status = exit_codes.INTERRUPTED
    except UsageError as error:
        print(f"plancost: {error}", file=sys.stderr)
        status = exit_codes.USAGE
    except LimitError as error:
        print(f"plancost: {error}", file=sys.stderr)
        status = exit_codes.UNDECIDED
    except PlancostError as error:
        print(f"plancost: {error}", file=sys.stderr)
        status = exit_codes.BAD_INPUT
    except BrokenPipeError:
        sys.stderr.close()
        status = exit_codes.OK
    if terminated:
        status = exit_codes.TERMINATED
    return status


def _run(arguments: argparse.Namespace) -> int:
    # Imported here so that --help and wrong usage do not wait for the solver.
    if arguments.command == "generate":
        from plancost.cli.generate import generate

        return generate(arguments)
    if arguments.command == "evaluate":
        from plancost.cli.evaluate import evaluate

        return evaluate(arguments)
    if arguments.command == "monitor":
        from plancost.cli.monitor import monitor

        return monitor(arguments)
    if arguments.command == "reproduce":
        from plancost.cli.reproduce import reproduce

        return reproduce(arguments)
    from plancost.cli import commands

    run = {"learn": commands.learn, "verify": commands.verify, "explain": commands.explain}[
        arguments.command
    ]
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())

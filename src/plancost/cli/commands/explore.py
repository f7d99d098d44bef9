"""``plancost explore``: a page on this machine that asks the learner again."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command
from plancost.cli.commands.report import add_case_and_whole_result, add_coordinates
from plancost.cli.number_arguments import seconds, whole
from plancost.cli.options import add
from plancost.cli.output.terminal import print_line
from plancost.errors import UsageError

if TYPE_CHECKING:
    from plancost.observations.case import Case
    from plancost.results.result import Result

TEXT = """The page is served on this machine only, at an address that nobody can guess. There you
fix or bound costs, leave plans out or demand that they be optimal, and ask why a plan is not.
Every answer has a time limit and says what is proven. Ctrl-C ends it."""
_PORTS = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_case_and_whole_result(parser)
    add_coordinates(parser)
    add_server(parser)


def add_server(parser: argparse.ArgumentParser) -> None:
    """How it is served: also of ``routes explore``."""
    add(
        parser,
        "--time-limit S: seconds for each answer (default: 4, or 8 with very many plans)",
        seconds,
    )
    add(
        parser,
        "--port N: the port on this machine (default: any that is free)",
        lambda text: whole(text, 0, _PORTS),
        default=0,
    )
    add(parser, "--open: open the page in a browser", bool)


def run(arguments: argparse.Namespace) -> int:
    """Read both, and serve the page until Ctrl-C."""
    from plancost.cli.commands.report import read_case_and_whole_result

    result, case = read_case_and_whole_result(arguments, with_dropped=True)
    words = ["plancost", "learn", str(arguments.case)]
    if arguments.domain is not None:
        words += ["--domain", str(arguments.domain)]
    if arguments.allow_outside:
        words.append("--allow-outside")
    if result.refined:
        given = result.options.get("initial_costs")
        words += ["--refine"] if given is None else ["--initial-costs", str(given)]
    return serve(result, case, words, arguments)


def serve(
    result: Result,
    case: Case,
    command: Sequence[str],
    arguments: argparse.Namespace,
    number: Callable[[int], str] = str,
) -> int:
    """Serve the page of a result until Ctrl-C."""
    try:
        from plancost.explore.server import Server
    except ModuleNotFoundError as error:
        raise UsageError(
            "explore needs starlette and uvicorn: run 'pip install plancost[explore]'"
        ) from error
    from plancost.explore.desk import Desk
    from plancost.explore.opening import session_of

    session = session_of(result, case, command, arguments.time_limit, number)
    places: Path | None = getattr(arguments, "coordinates", None)
    source: Path = getattr(arguments, "case", None) or arguments.links
    server = Server(Desk(session, source.resolve().name, places), arguments.port)
    try:
        session.start()
        server.start()
        print_line(f"Open {server.address}")
        print_line("Ctrl-C ends it.", flush=True)
        if arguments.open:
            import webbrowser

            webbrowser.open(server.address)
        server.wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
        session.close()
    return exit_codes.OK


COMMAND = Command(
    "explore",
    "ask again on a page: change the question and see what the answer becomes",
    TEXT,
    add_arguments,
    run,
)

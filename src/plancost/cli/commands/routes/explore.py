"""``plancost routes explore``: the page that asks the learner again, for streets."""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path

from plancost.cli.command import Command
from plancost.cli.commands.explore import TEXT, add_server, serve
from plancost.cli.commands.routes.files import (
    FILES_TEXT,
    Streets,
    add_links,
    add_on_invalid,
    add_turns,
)
from plancost.cli.options import add


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_links(parser)
    add(parser, "trips TRIPS: the trips that the costs were learned from, CSV", Path)
    add(parser, "result RESULT.json: what plancost routes learn --output wrote", Path)
    add_turns(parser)
    add_on_invalid(parser)
    add_server(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read all, and serve the page until Ctrl-C."""
    from plancost.observations.parts import without_plans
    from plancost.results.reading import check_fits, read_result
    from plancost.routes.learning import RouteOptions, RouteTask

    result = read_result(arguments.result)
    initial, is_split = result.options.get("initial"), bool(result.options.get("split"))
    scale = result.options.get("scale") or 1
    streets = Streets.read(arguments, () if initial is None else (initial,))
    asked = RouteOptions(initial, None if initial is None else scale, is_split, turns=streets.turns)
    task = RouteTask.of(streets.network, streets.trips(arguments.trips), asked)
    case = task.case(arguments.trips, streets.invalid.notes)
    check_fits(result, without_plans(case, result.options.get("drop", ())), arguments.result)
    words = ["plancost", "routes", "learn", str(arguments.links), str(arguments.trips)]
    for flag in ("nodes", "turns"):
        value = getattr(arguments, flag)
        words += [] if value is None else [f"--{flag}", str(value)]
    if initial is not None:
        words += ["--initial", initial, "--scale", str(scale)]
    words += ["--split"] if is_split else []

    def number(cost: int) -> str:
        """A cost in the unit of the initial numbers."""
        return f"{float(Fraction(cost, scale)):.12g}"

    return serve(result, case, words, arguments, number)


COMMAND = Command(
    "explore",
    "ask again on a page: change the question and see what the answer becomes",
    f"{FILES_TEXT}\n{TEXT}",
    add_arguments,
    run,
)

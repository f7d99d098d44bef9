"""``plancost routes report``: the page with the map."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.command import Command
from plancost.cli.commands.routes.files import (
    FILES_TEXT,
    Streets,
    add_links,
    add_on_invalid,
    add_turns,
)
from plancost.cli.options import add
from plancost.cli.output.terminal import print_line, print_written

_TEXT = f"""{FILES_TEXT}
The page is one HTML file that needs neither network nor other files. Links are drawn where they
are, or laid out where nothing says where they are. Trips may be others than those that the costs
were learned from."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, "result RESULT.json: what plancost routes learn --output wrote", Path)
    add_links(parser)
    add(parser, "--trips TRIPS: the trips on the map", Path, required=True)
    add(
        parser,
        "--output MAP.html: the page; or, if it ends in .svg, a still picture of the map",
        Path,
        required=True,
    )
    add(parser, "--title TEXT: what the page is called (default: the name of LINKS)")
    add(parser, "--group NAME: the group whose costs are shown, if there are several")
    add_turns(parser)
    add_on_invalid(parser)
    add(parser, "--quiet: print nothing", bool)


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    from plancost.results.reading import read_result
    from plancost.routes.costs import LearnedRoutes
    from plancost.routes.loops import without_loops
    from plancost.routes.page.groups import only_group, outside_others
    from plancost.routes.page.page import write_map
    from plancost.routes.page.picture import write_map_picture
    from plancost.routes.split import split_trip

    whole = read_result(arguments.result)
    streets = Streets.read(arguments)
    network = streets.network
    trips = streets.trips(arguments.trips)
    result = only_group(whole, arguments.group)
    if result.options.get("split"):
        plain = without_loops(network, trips)[1]
        trips = [part for trip in plain for part in split_trip(network, trip).parts]
    if whole.groups:
        trips = outside_others(whole, result, trips)
    learned = LearnedRoutes.of(result, arguments.result).with_turns(streets.turns, network)
    title = arguments.title or arguments.links.name
    if arguments.output.suffix.lower() == ".svg":
        write_map_picture(result, network, trips, arguments.output, title=title)
    else:
        write_map(result, network, trips, arguments.output, title=title, turns=learned.turns)
    if not arguments.quiet:
        for note in streets.invalid.notes:
            print_line(note)
    print_written([arguments.output], arguments)
    return exit_codes.OK


COMMAND = Command(
    "report",
    "write a page with the map: costs, trips and their cheapest alternatives",
    _TEXT,
    add_arguments,
    run,
)

"""``plancost routes report``: the page with the map."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.command import Command, add_quiet
from plancost.cli.options import add
from plancost.cli.output.terminal import print_written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, "result RESULT.json: what plancost routes learn --output wrote", Path)
    add(parser, "links LINKS: the street network: a CSV file with link,from,to, or GraphML", Path)
    add(
        parser,
        "--trips TRIPS: the trips on the map, a CSV file with trip,links or trip,nodes: those "
        "that costs were learned from, or others",
        Path,
        required=True,
    )
    add(parser, "--nodes NODES: where places are: a CSV file with the columns node,x,y", Path)
    add(parser, "--output MAP.html: the page", Path, required=True)
    add(parser, "--title TEXT: what the page is called (default: the name of LINKS)")
    add_quiet(parser, "do not print the name of the file")
    parser.set_defaults(time_limit=None)


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    from plancost.results.reading import read_result
    from plancost.routes.invalid import Invalid
    from plancost.routes.page.page import write_map
    from plancost.routes.read_links import read_network
    from plancost.routes.read_trips import read_trips
    from plancost.routes.split import split_trip

    result = read_result(arguments.result)
    skip = result.options.get("on_invalid") == "skip"
    network = read_network(arguments.links, nodes=arguments.nodes, invalid=Invalid(skip=skip))
    trips = read_trips(arguments.trips, network, invalid=Invalid(skip=skip))
    if result.options.get("split"):
        trips = tuple(part for trip in trips for part in split_trip(network, trip).parts)
    inputs = [arguments.result, arguments.links, arguments.trips]
    write_map(
        result,
        network,
        trips,
        arguments.output,
        title=arguments.title or arguments.links.name,
        inputs=[*inputs, *([] if arguments.nodes is None else [arguments.nodes])],
    )
    print_written([arguments.output], arguments)
    return exit_codes.OK


COMMAND = Command(
    "report",
    "write a page with the map: costs, trips and their cheapest alternatives",
    "One HTML file that needs neither network nor other files. Links are drawn where they are, or "
    "laid out where nothing says so. Trips may be others than those that costs were learned from.",
    add_arguments,
    run,
)

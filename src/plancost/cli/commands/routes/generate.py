"""``plancost routes generate``: a made-up city with hidden costs, and trips of noisy drivers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, Output
from plancost.cli.number_arguments import at_least_zero, positive
from plancost.cli.options import add, add_option
from plancost.cli.output.terminal import print_line

if TYPE_CHECKING:
    from plancost.generators.city_files import GeneratedCity

_TEXT = """The city has districts with irregular blocks, dead ends, one-way streets, main roads, a
ring, and a river with few bridges. FOLDER gets links.csv (metres and minutes), nodes.csv, turns.csv
(angles), trips.csv, and hidden-costs.json: what links truly cost, in thousandths of a minute. Each
driver's costs are those times random factors, and each trip is a cheapest route under them, but
for some detours. The same arguments always give the same files."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, "output FOLDER: where to write the files; it must be empty", Path)
    add(parser, "--links N: about so many links (default: %(default)s)", positive, default=2000)
    add(parser, "--trips N: trips (default: %(default)s)", positive, default=500)
    add(
        parser,
        "--noise X: how much drivers differ: the standard deviation of the logarithm of their "
        "factors; with 0 all know and want the same (default: %(default)s)",
        at_least_zero,
        default=0.2,
    )
    add(
        parser,
        "--detours SHARE: the share of trips that go by way of another place (default: "
        "%(default)s)",
        at_least_zero,
        default=0.03,
    )
    add_option(parser, "seed", default=0)
    add(parser, "--quiet: no progress, no summary", bool)


def run(arguments: argparse.Namespace) -> int:
    """Draw the city and write it."""
    from plancost.generators.city import CityRequest
    from plancost.generators.city_files import generate_city
    from plancost.progress.terminal import TerminalBar

    request = CityRequest(
        arguments.links, arguments.trips, arguments.seed, arguments.noise, arguments.detours
    )
    with TerminalBar(quiet=arguments.quiet) as progress:
        generated = generate_city(arguments.output, request, progress)
    if not arguments.quiet:
        _summarise(generated)
    return exit_codes.OK


def _summarise(generated: GeneratedCity) -> None:
    from plancost.generators.city_files import LINKS, TRIPS

    city, folder = generated.city, generated.folder
    print_line(
        f"{folder}: {len(city.starts)} links between {city.junctions} junctions, "
        f"{len(generated.trips)} trips"
    )
    print_line(
        f"learn from it: plancost routes learn {folder / LINKS} {folder / TRIPS} --initial minutes"
    )


COMMAND = Command(
    "generate",
    "generate a city with hidden costs, and trips of noisy drivers",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "the files are written",
        {exit_codes.BAD_INPUT: "the folder cannot be written, or is not empty"},
    ),
    output=Output.FOLDER,
    owns_folder=True,
)

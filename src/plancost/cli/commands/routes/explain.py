"""``plancost routes explain``: why trips are not cheapest routes, in streets."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

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
from plancost.cli.output.terminal import print_json, print_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plancost.routes.explaining import TripExplanation
    from plancost.routes.network import Network, Trip

_TEXT = f"""{FILES_TEXT}
For each trip that is not a cheapest route under the costs of RESULT.json: the cheapest route
between its ends, where the two part and meet again, and, if RESULT.json was learned from the trip,
the trips that it is in conflict with. A column street of LINKS names streets."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, "result RESULT.json: costs that plancost routes learn wrote", Path)
    add_links(parser)
    add(parser, "trips TRIPS: the trips to explain, CSV", Path)
    add(parser, "--trip NAME: explain this trip (repeatable; default: all)", action="append")
    add_turns(parser)
    add_on_invalid(parser)
    add(parser, "--json: print the explanations as JSON", bool)


def run(arguments: argparse.Namespace) -> int:
    """Explain."""
    from plancost.results.reading import read_result
    from plancost.routes.costs import LearnedRoutes
    from plancost.routes.explaining import explain_trips

    result = read_result(arguments.result)
    streets = Streets.read(arguments)
    trips = _chosen(streets.trips(arguments.trips), arguments)
    learned = LearnedRoutes.of(result, arguments.result)
    learned = learned.with_turns(streets.turns, streets.network)
    found = explain_trips(streets.network, learned, trips, result)
    if arguments.json:
        print_json([item.to_json() for item in found])
        return exit_codes.OK
    optimal = sum(item.optimal for item in found)
    print_line(f"{optimal} of {len(found)} trips are cheapest routes under these costs.")
    for item in found:
        if not item.optimal or arguments.trip:
            _print(item, streets.network)
    for note in streets.invalid.notes:
        print_line(f"note: {note}")
    return exit_codes.OK


def _chosen(trips: Sequence[Trip], arguments: argparse.Namespace) -> Sequence[Trip]:
    from plancost.errors import InputError

    if arguments.trip is None:
        return trips
    by_name = {trip.name: trip for trip in trips}
    for name in arguments.trip:
        if name not in by_name:
            raise InputError(f"there is no trip {name} in this file", arguments.trips)
    return [by_name[name] for name in arguments.trip]


def _print(item: TripExplanation, network: Network) -> None:
    from plancost.routes.explaining import in_streets

    print_line("")
    print_line(f"trip {item.trip.name}: {in_streets(network, item.trip.links)}")
    if item.optimal:
        print_line(f"  costs {item.cost}, and no route from its start to its end costs less")
        return
    less = item.cost - item.cheapest.cost
    print_line(f"  costs {item.cost}; the cheapest route costs {item.cheapest.cost}, {less} less")
    for detour in item.detours:
        print_line(f"  from {detour.start} to {detour.end}:")
        print_line(f"    driven, cost {detour.driven_cost}: {in_streets(network, detour.driven)}")
        cheaper = in_streets(network, detour.cheaper) or "nothing at all"
        print_line(f"    cheapest, cost {detour.cheaper_cost}: {cheaper}")
    for sentence in item.reasons:
        print_line(f"  {sentence}")


COMMAND = Command(
    "explain",
    "explain for each trip that is not a cheapest route why it is not",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings("the trips are explained", {}),
)

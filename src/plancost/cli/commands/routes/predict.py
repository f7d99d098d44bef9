"""``plancost routes predict``: cheapest routes under learned costs, beside driven trips."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
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
from plancost.cli.number_arguments import positive
from plancost.cli.options import add
from plancost.cli.output.terminal import print_json, print_written

if TYPE_CHECKING:
    from plancost.files.tables import TextTable

_TEXT = f"""{FILES_TEXT}
PAIRS is a CSV file with the columns from,to. ROUTES.csv has the columns from,to,rank,cost,links;
with TRIPS also trip,count,driven_cost,overlap,exact,optimal. Overlap is F1 of the links predicted
and driven, exact the share predicted link by link, optimal the share with no cheaper route.
Of equally cheap routes the one with the least initial cost is predicted, then the one with the
fewest links, then the one whose first other link comes first in LINKS. With --samples there are
also the columns probability (the share of the samples under which no route is cheaper) and
expected_regret."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, "result RESULT.json: costs that plancost routes learn wrote", Path)
    add_links(parser)
    asked = parser.add_mutually_exclusive_group(required=True)
    add(asked, "--trips TRIPS: predict between the ends of these trips, and compare", Path)
    add(asked, "--pairs PAIRS: predict between these pairs of places", Path)
    add(parser, "--output ROUTES.csv: write the routes to this file", Path)
    add(
        parser,
        "--alternatives K: the K cheapest routes that pass no place twice, or with turns no link "
        "twice (default: 1)",
        positive,
        default=1,
    )
    add(
        parser,
        "--samples SAMPLES.npz: how probable routes are to be cheapest: what plancost routes learn "
        "--choose mean --samples-out wrote with RESULT.json",
        Path,
    )
    add(parser, "--group NAME: the group whose costs are used, if there are several")
    add_turns(parser)
    add_on_invalid(parser)
    add(parser, "--quiet: print nothing", bool)
    add(parser, "--json: print the shares and routes as JSON", bool)


def run(arguments: argparse.Namespace) -> int:
    """Predict, write the routes, and print how near they come."""
    from plancost.files.output_files import write_file
    from plancost.files.tables import csv_text
    from plancost.routes.costs import read_costs
    from plancost.routes.prediction_tables import Predictions

    costs = read_costs(arguments.result)
    streets = Streets.read(arguments)
    learned = costs.with_turns(streets.turns, streets.network)
    given = arguments.trips or arguments.pairs
    if arguments.trips is not None:
        found = Predictions.of_trips(
            streets.network, learned, streets.trips(given), arguments.alternatives, arguments.group
        )
    else:
        from plancost.routes.read_pairs import read_pairs

        pairs = read_pairs(given, streets.network, invalid=streets.invalid)
        found = Predictions.of_pairs(
            streets.network, learned, pairs, arguments.alternatives, arguments.group
        )
    if arguments.samples is not None:
        found = found.with_samples(learned, arguments.samples)
    if arguments.output is not None:
        write_file(arguments.output, csv_text(found.rows()))
    notes = [*streets.invalid.notes, *found.notes(given)]
    if arguments.json:
        print_json(found.to_json())
    elif not arguments.quiet:
        _print(found.summary(), notes)
    print_written([] if arguments.output is None else [arguments.output], arguments)
    return exit_codes.OK


def _print(summary: TextTable, notes: Sequence[str]) -> None:
    from plancost.cli.output.evaluation import print_text_table

    print_text_table(summary, [f"note: {note}" for note in notes])


COMMAND = Command(
    "predict",
    "predict routes by learned costs, and compare them with driven trips",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings("the routes are predicted", {}),
)

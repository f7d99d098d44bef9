"""``plancost routes ask``: between which places to look next."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.command import Command
from plancost.cli.commands.ask import add_ask
from plancost.cli.commands.routes.files import (
    FILES_TEXT,
    Streets,
    add_links,
    add_on_invalid,
    add_turns,
)
from plancost.cli.options import add, add_option
from plancost.cli.output.terminal import print_json

_TEXT = f"""{FILES_TEXT}
PAIRS is a CSV file with the columns from,to. A trip between two places teaches much if it tells
apart samples of the costs that would predict routes that cost too much under each other."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, "result RESULT.json: costs that plancost routes learn wrote", Path)
    add_links(parser)
    add(parser, "--pairs PAIRS: the pairs of places to choose from", Path, required=True)
    add_ask(parser, required=True)
    add_turns(parser)
    add_on_invalid(parser)
    add_option(parser, "time_limit_s")
    add(parser, "--quiet: print nothing", bool)
    add(parser, "--json: print the ranking as JSON", bool)


def run(arguments: argparse.Namespace) -> int:
    """Rank the pairs, and print them."""
    from plancost.cli.output.evaluation import print_text_table
    from plancost.routes.costs import read_costs
    from plancost.routes.read_pairs import read_pairs
    from plancost.routes.sampled import ask_routes
    from plancost.system.clock import Deadline

    deadline = Deadline.after(arguments.time_limit, arguments.started_at)
    costs, streets = read_costs(arguments.result), Streets.read(arguments)
    learned = costs.with_turns(streets.turns, streets.network)
    pairs = read_pairs(arguments.pairs, streets.network, invalid=streets.invalid)
    found = ask_routes(
        streets.network, learned, pairs, arguments.samples, arguments.budget, deadline=deadline
    )
    if arguments.json:
        print_json(found.to_json())
    elif not arguments.quiet:
        notes = [f"note: {note}" for note in streets.invalid.notes]
        print_text_table(found.table("pair"), [*found.remarks(), *notes])
    return exit_codes.OK


COMMAND = Command(
    "ask",
    "rank pairs of places by how much a trip between them would teach",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "the pairs are ranked",
        {exit_codes.UNDECIDED: "no sample was searched within the limits"},
    ),
)

"""``plancost export``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes, inputs
from plancost.cli.streams import complain, say
from plancost.result.write import write_costs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_costs(parser)
    parser.add_argument("--output", metavar="DIR", type=Path, required=True, help="a folder")
    parser.add_argument(
        "--tasks", metavar="TASKS", type=Path, help="further problems: a file or a folder of them"
    )
    inputs.add_options(parser, "time_limit", "memory_limit", "jobs")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")


def run(arguments: argparse.Namespace) -> int:
    """Write files, and say which."""
    with inputs.opened(arguments) as given:
        places = arguments.output, arguments.tasks
        files, notes = write_costs(given.case, given.costs, *places, given.clock)
    for note in notes:
        complain(f"note: {note}")
    if not arguments.quiet:
        for file in files:
            say(f"wrote {file}")
    return exit_codes.OK

"""Costs in files: ``plancost export`` and ``report``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.api import write_report
from plancost.cli import exit_codes, inputs
from plancost.cli.streams import complain, say
from plancost.options import checked
from plancost.result.write import write_costs


def add_export(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_given(parser, "time_limit", "memory_limit", "jobs", prints=False)
    parser.add_argument("--output", metavar="DIR", type=Path, required=True, help="a folder")
    words = "further problems: a file or a folder of them"
    parser.add_argument("--tasks", metavar="TASKS", type=Path, help=words)


def run_export(arguments: argparse.Namespace) -> int:
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


def add_report(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_given(parser, "time_limit", "memory_limit", prints=False)
    words = "the page: one HTML file that needs no network"
    parser.add_argument("--output", metavar="P.html", type=Path, required=True, help=words)


def run_report(arguments: argparse.Namespace) -> int:
    """Write the page, and say so."""
    limits = inputs.options_of(arguments)
    with inputs.reading(arguments, checked(**limits)) as (case, _, _):
        write_report(case, arguments.costs, arguments.output, **limits)
    if not arguments.quiet:
        say(f"wrote {arguments.output}")
    return exit_codes.OK

"""``plancost report``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.api import write_report
from plancost.cli import exit_codes, inputs
from plancost.cli.streams import say
from plancost.options import checked


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_costs(parser)
    words = "the page: one HTML file that needs no network"
    parser.add_argument("--output", metavar="P.html", type=Path, required=True, help=words)
    inputs.add_options(parser, "time_limit", "memory_limit")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")


def run(arguments: argparse.Namespace) -> int:
    """Write the page, and say so."""
    limits = inputs.options_of(arguments)
    with inputs.reading(arguments, checked(**limits)) as (case, _, _):
        write_report(case, arguments.costs, arguments.output, **limits)
    if not arguments.quiet:
        say(f"wrote {arguments.output}")
    return exit_codes.OK

"""``plancost monitor``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes, inputs
from plancost.cli.streams import show
from plancost.use.monitor import monitor_case
from plancost.use.tables import watch_lines
from plancost.use.tasks import stream_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_costs(parser)
    words = "new plans in their order: a case, or for streets a CSV of trips"
    parser.add_argument("stream", metavar="STREAM", type=Path, help=words)
    inputs.add_options(parser, "time_limit", "memory_limit")
    inputs.add_shown(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare a stream with what was seen, and show."""
    with inputs.opened(arguments) as given:
        stream = stream_of(given.case, arguments.stream, given.clock)
        found = monitor_case(given.case, given.costs, stream, given.clock)
    show(found, watch_lines(found), arguments)
    return exit_codes.OK

"""``plancost predict``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from plancost.api import clock_of
from plancost.cli import exit_codes, inputs
from plancost.cli.progress_line import shown
from plancost.cli.streams import show
from plancost.options import checked
from plancost.result.given import read_costs
from plancost.use.predict import predict_case
from plancost.use.tables import prediction_lines
from plancost.use.tasks import with_tasks
from plancost.use.write import check_prediction_output, write_prediction


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_costs(parser)
    words = (
        "predict plans of these instead: problems of PDDL; for streets a CSV of trips or from,to"
    )
    parser.add_argument("--tasks", metavar="FILE", type=Path, help=words)
    more: dict[str, Any] = {"dest": "number", "metavar": "N", "type": inputs.at_least_one}
    parser.add_argument("--alternatives", default=1, help="the N cheapest (default: 1)", **more)
    words = "a CSV; for PDDL a folder of plans with predictions.csv"
    parser.add_argument("--output", metavar="PATH", type=Path, help=words)
    inputs.add_options(parser, "time_limit", "memory_limit")
    inputs.add_shown(parser)


def run(arguments: argparse.Namespace) -> int:
    """Predict, write, show."""
    given = read_costs(arguments.costs)
    options = checked(**inputs.options_of(arguments))
    clock = clock_of(options)
    with shown(clock, quiet=arguments.quiet, verbose=arguments.verbose):
        case = inputs.case_of(arguments, options, clock)
        if arguments.output is not None:
            check_prediction_output(case, arguments.output)
        asked = with_tasks(case, arguments.tasks, clock, options.memory_limit)
        found = predict_case(asked, given, arguments.number, clock)
    if arguments.output is not None:
        write_prediction(asked, found, arguments.output)
    show(found, prediction_lines(found), arguments)
    return exit_codes.OK if found.plans else exit_codes.NONE_EXISTS

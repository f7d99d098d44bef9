"""``plancost predict``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.api import clock_of
from plancost.cli import exit_codes, inputs
from plancost.cli.progress_line import shown
from plancost.cli.streams import say, say_json
from plancost.options import checked
from plancost.result.given import read_costs
from plancost.use.predict import predict_case
from plancost.use.tables import prediction_lines
from plancost.use.tasks import with_tasks
from plancost.use.write import check_prediction_output, write_prediction

_LIMITS = ("time_limit", "memory_limit")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_costs(parser)
    words = (
        "predict plans of these instead: problems of PDDL; for streets a CSV of trips or from,to"
    )
    parser.add_argument("--tasks", metavar="FILE", type=Path, help=words)
    parser.add_argument(
        "--alternatives",
        metavar="N",
        type=inputs.at_least_one,
        default=1,
        help="the N cheapest (default: 1)",
    )
    words = "a CSV; for PDDL a folder of plans with predictions.csv"
    parser.add_argument("--output", metavar="PATH", type=Path, help=words)
    inputs.add_options(parser, *_LIMITS)
    inputs.add_shown(parser)


def run(arguments: argparse.Namespace) -> int:
    """Predict, write, show."""
    given = read_costs(arguments.costs)
    limits = {name: getattr(arguments, name) for name in _LIMITS if name in arguments}
    options = checked(**limits)
    clock = clock_of(options)
    with shown(clock, quiet=arguments.quiet, verbose=arguments.verbose):
        case = inputs.case_of(arguments, options, clock)
        if arguments.output is not None:
            check_prediction_output(case, arguments.output)
        asked = with_tasks(case, arguments.tasks, clock, options.memory_limit)
        found = predict_case(asked, given, arguments.alternatives, clock)
    if arguments.output is not None:
        write_prediction(asked, found, arguments.output)
    if arguments.json:
        say_json(found)
    elif not arguments.quiet:
        for line in prediction_lines(found):
            say(line)
    return exit_codes.OK if found.plans else exit_codes.NONE_EXISTS

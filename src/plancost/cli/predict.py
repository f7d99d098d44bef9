"""``plancost predict``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from plancost.cli import exit_codes, inputs
from plancost.cli.streams import show
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
    with inputs.opened(arguments) as given:
        if arguments.output is not None:
            check_prediction_output(given.case, arguments.output)
        limit = given.options.memory_limit
        asked = with_tasks(given.case, arguments.tasks, given.clock, limit)
        found = predict_case(asked, given.costs, arguments.number, given.clock)
    if arguments.output is not None:
        write_prediction(asked, found, arguments.output)
    show(found, prediction_lines(found), arguments)
    return exit_codes.OK if found.plans else exit_codes.NONE_EXISTS

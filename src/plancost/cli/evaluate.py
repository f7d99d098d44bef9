"""``plancost evaluate``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes, inputs
from plancost.cli.streams import show
from plancost.errors import UsageError
from plancost.options import checked
from plancost.result.given import read_costs
from plancost.use.evaluate import METHODS, USUAL, Comparison, evaluate_case
from plancost.use.tables import evaluation_lines
from plancost.use.write import check_table_output, write_evaluation

_OPTIONS = ("refine", "features", "time_limit", "memory_limit", "jobs", "seed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    words = f"some of {', '.join(METHODS)}, and RESULT.json files (default: likely mcf unit)"
    parser.add_argument("--methods", nargs="+", metavar="METHOD", help=words)
    number = inputs.at_least_one
    parser.add_argument("--folds", type=number, default=5, metavar="N", help="(default: 5)")
    words = "hold out this share of the plans once instead, such as 0.3"
    parser.add_argument("--share", type=float, metavar="X", help=words)
    words = "what is held out together: plan by plan, or all plans of a task (default: plan)"
    parser.add_argument("--by", choices=("plan", "task"), default="plan", help=words)
    parser.add_argument("--output", metavar="FILE", type=Path, help="write the scores as a CSV")
    inputs.add_options(parser, *_OPTIONS)
    inputs.add_shown(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare, and show."""
    options = checked(**inputs.options_of(arguments))
    named = dict.fromkeys(arguments.methods or USUAL)
    for name in named:
        if name not in METHODS and not Path(name).exists():
            raise UsageError(
                f"{name} is neither a method ({', '.join(METHODS)}) nor a file of costs"
            )
    if arguments.output is not None:
        check_table_output(arguments.output)
    given = {name: read_costs(Path(name)) for name in named if name not in METHODS}
    methods = tuple(name for name in named if name in METHODS)
    compared = Comparison(methods, given, arguments.folds, arguments.share, arguments.by == "task")
    with inputs.reading(arguments, options) as (case, clock, progress):
        found = evaluate_case(case, compared, options, clock, progress)
    if arguments.output is not None:
        write_evaluation(found, arguments.output)
    show(found, evaluation_lines(found), arguments)
    return exit_codes.OK

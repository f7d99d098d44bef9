"""What costs are good for: ``plancost predict``, ``evaluate`` and ``monitor``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes, inputs
from plancost.cli.streams import show
from plancost.errors import UsageError
from plancost.options import checked
from plancost.result.given import read_costs
from plancost.use.evaluate import METHODS, USUAL, evaluate_case
from plancost.use.monitor import monitor_case
from plancost.use.output import (
    check_evaluation_output,
    check_prediction_output,
    evaluation_lines,
    prediction_lines,
    watch_lines,
    write_evaluation,
    write_prediction,
)
from plancost.use.predict import predict_case, stream_of, with_tasks

_LIMITS = ("time_limit", "memory_limit")


def add_predict(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_given(parser, *_LIMITS)
    add = parser.add_argument
    words = "predict plans of these instead: problems of PDDL; for streets a CSV of trips or "
    add("--tasks", metavar="FILE", type=Path, help=f"{words}from,to")
    words = "the N cheapest (default: 1)"
    add("--alternatives", dest="number", type=int, default=1, metavar="N", help=words)
    words = "a CSV; for PDDL a folder of plans with predictions.csv"
    add("--output", metavar="PATH", type=Path, help=words)


def run_predict(arguments: argparse.Namespace) -> int:
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


def add_evaluate(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser, "refine", "features", *_LIMITS, "jobs", "seed")
    add = parser.add_argument
    words = f"some of {', '.join(METHODS)}, and RESULT.json files (default: likely mcf unit)"
    add("--methods", nargs="+", metavar="METHOD", default=USUAL, help=words)
    add("--folds", type=int, default=5, metavar="N", help="(default: 5)")
    words = "hold out this share of the plans once instead, such as 0.3"
    add("--share", type=float, metavar="X", help=words)
    words = "what is held out together: plan by plan, or all plans of a task (default: plan)"
    add("--by", choices=("plan", "task"), default="plan", help=words)
    add("--output", metavar="FILE", type=Path, help="write the scores as a CSV")


def run_evaluate(arguments: argparse.Namespace) -> int:
    """Compare, and show."""
    options = checked(**inputs.options_of(arguments))
    named = dict.fromkeys(arguments.methods)
    for name in named:
        if name not in METHODS and not Path(name).exists():
            raise UsageError(
                f"{name} is neither a method ({', '.join(METHODS)}) nor a file of costs"
            )
    if arguments.output is not None:
        check_evaluation_output(arguments.output)
    given = {name: read_costs(Path(name)) for name in named if name not in METHODS}
    methods = tuple(name for name in named if name in METHODS)
    how = {"folds": arguments.folds, "share": arguments.share, "by_task": arguments.by == "task"}
    with inputs.reading(arguments, options) as (case, clock, progress):
        found = evaluate_case(case, methods, given, options, clock, progress, **how)
    if arguments.output is not None:
        write_evaluation(found, arguments.output)
    show(found, evaluation_lines(found), arguments)
    return exit_codes.OK


def add_monitor(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_given(parser, *_LIMITS)
    words = "new plans in their order: a case, or for streets a CSV of trips"
    parser.add_argument("stream", metavar="STREAM", type=Path, help=words)


def run_monitor(arguments: argparse.Namespace) -> int:
    """Compare a stream with what was seen, and show."""
    with inputs.opened(arguments) as given:
        stream = stream_of(given.case, arguments.stream, given.clock)
        found = monitor_case(given.case, given.costs, stream, given.clock)
    show(found, watch_lines(found), arguments)
    return exit_codes.OK

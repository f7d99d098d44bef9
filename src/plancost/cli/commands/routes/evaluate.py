"""``plancost routes evaluate``: how well costs predict trips that were held out."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, add_quiet
from plancost.cli.commands.routes.files import FILES_TEXT, Streets, add_links
from plancost.cli.commands.routes.learn import WITHOUT, add_question, question_of
from plancost.cli.number_arguments import positive
from plancost.cli.options import add, add_option, add_options, learn_options
from plancost.cli.output.terminal import print_json, print_written
from plancost.errors import UsageError
from plancost.learning.problem.declaration import Topic

if TYPE_CHECKING:
    from plancost.routes.evaluation import RouteEvaluation
    from plancost.system.progress import Progress

_TEXT = f"""{FILES_TEXT}
Trips are divided into folds; each method learns from all folds but one and predicts that one.
With a group column every group is learned and predicted by itself.
Methods are unit (all costs 1), the name of a column of numbers in LINKS, maxent (maximum entropy,
one constant a link; maxent:4 has a prior of spread 4 instead of 2), ours (learned from nothing),
refined (learned from --initial), and likely and likely-refined (the same with --choose likely;
likely:0.5 has an optimality weight of 0.5). TABLE is .md, .csv or .json; the last has every
held-out trip."""
_KINDS = (".md", ".csv", ".json")


def _methods(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_links(parser)
    add(parser, "trips TRIPS: the driven trips, CSV", Path)
    add(parser, "--folds K: how often to divide (default: 5)", positive, default=5)
    add(parser, "--methods M,M,...: what to compare (default: all)", _methods, default=())
    add(parser, "--output TABLE: write the table to this file (.md, .csv or .json)", Path)
    add_question(parser)
    add_quiet(parser, "no progress, no table", json="print all that was measured as JSON")
    add_option(parser, "time_limit_s", "seconds for each learning (default: 60)", default=60.0)
    add_option(parser, "groups", "1: one cost function for all trips, even with a group column")
    without = (*WITHOUT, "time_limit_s", "groups", "ranges", "least_factors", "prove", "drop")
    add_options(parser, Topic.OPTIMALITY, Topic.SEARCH, without=without)


def run(arguments: argparse.Namespace) -> int:
    """Measure, write and print."""
    from plancost.cli.output.evaluation import print_text_table
    from plancost.cli.output.messages import progress_and_log

    if arguments.output is not None and arguments.output.suffix.lower() not in _KINDS:
        raise UsageError(f"--output takes a file that ends in {', '.join(_KINDS)}")
    with progress_and_log(arguments) as progress:
        found, notes = _evaluated(arguments, progress)
    if arguments.output is not None:
        _write(found, arguments.output)
    if arguments.json:
        print_json(found.to_json())
    elif not arguments.quiet:
        reasons = [f"{item.method}: {item.reason}" for item in found.summaries if item.reason]
        print_text_table(found.table(), [*reasons, *(f"note: {note}" for note in notes)])
    print_written([] if arguments.output is None else [arguments.output], arguments)
    measured = any(item.held_out is not None for item in found.summaries)
    return exit_codes.OK if measured else exit_codes.UNDECIDED


def _evaluated(
    arguments: argparse.Namespace, progress: Progress
) -> tuple[RouteEvaluation, list[str]]:
    from plancost.routes.evaluation import RouteEvaluateOptions, evaluate_routes

    learning = learn_options(arguments)
    streets = Streets.read(arguments, () if arguments.initial is None else (arguments.initial,))
    trips = streets.trips(arguments.trips)
    question = question_of(arguments, streets, replace(learning, started_at=None))
    options = RouteEvaluateOptions(arguments.folds, arguments.methods, learning.seed, question)
    found = evaluate_routes(streets.network, trips, options, progress=progress)
    return found, [*streets.invalid.notes, *found.notes]


def _write(found: RouteEvaluation, path: Path) -> None:
    from plancost.files.escape import json_text
    from plancost.files.output_files import write_file
    from plancost.files.tables import csv_text

    texts = {
        ".json": lambda: json_text(found.to_json()) + "\n",
        ".csv": lambda: csv_text([item.to_json() for item in found.summaries]),
        ".md": lambda: found.table().markdown(),
    }
    write_file(path, texts[path.suffix.lower()]())


COMMAND = Command(
    "evaluate",
    "learn from some trips, predict the others, and compare methods",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "measured; the table says what could not be measured",
        {exit_codes.UNDECIDED: "nothing could be measured within the limits"},
        stopped=exit_codes.NO_ANSWER,
    ),
    shares_memory=True,
)

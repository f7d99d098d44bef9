"""``plancost learn``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.api import clock_of
from plancost.cli import exit_codes, inputs
from plancost.cli.progress_line import shown
from plancost.cli.streams import say, show
from plancost.options import checked
from plancost.pipeline import learn_case
from plancost.result.model import write_result
from plancost.result.tables import result_lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_options(parser)
    parser.add_argument("--output", metavar="FILE", type=Path, help="write RESULT.json there")
    parser.add_argument(
        "--no-proof",
        action="store_true",
        help="do not keep beside it what was proven, from which a run that was ended goes on",
    )
    inputs.add_shown(parser)


def run(arguments: argparse.Namespace) -> int:
    """Learn costs, write them, show them."""
    options = checked(**inputs.options_of(arguments))
    clock = clock_of(options)
    output: Path | None = arguments.output
    if output is not None:
        inputs.check_output(output)
    knowledge = None if output is None or arguments.no_proof else output.with_suffix(".proof.json")
    if knowledge is not None:
        inputs.check_proof(knowledge)
    with shown(clock, quiet=arguments.quiet, verbose=arguments.verbose) as progress:
        case = inputs.case_of(arguments, options, clock)
        result = learn_case(case, options, clock, progress, knowledge)
    try:
        if output is not None:
            write_result(result, output)
    finally:
        show(result, result_lines(result), arguments)
    if output is not None and not (arguments.json or arguments.quiet):
        say(f"wrote {output}")
    return exit_codes.of_result(result)

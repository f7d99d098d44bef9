"""``plancost learn``."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from msgspec import structs

from plancost.api import write_report
from plancost.cli import exit_codes, inputs
from plancost.cli.streams import complain, say, show
from plancost.files import check_page_place, check_proof_place, check_result_place
from plancost.options import LearnOptions, checked
from plancost.pipeline import learn_case
from plancost.result.model import Result, write_result
from plancost.result.tables import result_lines

_FOR_REPORT_S = 60
"""For alternatives of plans, beyond the time limit of the search."""


def add_learn(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser, *(option.name for option in fields(LearnOptions)))
    parser.add_argument("--output", metavar="FILE", type=Path, help="write RESULT.json there")
    words = "write a page to look at there (HTML), within a minute more"
    parser.add_argument("--report", metavar="FILE", type=Path, help=words)
    parser.add_argument(
        "--no-proof",
        action="store_true",
        help="do not keep beside it what was proven, from which a run that was ended goes on",
    )


def run_learn(arguments: argparse.Namespace) -> int:
    """Learn costs, write them, show them."""
    options = checked(**inputs.options_of(arguments))
    output: Path | None = arguments.output
    if output is not None:
        check_result_place(output)
    if arguments.report is not None:
        check_page_place(arguments.report)
    knowledge = None if output is None or arguments.no_proof else output.with_suffix(".proof.json")
    if knowledge is not None:
        check_proof_place(knowledge)
    with inputs.reading(arguments, options) as (case, clock, progress):
        result = learn_case(case, options, clock, progress, knowledge)
    try:
        if output is not None:
            result = _written(result, output)
    finally:
        show(result, result_lines(result), arguments)
    if output is not None and not (arguments.json or arguments.quiet):
        say(f"wrote {output}")
    if arguments.report is not None:
        limit = 1 if result.ending == "interrupted" else _FOR_REPORT_S
        try:
            write_report(case, result, arguments.report, time_limit=limit)
        except KeyboardInterrupt:
            complain("interrupted before the report was written")
            return exit_codes.INTERRUPTED
        if not (arguments.json or arguments.quiet):
            say(f"wrote {arguments.report}")
    return exit_codes.of_result(result)


def _written(result: Result, output: Path) -> Result:
    """The result as it is in the file: Ctrl-C while it is written does not lose it."""
    try:
        write_result(result, output)
    except KeyboardInterrupt:
        result = structs.replace(result, ending="interrupted")
        write_result(result, output)
    return result

"""``plancost explain``: why plans are not optimal under given costs."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command
from plancost.cli.commands.learn import CASE_TEXT
from plancost.cli.given_costs import GivenCosts, add_check_arguments
from plancost.cli.options import add
from plancost.cli.output.terminal import print_written

if TYPE_CHECKING:
    from plancost.results.result import ObservationResult, Result

_QUIET = (
    "no progress, no explanations: only the exit status, which says whether an explanation could "
    "not be found"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_check_arguments(parser, _QUIET)
    add(parser, "--check: print each proof as sums that can be checked by hand", bool)
    add(
        parser, "--output FILE: write the result of the check, with all explanations, as JSON", Path
    )


def run(arguments: argparse.Namespace) -> int:
    """Check the costs and explain each plan that is not optimal."""
    from plancost.api.check import explain
    from plancost.cli.output.messages import progress_and_log
    from plancost.cli.output.tables import print_explanations, show
    from plancost.cli.outputs import Outputs

    given = GivenCosts.read(arguments)
    options = given.as_learned()
    with progress_and_log(arguments) as progress:
        result = explain(
            arguments.case, given.claims, options, domain=arguments.domain, progress=progress
        )
    outputs = Outputs()
    if arguments.output is not None:
        outputs.write(result, arguments.output)
    show(result, arguments, partial(print_explanations, with_sums=arguments.check))
    if outputs.failed:
        outputs.report()
        return exit_codes.BAD_INPUT
    print_written([] if arguments.output is None else [arguments.output], arguments)
    if result.verified and not any(_is_unexplained(item, result) for item in result.observations):
        return exit_codes.OK
    return exit_codes.FAILED if result.failures else exit_codes.UNDECIDED


def _is_unexplained(item: ObservationResult, result: Result) -> bool:
    if item.optimal is not False:
        return False
    if item.explanation is None:
        return bool(result.failures)
    return item.explanation.get("reason") == "not proven"


COMMAND = Command(
    "explain",
    "explain for each plan that is not optimal why it is not",
    CASE_TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "every plan that is not optimal is explained",
        {exit_codes.UNDECIDED: "something is not checked, or not explained, within the limits"},
        stopped=exit_codes.NO_ANSWER,
    ),
    shares_memory=True,
)

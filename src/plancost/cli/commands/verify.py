"""``plancost verify``: check costs by search, and compare with what their file claims."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.command import Command
from plancost.cli.commands.ask import SAMPLES_HELP
from plancost.cli.commands.learn import CASE_TEXT
from plancost.cli.given_costs import GivenCosts, add_check_arguments
from plancost.cli.options import add
from plancost.cli.output.terminal import print_line
from plancost.system.schedule import SCHEDULE

_QUIET = "no progress, no table: only what contradicts the file, and the exit status"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_check_arguments(parser, _QUIET)
    add(
        parser, f"--samples SAMPLES.npz: how probable plans are to be optimal: {SAMPLES_HELP}", Path
    )


def run(arguments: argparse.Namespace) -> int:
    """Check the costs; a RESULT.json must claim nothing else."""
    from plancost.api.check import verify
    from plancost.cli.output.messages import progress_and_log
    from plancost.cli.output.tables import print_check, show
    from plancost.probability.observed import with_probabilities
    from plancost.results.claims import contradiction

    given = GivenCosts.read(arguments)
    options = given.options
    if arguments.samples is not None and options.time_limit_s is not None:
        options = options.until(options.deadline().share(SCHEDULE.checking_before_samples))
    with progress_and_log(arguments) as progress:
        result = verify(
            arguments.case, given.claims, options, domain=arguments.domain, progress=progress
        )
        if arguments.samples is not None:
            result = with_probabilities(
                result, arguments.samples, given.claims, given.options, progress
            )
    show(result, arguments, print_check)
    if not result.verified:
        return exit_codes.FAILED if result.failures else exit_codes.UNDECIDED
    if given.asks_the_same:
        claim = contradiction(given.claims, result)
        if claim is not None:
            if not arguments.json:
                print_line(f"{arguments.costs} says {claim}.")
            return exit_codes.CONTRADICTED
        if not (arguments.quiet or arguments.json):
            print_line(f"This agrees with {arguments.costs}.")
    return exit_codes.OK


COMMAND = Command(
    "verify",
    "check by search how many observed plans are optimal under given costs",
    CASE_TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "checked; a RESULT.json agrees with the check",
        {
            exit_codes.UNDECIDED: "not checked in full within the limits",
            exit_codes.CONTRADICTED: "the check contradicts the RESULT.json",
        },
        stopped=exit_codes.NO_ANSWER,
    ),
    shares_memory=True,
)

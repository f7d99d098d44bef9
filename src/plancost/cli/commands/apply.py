"""``plancost apply``: learned costs into a new problem."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, Output, add_quiet
from plancost.cli.options import add, add_option
from plancost.cli.output.terminal import print_json, print_written

if TYPE_CHECKING:
    from plancost.results.claims import GivenCosts

COSTS_HELP = "a RESULT.json, or JSON with a cost for each action"
RULE = """Actions that have no learned cost get the median of the learned costs of the same
action schema, rounded up and at least 1; or 1 if nothing of that schema was learned; or N with
--default-cost N."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, f"costs RESULT.json: {COSTS_HELP}", Path)
    add_problem(parser)
    add(parser, "--output DIR: the folder to write PDDL to", Path, required=True)
    add_quiet(parser, "no summary", json="print what was done as JSON")


def add_problem(parser: argparse.ArgumentParser) -> None:
    """The arguments that ``solve`` has too."""
    add(parser, "problem PROBLEM.pddl: the problem", Path)
    add(parser, "--domain DOMAIN.pddl: its domain", Path, required=True)
    add(parser, "--group NAME: which group, if the costs have several")
    add_option(
        parser,
        "default_cost",
        "cost of the actions without a learned one (default: by their schema, see above)",
    )
    add_option(parser, "time_limit_s")
    add_option(parser, "memory_limit_mb")


def given_costs(arguments: argparse.Namespace) -> GivenCosts:
    """The costs that the arguments name."""
    from plancost.results.claims import read_learned_costs

    path: Path = arguments.costs
    return path if arguments.group is None else read_learned_costs(path, arguments.group)


def run(arguments: argparse.Namespace) -> int:
    """Write the PDDL."""
    from plancost.cli.output.messages import progress_and_log
    from plancost.cli.output.plans import print_origin
    from plancost.planning.apply import apply_costs
    from plancost.system.processes import Limits

    with progress_and_log(arguments):
        applied = apply_costs(
            given_costs(arguments),
            arguments.problem,
            domain=arguments.domain,
            output=arguments.output,
            default_cost=arguments.default_cost,
            limits=Limits(arguments.time_limit, arguments.memory_limit),
        )
    if arguments.json:
        files = [str(path) for path in applied.files]
        print_json({"files": files, **applied.costs.to_json()})
    elif not arguments.quiet:
        print_origin(applied.costs)
    print_written(applied.files, arguments)
    return exit_codes.OK


COMMAND = Command(
    "apply",
    "write learned costs into a new problem",
    f"PROBLEM.pddl is any problem of the domain, not only an observed one. {RULE}",
    add_arguments,
    run,
    exit_codes.meanings(
        "the PDDL is written",
        {exit_codes.UNDECIDED: "the problem was not grounded within the limits"},
        stopped="; nothing is written",
    ),
    output=Output.PDDL,
)

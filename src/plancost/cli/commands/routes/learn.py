"""``plancost routes learn``: costs of links under which driven trips are cheapest routes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, add_quiet
from plancost.cli.commands.learn import (
    STATUSES,
    add_certificate,
    add_samples_out,
    options_of,
    status_of,
)
from plancost.cli.commands.routes.files import FILES_TEXT, Streets, add_links, add_turns
from plancost.cli.number_arguments import positive
from plancost.cli.options import add, add_options
from plancost.cli.output.terminal import print_written
from plancost.learning.problem.declaration import Topic
from plancost.learning.problem.options import LearnOptions

if TYPE_CHECKING:
    from plancost.routes.learning import RouteOptions

_TEXT = f"""{FILES_TEXT}
With a group column every group gets a cost function of its own. The costs in RESULT.json are by
link; those of turns are called turn:left, turn:right, turn:u-turn, turn:straight, or after their
class."""
WITHOUT = (
    *("refine", "cost_conflicts", "default_cost", "initial_costs", "bounds", "share", "linear"),
    *("cost_tolerance", "soft_costs", "ignore_costs", "alternatives", "top_k_seed", "solver"),
    *("compare_unshared", "oracle", "graph_limits", "scheduler", "use_cache", "allow_outside"),
)
"""Options of learning that speak of PDDL or of planners."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_links(parser)
    add(parser, "trips TRIPS: the driven trips, CSV", Path)
    add(parser, "--output RESULT.json: write the result to this file", Path)
    add_certificate(parser)
    add_samples_out(parser)
    add_question(parser)
    add_quiet(parser, "no progress, no table", json="print the result as JSON")
    add_options(parser, *Topic, without=WITHOUT)


def add_question(parser: argparse.ArgumentParser) -> None:
    """What is learned: ``--initial``, ``--scale``, ``--split`` and ``--turns``."""
    add(
        parser,
        "--initial COLUMN: change the numbers of this column of LINKS as little as possible, e.g. "
        "minutes (default: learn from nothing)",
        str.lower,
    )
    add(
        parser,
        "--scale N: N units of cost are 1 of the initial numbers (default: whole numbers stay as "
        "they are; otherwise so that the median has three digits)",
        positive,
    )
    add(
        parser,
        "--split: cut trips that visit a place twice where they turn back, so that each part can "
        "be a cheapest route",
        bool,
    )
    add_turns(parser)
    add(
        parser,
        "--turn-costs COSTS: turns of a class cost so much, e.g. left=0.1,right=0.05,u-turn=0.5 in "
        "units of the initial numbers (0: nothing), or the word given: all turns cost what the "
        "column cost of TURNS says (default: the costs of turns are learned)",
    )
    add(
        parser,
        "--fix LINK=N: this link costs N, in units of the initial numbers, or from N to M: "
        "LINK=2..4; also a class of turns, such as turn:left=0.1 (repeatable)",
        action="append",
        dest="fixed_links",
    )
    add(
        parser,
        "--bounds FILE: the same for many: CSV with the columns link,least,greatest, or JSON such "
        'as {"mill-lane": [2, 5]}',
        Path,
        dest="link_bounds",
    )


def question_of(
    arguments: argparse.Namespace, streets: Streets, learning: LearnOptions
) -> RouteOptions:
    """What these arguments ask for."""
    from plancost.errors import UsageError
    from plancost.routes.learning import RouteOptions
    from plancost.routes.limits import parse_fixed, read_limits, turn_costs, with_turn_costs

    limits = tuple(map(parse_fixed, arguments.fixed_links or ()))
    if arguments.link_bounds is not None:
        limits += read_limits(arguments.link_bounds)
    turns = streets.turns
    if arguments.turn_costs is not None:
        if turns is None:
            raise UsageError("--turn-costs goes with --turns")
        turns, of_turns = with_turn_costs(turns, turn_costs(arguments.turn_costs))
        limits += of_turns
    return RouteOptions(
        arguments.initial, arguments.scale, arguments.split, turns, limits, learning
    )


def run(arguments: argparse.Namespace) -> int:
    """Learn, write what was asked for, and print the answer."""
    from plancost.api.learn import remove_checkpoints
    from plancost.cli.output.messages import progress_and_log
    from plancost.cli.output.tables import print_result, show
    from plancost.cli.outputs import Outputs
    from plancost.results.samples import write_samples
    from plancost.routes.learning import learn_routes

    options = _options(arguments)
    with progress_and_log(arguments) as progress:
        needed = () if arguments.initial is None else (arguments.initial,)
        streets = Streets.read(arguments, needed)
        trips = streets.trips(arguments.trips)
        asked = question_of(arguments, streets, options)
        result = learn_routes(
            streets.network,
            trips,
            asked,
            source=arguments.trips,
            notes=streets.invalid.notes,
            progress=progress,
        )
    outputs = Outputs()
    if arguments.output is not None:
        outputs.write(result, arguments.output)
    with outputs.writing():
        if arguments.certificate is not None:
            result.write_proof(arguments.certificate)
    samples = None if result.samples is None else arguments.samples_out
    with outputs.writing():
        if samples is not None:
            write_samples(result, samples)
    show(result, arguments, print_result)
    if outputs.failed:
        outputs.report()
        return exit_codes.BAD_INPUT
    named = (arguments.output, arguments.certificate, samples)
    print_written([path for path in named if path is not None], arguments)
    if result.is_finished:
        remove_checkpoints(result)
    return status_of(result)


def _options(arguments: argparse.Namespace) -> LearnOptions:
    if arguments.scale is not None and arguments.initial is None:
        from plancost.errors import UsageError

        raise UsageError("--scale goes with --initial")
    return options_of(arguments)


COMMAND = Command(
    "learn",
    "learn costs of streets under which driven trips are cheapest routes",
    _TEXT,
    add_arguments,
    run,
    STATUSES,
    shares_memory=True,
)

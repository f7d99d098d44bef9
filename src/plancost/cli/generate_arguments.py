"""The arguments of ``plancost generate``: one subcommand for each domain, with its sizes."""

from __future__ import annotations

import argparse
import os
from dataclasses import fields
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.numbers import count_from_one, count_from_zero, counts_from_one, seconds
from plancost.generators.world import World
from plancost.generators.worlds import WORLDS

_SUMMARY = "generate problems with plans, and learning tasks drawn from them"
_WHAT = """A pool is a folder with domain.pddl, problems p01.pddl and their cheapest simple plans
p01.001.plan, found by SymK. One seed fixes the objects and the ground actions; initial states
and goals vary. Tasks are CSV manifests over the pool, for plancost learn TASK.csv --domain
DIR/domain.pddl. The same command goes on with a pool that was interrupted."""
_FORM = argparse.RawDescriptionHelpFormatter


def add_generate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "generate",
        help=_SUMMARY,
        description=f"{_SUMMARY[0].upper()}{_SUMMARY[1:]}.\n\n{_WHAT}",
        epilog=exit_codes.HELP,
        formatter_class=_FORM,
    )
    domains = parser.add_subparsers(dest="world", metavar="DOMAIN", required=True)
    for world in WORLDS.values():
        _domain(domains, world)


def _domain(
    domains: argparse._SubParsersAction[argparse.ArgumentParser], world: type[World]
) -> None:
    parser = domains.add_parser(
        world.name,
        help=world.summary,
        description=f"{world.summary[0].upper()}{world.summary[1:]}.\n\n{_WHAT}",
        epilog=exit_codes.HELP,
        formatter_class=_FORM,
    )
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="the folder of the pool"
    )
    for item in fields(world):
        parser.add_argument(
            f"--{item.name}",
            type=count_from_one,
            default=item.default,
            metavar="N",
            help=f"{item.metadata['meaning']} (default: %(default)s)",
        )
    parser.add_argument(
        "--problems",
        type=count_from_one,
        metavar="N",
        help="problems in the pool (default: 50; 10 on grids up to 5 x 5)",
    )
    parser.add_argument(
        "--plans",
        type=count_from_zero,
        default=100,
        metavar="N",
        help="plans for each problem; with 0 only problems are written (default: %(default)s)",
    )
    parser.add_argument(
        "--tasks",
        type=count_from_zero,
        default=10,
        metavar="N",
        help="learning tasks of each size (default: %(default)s)",
    )
    parser.add_argument(
        "--sizes",
        type=counts_from_one,
        metavar="N,N,...",
        help="observations in a task (default: of 10,100,1000 those up to half of the pool)",
    )
    parser.add_argument("--seed", type=count_from_zero, default=0, metavar="N", help="default: 0")
    parser.add_argument(
        "--time-limit",
        type=seconds,
        default=300.0,
        metavar="S",
        help="seconds for each problem; one without enough plans by then is left out, and "
        "another takes its place (default: 300)",
    )
    parser.add_argument(
        "--memory-limit", type=count_from_one, metavar="MB", help="megabytes for each planner"
    )
    parser.add_argument(
        "--jobs",
        type=count_from_one,
        default=os.cpu_count() or 1,
        metavar="N",
        help="planners at work at the same time (default: the number of cores)",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="neither use nor fill the cache of plans"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")

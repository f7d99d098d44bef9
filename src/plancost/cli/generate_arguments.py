"""The arguments of ``plancost generate``: one subcommand for each domain, with its sizes."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.numbers import count_from_one, count_from_zero, counts_from_one, seconds
from plancost.cli.shared_arguments import (
    Commands,
    add_command,
    add_jobs,
    add_no_cache,
    add_planner_memory,
    add_seed,
)
from plancost.generators.world import World
from plancost.generators.worlds import WORLDS

_SUMMARY = "generate problems with plans, and learning tasks drawn from them"
_WHAT = """A pool is a folder with domain.pddl, problems p01.pddl and their cheapest simple plans
p01.001.plan, found by SymK. One seed fixes the objects and the ground actions; initial states
and goals vary. Tasks are CSV manifests over the pool, for plancost learn TASK.csv --domain
DIR/domain.pddl. The same command goes on with a pool that was interrupted."""


def add_generate(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(commands, "generate", _SUMMARY, _WHAT, exit_codes.GENERATE)
    domains = parser.add_subparsers(dest="world", metavar="DOMAIN", required=True)
    for world in WORLDS.values():
        _domain(domains, world)


def _domain(domains: Commands[argparse.ArgumentParser], world: type[World]) -> None:
    parser = add_command(domains, world.name, world.summary, _WHAT, exit_codes.GENERATE)
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
    add_seed(parser)
    parser.add_argument(
        "--time-limit",
        type=seconds,
        default=300.0,
        metavar="S",
        help="seconds for each problem; one without enough plans by then is left out, and "
        "another takes its place (default: 300)",
    )
    add_planner_memory(parser)
    add_jobs(parser, "planners at work at the same time")
    add_no_cache(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")

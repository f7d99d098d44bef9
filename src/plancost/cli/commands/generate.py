"""``plancost generate``: a pool of problems with plans, and learning tasks drawn from it.

There is one subcommand for each domain, with its sizes.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, Commands, Output, add_parser
from plancost.cli.number_arguments import positive, positive_list, whole
from plancost.cli.options import add, add_option
from plancost.cli.output.terminal import print_line
from plancost.generators.worlds import WORLDS

if TYPE_CHECKING:
    from plancost.generators.tasks import Generated
    from plancost.generators.world import World

_TEXT = """A pool is a folder with domain.pddl, problems p01.pddl and their cheapest simple plans
p01.001.plan, found by SymK. One seed fixes the objects and the ground actions; initial states
and goals vary. Tasks are CSV manifests over the pool, for plancost learn TASK.csv --domain
DIR/domain.pddl. The same command resumes a pool that was interrupted."""
_STATUSES = exit_codes.meanings(
    "the pool is complete and the tasks are written",
    {
        exit_codes.BAD_INPUT: "the folder cannot be written, or is of another pool",
        exit_codes.UNDECIDED: "given up: too few plans were found within the limits",
    },
    stopped=exit_codes.RESUMABLE,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    domains = parser.add_subparsers(dest="world", metavar="DOMAIN", required=True)
    for world in WORLDS.values():
        _add_domain(domains, world)


def _add_domain(domains: Commands[argparse.ArgumentParser], world: type[World]) -> None:
    parser = add_parser(domains, world.name, world.summary, _TEXT, _STATUSES)
    add(parser, "--output DIR: the folder of the pool", Path, required=True)
    for item in fields(world):
        text = f"--{item.name} N: {item.metadata['meaning']} (default: %(default)s)"
        add(parser, text, positive, default=item.default)
    add(
        parser,
        "--problems N: problems in the pool (default: 50; 10 on grids up to 5 x 5)",
        positive,
    )
    add(
        parser,
        "--plans N: plans for each problem; with 0 only problems are written (default: "
        "%(default)s)",
        whole,
        default=100,
    )
    add(parser, "--tasks N: learning tasks of each size (default: %(default)s)", whole, default=10)
    add(
        parser,
        "--sizes N,N,...: observations in a task (default: of 10,100,1000 those up to half of the "
        "pool)",
        positive_list,
    )
    add_option(parser, "seed", default=0)
    add_option(
        parser,
        "time_limit_s",
        "seconds for each problem; one without enough plans by then is left out, and another takes "
        "its place (default: 300)",
        default=300.0,
    )
    add_option(parser, "memory_limit_mb", "megabytes for each planner")
    add_option(parser, "jobs", "planners at work at the same time (default: the number of cores)")
    add_option(parser, "use_cache")
    add(parser, "--quiet: no progress, no summary", bool)


def run(arguments: argparse.Namespace) -> int:
    """Fill the pool and draw the tasks."""
    from plancost.generators.pools import PoolOptions
    from plancost.generators.tasks import generate
    from plancost.progress.terminal import TerminalBar

    kind = WORLDS[arguments.world]
    world = kind(**{item.name: getattr(arguments, item.name) for item in fields(kind)})
    options = PoolOptions(
        problems=arguments.problems,
        plans=arguments.plans,
        seed=arguments.seed,
        time_limit_s=arguments.time_limit,
        memory_limit_mb=arguments.memory_limit,
        jobs=arguments.jobs,
        use_cache=not arguments.no_cache,
    )
    with TerminalBar(quiet=arguments.quiet) as progress:
        try:
            generated = generate(
                world,
                arguments.output,
                options,
                tasks=arguments.tasks,
                sizes=arguments.sizes,
                progress=progress,
            )
        except KeyboardInterrupt:
            print_line("plancost: interrupted; the same command resumes from here", error=True)
            return exit_codes.INTERRUPTED
    if not arguments.quiet:
        _summarise(generated, arguments.sizes)
        wanted = arguments.sizes is None and arguments.plans > 0 and arguments.tasks > 0
        if wanted and not generated.tasks:
            print_line(_no_tasks(generated))
    return exit_codes.OK


def _summarise(generated: Generated, asked: Sequence[int] | None) -> None:
    from plancost.generators.tasks import FOLDER

    pool, tasks = generated.pool, generated.tasks
    print_line(f"{pool.folder}: {len(pool.problems)} problems with {pool.plan_count} plans")
    if pool.left_out:
        names = ", ".join(problem.name for problem in pool.left_out)
        print_line(f"left out, without enough plans within the limits: {names}")
    for size in asked or ():
        if size not in tasks:
            print_line(
                f"no tasks of {size} observations: the pool has only {pool.plan_count} plans"
            )
    if any(tasks.values()):
        listed = ", ".join(f"{len(paths)} of {size}" for size, paths in tasks.items())
        first = next(path for paths in tasks.values() for path in paths)
        print_line(f"{pool.folder / FOLDER}: tasks, {listed} observations")
        print_line(f"learn from one: plancost learn {first} --domain {pool.domain}")


def _no_tasks(generated: Generated) -> str:
    """Why nothing was drawn when no size was asked for."""
    from plancost.generators.tasks import USUAL_SIZES

    return (
        f"no tasks: the smallest usual size is {min(USUAL_SIZES)}, and a task is at most half of "
        f"the {generated.pool.plan_count} plans of the pool; choose a size with --sizes"
    )


COMMAND = Command(
    "generate",
    "generate problems with plans, and learning tasks drawn from them",
    _TEXT,
    add_arguments,
    run,
    _STATUSES,
    output=Output.FOLDER,
    owns_folder=True,
)

"""``plancost generate``: options in, a pool and tasks on disk, a summary out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields

from plancost.cli import exit_codes
from plancost.cli.progress_bar import ProgressBar
from plancost.cli.terminal import say
from plancost.generators.pools import PoolOptions
from plancost.generators.tasks import FOLDER, USUAL_SIZES, Generated
from plancost.generators.tasks import generate as generate_pool
from plancost.generators.worlds import WORLDS


def generate(arguments: argparse.Namespace) -> int:
    """``plancost generate``."""
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
    with ProgressBar(quiet=arguments.quiet) as progress:
        try:
            generated = generate_pool(
                world,
                arguments.output,
                options,
                tasks=arguments.tasks,
                sizes=arguments.sizes,
                progress=progress,
            )
        except KeyboardInterrupt:
            say("plancost: interrupted; the same command goes on from here", error=True)
            return exit_codes.INTERRUPTED
    if not arguments.quiet:
        _summarise(generated, arguments.sizes)
        wanted = arguments.sizes is None and arguments.plans > 0 and arguments.tasks > 0
        if wanted and not generated.tasks:
            say(_no_tasks(generated))
    return exit_codes.OK


def _summarise(generated: Generated, asked: Sequence[int] | None) -> None:
    pool, tasks = generated.pool, generated.tasks
    say(f"{pool.folder}: {len(pool.problems)} problems with {pool.plan_count} plans")
    if pool.left_out:
        names = ", ".join(problem.name for problem in pool.left_out)
        say(f"left out, without enough plans within the limits: {names}")
    for size in asked or ():
        if size not in tasks:
            say(f"no tasks of {size} observations: the pool has only {pool.plan_count} plans")
    if any(tasks.values()):
        listed = ", ".join(f"{len(paths)} of {size}" for size, paths in tasks.items())
        first = next(path for paths in tasks.values() for path in paths)
        say(f"{pool.folder / FOLDER}: tasks, {listed} observations")
        say(f"learn from one: plancost learn {first} --domain {pool.domain}")


def _no_tasks(generated: Generated) -> str:
    """Why nothing was drawn when no size was asked for."""
    return (
        f"no tasks: the smallest usual size is {min(USUAL_SIZES)}, and a task is at most half of "
        f"the {generated.pool.plan_count} plans of the pool; choose a size with --sizes"
    )

"""Learning tasks: observations drawn at random from a pool.

A task is a CSV manifest over the files of its pool. Its observations are drawn without
repetition, each plan of the pool as likely as any other, so that a problem may occur many
times and another not at all. Task n of a size is the same whatever other tasks are drawn.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plancost.errors import UsageError
from plancost.files.output_files import write_file
from plancost.generators.pools import Pool, PoolOptions, write_pool
from plancost.generators.world import World, as_world
from plancost.progress.shown import shows_progress
from plancost.system.options import options_of
from plancost.system.progress import Progress
from plancost.system.values import PathLike, as_path

USUAL_SIZES = (10, 100, 1000)
FOLDER = "tasks"


@dataclass(frozen=True)
class Generated:
    """A pool and the manifests of its tasks, by their size."""

    pool: Pool
    tasks: dict[int, tuple[Path, ...]]


@shows_progress
def generate(
    world: World,
    folder: PathLike,
    options: PoolOptions | None = None,
    *,
    tasks: int = 10,
    sizes: Sequence[int] | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> Generated:
    """Write a pool of problems with plans into a folder, and learning tasks below it.

    Args:
        world: Such as ``Grid(5)``.
        folder: An empty folder, or one with the same pool.
        options: What the pool holds; None: the defaults.
        tasks: How many learning tasks of each size to draw.
        sizes: How many observations they have; None: of 10, 100 and 1000 those that are at most
            half of the pool.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            how many problems are done.
        keywords: Single options, such as ``problems=10``.

    Returns:
        The pool, and the manifests of the tasks by size.

    Raises:
        InputError: The folder holds something else.
        UsageError: A task is larger than the pool.
        PlannerError: The planners are not installed.
    """
    assert not isinstance(progress, bool)
    options = options_of(PoolOptions, options, keywords)
    world = as_world(world)
    problems = world.usual_problems if options.problems is None else options.problems
    for size in sizes or ():
        if size > problems * options.plans:
            raise UsageError(
                f"a task of {size} observations needs as many plans, but a pool of {problems} "
                f"problems with {options.plans} plans was asked for"
            )
    pool = write_pool(world, as_path(folder, "folder"), options, progress=progress)
    if sizes is None:
        sizes = [size for size in USUAL_SIZES if size <= pool.plan_count // 2]
    return Generated(pool, write_tasks(pool, sizes, tasks, options.seed))


def write_tasks(
    pool: Pool, sizes: Sequence[int], count: int, seed: int
) -> dict[int, tuple[Path, ...]]:
    """Draw `count` tasks of each size; the manifests by size.

    A size that is larger than the pool is left out.
    """
    observations = pool.observations()
    written: dict[int, tuple[Path, ...]] = {}
    for size in (size for size in sizes if size <= len(observations)):
        paths = []
        for number in range(1, count + 1):
            generator = random.Random(f"task-{seed}-{size}-{number}")
            chosen = sorted(generator.sample(range(len(observations)), size))
            rows = ("../{},../{}\n".format(*observations[position]) for position in chosen)
            path = pool.folder / FOLDER / f"{size}-{number:02d}.csv"
            write_file(path, "problem,plan\n" + "".join(rows))
            paths.append(path)
        written[size] = tuple(paths)
    return written

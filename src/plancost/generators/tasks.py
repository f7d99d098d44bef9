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

from plancost.errors import UsageError
from plancost.files.output_files import write_file
from plancost.generators.pools import Pool, PoolOptions, write_pool
from plancost.generators.world import World
from plancost.system.progress import Progress, no_progress

USUAL_SIZES = (10, 100, 1000)
FOLDER = "tasks"


@dataclass(frozen=True)
class Generated:
    """A pool and the manifests of its tasks, by their size."""

    pool: Pool
    tasks: dict[int, tuple[Path, ...]]


def generate(
    world: World,
    folder: Path,
    options: PoolOptions = PoolOptions(),  # noqa: B008 (frozen)
    *,
    tasks: int = 10,
    sizes: Sequence[int] | None = None,
    progress: Progress = no_progress,
) -> Generated:
    """Write a pool into a folder, and learning tasks of each size into ``tasks`` below it.

    Without `sizes` those of 10, 100 and 1000 that are at most half of the pool.
    """
    problems = world.usual_problems if options.problems is None else options.problems
    for size in sizes or ():
        if size > problems * options.plans:
            raise UsageError(
                f"a task of {size} observations needs as many plans, but a pool of {problems} "
                f"problems with {options.plans} plans was asked for"
            )
    pool = write_pool(world, folder, options, progress=progress)
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

"""Pools: problems of one world, each with its cheapest simple plans by SymK.

The folder is itself a case: ``domain.pddl``, problems ``p01.pddl`` and plans
``p01.001.plan``, cheapest first under the domain's own costs. Problems are numbered as they
are drawn. One for which SymK does not find as many plans as asked for (or all there are) within
the limits is left out and the next draw takes its place, so that every problem is known to be
solvable and none has fewer plans because a machine was slow.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plancost.errors import LimitError, UsageError
from plancost.files.output_files import write_file
from plancost.generators.record import PoolProblem, Record, checksum
from plancost.generators.world import World, different_problems
from plancost.observations.case import Task
from plancost.observations.files import natural_order
from plancost.observations.grounding import ground
from plancost.observations.pddl import Domain, initial_cost, parse_domain, parse_problem
from plancost.observations.planfile import write_plan
from plancost.observations.sas import sas_text
from plancost.oracles import fast_downward
from plancost.oracles.alternatives import Alternatives, find_alternatives
from plancost.oracles.cache import PlanCache, default_directory
from plancost.oracles.portfolio import LARGEST_BOUND
from plancost.system.clock import Deadline
from plancost.system.processes import Limits
from plancost.system.progress import Progress, no_progress
from plancost.system.workers import Workers

_MOST_LEFT_OUT = 5
"""When so many more problems are left out than kept, the pool is given up."""


@dataclass(frozen=True)
class PoolOptions:
    """What a pool holds, and what finding its plans may take.

    `problems` None: as many as the world usually has. With 0 `plans` there are only
    problems, and Fast Downward checks that they can be solved. The limits are for each
    problem.
    """

    problems: int | None = None
    plans: int = 100
    seed: int = 0
    time_limit_s: float | None = 300.0
    memory_limit_mb: int | None = None
    jobs: int = 1
    use_cache: bool = True


@dataclass(frozen=True)
class Pool:
    """A complete pool, in the order of the draws."""

    folder: Path
    problems: tuple[PoolProblem, ...]
    left_out: tuple[PoolProblem, ...]

    @property
    def domain(self) -> Path:
        """The domain of all problems."""
        return self.folder / "domain.pddl"

    @property
    def plan_count(self) -> int:
        """How many plans there are."""
        return sum(problem.plans for problem in self.problems)

    def observations(self) -> list[tuple[str, str]]:
        """The files of every plan: problem and plan."""
        files = (problem.files for problem in self.problems)
        return [(problem, plan) for problem, *plans in files for plan in plans]


def write_pool(
    world: World,
    folder: Path,
    options: PoolOptions = PoolOptions(),  # noqa: B008 (frozen)
    *,
    progress: Progress = no_progress,
) -> Pool:
    """Write a pool, or what is missing of one that was begun with the same options."""
    wanted = world.usual_problems if options.problems is None else options.problems
    asked = {"seed": options.seed, "problems": wanted, "plans": options.plans}
    record = Record(folder, {"domain": world.name, **world.sizes(), **asked})
    text = world.domain(options.seed)
    write_file(folder / "domain.pddl", text)
    _fill(record, world, parse_domain(text, folder / "domain.pddl"), wanted, options, progress)
    kept, left_out = (
        tuple(problems[name] for name in sorted(problems, key=natural_order))
        for problems in (record.problems, record.left_out)
    )
    return Pool(folder, kept, left_out)


def _fill(
    record: Record,
    world: World,
    domain: Domain,
    wanted: int,
    options: PoolOptions,
    progress: Progress,
) -> None:
    """Solve draws in their order until there are enough problems."""
    cache = PlanCache(default_directory() if options.use_cache else None)
    draws = _missing(record, world, options.seed, wanted)
    running: dict[Future[Alternatives], tuple[Path, str]] = {}
    with Workers(options.jobs) as workers:
        while True:
            plans = sum(problem.plans for problem in record.problems.values())
            progress("problems", len(record.problems), wanted, f"{plans} plans")
            if len(record.problems) >= wanted:
                return
            _require_success(record)
            while len(record.problems) + len(running) < wanted:
                name, text = next(draws)
                path = domain.path.with_name(f"{name}.pddl")
                work = partial(_solve, domain, path, text, options, cache)
                running[workers.submit(work)] = path, text
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                _settle(record, *running.pop(future), future.result(), options)


def _missing(record: Record, world: World, seed: int, wanted: int) -> Iterator[tuple[str, str]]:
    """Name and text of the draws that are not settled yet."""
    number = 0
    for number, text in enumerate(different_problems(world, seed), start=1):
        name = f"p{number:0{max(2, len(str(wanted)))}d}"
        if name not in record.problems and name not in record.left_out:
            yield name, text
    raise UsageError(
        f"{world.name} of this size has only {number} different problems; "
        "ask for fewer with --problems, or for a larger size"
    )


def _solve(
    domain: Domain, path: Path, text: str, options: PoolOptions, cache: PlanCache
) -> Alternatives:
    """Ground one problem and find its plans."""
    deadline = Deadline.after(options.time_limit_s)
    problem = parse_problem(text, path)
    limits = Limits(deadline.remaining(), options.memory_limit_mb)
    task = Task.of(domain, problem, ground(domain, problem, limits))
    costs = {name: initial_cost(domain, problem, name) for name in task.actions}
    limits = Limits(deadline.remaining(), options.memory_limit_mb)
    if options.plans > 0:
        return find_alternatives(task, costs, options.plans, cache=cache, limits=limits)
    sas = sas_text(task.sas, costs)
    outcome = fast_downward.any_plan_below(sas, LARGEST_BOUND, limits=limits)
    return Alternatives(outcome.plans, False, outcome.seconds, outcome.verdict)


def _settle(
    record: Record, path: Path, text: str, found: Alternatives, options: PoolOptions
) -> None:
    """Write the files of a problem, or leave it out."""
    if not (found.plans and found.finished):
        record.leave_out(PoolProblem(path.stem, len(found.plans), found.seconds))
        return
    plans = found.plans[: options.plans]
    texts = [text, *map(write_plan, plans)]
    problem = PoolProblem(path.stem, len(plans), found.seconds, checksum(texts))
    for name, content in zip(problem.files, texts, strict=True):
        write_file(path.with_name(name), content)
    record.keep(problem)


def _require_success(record: Record) -> None:
    """An error if hardly any problem could be kept."""
    kept, left_out = len(record.problems), len(record.left_out)
    if left_out >= kept + _MOST_LEFT_OUT:
        raise LimitError(
            f"not enough plans were found within the limits for {left_out} of the first "
            f"{kept + left_out} problems; choose a smaller size, or allow more with --time-limit "
            "and --memory-limit and another --output"
        )

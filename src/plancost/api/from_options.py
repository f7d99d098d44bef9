"""From files and options to what a run works on: the case, the executor, the learning task."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from plancost.errors import ClusterError, UsageError
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.plan_cost_constraints import PlanCostConstraint, least_deviation
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Oracles, Run
from plancost.observations.bounds_files import ranges_for
from plancost.observations.case import Case, load_case
from plancost.observations.cost_files import initial_costs_from_pddl
from plancost.observations.features import case_values, read_features
from plancost.observations.parts import plans_named, without_plans
from plancost.observations.plan_costs import known_cost, suboptimality
from plancost.observations.shares import read_shares
from plancost.results.claims import GivenCosts, costs_for
from plancost.system.clock import Deadline, Stopwatch
from plancost.system.executors import Executor, LocalExecutor
from plancost.system.processes import Limits
from plancost.system.progress import Progress, no_progress
from plancost.system.stages import reading
from plancost.system.values import PathLike, as_path

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Request:
    """What a caller of the library asks for: a case, options, and who is told about progress."""

    case: PathLike | Case
    options: LearnOptions
    domain: PathLike | None = None
    progress: Progress = no_progress
    stopwatch: Stopwatch = field(default_factory=Stopwatch)

    @contextmanager
    def run(self) -> Iterator[tuple[Run, Case]]:
        """Load the case and begin a run on it; the executor ends with the block."""
        deadline = self.options.deadline()
        with _executor(self.options) as executor:
            case = without_plans(self.load(executor, deadline), self.options.drop)
            self.stopwatch.lap("grounding")
            oracles = Oracles.of(case, self.options, executor)
            yield Run(self.options, oracles, deadline, self.progress, self.stopwatch), case

    def load(self, executor: Executor, deadline: Deadline) -> Case:
        """The case, with all of its plans."""
        if isinstance(self.case, Case):
            return self.case
        path = as_path(self.case, "case")
        with reading(path, deadline):
            return load_case(
                path,
                domain=self.domain,
                skip_invalid=self.options.skip_invalid,
                allow_outside=self.options.allow_outside,
                limits=Limits(deadline.remaining(), self.options.memory_limit_mb),
                executor=executor,
                progress=self.progress,
            )


@contextmanager
def _executor(options: LearnOptions) -> Iterator[Executor]:
    """Where planners run: on this machine, or on the cluster that the options name."""
    if options.scheduler is None:
        yield LocalExecutor.within(options.jobs, options.memory)
        return
    try:
        from plancost.cluster.executor import cluster
    except ModuleNotFoundError as error:
        raise ClusterError("Dask is not installed: run 'pip install plancost[cluster]'") from error
    with cluster(options.scheduler, options.memory_limit_mb) as executor:
        yield executor


def log_case(case: Case, options: LearnOptions, *, learning: bool) -> None:
    """Log what is asked."""
    words = (case.plan_count, len(case.tasks), len(case.actions))
    _log.info("%d observed plans, %d tasks, %d actions", *words)
    _log.info(
        "%s%s, oracle %s, time limit %s, memory limit %s, jobs %d, seed %d",
        options.concept.solution.value,
        f", alternatives {options.alternatives}" if learning else "",
        options.oracle.value,
        "none" if options.time_limit_s is None else f"{options.time_limit_s:g} s",
        "none" if options.memory_limit_mb is None else f"{options.memory_limit_mb} MB",
        options.jobs,
        options.seed,
    )
    for note in case.remarks:
        _log.debug("%s", note)


def learning_task(
    case: Case,
    options: LearnOptions,
    deadline: Deadline,
    initial_costs: GivenCosts | None = None,
) -> LearningTask:
    """What is asked, in numbers."""
    bounds = options.all_bounds
    task = LearningTask(
        case,
        options.concept,
        _initial_costs(case, options, deadline, initial_costs),
        ranges_for(case.actions, bounds) if bounds else None,
        composition=_composition(case, options),
        required=frozenset(plans_named(case, options.require, "--require")),
    )
    factors = tuple(
        suboptimality(observation.source, options.suboptimality)
        for observation in case.observations
    )
    if any(factor != 1 for factor in factors):
        if task.concept.is_strict:
            raise UsageError("suboptimality goes with --solution mcf or icf, not with strict ones")
        task = replace(task, factors=factors)
    known = () if options.ignore_costs else tuple(_known_costs(task, options))
    if not known:
        return task
    if not options.soft_costs:
        return replace(task, known=known)
    deviation = least_deviation(known, task.terms, deadline, task.limit_rows)
    return replace(task, known=known, most_deviation=deviation)


def _composition(case: Case, options: LearnOptions) -> CostModel | None:
    """What costs are made of, if anything is said about that."""
    if not options.share and not options.linear:
        return None
    if case.domain is None:
        used = "--share" if options.share else "--linear"
        raise UsageError(f"{used} speaks of the parameters in PDDL, and there is none here")
    features = read_features(options.linear, case.domain)
    kept = read_shares(options.share, case.domain, features)
    return CostModel.of(case.actions, kept, features, case_values(case, features))


def _known_costs(task: LearningTask, options: LearnOptions) -> Iterator[PlanCostConstraint]:
    for number, observation in enumerate(task.case.observations):
        cost = known_cost(observation.source)
        if cost is not None:
            least, greatest = options.cost_tolerance.around(cost)
            counts = task.counts(observation.plan)
            yield PlanCostConstraint(number, counts, observation.count, least, greatest)


def _initial_costs(
    case: Case, options: LearnOptions, deadline: Deadline, given: GivenCosts | None
) -> Costs | None:
    costs = options.initial_costs if given is None else given
    if costs is not None:
        with reading(options.initial_costs or Path("initial_costs"), deadline):
            return costs_for(case, costs, least=0, default=options.default_cost)
    if options.refine:
        return initial_costs_from_pddl(case, options.cost_conflicts)
    return None

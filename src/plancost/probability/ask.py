"""Where to look next: problems ranked by what observing a plan of them would teach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plancost.api.from_options import Request
from plancost.api.learn import learn
from plancost.errors import UsageError
from plancost.learning.problem.declaration import Topic
from plancost.learning.problem.keywords import is_given, options_with_learning
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.observations.case import Case, Loading
from plancost.observations.files import name_within
from plancost.observations.problems import case_of_problems
from plancost.probability.outlook import Searcher, outlooks
from plancost.probability.ranking import Asked, Candidate, rank_tasks
from plancost.probability.sampled_costs import sampled_costs
from plancost.progress.shown import shows_progress
from plancost.results.claims import Claims, GivenCosts, claims_of
from plancost.results.recorded import as_said
from plancost.results.samples import GivenSamples, Samples, samples_of
from plancost.system.executors import LocalExecutor
from plancost.system.processes import Limits
from plancost.system.progress import Progress
from plancost.system.schedule import SCHEDULE
from plancost.system.values import PathLike, path_or_none, whole_number


@dataclass(frozen=True)
class AskOptions:
    """Which problems to rank, and by which samples."""

    tasks: PathLike | None = None
    """A folder of problems; None: those of the case."""
    samples: GivenSamples | None = None
    """None: they are drawn, as ``--choose mean`` does."""
    budget: int | None = None
    """How many problems to choose that teach the most together; None: rank all by themselves."""
    learning: LearnOptions = field(default_factory=LearnOptions)

    def __post_init__(self) -> None:
        if self.budget is not None:
            number = whole_number(self.budget)
            if number is None or number < 1:
                raise UsageError("--budget takes a whole number of at least 1")
            object.__setattr__(self, "budget", number)


@shows_progress
def ask(
    case: PathLike | Case,
    costs: GivenCosts,
    options: AskOptions | None = None,
    *,
    domain: PathLike | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> Asked:
    """Rank problems by how much observing a plan of them would teach about the costs.

    Args:
        case: What was learned from: a case folder, a CSV manifest (with `domain`), or a case.
        costs: What was learned: the path of a RESULT.json, or a result.
        options: Which problems to rank, and by which samples; None: the defaults.
        domain: The PDDL domain of a manifest.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done and how far it is.
        keywords: Single options, also those of searching, such as ``tasks="new", budget=3``.

    Returns:
        The problems, those that teach the most first; of equal ones the first by name.

    Raises:
        InputError: A file is wrong, or the samples are of another result.
        UsageError: The options are wrong, or no samples can be drawn.
        LimitError: The time was up before any sample was searched.
    """
    assert not isinstance(progress, bool)
    options = options_with_learning(AskOptions, options, keywords)
    learning, claims = options.learning, claims_of(costs)
    if claims.groups:
        raise UsageError("several groups have no samples in common; ask about one cost function")
    deadline = learning.deadline()
    loading = Loading(
        learning.skip_invalid,
        Limits(deadline.remaining(), learning.memory_limit_mb),
        LocalExecutor.within(learning.jobs, learning.memory),
        progress,
    )
    seen = Request(case, learning, domain, progress).load(loading.executor, deadline)
    given = options.samples
    if given is None:
        given = _drawn(seen, as_learned(claims, learning, keywords), progress)
    asked = _problems(seen, path_or_none(options.tasks, "tasks"), loading)
    drawn = sampled_costs(
        samples_of(given), asked.actions, claims=claims, default_cost=learning.default_cost
    )
    searcher = Searcher.of(asked, learning, deadline)
    looks = outlooks(searcher, range(len(asked.tasks)), drawn, deadline, progress=progress)
    counts = _observed(seen)
    candidates = [
        Candidate(name, looks[task], counts.get(asked.tasks[task].key, 0))
        for task, name in _names(asked).items()
    ]
    notes = [*asked.notes, *drawn.notes()]
    return rank_tasks(candidates, drawn.count, options.budget, notes)


def as_learned(claims: Claims, learning: LearnOptions, keywords: Mapping[str, Any]) -> LearnOptions:
    """The options that a result was learned with, where nothing else is asked."""
    given = [name for name in ("concept", *keywords) if is_given(name, keywords)]
    said = as_said(claims, learning, given, Topic.OPTIMALITY, Topic.COSTS)
    if claims.options.get("initial_costs") is not None and said.initial_costs is None:
        raise UsageError(
            "these costs were refined from a file: learn them with --choose mean and "
            "--samples-out, and give the samples with --samples"
        )
    refine = said.refine or (claims.refined and said.initial_costs is None)
    return replace(said, choose=Choose.MEAN, refine=refine)


def _drawn(case: Case, options: LearnOptions, progress: Progress) -> Samples:
    """Samples of the costs under which the plans are optimal."""
    half = options.deadline().share(SCHEDULE.drawing_to_ask)
    result = learn(case, options.until(half), progress=progress)
    if result.interrupted:
        raise KeyboardInterrupt
    if result.samples is None:
        reasons = "; ".join(result.notes)
        raise UsageError(f"no samples could be drawn: {reasons}")
    return samples_of(result)


def _problems(seen: Case, folder: Path | None, loading: Loading) -> Case:
    """The problems of a folder, or those that were seen."""
    if folder is None:
        return seen
    if seen.domain is None:
        raise UsageError("--tasks is a folder of PDDL problems, and this case has no PDDL")
    known = {task.key: task for task in seen.tasks}
    skipping = replace(loading, skip_invalid=True)
    return case_of_problems(folder, seen.domain, skipping, known)


def _names(case: Case) -> dict[int, str]:
    """What each task is called: by its first file."""
    found: dict[int, str] = {}
    for problem, number in case.problems:
        found.setdefault(number, name_within(case.root, problem.path))
    return found or {number: task.name for number, task in enumerate(case.tasks)}


def _observed(case: Case) -> dict[str, int]:
    """How many plans of each task were observed, by its key."""
    found: dict[str, int] = {}
    for observation in case.observations:
        key = case.tasks[observation.task].key
        found[key] = found.get(key, 0) + observation.count
    return found

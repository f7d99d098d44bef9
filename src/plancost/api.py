"""The library's front door: `learn` and `verify`.

    observations -> oracles -> learning -> verified result

The functions return values and raise `plancost.errors`; they never print.
"""

from __future__ import annotations

from pathlib import Path

from plancost.clock import Deadline, Stopwatch
from plancost.learning.answer import BestAnswer
from plancost.learning.check_oracle import oracle_for
from plancost.learning.exact import learn_exactly
from plancost.learning.from_alternatives import learn_from_alternatives
from plancost.learning.options import BASELINE, EXACT, LearnOptions
from plancost.learning.task import Costs, LearningTask
from plancost.learning.verification import Verdict, verify_costs
from plancost.observations.case import Case, load_case
from plancost.observations.cost_files import costs_for, initial_costs_from_pddl
from plancost.oracles.graph_store import GraphStore
from plancost.processes import Limits
from plancost.progress import Progress, no_progress
from plancost.results.assemble import assemble
from plancost.results.result import Result

_LEARNING_SHARE = 0.8
"""The part of the time limit that learning may use; the rest is for checking."""
_AFTER_INTERRUPT_S = 10.0
"""How long checking may take after Ctrl-C."""


def learn(
    case: Path | Case,
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    *,
    domain: Path | None = None,
    progress: Progress = no_progress,
) -> Result:
    """Learn one cost for each ground action so that most observed plans are optimal.

    `case` is a case folder, a CSV manifest (with `domain`), or a loaded case. After
    Ctrl-C the best answer so far is checked and returned with `interrupted` set.
    """
    stopwatch = Stopwatch()
    deadline = Deadline.after(options.time_limit_s)
    loaded = _load(case, domain, options, deadline, progress)
    stopwatch.lap("grounding")
    task = LearningTask(loaded, options.concept, _initial_costs(loaded, options))
    store = GraphStore(loaded, options.graph_limits)
    answer = BestAnswer.baseline(task)
    interrupted = False
    try:
        learning = deadline.share(_LEARNING_SHARE)
        if options.alternatives == EXACT:
            learn_exactly(task, options, store, learning, answer, stopwatch, progress)
        elif options.alternatives != BASELINE:
            learn_from_alternatives(task, options, learning, answer, stopwatch, progress)
    except KeyboardInterrupt:
        interrupted = True
        deadline = deadline.within(_AFTER_INTERRUPT_S)
    verdicts = _verify(task, answer.costs, options, store, deadline, progress)
    stopwatch.lap("verification")
    if options.alternatives == BASELINE or interrupted:
        # The baseline believes nothing beyond what the check finds.
        answer.believed = max(answer.believed, _confirmed(task, verdicts))
    return assemble(task, options, answer, verdicts, stopwatch.seconds(), interrupted=interrupted)


def verify(
    case: Path | Case,
    costs: Path,
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    *,
    domain: Path | None = None,
    progress: Progress = no_progress,
) -> Result:
    """Check by search how many observed plans are optimal under a file of costs."""
    stopwatch = Stopwatch()
    deadline = Deadline.after(options.time_limit_s)
    loaded = _load(case, domain, options, deadline, progress)
    stopwatch.lap("grounding")
    given = costs_for(loaded, costs, least=1, default=options.default_cost)
    task = LearningTask(loaded, options.concept, _initial_costs(loaded, options))
    store = GraphStore(loaded, options.graph_limits)
    verdicts = _verify(task, given, options, store, deadline, progress)
    stopwatch.lap("verification")
    answer = BestAnswer.baseline(task)
    answer.costs, answer.believed = given, _confirmed(task, verdicts)
    return assemble(task, options, answer, verdicts, stopwatch.seconds())


def _load(
    case: Path | Case,
    domain: Path | None,
    options: LearnOptions,
    deadline: Deadline,
    progress: Progress,
) -> Case:
    if isinstance(case, Case):
        return case
    return load_case(
        case,
        domain=domain,
        skip_invalid=options.skip_invalid,
        limits=Limits(deadline.remaining(), options.memory_limit_mb),
        jobs=options.jobs,
        progress=progress,
    )


def _initial_costs(case: Case, options: LearnOptions) -> Costs | None:
    if options.initial_costs is not None:
        return costs_for(case, options.initial_costs, least=0, default=options.default_cost)
    if options.refine:
        return initial_costs_from_pddl(case, options.cost_conflicts)
    return None


def _verify(
    task: LearningTask,
    costs: Costs,
    options: LearnOptions,
    store: GraphStore,
    deadline: Deadline,
    progress: Progress,
) -> list[Verdict]:
    return verify_costs(
        task,
        costs,
        oracle_for(task, costs, options, store, deadline),
        deadline,
        jobs=options.jobs,
        progress=lambda done, total: progress("verifying", done, total),
    )


def _confirmed(task: LearningTask, verdicts: list[Verdict]) -> int:
    return sum(
        observation.count
        for observation, verdict in zip(task.case.observations, verdicts, strict=True)
        if verdict.optimal
    )

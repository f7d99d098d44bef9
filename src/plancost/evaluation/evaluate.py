"""Learn from some plans, measure on the others, for every method on the same splits."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from plancost.errors import UsageError
from plancost.evaluation.checks import default_cost, put, share, some_of, whole
from plancost.evaluation.measures import Measure, Measurer
from plancost.evaluation.methods import Found, Method, Unavailable, find_costs
from plancost.evaluation.paired import Difference, paired
from plancost.evaluation.splits import Split, SplitBy, folds, held_out
from plancost.learning.problem.declaration import one_of
from plancost.learning.problem.keywords import learn_options, options_with_learning
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import Case, load_case
from plancost.observations.parts import part_of_case
from plancost.progress.shown import shows_progress
from plancost.system.clock import Deadline, Stopwatch
from plancost.system.executors import LocalExecutor
from plancost.system.processes import Limits
from plancost.system.progress import Progress, no_progress
from plancost.system.schedule import SCHEDULE
from plancost.system.values import PathLike
from plancost.system.views import html_of

FORMAT = 1
_NO_TIME = "no time was left"


@dataclass(frozen=True)
class EvaluateOptions:
    """What is held out, and what is compared. `test_share` None: `folds` splits."""

    folds: int = 5
    test_share: float | None = None
    split_by: SplitBy = SplitBy.OBSERVATIONS
    methods: tuple[Method, ...] = tuple(Method)
    default_cost: int = 1
    """The cost of actions that no task learned from has."""
    learning: LearnOptions = field(default_factory=LearnOptions)
    """How ours learns. Its time limit is for each learning and each measuring."""

    def __post_init__(self) -> None:
        given: dict[str, object] = {
            "folds": whole("--folds", self.folds),
            "split_by": one_of(SplitBy, "split_by", self.split_by),
            "methods": some_of(Method, "method", self.methods or ()),
            "default_cost": default_cost(self.default_cost),
            "learning": learn_options(self.learning, {}),
        }
        if self.test_share is not None:
            given["test_share"] = share("--test-share", self.test_share)
        put(self, given)
        if self.learning.groups is not None and self.learning.groups > 1:
            raise UsageError("one cost function is evaluated at a time, so groups must be 1")


@dataclass(frozen=True)
class Trial:
    """One method on one split."""

    split: Split
    method: Method
    found: Found | Unavailable
    measures: tuple[Measure, ...]
    training: tuple[Measure, ...] = ()
    """Of the plans learned from, where that was asked for."""


@dataclass(frozen=True)
class Summary:
    """A method over all splits. Plans count with their multiplicities."""

    method: Method
    plans: int
    """Held-out plans that were measured."""
    optimal: int
    regret_mean: float | None
    regret_median: float | None
    overlap_mean: float | None
    unknown: int
    """Held-out plans whose optimum was not found in time, or where the method is unavailable."""
    seconds: float
    """Learning, on average over the splits."""
    reason: str | None = None
    """Why the method could not be used, if so."""

    @property
    def optimal_share(self) -> float | None:
        """The share of measured plans that are optimal under the method's costs."""
        return self.optimal / self.plans if self.plans else None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        keys = (
            *("method", "plans", "optimal", "optimal_share", "regret_mean", "regret_median"),
            *("overlap_mean", "unknown", "seconds", "reason"),
        )
        values = {key: getattr(self, key) for key in keys}
        return values | {"method": self.method.value, "seconds": round(self.seconds, 3)}


@dataclass(frozen=True)
class Evaluation:
    """All that was measured, and what it comes to."""

    case: Case = field(repr=False)
    options: EvaluateOptions
    trials: tuple[Trial, ...]
    summaries: tuple[Summary, ...]
    seconds: dict[str, float]

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Methods against maximum entropy, over held-out plans; those of a task are a cluster.

        Regrets are not compared: each is under costs of its own.
        """
        seen = self.case.observations
        by_method: dict[Method, dict[int, dict[str, float]]] = {}
        for trial in self.trials:
            by_method.setdefault(trial.method, {}).update(
                {
                    measure.observation: {
                        "optimal": float(bool(measure.optimal)),
                        "overlap": measure.overlap,
                    }
                    for measure in trial.measures
                    if measure.overlap is not None
                }
            )
        return tuple(
            paired(
                by_method,
                ("optimal", "overlap"),
                clusters={number: item.task for number, item in enumerate(seen)},
                counts={number: item.count for number, item in enumerate(seen)},
            )
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values: the summaries, the splits and every measure."""
        splits = {trial.split.name: trial.split for trial in self.trials}
        return {
            "format": FORMAT,
            "split": self.options.split_by.value,
            "seed": self.options.learning.seed,
            "default_cost": self.options.default_cost,
            "plans": self.case.plan_count,
            "tasks": len(self.case.tasks),
            "splits": [
                {"name": name, "train": len(split.train), "test": len(split.test)}
                for name, split in splits.items()
            ],
            "methods": [summary.to_json() for summary in self.summaries],
            "differences": [difference.to_json() for difference in self.differences],
            "measures": self.rows(),
            "notes": list(self.case.remarks),
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
        }

    def __repr__(self) -> str:
        """In short: what was compared on what."""
        shares = ", ".join(
            f"{item.method} {'-' if item.optimal_share is None else f'{item.optimal_share:.0%}'}"
            for item in self.summaries
        )
        return f"<Evaluation on {self.case.plan_count} plans, optimal when held out: {shares}>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        return html_of(self)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each method and held-out plan."""
        rows = []
        for trial in self.trials:
            for measure in trial.measures:
                observation = self.case.observations[measure.observation]
                keys = ("optimal", "cost", "optimal_cost", "regret", "overlap")
                rows.append(
                    {
                        "split": trial.split.name,
                        "method": trial.method.value,
                        "problem": observation.problem_file.name,
                        "plan": observation.plan_file.name,
                        "count": observation.count,
                        **{key: getattr(measure, key) for key in keys},
                    }
                )
        return rows


@shows_progress
def evaluate(
    case: PathLike | Case,
    options: EvaluateOptions | None = None,
    *,
    domain: PathLike | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> Evaluation:
    """Learn on splits of a case and measure what was held out.

    Args:
        case: A case folder, a CSV manifest (with `domain`), or a loaded case.
        options: What is held out and what is compared; None: the defaults.
        domain: The PDDL domain of a manifest.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            how many trials are done.
        keywords: Single options, also those of learning, such as ``folds=3, time_limit_s=60``.

    Returns:
        Every measure, and a summary for each method.

    Raises:
        InputError: A file of the case is wrong.
        UsageError: The options are wrong.
    """
    assert not isinstance(progress, bool)
    options = options_with_learning(EvaluateOptions, options, keywords)
    stopwatch = Stopwatch()
    learning = options.learning
    deadline = learning.deadline()
    if not isinstance(case, Case):
        case = load_case(
            case,
            domain=domain,
            skip_invalid=learning.skip_invalid,
            allow_outside=learning.allow_outside,
            limits=Limits(deadline.remaining(), learning.memory_limit_mb),
            executor=LocalExecutor.within(learning.jobs, learning.memory),
            progress=progress,
        )
    if learning.groups is None and any(item.source.group for item in case.observations):
        note = "the group column is not used: one cost function is learned for all plans"
        case = replace(case, notes=(*case.notes, note))
    stopwatch.lap("grounding")
    if options.test_share is None:
        splits = folds(case, options.folds, options.split_by, learning.seed)
    else:
        splits = [held_out(case, options.test_share, options.split_by, learning.seed)]
    trials = run_trials(case, splits, options, deadline, progress)
    stopwatch.lap("trials")
    summaries = tuple(
        summarise(case, method, [trial for trial in trials if trial.method is method])
        for method in options.methods
    )
    return Evaluation(case, options, tuple(trials), summaries, stopwatch.seconds())


def run_trials(
    case: Case,
    splits: Sequence[Split],
    options: EvaluateOptions,
    deadline: Deadline,
    progress: Progress = no_progress,
    with_training: bool = False,
) -> list[Trial]:
    """Every method on every split, each with its part of the time that is left."""
    trials: list[Trial] = []
    total = len(splits) * len(options.methods)
    # With less than half a fair part, a trial is not begun: it would mostly take longer.
    least_s = (deadline.remaining() or 0.0) / (2 * total)
    measurer = Measurer(case, options.learning, deadline.share(1 / (total + 1)))
    for split in splits:
        train = part_of_case(case, split.train)
        for method in options.methods:
            progress("trials", len(trials), total, f"{split.name}, {method}")
            remaining = deadline.remaining()
            if remaining is not None and remaining < least_s:
                trials.append(Trial(split, method, Unavailable(_NO_TIME), ()))
                continue
            left = deadline.share(1 / (total - len(trials)))
            learning = options.learning.until(left.share(SCHEDULE.trial_learning))
            found = find_costs(method, train, case, learning, options.default_cost)
            measures: list[Measure] = []
            training: list[Measure] = []
            if isinstance(found, Found):
                measures = measurer.measure(found.of, split.test, left, found.second)
            if isinstance(found, Found) and with_training:
                training = measurer.measure(found.of, split.train, left)
            trials.append(Trial(split, method, found, tuple(measures), tuple(training)))
    progress("trials", total, total)
    return trials


def summarise(case: Case, method: Method, trials: Sequence[Trial]) -> Summary:
    """What the trials of one method come to."""
    known: list[Measure] = []
    for trial in trials:
        for measure in trial.measures:
            if measure.optimal_cost is not None:
                known += [measure] * case.observations[measure.observation].count
    tested = sum(case.observations[number].count for trial in trials for number in trial.split.test)
    reasons = [trial.found.reason for trial in trials if isinstance(trial.found, Unavailable)]
    seconds = [trial.found.seconds for trial in trials if isinstance(trial.found, Found)]
    regrets = [measure.regret for measure in known if measure.regret is not None]
    return Summary(
        method,
        len(known),
        sum(bool(measure.optimal) for measure in known),
        mean(regrets),
        statistics.median(regrets) if regrets else None,
        mean(measure.overlap for measure in known if measure.overlap is not None),
        tested - len(known),
        mean(seconds) or 0.0,
        reasons[0] if reasons else None,
    )


def mean(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    found = list(values)
    return statistics.fmean(found) if found else None

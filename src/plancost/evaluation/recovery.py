"""How much of hidden true costs is recovered as plans grow.

Plans are drawn that are optimal under true costs that no method sees; some tasks are held out.
Every method learns from the first 5, 10, 20, ... plans of the others, and is measured on the
held-out plans as in `evaluate`. Since the truth is known, there is more to say:

*True regret*: what the predicted plan really costs over what the true optimum costs. It does
not favour costs under which many plans tie.
*Rank correlation* (Spearman) of learned and true costs, over the actions that some drawn plan uses.
Costs are only partly determined by what is optimal, so it need not reach 1.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scipy.stats import spearmanr

from plancost.errors import UsageError
from plancost.evaluation.checks import put, some_of, whole
from plancost.evaluation.evaluate import (
    EvaluateOptions,
    Summary,
    Trial,
    mean,
    run_trials,
    summarise,
)
from plancost.evaluation.measures import regret
from plancost.evaluation.methods import Found, Method
from plancost.evaluation.paired import Difference, paired
from plancost.evaluation.splits import Split
from plancost.generators.grid import Grid
from plancost.generators.hidden import HiddenWorld, TruePlans, hidden_world
from plancost.generators.streets import Streets
from plancost.generators.transport import Transport
from plancost.generators.world import World, as_world
from plancost.learning.problem.keywords import learn_options, options_with_learning
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import Case
from plancost.observations.planfile import plan_cost
from plancost.progress.shown import shows_progress
from plancost.system.clock import Deadline
from plancost.system.progress import Progress

FORMAT = 1
SMALL_WORLDS: dict[str, World] = {
    "grid": Grid(5),
    "transport": Transport(4, 1, 2),
    "city": Streets(160),
}
"""The worlds of studies that end within a minute or so."""


@dataclass(frozen=True)
class RecoveryOptions:
    """Numbers of plans to learn from, of plans held out, and of true costs to try."""

    plans: tuple[int, ...] = (5, 10, 20, 40)
    held_out: int = 20
    seeds: int = 3
    methods: tuple[Method, ...] = tuple(item for item in Method if item is not Method.INITIAL)
    learning: LearnOptions = field(default_factory=LearnOptions)
    """Its seed is the first; it fixes the world as well."""

    def __post_init__(self) -> None:
        given: dict[str, object] = {
            "plans": _numbers(self.plans),
            "held_out": whole("--held-out", self.held_out),
            "seeds": whole("--seeds", self.seeds),
            "methods": some_of(Method, "method", self.methods or ()),
            "learning": learn_options(self.learning, {}),
        }
        put(self, given)
        if not self.plans or min(self.plans) < 1 or self.held_out < 1 or self.seeds < 1:
            raise UsageError("a study needs at least one plan, one held-out plan and one seed")


def _numbers(plans: object) -> tuple[int, ...]:
    """Numbers of plans; one number may stand alone."""
    if not isinstance(plans, Iterable) or isinstance(plans, str | bytes):
        plans = (plans,)
    return tuple(whole("--plans", item) for item in plans)


@dataclass(frozen=True)
class Recovered:
    """A method with so many plans, over all seeds."""

    plans: int
    summary: Summary
    true_optimal: float | None
    """The share of predicted plans that are truly optimal."""
    true_regret_mean: float | None
    training_optimal: float | None
    """The share of plans learned from that are optimal under the method's costs."""
    rank_correlation: float | None
    """None where all costs are the same."""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "learned_from": self.plans,
            **self.summary.to_json(),
            "true_optimal": self.true_optimal,
            "true_regret_mean": self.true_regret_mean,
            "training_optimal": self.training_optimal,
            "rank_correlation": self.rank_correlation,
        }


@dataclass(frozen=True)
class Recovery:
    """A study: its world in numbers, and a row for each number of plans and method."""

    world: str
    sizes: dict[str, int]
    states: int
    actions: int
    options: RecoveryOptions
    rows: tuple[Recovered, ...]
    differences: tuple[Difference, ...]
    """Methods against maximum entropy, over the seeds."""
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "format": FORMAT,
            "world": self.world,
            "sizes": self.sizes,
            "states": self.states,
            "actions": self.actions,
            "held_out": self.options.held_out,
            "seeds": self.options.seeds,
            "seed": self.options.learning.seed,
            "rows": [row.to_json() for row in self.rows],
            "differences": [difference.to_json() for difference in self.differences],
            "seconds": round(self.seconds, 1),
        }


@dataclass(frozen=True)
class _Draw:
    """Plans that are optimal under one set of true costs, and what methods made of them."""

    case: Case
    costs: dict[str, int]
    optima: tuple[int, ...]
    """For each observation the true optimal cost of its task."""
    used: tuple[str, ...]
    trials: dict[int, list[Trial]]


@shows_progress
def recover(
    world: World,
    options: RecoveryOptions | None = None,
    *,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> Recovery:
    """Measure how much of hidden true costs is recovered.

    Args:
        world: Such as ``Grid(5)``.
        options: How many plans and true costs; None: the defaults.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            how many seeds are done.
        keywords: Single options, also those of learning, such as ``seeds=1``.

    Returns:
        A row for each number of plans and method.

    Raises:
        UsageError: The options are wrong.
    """
    assert not isinstance(progress, bool)
    options = options_with_learning(RecoveryOptions, options, keywords)
    world = as_world(world)
    started = time.monotonic()
    learning = options.learning
    deadline = learning.deadline()
    count = max(options.plans) + options.held_out
    hidden = hidden_world(world, count, learning.seed, jobs=learning.jobs, progress=progress)
    draws: list[_Draw] = []
    for seed in range(learning.seed, learning.seed + options.seeds):
        progress("seeds", len(draws), options.seeds)
        left = deadline.share(1 / (options.seeds - len(draws)))
        draws.append(_draw(hidden, options, seed, left))
    progress("seeds", options.seeds, options.seeds)
    rows = tuple(
        _recovered(draws, plans, method) for plans in options.plans for method in options.methods
    )
    differences = tuple(item for plans in options.plans for item in _differences(draws, plans))
    return Recovery(
        world.name,
        world.sizes(),
        hidden.graph.state_count,
        len(hidden.actions),
        options,
        rows,
        differences,
        time.monotonic() - started,
    )


def _draw(hidden: HiddenWorld, options: RecoveryOptions, seed: int, deadline: Deadline) -> _Draw:
    """One plan for each task; the last tasks are held out."""
    costs = hidden.true_costs(seed)
    source = TruePlans(hidden, costs)
    generator = random.Random(f"ties-{seed}")
    tasks = range(len(hidden.tasks))
    case = hidden.case([(task, source.draw(task, generator)) for task in tasks])
    test = tuple(tasks[max(options.plans) :])
    splits = [Split(str(plans), tuple(range(plans)), test) for plans in options.plans]
    choice = EvaluateOptions(methods=options.methods, learning=options.learning)
    trials: dict[int, list[Trial]] = {plans: [] for plans in options.plans}
    for trial in run_trials(case, splits, choice, deadline, with_training=True):
        trials[int(trial.split.name)].append(trial)
    used = sorted({name for observation in case.observations for name in observation.plan})
    return _Draw(case, costs, tuple(map(source.optimal_cost, tasks)), tuple(used), trials)


def _recovered(draws: Sequence[_Draw], plans: int, method: Method) -> Recovered:
    chosen = [
        (draw, trial) for draw in draws for trial in draw.trials[plans] if trial.method is method
    ]
    regrets = [value for draw, trial in chosen for value in _true_regrets(draw, trial)]
    training = [item.optimal for _, trial in chosen for item in trial.training]
    correlations = [
        rank_correlation(list(map(trial.found.of, draw.used)), [draw.costs[n] for n in draw.used])
        for draw, trial in chosen
        if isinstance(trial.found, Found)
    ]
    return Recovered(
        plans,
        summarise(draws[0].case, method, [trial for _, trial in chosen]),
        mean(float(value == 1.0) for value in regrets),
        mean(regrets),
        mean(float(value) for value in training if value is not None),
        mean(value for value in correlations if value is not None),
    )


def _true_regrets(draw: _Draw, trial: Trial) -> list[float]:
    """Of the plans that were predicted in time."""
    return [
        regret(plan_cost(measure.predicted, draw.costs), draw.optima[measure.observation])
        for measure in trial.measures
        if measure.predicted is not None
    ]


def _differences(draws: Sequence[_Draw], plans: int) -> list[Difference]:
    """Methods against maximum entropy, over the seeds where all plans of both were measured."""
    by_method: dict[Method, dict[int, dict[str, float]]] = {}
    for seed, draw in enumerate(draws):
        for trial in draw.trials[plans]:
            regrets = _true_regrets(draw, trial)
            training = [item.optimal for item in trial.training if item.optimal is not None]
            by_method.setdefault(trial.method, {})
            if (len(regrets), len(training)) == (len(trial.split.test), len(trial.split.train)):
                by_method[trial.method][seed] = {
                    "true_regret": statistics.fmean(regrets),
                    "true_optimal": statistics.fmean(value == 1.0 for value in regrets),
                    "training_optimal": statistics.fmean(training),
                }
    measures = ("true_regret", "true_optimal", "training_optimal")
    return paired(by_method, measures, learned_from=plans)


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Spearman's; None if one of the two is constant."""
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return float(spearmanr(one, other).statistic)

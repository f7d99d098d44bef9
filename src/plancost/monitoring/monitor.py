"""Plans come in one by one: how expensive is each, is it an outlier, have costs changed?

A plan's regret under the current costs is compared with what is usual. An outlier is a
plan whose conformal p-value among the usual regrets is at most the rate of false alarms that was
asked for; with samples of the costs it must be so even under the sample that favours the plan
most. The same regrets, one after the other, are what `drift` watches.

After a change was detected, costs are relearned from the last `window` plans, as soon as so many
have come since the change seems to have begun. What is usual is then found again by
cross-validation on the window, and watching starts afresh under the new costs. Learning begins
with the plans that were found on these tasks before.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from plancost.api.learn import learn
from plancost.errors import UsageError
from plancost.evaluation.checks import default_cost, put, share, whole
from plancost.evaluation.measures import Measure, Measurer
from plancost.learning.problem.declaration import one_of
from plancost.learning.problem.keywords import learn_options
from plancost.learning.problem.options import LearnOptions
from plancost.monitoring.calibration import regrets_across_folds
from plancost.monitoring.chances import Chance, Chances
from plancost.monitoring.conformal import p_value, smoothed_p_value
from plancost.monitoring.drift import Detector, DriftMethod, change_begins, detector
from plancost.monitoring.state import MonitorState, Watched
from plancost.observations.case import Case
from plancost.observations.parts import joined
from plancost.results.result import Result
from plancost.results.samples import Samples
from plancost.system.clock import Deadline
from plancost.system.progress import Progress, no_progress
from plancost.system.schedule import SCHEDULE
from plancost.system.values import shown

_MOST_ALTERNATIVES = 20
"""So many plans of a task are kept to begin learning with."""
_MOST_WATCHED = 4000
"""When more regrets have been seen under the same costs, the older half is forgotten."""


@dataclass(frozen=True)
class MonitorOptions:
    """When to raise alarms, and how to learn again."""

    false_alarms: float = 0.05
    """Of usual plans at most this share is called outliers."""
    window: int = 40
    """Plans to relearn from."""
    drift: DriftMethod = DriftMethod.CUSUM
    run_length: int = 1000
    """Without a change, at least so many plans pass on average between alarms of drift."""
    folds: int = 5
    """For what is usual."""
    relearn: bool = True
    default_cost: int = 1
    """The cost of actions that were never learned of."""
    learning: LearnOptions = field(default_factory=LearnOptions)

    def __post_init__(self) -> None:
        given: dict[str, object] = {
            "false_alarms": share("--false-alarms", self.false_alarms),
            "window": whole("--window", self.window, 2),
            "drift": one_of(DriftMethod, "drift", self.drift),
            "run_length": whole("--run-length", self.run_length, 2),
            "folds": whole("--folds", self.folds, 2),
            "default_cost": default_cost(self.default_cost),
            "learning": learn_options(self.learning, {}),
        }
        put(self, given)
        if not isinstance(self.relearn, bool):
            raise UsageError(f"relearn takes True or False, not {shown(self.relearn)}")


@dataclass(frozen=True)
class Relearned:
    """New costs, and what they make of the plans that they were learned from."""

    plans: int
    optimal_before: int
    """Of these plans, under the costs until now."""
    optimal_after: int
    proved: bool
    seconds: float


@dataclass(frozen=True)
class Event:
    """What there is to say about one plan of the stream. Positions count from 1.

    None: the search did not end in time.
    """

    position: int
    problem: str
    plan: str
    time: str | None
    cost: int
    optimal_cost: int | None
    regret: float | None
    p_value: float | None
    outlier: bool | None
    drift: bool
    """Whether a change was detected with this plan."""
    change: int | None
    """Where the change that is being dealt with seems to have begun."""
    relearned: Relearned | None
    """Set when costs were learned again after this plan."""
    costs: int
    """How often costs had been relearned when this plan was measured."""
    probability: float | None = None
    """With samples: the share of them under which no plan is cheaper."""
    least_regret: float | None = None
    """With samples: the regret under the costs or the sample that favours the plan most."""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Recent:
    """A plan that was watched, as a case, and where it is in the stream."""

    position: int
    plan: Case


class Monitor:
    """Watches plans, given one by one as cases with a single observation."""

    def __init__(
        self,
        state: MonitorState,
        options: MonitorOptions,
        recent: Iterable[Recent] = (),
        progress: Progress = no_progress,
        samples: Samples | None = None,
    ) -> None:
        """Resume from a state; `recent` are the last `window` plans before it, or all there are.

        `samples` are of the costs at the beginning; they are not used any more when costs have
        been relearned.
        """
        self.state = state
        self.result: Result | None = None
        """What was learned last, if anything was learned here."""
        self._options = options
        self._recent: deque[Recent] = deque(recent, maxlen=options.window)
        self._progress = progress
        self._chances = None if samples is None else Chances(samples, options.default_cost)
        self._detector = self._new_detector()

    def cost_of(self, name: str) -> int:
        """The current cost of an action."""
        return self.state.costs.get(name, self._options.default_cost)

    def observe(
        self,
        plan: Case,
        measurer: Measurer | None = None,
        number: int = 0,
        deadline: Deadline | None = None,
    ) -> Event:
        """Deal with the next plan; a `measurer` that knows it as `number` saves building one.

        Without a deadline the time limit is for each plan.
        """
        deadline = deadline or Deadline.after(self._options.learning.time_limit_s)
        until = deadline.share(SCHEDULE.measuring)
        measurer = measurer or Measurer(plan, self._options.learning, until)
        measure = measurer.measure(self.cost_of, [number], until)[0]
        chance = self._chance(measurer, number, deadline)
        state = self.state
        state.position += 1
        self._recent.append(Recent(state.position, plan))
        self._keep_alternative(plan, measure)
        unusual = None if measure.regret is None else p_value(measure.regret, state.usual)
        least = measure.regret
        if least is not None and chance is not None:
            least = min(least, chance.least_regret)
        drift = measure.regret is not None and self._watch(measure.regret)
        observation = plan.observations[0]
        event = Event(
            state.position,
            observation.problem_file.name,
            observation.plan_file.name,
            observation.source.time,
            measure.cost,
            measure.optimal_cost,
            measure.regret,
            unusual,
            None if least is None else p_value(least, state.usual) <= self._options.false_alarms,
            drift,
            state.change,
            relearned=None,
            costs=state.relearned,
            probability=None if chance is None else chance.probability,
            least_regret=None if chance is None else least,
        )
        if not self._is_time_to_relearn():
            return event
        return replace(event, relearned=self._relearn(deadline))

    def _chance(self, measurer: Measurer, number: int, deadline: Deadline) -> Chance | None:
        """What samples say of the plan, while the costs are those that they belong to."""
        if self._chances is None or self.state.relearned:
            return None
        return self._chances.of(measurer, number, deadline.share(SCHEDULE.measuring))

    def _watch(self, regret: float) -> bool:
        """Whether a change is detected now."""
        state = self.state
        if state.change is not None:
            return False
        # The chance that breaks ties depends on the place in the stream, so that a restart
        # does not change it.
        seed = self._options.learning.seed
        chance = random.Random(f"tie-{seed}-{state.position}").random()
        before = [*state.usual, *(item.regret for item in state.watched)]
        value = smoothed_p_value(regret, before, chance)
        state.watched.append(Watched(state.position, regret, value))
        drift = self._detector.update(value)
        if len(state.watched) > _MOST_WATCHED:
            del state.watched[: -_MOST_WATCHED // 2]
            self._detector = self._new_detector()
        if not drift:
            return False
        # Without chance here: luck in breaking ties says nothing about when it began.
        plain = [smoothed_p_value(item.regret, state.usual, 0.5) for item in state.watched]
        state.change = state.watched[change_begins(plain)].position
        return True

    def _is_time_to_relearn(self) -> bool:
        """Whether all plans to relearn from came since the change; rows left out are none."""
        change = self.state.change
        return (
            self._options.relearn
            and change is not None
            and len(self._recent) >= self._options.window
            and self._recent[0].position >= change
        )

    def _relearn(self, deadline: Deadline) -> Relearned:
        started = time.monotonic()
        state, options = self.state, self._options
        window = joined([item.plan for item in self._recent])
        until = deadline.share(SCHEDULE.measuring)
        before = Measurer(window, options.learning, until).measure(
            self.cost_of, range(len(window.observations)), until
        )
        learning = options.learning.until(deadline.share(SCHEDULE.relearning))
        result = learn(window, learning, known_plans=state.alternatives, progress=self._progress)
        if result.interrupted:
            raise KeyboardInterrupt
        state.usual = regrets_across_folds(
            window,
            options.learning,
            options.folds,
            options.default_cost,
            self._progress,
            deadline.share(SCHEDULE.recalibrating),
        )
        state.costs = {**state.costs, **result.costs}
        state.relearned += 1
        state.watched = []
        state.change = None
        self._detector = self._new_detector()
        self.result = result
        counts = [observation.count for observation in window.observations]
        optimal = sum(n for n, item in zip(counts, before, strict=True) if item.optimal)
        return Relearned(
            result.plans,
            optimal,
            result.optimal_plans,
            result.proved,
            round(time.monotonic() - started, 3),
        )

    def _new_detector(self) -> Detector:
        options = self._options
        shown = [item.p_value for item in self.state.watched]
        return detector(options.drift, options.run_length, shown)

    def _keep_alternative(self, plan: Case, measure: Measure) -> None:
        """Remember a cheaper plan of the task, to begin learning with."""
        if measure.predicted is None or measure.optimal:
            return
        key = plan.tasks[plan.observations[0].task].key
        known = self.state.alternatives.setdefault(key, [])
        if measure.predicted not in known:
            known.append(measure.predicted)
            del known[:-_MOST_ALTERNATIVES]
        # Keep those of tasks that were met recently.
        recent = {task.key for item in self._recent for task in item.plan.tasks}
        kept = {key: plans for key, plans in self.state.alternatives.items() if key in recent}
        self.state.alternatives = kept

"""The best answer of a run and what is proven; every improvement is reported and kept."""

from __future__ import annotations

from collections.abc import Sequence

from plancost.clock import Clock
from plancost.learn.outcome import Point, Second
from plancost.learn.rows import Whole
from plancost.learn.task import LearningTask
from plancost.progress import Progress, Step


class Incumbent:
    """A set of plans, whole values of the parameters that make it optimal, and bounds."""

    def __init__(self, task: LearningTask, clock: Clock, progress: Progress) -> None:
        self.task, self.clock = task, clock
        self.plans: list[int] = []
        self.values: Whole = task.parameters.baseline
        self.weight = 0
        self.bound = task.weight(range(len(task.plans)))
        self.second: int | None = None
        """The second objective of the values; None as long as nobody lowers it."""
        self.second_bound = 0
        self.least_for_set = False
        self.history: list[Point] = []
        self._progress = progress

    @property
    def is_proved(self) -> bool:
        """Whether no costs make more plans optimal."""
        return self.weight >= self.bound

    @property
    def second_objective(self) -> Second:
        """What is known of it."""
        value = self.task.parameters.second(self.values)
        bound = min(value, max(self.task.parameters.second_floor, self.second_bound))
        return Second(value, bound, self.least_for_set or value <= bound)

    def take(self, plans: Sequence[int], values: Whole) -> None:
        """A set that is better by the first objective, with its values."""
        self.plans, self.values, self.weight = list(plans), values, self.task.weight(plans)
        self._note()

    def take_second(self, plans: Sequence[int], values: Whole, *, least: bool) -> bool:
        """A set of the same weight, if its values are better by the second objective, or as good
        and now known to be the `least` for it; whether they are.
        """
        before, value = (self.task.parameters.second(own) for own in (self.values, values))
        is_taken = value < before or (value == before and least and set(plans) == set(self.plans))
        if is_taken:
            self.plans, self.values, self.least_for_set = list(plans), values, least
        self.second = min(before, value)
        self.say("least costs")
        return is_taken

    def lower_bound(self, bound: int) -> None:
        """No set weighs more than this."""
        if bound < self.bound:
            self.bound = max(bound, self.weight)
            self._note()

    def say(self, doing: str) -> None:
        """Tell whoever watches."""
        second_bound = None if self.second is None else self.second_bound
        self._progress(
            Step(self.clock.seconds, doing, self.weight, self.bound, self.second, second_bound)
        )

    def _note(self) -> None:
        self.history.append(Point(round(self.clock.seconds, 3), self.weight, self.bound))
        self.say("most plans")

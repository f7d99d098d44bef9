"""The check of an incumbent: each plan under the costs of its group, by search.

With one cost function every plan is checked under it. With several, a plan that a cost function is
claimed to make optimal is checked under that one, and every other plan under all of them; it then
belongs where it is nearest to optimal. Claims come first, and verdicts are kept as they are found:
a check that does not end has said what it knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.verify.oracle import oracle_for
from plancost.learning.verify.verification import Verdict, check_into, unchecked


@dataclass(frozen=True)
class Check:
    """What the check found: the cost function of each observation, and the verdict under it."""

    function_of: tuple[int, ...]
    verdicts: tuple[Verdict, ...]

    def members(self, function: int) -> list[int]:
        """The observations that belong to a cost function."""
        return [number for number, own in enumerate(self.function_of) if own == function]

    def confirmed(self, task: LearningTask) -> int:
        """How many plans were found optimal, with multiplicity."""
        pairs = zip(task.case.observations, self.verdicts, strict=True)
        return sum(observation.count for observation, verdict in pairs if verdict.optimal)

    def optimal(self, task: LearningTask, function: int = 0) -> PlanSet:
        """The candidates that were found optimal under a cost function, with all their copies."""
        return self._candidates(task, function) - self.not_optimal(task, function, or_open=True)

    def not_optimal(self, task: LearningTask, function: int, *, or_open: bool = False) -> PlanSet:
        """The candidates of which a copy was found not optimal (or not decided)."""
        wrong = (False, None) if or_open else (False,)
        return frozenset(
            task.candidate_of_observation[number]
            for number in self.members(function)
            if self.verdicts[number].optimal in wrong
        )

    def _candidates(self, task: LearningTask, function: int) -> PlanSet:
        members = self.members(function)
        return frozenset(task.candidate_of_observation[number] for number in members)


def claimed_function(incumbent: Incumbent) -> dict[int, int]:
    """The cost function that each observation is claimed to be optimal under."""
    return {
        member: number
        for number, function in enumerate(incumbent.functions)
        for candidate in function.chosen
        for member in incumbent.task.candidates[candidate].observations
    }


def not_checked(incumbent: Incumbent) -> list[list[Verdict]]:
    """What is known of each observation under each cost function before the check."""
    return [unchecked(incumbent.task, function.costs) for function in incumbent.functions]


def check_incumbent(
    run: Run, incumbent: Incumbent, assigned: Mapping[int, int], found: list[list[Verdict]]
) -> None:
    """Check assigned observations under their cost functions, and every other under all.

    The verdicts take their places in `found` one after the other.
    """
    task, count = incumbent.task, len(incumbent.functions)
    for number, function in enumerate(incumbent.functions):
        asked = [n for n in range(len(found[number])) if assigned.get(n, number) == number]
        claimed = [n for n, own in assigned.items() if own == number]
        until = run.share(1 / (count - number))
        oracle = oracle_for(until, task, function.costs)
        check_into(found[number], until, task, function.costs, oracle, asked, claimed)


def check_of(found: Sequence[Sequence[Verdict]], assigned: Mapping[int, int]) -> Check:
    """The check that says this, each observation under its own cost function or the nearest."""
    everything = range(len(found[0]))
    nearest = [nearest_function([verdicts[n] for verdicts in found]) for n in everything]
    function_of = tuple(assigned.get(number, other) for number, other in enumerate(nearest))
    verdicts = tuple(found[own][number] for number, own in enumerate(function_of))
    return Check(function_of, verdicts)


def arranged(incumbent: Incumbent, check: Check) -> Check:
    """Put the cost functions in order, the one with the most optimal plans first."""
    count = len(incumbent.functions)
    optimal, plans = [0] * count, [0] * count
    for observation, own, verdict in zip(
        incumbent.task.case.observations, check.function_of, check.verdicts, strict=True
    ):
        plans[own] += observation.count
        optimal[own] += observation.count if verdict.optimal else 0
    order = sorted(range(count), key=lambda n: (-optimal[n], -plans[n], n))
    place = {number: at for at, number in enumerate(order)}
    names = [function.name for function in incumbent.functions]
    incumbent.functions = [incumbent.functions[number] for number in order]
    for function, name in zip(incumbent.functions, names, strict=True):
        function.name = name
    return Check(tuple(place[own] for own in check.function_of), check.verdicts)


def nearest_function(verdicts: Sequence[Verdict]) -> int:
    """The cost function under which a plan is nearest to optimal, by what the check found.

    Optimal ones first; then those where that is open, so that it stays open; then where its cost is
    the smallest multiple of the least cost.
    """

    def distance(number: int) -> tuple[int, float, int]:
        verdict = verdicts[number]
        if verdict.optimal:
            return 0, 0.0, number
        if verdict.optimal is None:
            return 1, 0.0, number
        if verdict.optimal_cost is None:
            return 3, 0.0, number
        return 2, verdict.cost / max(1, verdict.optimal_cost), number

    return min(range(len(verdicts)), key=distance)

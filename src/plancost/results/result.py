"""The verified result of learning, and RESULT.json.

The format is a contract: later versions add keys and never change these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from plancost.files.escape import json_text
from plancost.files.output_files import write_file
from plancost.files.overwriting import check_not_an_input
from plancost.learning.diagnose.least_factors import LeastFactor
from plancost.observations.case import Case
from plancost.observations.planfile import action_name
from plancost.observations.shares import ClassCosts

FORMAT = 1


@dataclass(frozen=True)
class Secondary:
    """The second objective: its value, the least it could be, and whether they meet."""

    value: int
    lower_bound: int
    proved: bool

    def to_json(self) -> dict[str, Any]:
        """The entry of RESULT.json."""
        return {"value": self.value, "lower_bound": self.lower_bound, "proved": self.proved}


@dataclass(frozen=True)
class CostRange:
    """The least and greatest cost of an action, the same plans optimal at the same secondary cost.

    Not `proved`: at least these are possible.
    """

    least: int
    greatest: int
    proved: bool

    def to_json(self) -> dict[str, Any]:
        """The entry of RESULT.json."""
        return {"least": self.least, "greatest": self.greatest, "proved": self.proved}


@dataclass(frozen=True)
class ObservationResult:
    """What became of one observed plan. None where the check could not finish."""

    problem: str
    plan: str
    count: int
    optimal: bool | None
    cost: int
    optimal_cost: int | None
    rival: tuple[str, ...] | None = None
    """A plan that costs less (or, under a strict concept, no more)."""
    rival_cost: int | None = None
    explanation: dict[str, Any] | None = None
    """Why the plan is not optimal, as in RESULT.json."""
    group: str | None = None
    """The group under whose costs the plan was checked, if there are several."""
    known_cost: Fraction | None = None
    """What the plan is known to cost, if that was taken into account."""
    suboptimality: Fraction | None = None
    """How many times the optimum the plan may cost and still counts as optimal, if above 1."""
    least_factor: LeastFactor | None = None
    """How near to optimal the plan can be at best, if that was asked."""

    def to_json(self) -> dict[str, Any]:
        """The entry of RESULT.json."""
        entry: dict[str, Any] = {
            "problem": self.problem,
            "plan": self.plan,
            "count": self.count,
            "optimal": self.optimal,
            "cost": self.cost,
            "optimal_cost": self.optimal_cost,
        }
        if self.rival is not None:
            entry["rival"] = list(self.rival)
            entry["rival_cost"] = self.rival_cost
        if self.explanation is not None:
            entry["explanation"] = self.explanation
        if self.group is not None:
            entry["group"] = self.group
        if self.known_cost is not None:
            entry["known_cost"] = number_json(self.known_cost)
            entry["deviation"] = number_json(self.cost - self.known_cost)
        if self.suboptimality is not None:
            entry["suboptimality"] = str(self.suboptimality)
            entry["ratio"] = None if self.ratio is None else str(self.ratio)
            entry["ratio_decimal"] = None if self.ratio is None else round(float(self.ratio), 6)
        if self.least_factor is not None:
            least = self.least_factor
            entry["least_factor"] = {
                "infimum": None if least.infimum is None else str(least.infimum),
                "attained": least.attained,
                "within_bounds": None if least.within_bounds is None else str(least.within_bounds),
            }
        return entry

    @property
    def ratio(self) -> Fraction | None:
        """The plan's cost over the optimum; None if that is not known, or nothing."""
        return Fraction(self.cost, self.optimal_cost) if self.optimal_cost else None


def number_json(number: Fraction) -> int | float:
    """A number for RESULT.json: whole where it is."""
    return number.numerator if number.denominator == 1 else float(number)


@dataclass(frozen=True)
class Unshared:
    """What can be had if no costs are shared."""

    optimal_plans: int
    upper_bound: int
    proved: bool

    @classmethod
    def of(cls, result: Result) -> Unshared:
        """From the result of learning without sharing."""
        return cls(result.optimal_plans, result.upper_bound, result.proved)


@dataclass(frozen=True)
class GroupResult:
    """One of several cost functions, and the plans that belong to it.

    Its `secondary` speaks of the plans that are optimal in this group: other plans in their
    place may cost less, unless the groups were named in the manifest.
    """

    name: str
    plans: int
    optimal_plans: int
    costs: dict[str, int]
    secondary: Secondary

    def to_json(self) -> dict[str, Any]:
        """The entry of RESULT.json."""
        return {
            "name": self.name,
            "plans": self.plans,
            "optimal_plans": self.optimal_plans,
            "costs": self.costs,
            "secondary": self.secondary.to_json(),
        }


def largest(groups: Sequence[GroupResult]) -> GroupResult:
    """The group with the most optimal plans; of several the first."""
    return max(groups, key=lambda group: group.optimal_plans)


@dataclass(frozen=True)
class Result:
    """Learned costs, what they achieve, and what is proven about that.

    `optimal_plans` is what the independent check confirmed, `believed_optimal` what
    the optimiser thought. `upper_bound` and `proved` speak of all alternatives.
    `exists` is False if an ideal cost function was asked for and proven not to exist.
    """

    solution: str
    strict: bool
    refined: bool
    alternatives: str
    options: dict[str, Any]
    plans: int
    optimal_plans: int
    upper_bound: int
    proved: bool
    believed_optimal: int
    secondary: Secondary
    costs: dict[str, int]
    observations: tuple[ObservationResult, ...]
    verified: bool
    seconds: dict[str, float]
    exists: bool | None = None
    interrupted: bool = False
    conflict: tuple[str, ...] = ()
    """The plans that cannot all be optimal, if an ideal cost function does not exist."""
    conflict_certificate: tuple[dict[str, Any], ...] = ()
    constrained: tuple[str, ...] | None = None
    """The actions of which the optimal plans say anything; the others keep their baseline."""
    ranges: dict[str, CostRange] | None = None
    groups: tuple[GroupResult, ...] = ()
    """With several cost functions: each of them. `costs` are those of the largest group, and
    `secondary` is the sum over all."""
    history: tuple[tuple[float, int, int], ...] = ()
    """Seconds, plans thought to be optimal, and bound, whenever one of the two moved."""
    deviation: Fraction | None = None
    """How far plans are from their known costs in all, beyond the tolerance."""
    shared: dict[str, int] | None = None
    """The cost of each class of actions that share one; ``*`` stands for any argument."""
    linear: dict[str, dict[str, int]] | None = None
    """For each schema with linear costs its ``constant`` and the weight of each feature."""
    unshared: Unshared | None = None
    """What sharing was compared with."""
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    """What a planner, the solver, the cluster or an optional stage failed with, in sentences."""
    initial_costs: dict[str, int] | None = None
    """The costs that were refined."""
    case: Case | None = field(default=None, repr=False, compare=False)
    """What was learned from; not part of the file."""
    checkpoints: tuple[Path, ...] = field(default=(), repr=False, compare=False)
    """The checkpoints that learning left; not part of the file."""

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing left to find or to prove."""
        return self.proved and self.secondary.proved and not self.interrupted

    def to_json(self) -> dict[str, Any]:
        """The content of RESULT.json."""
        content: dict[str, Any] = {
            "format": FORMAT,
            "solution": self.solution,
            "strict": self.strict,
            "refined": self.refined,
            "alternatives": self.alternatives,
            "options": self.options,
            "plans": self.plans,
            "optimal_plans": self.optimal_plans,
            "upper_bound": self.upper_bound,
            "proved": self.proved,
            "believed_optimal": self.believed_optimal,
            "secondary": self.secondary.to_json(),
            "costs": self.costs,
            "observations": [observation.to_json() for observation in self.observations],
            "verified": self.verified,
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
            "notes": list(self.notes),
        }
        if self.deviation is not None:
            content["deviation"] = number_json(self.deviation)
        if self.shared is not None:
            content["shared"] = self.shared
        if self.linear is not None:
            content["linear"] = self.linear
        if self.unshared is not None:
            content["unshared"] = {
                "optimal_plans": self.unshared.optimal_plans,
                "upper_bound": self.unshared.upper_bound,
                "proved": self.unshared.proved,
            }
        if self.exists is not None or self.solution == "icf":
            content["exists"] = self.exists
        if self.interrupted:
            content["interrupted"] = True
        if self.failures:
            content["failures"] = list(self.failures)
        if self.conflict:
            content["conflict"] = list(self.conflict)
        if self.conflict_certificate:
            content["conflict_certificate"] = list(self.conflict_certificate)
        if self.constrained is not None:
            content["constrained"] = list(self.constrained)
        if self.history:
            content["history"] = [
                {"seconds": round(seconds, 3), "optimal": optimal, "bound": bound}
                for seconds, optimal, bound in self.history
            ]
        if self.initial_costs is not None:
            content["initial_costs"] = self.initial_costs
        if self.groups:
            content["groups"] = [group.to_json() for group in self.groups]
        if self.ranges is not None:
            content["ranges"] = {name: item.to_json() for name, item in self.ranges.items()}
        return content

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left open: all is checked, and both objectives are proven."""
        return self.verified and self.proved and self.secondary.proved

    def cost_of(self, action: str) -> int | None:
        """The cost of any action, also of one never seen if its class has a cost.

        Linear costs need the numbers of a problem too: see `plancost.apply_costs`.
        """
        name = action_name(action)
        if name in self.costs:
            return self.costs[name]
        return self._class_costs.cost(name)

    @cached_property
    def _class_costs(self) -> ClassCosts:
        return ClassCosts(self.shared or {})

    def write(self, path: Path) -> None:
        """Write RESULT.json, whole or not at all."""
        check_not_an_input(path, () if self.case is None else self.case.files)
        write_file(path, json_text(self.to_json()) + "\n")

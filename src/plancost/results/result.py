"""The verified result of learning, and RESULT.json: every key of the file is a field here.

The format is a contract: later versions add keys and never change these.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from plancost.files.escape import json_text
from plancost.files.output_files import write_file
from plancost.files.overwriting import check_not_an_input
from plancost.learning.choose.choice import Uncertainty
from plancost.learning.diagnose.explanations import Reason
from plancost.learning.diagnose.least_factors import LeastFactor
from plancost.observations.case import Case
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.observations.planfile import action_name
from plancost.observations.shares import ClassCosts
from plancost.results.document import Amount, Moment, SecondaryMoment, as_json, schema, written_if
from plancost.system.values import PathLike, as_path
from plancost.system.views import html_of

FORMAT: Literal[1] = 1

NEEDED_BY_REASON = {
    Reason.REDUNDANT.value: ("redundant", "redundant_steps"),
    Reason.CONFLICT.value: ("plans",),
}
"""The keys that an explanation has beside its reason."""
NEEDED_BY_DEMAND = ("plan", "alternative", "plan_only", "alternative_only", "strict")
NEEDED_BY_GIVEN = ("actions", "most")
"""The keys of a demand in a certificate, and of what was given."""

LearnedCost = Annotated[int, Meta(ge=1, le=LARGEST_LEARNED_COST)]
InitialCost = Annotated[int, Meta(ge=0, le=LARGEST_LEARNED_COST)]
Weight = InitialCost

_ALWAYS = written_if(lambda _: True)
_WITH_SUBOPTIMALITY = written_if(lambda item: item.suboptimality is not None)


class Inequality(TypedDict):
    """One inequality of a certificate: a demand of a plan, or something that was given."""

    plan: NotRequired[str]
    alternative: NotRequired[list[str]]
    plan_only: NotRequired[list[str]]
    alternative_only: NotRequired[list[str]]
    strict: NotRequired[bool]
    given: NotRequired[str]
    plans: NotRequired[list[str]]
    actions: NotRequired[dict[str, int]]
    most: NotRequired[int]
    times: Annotated[int, Meta(ge=1)]
    suboptimality: NotRequired[str]
    weights: NotRequired[dict[str, int]]
    made_of: NotRequired[dict[str, dict[str, int]]]


class ExplanationKeys(TypedDict):
    """Why a plan is not optimal."""

    reason: str
    redundant: NotRequired[list[str]]
    redundant_steps: NotRequired[list[int]]
    possible: NotRequired[bool]
    plans: NotRequired[list[str]]
    certificate: NotRequired[list[Inequality]]
    integers: NotRequired[bool]
    another_order: NotRequired[bool]
    copy_of: NotRequired[str]
    copy_has: NotRequired[Literal["steps", "actions", "costs"]]


@dataclass(frozen=True)
class Secondary:
    """The second objective: its value, the least it could be, and whether they meet."""

    value: int
    lower_bound: int
    proved: bool


@dataclass(frozen=True)
class CostRange:
    """The least and greatest cost of an action, the same plans optimal at the same secondary cost.

    Not `proved`: at least these are possible.
    """

    least: int
    greatest: int
    proved: bool


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
    rival_cost: int | None = field(
        default=None, metadata=written_if(lambda item: item.rival is not None)
    )
    explanation: ExplanationKeys | None = None
    """Why the plan is not optimal."""
    group: str | None = None
    """The group under whose costs the plan was checked, if there are several."""
    known_cost: Amount | None = None
    """What the plan is known to cost, if that was taken into account."""
    deviation: Amount | None = field(
        default=None, init=False, metadata=written_if(lambda item: item.known_cost is not None)
    )
    """The cost less the known cost."""
    suboptimality: Fraction | None = None
    """How many times the optimum the plan may cost and still counts as optimal, if above 1."""
    ratio: Fraction | None = field(default=None, init=False, metadata=_WITH_SUBOPTIMALITY)
    """The plan's cost over the optimum; None if that is not known, or nothing."""
    ratio_decimal: float | None = field(default=None, init=False, metadata=_WITH_SUBOPTIMALITY)
    least_factor: LeastFactor | None = None
    """How near to optimal the plan can be at best, if that was asked."""
    line: int | None = None
    """Of a trip: its line in the file of trips."""
    probability: float | None = None
    """The share of samples of the costs under which no plan is cheaper, if there are samples."""
    expected_regret: float | None = None
    """The mean over these samples of the plan's cost over the optimum."""

    def __post_init__(self) -> None:
        ratio = Fraction(self.cost, self.optimal_cost) if self.optimal_cost else None
        known = self.known_cost
        derived = {
            "deviation": None if known is None else Amount(self.cost - known),
            "ratio": ratio,
            "ratio_decimal": None if ratio is None else _decimal(ratio),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def to_json(self) -> dict[str, Any]:
        """The entry of RESULT.json."""
        return dict(as_json(self, ObservationResult))


def _decimal(ratio: Fraction) -> float | None:
    """For readers without fractions; None beyond what floats can say."""
    return round(float(ratio), 6) if ratio < sys.float_info.max else None


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
class TripCounts:
    """Trips on a street network, with multiplicities. A trip may be cut into several plans."""

    trips: int
    optimal_trips: int
    """Those of which every part is optimal."""
    split_trips: int
    """Those that were cut."""
    cuts: dict[str, int]
    """How often trips were cut at each place."""


@dataclass(frozen=True)
class GroupResult:
    """One of several cost functions, and the plans that belong to it.

    Its `secondary` speaks of the plans that are optimal in this group: other plans in their
    place may cost less, unless the groups were named in the manifest.
    """

    name: str
    plans: int
    optimal_plans: int
    costs: dict[str, LearnedCost]
    secondary: Secondary


def largest(groups: Sequence[GroupResult]) -> GroupResult:
    """The group with the most optimal plans; of several the first."""
    return max(groups, key=lambda group: group.optimal_plans)


@dataclass(frozen=True)
class Document:
    """What RESULT.json holds, key by key in the order of the file.

    A field with a default is left out where it has that value.
    """

    format: Literal[1] = field(default=FORMAT, init=False, metadata=_ALWAYS)
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
    costs: dict[str, LearnedCost]
    observations: tuple[ObservationResult, ...]
    verified: bool
    seconds: dict[str, float]
    notes: tuple[str, ...] = field(default=(), metadata=_ALWAYS)
    deviation: Amount | None = None
    """How far plans are from their known costs in all, beyond the tolerance."""
    shared: dict[str, LearnedCost] | None = None
    """The cost of each class of actions that share one; ``*`` stands for any argument."""
    linear: dict[str, dict[str, Weight]] | None = None
    """For each schema with linear costs its ``constant`` and the weight of each feature."""
    unshared: Unshared | None = None
    """What sharing was compared with."""
    exists: bool | None = field(
        default=None,
        metadata=written_if(lambda item: item.exists is not None or item.solution == "icf"),
    )
    interrupted: bool = False
    failures: tuple[str, ...] = ()
    """What a planner, the solver, the cluster or an optional stage failed with, in sentences."""
    conflict: tuple[str, ...] = ()
    """The plans that cannot all be optimal, if an ideal cost function does not exist."""
    conflict_certificate: tuple[Inequality, ...] = ()
    constrained: tuple[str, ...] | None = None
    """The actions of which the optimal plans say anything; the others keep their baseline."""
    history: tuple[Moment, ...] = ()
    secondary_history: tuple[SecondaryMoment, ...] = ()
    initial_costs: dict[str, InitialCost] | None = None
    """The costs that were refined."""
    groups: tuple[GroupResult, ...] = ()
    """With several cost functions: each of them. `costs` are those of the largest group, and
    `secondary` is the sum over all."""
    ranges: dict[str, CostRange] | None = None
    choice: dict[str, Any] | None = None
    """How costs were chosen among those that make these plans optimal, if not the least ones."""
    tie_break: dict[str, LearnedCost] | None = None
    """Of equally cheap plans, the one with the least sum of these is the most likely."""
    uncertainty: dict[str, Uncertainty] | None = None
    """How well each cost is known."""
    trips: TripCounts | None = None
    """Of streets: what the plans come to as trips."""


@dataclass(frozen=True)
class Result(Document):
    """Learned costs, what they achieve, and what is proven about that.

    `optimal_plans` is what the independent check confirmed, `believed_optimal` what
    the optimiser thought. `upper_bound` and `proved` speak of all alternatives.
    `exists` is False if an ideal cost function was asked for and proven not to exist.
    """

    case: Case | None = field(default=None, repr=False, compare=False)
    """What was learned from; not part of the file."""
    checkpoints: tuple[Path, ...] = field(default=(), repr=False, compare=False)
    """The checkpoints that learning left; not part of the file."""
    proof: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    """What the bounds rest on (docs/proofs.md), if that was asked for; a file of its own."""
    samples: npt.NDArray[np.float64] | None = field(default=None, repr=False, compare=False)
    """Costs that are as probable as each other, a row each; not part of the file."""

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing left to find or to prove."""
        return self.proved and self._is_settled and not self.interrupted

    @property
    def _is_settled(self) -> bool:
        """Whether the costs are those asked for: proven least, or chosen otherwise."""
        return self.secondary.proved or self.choice is not None

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left open: all is checked, and both objectives are proven."""
        return self.verified and self.proved and self._is_settled

    def __repr__(self) -> str:
        """In short: what was learned, and what is proven of it."""
        second = self.secondary
        most = "proven most" if self.proved else f"at most {self.upper_bound}"
        least = "proven least" if second.proved else f"at least {second.lower_bound}"
        return (
            f"<Result {self.solution}: {self.optimal_plans} of {self.plans} plans optimal "
            f"({most}), second objective {second.value} ({least}), {len(self.costs)} costs>"
        )

    def _repr_html_(self) -> str:
        """For notebooks."""
        return html_of(self)

    def cost_of(self, action: str) -> int | None:
        """The cost of any action, also of one never seen if its class has a cost.

        Linear costs need the numbers of a problem too: see `plancost.apply_costs`.

        Args:
            action: Its name, such as ``(walk home hill)``.

        Returns:
            The cost; None if nothing was learned of it.
        """
        if action in self.costs:  # a street is called as in its file
            return self.costs[action]
        name = action_name(action)
        if name in self.costs:
            return self.costs[name]
        return self._class_costs.cost(name)

    @cached_property
    def _class_costs(self) -> ClassCosts:
        return ClassCosts(self.shared or {})

    def to_json(self) -> dict[str, Any]:
        """The content of RESULT.json."""
        seconds = {name: round(value, 3) for name, value in self.seconds.items()}
        return {**as_json(self, Document), "seconds": seconds}

    def write_proof(self, path: PathLike) -> None:
        """Write PROOF.json, whole or not at all.

        Args:
            path: The file; it must not be one that was learned from.

        Raises:
            InputError: It cannot be written.
        """
        self._write(path, json_text(self.proof, indent=None))

    def write(self, path: PathLike) -> None:
        """Write RESULT.json, whole or not at all.

        Args:
            path: The file; it must not be one that was learned from.

        Raises:
            InputError: It cannot be written.
        """
        self._write(path, json_text(self.to_json()))

    def _write(self, path: PathLike, text: str) -> None:
        file = as_path(path, "path")
        check_not_an_input(file, () if self.case is None else self.case.files)
        write_file(file, text + "\n")


def result_schema() -> dict[str, Any]:
    """The JSON Schema of RESULT.json.

    Returns:
        The schema (draft 2020-12), as JSON is in Python.
    """
    found = schema(Document, "RESULT.json of plancost")
    types = found["$defs"]
    types["Document"]["required"].append("format")
    types["ExplanationKeys"]["properties"]["reason"] = {"enum": [item.value for item in Reason]}
    types["ExplanationKeys"]["allOf"] = [
        {
            "if": {"properties": {"reason": {"const": reason}}},
            "then": {"required": list(needed)},
        }
        for reason, needed in NEEDED_BY_REASON.items()
    ]
    types["Inequality"] |= {
        "if": {"required": ["given"]},
        "then": {"required": list(NEEDED_BY_GIVEN)},
        "else": {"required": list(NEEDED_BY_DEMAND)},
    }
    return found

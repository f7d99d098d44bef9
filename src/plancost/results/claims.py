"""What a file of costs claims: a RESULT.json, whole or in part, or a plain object of costs.

For whoever checks costs, starts from them or applies them. Only what they use is asked for, and
the file is read once: it may be a pipe.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from plancost.errors import InputError, UsageError
from plancost.files.input_files import read_json
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.observations.case import Case
from plancost.observations.cost_files import LARGEST_COST, costs_of
from plancost.observations.features import Weights, costs_from_weights
from plancost.observations.planfile import action_name
from plancost.observations.shares import ClassCosts
from plancost.results.document import Amount, decode, must_be
from plancost.results.result import LearnedCost, Result, Weight
from plancost.system.values import PathLike, shown, whole_number

_Choice = TypeVar("_Choice", bound=StrEnum)


@dataclass(frozen=True)
class PlanClaim:
    """What a RESULT.json says of one observed plan."""

    problem: str
    plan: str
    count: int = 1
    optimal: bool | None = None
    cost: int | None = None
    optimal_cost: int | None = None
    group: str | None = None
    known_cost: Amount | None = None
    suboptimality: Fraction | None = None


@dataclass(frozen=True)
class GroupClaim:
    """One of several cost functions in a RESULT.json."""

    name: str
    costs: dict[str, int]
    plans: int = 0


@dataclass(frozen=True)
class _Keys:
    """The keys of a RESULT.json that are used; all of them may be missing."""

    format: int | None = None
    solution: str = Solution.MCF.value
    strict: bool = False
    refined: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    optimal_plans: int | None = None
    costs: dict[str, int] | None = None
    observations: tuple[PlanClaim, ...] | None = None
    verified: bool | None = None
    shared: dict[str, LearnedCost] = field(default_factory=dict)
    linear: dict[str, dict[str, Weight]] = field(default_factory=dict)
    groups: tuple[GroupClaim, ...] = ()


@dataclass(frozen=True)
class LearnedCosts:
    """Costs by action, and what a RESULT.json says of actions that were never seen."""

    costs: dict[str, int]
    shared: Mapping[str, int] = field(default_factory=dict)
    """The costs of classes of actions."""
    weights: Weights = field(default_factory=dict)
    """The weights of linear costs, by schema."""


@dataclass(frozen=True, kw_only=True)
class Claims(_Keys):
    """What a file of costs says, with actions named as everywhere else."""

    path: Path | None
    """Where it was read; None if it is in no file."""

    @property
    def is_result(self) -> bool:
        """Whether it claims more than costs."""
        return self.format is not None and self.optimal_plans is not None

    @property
    def concept(self) -> Concept:
        """The concept that was learned for."""
        solution = self._choice(Solution, "solution", self.solution)
        return Concept(
            solution,
            self.strict and solution is Solution.ICF,
            self._option(Reorderings, "reorderings", Reorderings.DISTINCT),
            self._option(Ties, "ties", Ties.ALTERNATIVES),
        )

    @property
    def suboptimality(self) -> Fraction:
        """How many times the optimum a plan might cost, unless the manifest said otherwise."""
        found = self.options.get("suboptimality", "1")
        return decode(found, Fraction, self.path, "options.suboptimality")

    def learned(self, group: str | None = None) -> LearnedCosts:
        """The costs, those of one group if there are several, and what they rest on."""
        costs = self.costs
        groups = {item.name: item.costs for item in self.groups if item.plans}
        if groups or group is not None:
            if group not in groups:
                asked = (
                    "this file has several groups" if group is None else f"there is no '{group}'"
                )
                named = (
                    f"say which one with --group: {', '.join(groups)}" if groups else "no groups"
                )
                raise InputError(f"{asked}; {named}", self.path)
            costs = groups[group]
        if costs is None:
            raise InputError("costs is missing", self.path)
        return LearnedCosts(costs, self.shared, self.linear)

    def _option(self, kind: type[_Choice], name: str, default: _Choice) -> _Choice:
        return self._choice(kind, f"options.{name}", self.options.get(name, default.value))

    def _choice(self, kind: type[_Choice], place: str, value: object) -> _Choice:
        try:
            return kind(str(value))
        except ValueError as error:
            words = "one of " + ", ".join(kind)
            raise InputError(must_be(place, words, value), self.path) from error


GivenCosts = PathLike | Mapping[str, int] | Result | Claims | LearnedCosts
"""The path of a RESULT.json or of a plain file of costs, costs by action, or a result."""


def claims_of(given: GivenCosts, *, exact_names: bool = False) -> Claims:
    """What costs say, however they are given.

    Actions may be written in several ways, unless `exact_names`: streets are called as in their
    file.
    """
    if isinstance(given, Claims):
        return given
    if isinstance(given, LearnedCosts):
        shared = dict(given.shared)
        linear = {schema: dict(weights) for schema, weights in given.weights.items()}
        return Claims(costs=given.costs, shared=shared, linear=linear, path=None)
    if isinstance(given, Result):
        return Claims(**vars(decode(given.to_json(), _Keys, None)), path=None)
    if isinstance(given, str | os.PathLike):
        return read_claims(Path(given))
    if isinstance(given, Mapping) or hasattr(given, "items"):  # a pandas Series is no mapping
        content = dict(given.items())
        if exact_names:
            return Claims(costs=_checked(content, None), path=None)
        return _claims(content, None)
    raise UsageError(f"costs must be a path, a mapping or a Result, not {shown(given)}")


def read_claims(path: Path) -> Claims:
    """Read a file of costs."""
    content = read_json(path, "this costs file")
    if not isinstance(content, dict):
        raise InputError('expected an object such as {"(move a b)": 1, ...}', path)
    return _claims(content, path)


def _claims(content: dict[str, Any], path: Path | None) -> Claims:
    if content.keys() & {"format", "costs", "groups"}:
        keys = decode(content, _Keys, path)
    else:
        keys = _Keys(costs=_checked(content, path))
    return Claims(
        **{
            **vars(keys),
            "costs": None if keys.costs is None else _by_name(keys.costs, path),
            "shared": _by_name(keys.shared, path),
            "groups": tuple(
                replace(item, costs=_by_name(item.costs, path)) for item in keys.groups
            ),
        },
        path=path,
    )


def _checked(costs: Mapping[str, object], path: Path | None) -> dict[str, int]:
    """Costs that are whole numbers."""
    found = {}
    for name, value in costs.items():
        if not isinstance(name, str):
            raise InputError(f"an action is a text such as '(move a b)', not {shown(name)}", path)
        number = whole_number(value)
        if number is None:
            raise InputError(must_be(f"the cost of {name}", "a whole number", value), path)
        found[name] = number
    return found


def read_learned_costs(path: Path, group: str | None = None) -> LearnedCosts:
    """Read the costs in a file, and what they rest on."""
    return read_claims(path).learned(group)


def costs_for(
    case: Case,
    given: GivenCosts,
    *,
    least: int,
    default: int | None,
    largest: int = LARGEST_COST,
) -> tuple[int, ...]:
    """The costs of all actions of A from a file; `default` is for actions missing in it.

    An action that the file does not name has the cost of its class if costs are shared there, and
    what its features say if costs are linear.
    """
    claims = claims_of(given, exact_names=case.domain is None)
    learned = claims.learned()
    missing = [name for name in case.actions if name not in learned.costs]
    classes = ClassCosts(learned.shared)
    of_class = {name: classes.cost(name) for name in (missing if learned.shared else ())}
    costs = {
        **learned.costs,
        **{name: cost for name, cost in of_class.items() if cost is not None},
        **costs_from_weights(case, learned.weights, missing),
    }
    return costs_of(case, costs, least=least, default=default, path=claims.path, largest=largest)


def contradiction(claims: Claims, found: Result) -> str | None:
    """The first thing that a RESULT.json says and a check does not find, as a clause.

    What the file leaves open (null, or not verified) contradicts nothing.
    """
    # A plan file that is listed twice is claimed about twice, in the order of the case.
    by_files: dict[tuple[str, str, str | None], deque[PlanClaim]] = {}
    for claim in claims.observations or ():
        by_files.setdefault((claim.problem, claim.plan, claim.group), deque()).append(claim)
    for item in found.observations:
        waiting = by_files.get((item.problem, item.plan, item.group))
        claim = waiting.popleft() if waiting else PlanClaim(item.problem, item.plan)
        for key in ("optimal", "cost", "optimal_cost"):
            claimed, actual = getattr(claim, key), getattr(item, key)
            if claimed not in (None, actual):
                return (
                    f"of {item.plan} that {key} is {json.dumps(claimed)}; "
                    f"the check finds {json.dumps(actual)}"
                )
    claimed, actual = claims.optimal_plans, found.optimal_plans
    if claims.verified is False and claimed is not None and claimed <= actual:
        return None
    return None if claimed == actual else f"{claimed} optimal plans; the check finds {actual}"


def _by_name(costs: Mapping[str, int], path: Path | None) -> dict[str, int]:
    """Costs of actions that are named in one way."""
    found: dict[str, int] = {}
    for key, cost in costs.items():
        name = action_name(key)
        if found.setdefault(name, cost) != cost:
            raise InputError(f"{name} has two costs, {found[name]} and {cost}", path)
    return found

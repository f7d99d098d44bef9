"""Samples of costs for the actions of any tasks, in whole numbers.

Searches count in whole numbers. So samples are scaled, all by the same factor, and rounded. Then
a cost is wrong by less than 1: by half a unit from rounding here, and by a quarter from the single
precision of the file. Two plans cost the same, as far as can be known, if their costs differ by
no more than the number of their steps.

An action that the samples do not know gets in each of them the cost of its class; or the default,
if there is one; or a cost that is drawn from the prior; or, where that is not known, from those of
the actions of its schema. So it is as uncertain as it should be.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plancost.errors import InputError
from plancost.observations.pddl import split_action
from plancost.observations.planfile import Plan, action_name
from plancost.observations.shares import ClassCosts
from plancost.results.claims import Claims
from plancost.results.samples import Samples

_LARGEST = 2**22
"""The largest cost of all samples becomes this: single precision has 24 bits."""
_UNKNOWN = 1.0
"""The cost of an action of whose schema nothing is known."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SampledCosts:
    """Costs that are as probable as each other: a row each, a column for each action."""

    actions: tuple[str, ...]
    values: Numbers
    unknown: tuple[str, ...] = ()
    """The actions that the samples do not know."""
    unit: float = 1.0
    """What a cost of 1 has become."""

    @property
    def count(self) -> int:
        """How many samples there are."""
        return len(self.values)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.actions)}

    def sample(self, number: int) -> dict[str, int]:
        """The costs of one sample by action."""
        return dict(zip(self.actions, self.values[number].tolist(), strict=True))

    @cached_property
    def mean(self) -> dict[str, int]:
        """Their mean: under it the cheapest plan is the one that is expected to cost least."""
        means = np.rint(self.values.mean(axis=0)).astype(np.int64)
        return dict(zip(self.actions, means.tolist(), strict=True))

    def notes(self) -> list[str]:
        """A note if there are actions that the samples do not know."""
        return unknown_notes(self.unknown)

    def of_plan(self, plan: Plan) -> Numbers:
        """What a plan costs under each sample."""
        steps = [self._place[name] for name in plan]
        found: Numbers = self.values[:, steps].sum(axis=1)
        return found


def unknown_notes(unknown: Sequence[str]) -> list[str]:
    """What there is to say of actions that the samples do not know."""
    if not unknown:
        return []
    return [
        f"{len(unknown)} actions are not in the samples, such as {unknown[0]}; their costs were "
        "drawn from what costs may be"
    ]


def sampled_costs(
    samples: Samples,
    actions: Iterable[str],
    *,
    claims: Claims | None = None,
    default_cost: int | None = None,
) -> SampledCosts:
    """The samples for these actions; `claims` is the result that they belong to."""
    if claims is not None:
        check_samples(samples, claims)
    names = tuple(actions)
    place = {name: column for column, name in enumerate(samples.actions)}
    unknown = tuple(name for name in names if name not in place)
    if unknown and claims is not None and claims.linear:
        raise InputError(
            f"the samples have no cost of {unknown[0]}, and weights are not sampled; learn with "
            "a problem that has this action",
            claims.path,
        )
    guess = _Guess(samples, {} if claims is None else claims.shared, default_cost)
    columns = [samples.costs[:, place[n]] if n in place else guess.column(n) for n in names]
    costs = np.column_stack(columns) if columns else np.empty((len(samples.costs), 0))
    scale = _LARGEST / max(costs.max(initial=0.0), samples.costs.max(initial=1.0))
    values = np.maximum(1, np.rint(costs * scale)).astype(np.int64)
    return SampledCosts(names, values, unknown, scale)


def check_samples(samples: Samples, claims: Claims) -> None:
    """An `InputError` unless they are of the actions of a result."""
    known = claims.costs or {}
    others = set(known).symmetric_difference(samples.actions)
    if others and set(known).symmetric_difference(map(action_name, samples.actions)):
        raise InputError(
            f"the samples are of another result: {min(others)} is only in one of the two",
            claims.path,
        )


class _Guess:
    """Costs of actions that the samples do not know, in each sample."""

    def __init__(
        self, samples: Samples, shared: Mapping[str, int], default_cost: int | None
    ) -> None:
        self._samples = samples
        self._default = default_cost
        places = {name: number for number, name in enumerate(shared)}
        self._classes = ClassCosts(places)
        self._member: dict[int, int] = {}
        self._schemas: dict[str, list[int]] = {}
        for column, name in enumerate(samples.actions):
            number = self._classes.cost(name) if shared else None
            if number is not None:
                self._member.setdefault(number, column)
            self._schemas.setdefault(split_action(name)[0], []).append(column)

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """The cost of an action in each sample."""
        costs = self._samples.costs
        number = self._classes.cost(name)
        if number is not None and number in self._member:
            return np.asarray(costs[:, self._member[number]])
        schema = self._schemas.get(split_action(name)[0])
        generator, prior = random.Random(f"unknown-{name}"), self._samples.prior
        if self._default is None and prior is not None:
            return np.array([generator.uniform(*prior) for _ in costs])
        if self._default is None and schema is not None:
            drawn = generator.choices(schema, k=len(costs))
            return np.asarray(costs[np.arange(len(costs)), drawn])
        given = _UNKNOWN if self._default is None else max(_UNKNOWN, float(self._default))
        return np.full(len(costs), given)

"""What the script shows of one cost function: columns of numbers, which are short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from plancost.case.costs import with_costs
from plancost.case.links import LENGTHS, numbers_of
from plancost.case.model import Case, Ints
from plancost.errors import InputError, PlancostError
from plancost.report.alternatives import Alternative
from plancost.report.map import Terrain
from plancost.report.words import best_known, of_plan, short
from plancost.result.model import ObservationResult, Result

Explanations = Mapping[str, Sequence[str]]
"""By the name of an observation: why it is not optimal, in sentences."""

_CLASSES = 7
_RATIOS = (0.25, 0.5, 0.95, 1.05, 2.0, 4.0)
_RATIO_LABELS = ("below ¼", "¼ to ½", "½ to 0.95", "same", "1.05 to 2", "2 to 4", "above 4")
_FEW = 0.05
"""So many of the different costs are taken for very large, and as many for very small ones."""


@dataclass(frozen=True, eq=False)
class Part:
    """One cost function and the observations that it is for."""

    case: Case
    result: Result
    costs: Ints
    items: Sequence[ObservationResult]
    """What the result says of each observation."""
    alternatives: Sequence[Alternative | None]

    def plans(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Task and actions of each observation and alternative."""
        for observation, other in zip(self.case.observations, self.alternatives, strict=True):
            yield observation.task, observation.actions
            if other is not None:
                yield observation.task, other.actions

    @cached_property
    def known_costs(self) -> Ints | None:
        """The costs that learned ones were to stay close to, if the case has them."""
        refine, table = self.result.options.get("refine"), self.case.streets
        if refine is not True and not (table and refine in table.columns):
            return None
        try:
            return with_costs(self.case, refine=refine).costs.initial
        except PlancostError:  # the case has changed; the page does without
            return None

    @cached_property
    def uses(self) -> Ints:
        """How often plans with each action were seen."""
        found = np.zeros(len(self.case.actions), dtype=np.int64)
        for observation in self.case.observations:
            found[list(set(observation.actions))] += observation.count
        return found

    def colours(self, terrain: Terrain) -> Colours:
        """Of the ways on the map."""
        costs = self._typical(self.costs, terrain)
        if self.known_costs is not None:
            return by_ratio(costs, self._typical(self.known_costs, terrain))
        table = self.case.streets if self.result.likely else None
        column, lengths = numbers_of(table, LENGTHS)
        if lengths is not None:
            return by_rank(costs / lengths, f"Cost by {column}")
        return by_rank(costs, "Cost")

    def _typical(self, costs: Ints, terrain: Terrain) -> npt.NDArray[np.float64]:
        """Of each way the mean over plans that use its actions; without any the least."""
        own = ((costs[list(a)], self.uses[list(a)]) for a in terrain.actions)
        means = [np.average(c, weights=uses) if uses.any() else c.min() for c, uses in own]
        return np.array(means, dtype=np.float64)

    def data(
        self, terrain: Terrain | None, colours: Colours | None, explanations: Explanations
    ) -> dict[str, Any]:
        """All that the script shows of it."""
        known, likely = self.known_costs, self.result.likely
        errors = likely.standard_errors if likely else {}
        return {
            "costs": self.costs.tolist(),
            "known": None if known is None else known.tolist(),
            "errors": [errors.get(name) for name in self.case.actions] if likely else None,
            "uses": self.uses.tolist(),
            "plans": self._plans(terrain, explanations),
            "kind": colours and colours.kind,
            "classes": colours and "".join(map(str, colours.classes)),
        }

    def _plans(self, terrain: Terrain | None, explanations: Explanations) -> dict[str, Any]:
        case, routes = self.case, terrain and terrain.routes
        plans = list(zip(case.observations, self.alternatives, strict=True))
        judged = list(zip(self.items, self.alternatives, strict=True))
        return {
            "names": [one.name for one, _ in plans],
            "tasks": [case.tasks[one.task].name for one, _ in plans],
            "counts": [one.count for one, _ in plans],
            "costs": [item.cost for item in self.items],
            "best": [best_known(item, other) for item, other in judged],
            "verdicts": [item.verdict for item in self.items],
            "said": [of_plan(item, other) for item, other in judged],
            "steps": [list(one.actions) for one, _ in plans],
            "routes": routes and [list(routes[one.task, one.actions]) for one, _ in plans],
            "others": [
                other
                and {
                    "cost": other.cost,
                    "steps": list(other.actions),
                    "rows": _side_by_side(one.actions, other.actions),
                    "route": routes and list(routes[one.task, other.actions]),
                }
                for one, other in plans
            ],
            "why": [list(explanations.get(one.name, ())) for one, _ in plans],
        }


def told_of(case: Case, result: Result, costs: Ints) -> list[ObservationResult]:
    """What a result says of each observation; an error if it is of another case."""
    told = {item.key: item for item in result.observations}
    found = []
    for observation in case.observations:
        key = case.key(observation)
        item = told.get(key)
        cost = case.cost(observation.actions, costs)
        if item is None or item.cost != cost:
            what = "is not in it" if item is None else f"costs {cost}, not {item.cost}"
            name = " ".join(key).strip()
            raise InputError(f"this result is of another case: {name} {what}; learn again")
        found.append(item)
    return found


def _side_by_side(own: Sequence[int], other: Sequence[int]) -> list[list[int]]:
    """Stretches: how many steps are alike (or 0), and how many each plan has there."""
    codes = SequenceMatcher(None, own, other, autojunk=False).get_opcodes()
    return [
        [(end - begin) * (kind == "equal"), end - begin, other_end - other_begin]
        for kind, begin, end, other_begin, other_end in codes
    ]


# Colours


@dataclass(frozen=True)
class Colours:
    """A class from 0 to 6 for each way on the map, and the meaning of those that occur."""

    kind: str
    """ratio or rank: which palette."""
    title: str
    classes: Sequence[int]
    labels: Sequence[tuple[int, str]]


def by_ratio(costs: npt.ArrayLike, known: npt.ArrayLike) -> Colours:
    """Costs over known ones (0 counts as 1, the least that a cost can be): the fourth class means
    about the same.
    """
    ratios = np.asarray(costs) / np.maximum(known, 1)
    classes = np.searchsorted(_RATIOS, ratios, side="right").tolist()
    return Colours("ratio", "Learned over known cost", classes, tuple(enumerate(_RATIO_LABELS)))


def by_rank(values: npt.ArrayLike, title: str) -> Colours:
    """The first class is the least value; the others are equally wide on a logarithmic scale, but
    for few values at both ends.
    """
    every = np.array(values, dtype=np.float64)
    least = every.min()
    classes = np.zeros(len(every), dtype=np.int64)
    if every.max() > least:
        logs = np.log(every)
        low, high = np.quantile(np.unique(logs[every > least]), (_FEW, 1 - _FEW))
        place = (logs - low) / (high - low) if high > low else np.ones(len(logs))
        above = np.clip(1 + (_CLASSES - 1) * place, 1, _CLASSES - 1)
        classes = np.where(every > least, above.astype(np.int64), 0)
    labels = []
    for own in np.unique(classes).tolist():
        members = every[classes == own]
        first, last = short(members.min()), short(members.max())
        labels.append((own, first if first == last else f"{first} to {last}"))
    return Colours("rank", title, classes.tolist(), labels)

"""What the script shows of one cost function: columns of numbers, which are short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np
import numpy.typing as npt

from plancost.case.costs import with_costs
from plancost.case.links import LENGTHS, column_of, numbers_of
from plancost.case.model import Case
from plancost.errors import InputError, PlancostError
from plancost.report.alternatives import Alternative
from plancost.report.colours import Colours, by_rank, by_ratio
from plancost.report.terrain import Terrain
from plancost.report.words import of_plan
from plancost.result.model import ObservationResult, Result

Explanations = Mapping[str, Sequence[str]]
"""By the name of an observation: why it is not optimal, in sentences."""

_VERDICTS = {True: "yes", False: "no", None: "?"}


@dataclass(frozen=True, eq=False)
class Part:
    """One cost function and the observations that it is for."""

    case: Case
    result: Result
    costs: npt.NDArray[np.int64]
    alternatives: Sequence[Alternative | None]

    def items(self) -> list[ObservationResult]:
        """What the result says of each observation; an error if it is of another case."""
        told = {item.key: item for item in self.result.observations}
        found = []
        for observation in self.case.observations:
            is_trip = self.case.streets is not None
            problem = "" if is_trip else self.case.tasks[observation.task].name
            item = told.get((problem, observation.name))
            cost = self.case.cost(observation.actions, self.costs)
            if item is None or item.cost != cost:
                what = "is not in it" if item is None else f"costs {cost}, not {item.cost}"
                name = f"{problem} {observation.name}".strip()
                raise InputError(f"this result is of another case: {name} {what}; learn again")
            found.append(item)
        return found

    def plans(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Task and actions of each observation and alternative."""
        for observation, other in zip(self.case.observations, self.alternatives, strict=True):
            yield observation.task, observation.actions
            if other is not None:
                yield observation.task, other.actions

    def known_costs(self) -> npt.NDArray[np.int64] | None:
        """The costs that learned ones were to stay close to, if the case has them."""
        refine, table = self.result.options.get("refine"), self.case.streets
        if refine is not True and not (table and refine in table.columns):
            return None
        try:
            return with_costs(self.case, refine=refine).costs.initial
        except PlancostError:  # the case has changed; the page does without
            return None

    def uses(self) -> npt.NDArray[np.int64]:
        """How often plans with each action were seen."""
        found = np.zeros(len(self.case.actions), dtype=np.int64)
        for observation in self.case.observations:
            found[list(set(observation.actions))] += observation.count
        return found

    def colours(self, terrain: Terrain) -> Colours:
        """Of the ways on the map."""
        uses = self.uses()
        costs = [_typical(self.costs[list(own)], uses[list(own)]) for own in terrain.actions]
        known = self.known_costs()
        if known is not None:
            before = [_typical(known[list(own)], uses[list(own)]) for own in terrain.actions]
            return by_ratio(costs, before)
        table = self.case.streets
        column = None if table is None or not self.result.likely else column_of(table, LENGTHS)
        if table is not None and column and (lengths := numbers_of(table, column)):
            ratios = [cost / length for cost, length in zip(costs, lengths, strict=True)]
            return by_rank(ratios, f"Cost by {column}")
        return by_rank(costs, "Cost")

    def data(self, terrain: Terrain | None, explanations: Explanations) -> dict[str, Any]:
        """All that the script shows of it."""
        known, likely = self.known_costs(), self.result.likely
        found: dict[str, Any] = {
            "costs": self.costs.tolist(),
            "known": None if known is None else known.tolist(),
            "errors": [likely.standard_errors.get(name) for name in self.case.actions]
            if likely
            else None,
            "uses": self.uses().tolist(),
            "plans": self._plans(terrain, explanations),
        }
        if terrain is not None:
            colours = self.colours(terrain)
            found |= {"kind": colours.kind, "classes": "".join(map(str, colours.classes))}
        return found

    def _plans(self, terrain: Terrain | None, explanations: Explanations) -> dict[str, Any]:
        case, items = self.case, self.items()
        noun = "plan" if case.streets is None else "trip"
        routes = None if terrain is None else terrain.routes
        plans = list(zip(case.observations, self.alternatives, strict=True))
        return {
            "names": [one.name for one, _ in plans],
            "tasks": [case.tasks[one.task].name for one, _ in plans],
            "counts": [one.count for one, _ in plans],
            "costs": [item.cost for item in items],
            "best": [_best(item, other) for item, (_, other) in zip(items, plans, strict=True)],
            "verdicts": [_verdict(item) for item in items],
            "said": [
                of_plan(item, other, noun)
                for item, other in zip(items, self.alternatives, strict=True)
            ],
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


def _verdict(item: ObservationResult) -> str:
    is_tied = item.optimal is False and item.cost == item.optimal_cost
    return "tied" if is_tied else _VERDICTS[item.optimal]


def _best(item: ObservationResult, other: Alternative | None) -> int | None:
    """The cost of a cheapest plan, if the result says it or the alternative is one."""
    if item.optimal_cost is None and other is not None and other.cost < item.cost:
        return other.cost
    return item.optimal_cost


def _typical(costs: npt.NDArray[np.int64], uses: npt.NDArray[np.int64]) -> float:
    """The mean over plans that use some of these actions; without any the least."""
    return float(np.average(costs, weights=uses)) if uses.any() else float(costs.min())


def _side_by_side(own: Sequence[int], other: Sequence[int]) -> list[list[int]]:
    """Stretches: how many steps are alike (or 0), and how many each plan has there."""
    codes = SequenceMatcher(None, own, other, autojunk=False).get_opcodes()
    return [
        [(end - begin) * (kind == "equal"), end - begin, other_end - other_begin]
        for kind, begin, end, other_begin, other_end in codes
    ]

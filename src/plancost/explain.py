"""Why is a plan not optimal? The simplest reason that is found, with a sum that shows it.

In this order: some of its steps can be left out; no costs make it optimal even alone; no costs
make it optimal together with some plans that are optimal now; or it was only not chosen. The
first three come with inequalities that optimal plans must satisfy (a plan costs no more than with
other actions in place of some steps) and with multipliers: so taken they add up to something that
no costs satisfy (Farkas). Under most likely costs: how unlikely a plan is, and which step makes it
so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plancost.case.costs import with_costs
from plancost.case.model import Case, Observation, Task
from plancost.clock import Clock
from plancost.errors import InputError
from plancost.explanation import Explanation, Inequality, explanation_lines
from plancost.learn.rows import Row, row_of
from plancost.learn.task import LearningTask
from plancost.options import LearnOptions
from plancost.pipeline import verify_case
from plancost.reasons import Reason, find_reasons
from plancost.report.alternatives import find_alternatives
from plancost.result.model import ObservationResult, Result, costs_allowed
from plancost.search.redundant import simulated
from plancost.use.predict import Given, Priced, parts_of, priced_case
from plancost.values import shown

_FOR_REASONS = 0.8
"""The part of the time; then cheapest plans are looked for."""
_RANKS = 100
"""Cheapest plans of a task that are looked at."""
_SMALL = 0.1
"""A step of a smaller probability leaves the likely ways."""


def explain_case(
    case: Case,
    given: Given,
    plan: str | None,
    options: LearnOptions,
    clock: Clock,
    knowledge: Path | None = None,
) -> tuple[Explanation, ...]:
    """Explain each plan that is not optimal under these costs, or only those of that name.

    `knowledge` is the file of what was proven when the costs were learned.
    """
    names = [item.name for item in case.observations]
    if plan is not None and plan not in names:
        near = [name for name in names if plan in name] or get_close_matches(plan, names, 1)
        hint = f"; did you mean {shown(near[0])}?" if near else ""
        raise InputError(f"there is no plan {shown(plan)} in this case{hint}")
    asked_of = given.options if isinstance(given, Result) and given.solution != "likely" else {}
    allowed = costs_allowed(asked_of, totals=any(item.total for item in case.observations))
    judged = _judged(case, given, options, clock)
    features, bounds = asked_of.get("features"), asked_of.get("bounds")
    if features or bounds:
        case = with_costs(case, features=features or (), bounds=bounds)
    found: dict[tuple[str, str], Explanation] = {}
    for number, (group, part, own) in enumerate(parts_of(case, given), start=1):
        items = [judged[part.key(item)] for item in part.observations]
        optimal = [n for n, item in enumerate(items) if item.optimal]
        asked = [
            n for n, item in enumerate(items) if not item.optimal and plan in (None, item.name)
        ]
        if not asked:
            continue
        file = knowledge
        if knowledge is not None and group:
            file = knowledge.with_suffix(f".{number}{knowledge.suffix}")
        explainer = _Explainer(priced_case(part, own)[0], options, clock)
        if options.solution == "likely":
            explained = explainer.by_probability(asked)
        else:
            explained = explainer.by_rows(asked, optimal, file)
        for n, one in explained.items():
            item, note = items[n], one.note
            if item.optimal is None and one.kind == "not chosen":
                note = f"it is not known whether it is optimal now; {note}"
            more = None if item.optimal_cost is None else item.cost - item.optimal_cost
            one = replace(one, group=group, count=item.count, difference=more, note=note)
            found[item.key] = explainer.with_lines(n, one, allowed)
    keys = (case.key(item) for item in case.observations)
    return tuple(found[key] for key in keys if key in found)


def _judged(
    case: Case, given: Given, options: LearnOptions, clock: Clock
) -> dict[tuple[str, str], ObservationResult]:
    """What is true of each observation: as the result says, or if it does not by a check."""
    told = given.observations if isinstance(given, Result) else []
    known = {item.key: item for item in told if item.optimal is not None}
    if all(case.key(item) in known for item in case.observations):
        return known
    share = clock.part(clock.remaining / 2)
    return {item.key: item for item in verify_case(case, given, options, share).observations}


class _Explainer:
    """Explains plans under one cost function."""

    def __init__(self, priced: Priced, options: LearnOptions, clock: Clock) -> None:
        self.priced, self.case = priced, priced.case
        self.options, self.clock = options, clock
        self._streets = _streets(self.case)

    def by_rows(
        self, asked: Sequence[int], optimal: Sequence[int], knowledge: Path | None
    ) -> dict[int, Explanation]:
        """Of some observations, by inequalities, where others are optimal."""
        task = LearningTask(self.case, self.options)
        share = self.clock.part(_FOR_REASONS * self.clock.remaining)
        of, chosen = (list(dict.fromkeys(task.plan_of[n] for n in own)) for own in (asked, optimal))
        reasons = find_reasons(task, self.options, of, chosen, share, knowledge)
        names: dict[int, str] = {}
        for number, item in zip(task.plan_of, self.case.observations, strict=True):
            names.setdefault(number, item.name)
        found = {n: self._explanation(task, reasons[task.plan_of[n]], names, n) for n in asked}
        left = [n for n in asked if found[n].kind == "not chosen"]
        part = replace(self.case, observations=tuple(self.case.observations[n] for n in left))
        others = find_alternatives(part, self.priced.costs, self.clock)
        for n, item, other in zip(left, part.observations, others, strict=True):
            if other is not None and other.cost <= part.cost(item.actions, self.priced.costs):
                found[n] = replace(found[n], alternative=self._names(other.actions))
        return found

    def by_probability(self, asked: Sequence[int]) -> dict[int, Explanation]:
        """Of some observations, under most likely costs."""
        case, costs = self.case, self.priced.costs
        asked = sorted(asked, key=lambda n: case.tasks[case.observations[n].task].world)
        items = {n: case.observations[n] for n in asked}
        chances = _chances(self.priced, list(items.values()), self.clock)
        seen = replace(self.priced, case=replace(case, observations=tuple(items.values())))
        cheapest, _ = replace(seen, units=None).foreseen(_RANKS, self.clock)
        found = {}
        for (n, item), known in zip(items.items(), chances, strict=True):
            own, ways = case.cost(item.actions, costs), cheapest[item.task]
            rank = 1 + sum(cost < own for cost, _ in ways)
            one = Explanation(
                item.name,
                case.tasks[item.task].name,
                "unlikely",
                alternative=self._names(ways[0][1]),
                rank=rank if rank <= len(ways) else None,
            )
            if len(known) > 1:
                step = int(np.argmax((known[:-1] < _SMALL) | (known[:-1] == known[:-1].min())))
                one = replace(
                    one,
                    steps=self._places(item.actions, [step]),
                    probability=float(known.prod()),
                    step_probability=float(known[step]),
                )
            found[n] = one
        return found

    def with_lines(self, number: int, found: Explanation, allowed: str) -> Explanation:
        """The same with lines for people."""
        actions = self._names(self.case.observations[number].actions)
        return replace(found, lines=explanation_lines(found, actions, self._streets, allowed))

    def _explanation(
        self, task: LearningTask, reason: Reason, names: Mapping[int, str], number: int
    ) -> Explanation:
        """A reason in the names of one of the observations of a plan."""
        case, item = self.case, self.case.observations[number]
        names = {**{n: names[n] for n in reason.plans}, task.plan_of[number]: item.name}
        rows, total, margin = [], Counter[int](), 0
        for row, times, why in reason.rows:
            total.update({parameter: times * count for parameter, count in row.coefficients})
            margin += times * row.margin
            if why is None:
                rows.append(Inequality(times, "", 0, 0, (), False, self._relation(row)))
                continue
            actions = task.plans[why.plan].actions
            text = self._relation(row, (*actions, *why.other) if task.parameters.is_plain else ())
            first, last = self._range(actions, why.begin, why.end)
            other, strict = tuple(case.actions[a] for a in why.other), row.margin > 0
            rows.append(Inequality(times, names[why.plan], first, last, other, strict, text))
        added = row_of(total, margin)
        return Explanation(
            item.name,
            case.tasks[item.task].name,
            reason.kind,
            steps=self._places(item.actions, reason.steps),
            with_plans=tuple(names[n] for n in reason.plans),
            rows=tuple(rows),
            sum=self._relation(added) if rows else "",
            against=self._against(task, added) if rows else "",
            alternative=self._names(reason.rest),
            note=reason.note,
        )

    def _names(self, actions: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.case.actions[action] for action in self.priced.links(actions))

    def _range(self, actions: Sequence[int], begin: int, end: int) -> tuple[int, int]:
        """The first and the last of some steps."""
        first = len(self.priced.links(actions[:begin])) + 1
        last = len(self.priced.links(actions if end < 0 else actions[:end]))
        return first, max(first, last)

    def _places(self, actions: Sequence[int], steps: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({self._range(actions, step, step + 1)[0] for step in steps}))

    def _parameter(self, number: int) -> str:
        name = self.case.costs.parameters[number]
        street = self._streets.get(name)
        return f"{street} [{name}]" if street else name

    def _relation(self, row: Row, order: Sequence[int] = ()) -> str:
        """Such as ``2 a + b <= c + 3``; parameters in some order."""
        sides: tuple[list[str], list[str]] = ([], [])
        place = {parameter: n for n, parameter in reversed(list(enumerate(order)))}
        ordered = sorted(row.coefficients, key=lambda item: place.get(item[0], len(place)))
        for parameter, times in ordered:
            many = f"{abs(times)} " if abs(times) > 1 else ""
            sides[times < 0].append(f"{many}{self._parameter(parameter)}")
        if row.margin:
            sides[row.margin < 0].append(f"{abs(row.margin)}")
        return " <= ".join(" + ".join(side) or "0" for side in sides)

    def _against(self, task: LearningTask, added: Row) -> str:
        """The bounds that contradict the sum of a proof."""
        least, greatest = task.parameters.least, task.parameters.greatest
        if all(times > 0 and least[p] == 1 for p, times in added.coefficients):
            return "all costs are at least 1" if added.coefficients else ""
        return ", ".join(
            f"{self._parameter(p)} {f'>= {least[p]}' if times > 0 else f'<= {greatest[p]}'}"
            for p, times in added.coefficients
        )


def _chances(
    priced: Priced, items: Sequence[Observation], clock: Clock
) -> list[npt.NDArray[np.float64]]:
    """Of each step of plans its probability, and at last that of ending there; nothing if plans
    have no probabilities.

    What is left of a plan is a plan of a task that begins where it is then.
    """
    from plancost.likely.likelihood import Likelihood, plans_of

    tasks: list[Task] = []
    rests: list[Observation] = []
    for item in items:
        task = priced.case.tasks[item.task]
        states = simulated(priced.case.worlds[task.world]).states(task, item.actions)
        for step, state in enumerate(states):
            rests.append(replace(item, task=len(tasks), actions=item.actions[step:]))
            tasks.append(replace(task, initial=state))
    begun = replace(priced.case, tasks=tuple(tasks), observations=tuple(rests))
    costs = priced.costs / (priced.units or 1.0)
    plans = plans_of(begun, clock)
    found = Likelihood(plans, costs).each(costs)
    each = np.array([found[plan] for plan in plans])
    if not np.isfinite(each).all():
        return [np.zeros(0)] * len(items)
    ends = np.cumsum([len(item.actions) + 1 for item in items])
    return [np.exp(own - np.append(own[1:], 0.0)) for own in np.split(each, ends[:-1])]


def _streets(case: Case) -> dict[str, str]:
    """What the streets of links are called, where links.csv has a column `name`."""
    table = case.streets
    if table is None or "name" not in table.columns:
        return {}
    named = zip(case.actions, table.column("name"), strict=False)
    return {link: street for link, street in named if street}

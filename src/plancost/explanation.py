"""Explanations: why a plan is not optimal, as values and in a few lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from plancost.values import escaped

Kind = Literal["redundant", "impossible", "conflict", "not chosen", "unlikely"]

_MOST = 6
"""Names of a list that are shown."""


@dataclass(frozen=True)
class Inequality:
    """A plan must not cost more than with other actions in place of some of its steps."""

    multiplier: int
    plan: str
    """Empty: it holds whatever plans are optimal, by bounds, features or known totals."""
    first: int
    """The first of these steps; here and elsewhere from 1, of trips only links."""
    last: int
    alternative: tuple[str, ...]
    strict: bool
    """Whether the plan must cost less, by 1."""
    text: str
    """Such as ``(walk home hill) <= (walk home river)``: what both have in common is cancelled."""


@dataclass(frozen=True)
class Explanation:
    """Why one observed plan is not optimal."""

    name: str
    task: str
    kind: Kind
    group: str = ""
    count: int = 1
    """How often the plan was seen."""
    steps: tuple[int, ...] = ()
    """Those that can be left out, or the one that leaves the likely ways."""
    with_plans: tuple[str, ...] = ()
    """The optimal plans that it is in conflict with."""
    rows: tuple[Inequality, ...] = ()
    """What costs must satisfy if these plans are optimal."""
    sum: str = ""
    """What the rows add up to, each taken as often as its multiplier says."""
    against: str = ""
    """The bounds on costs that contradict the sum; empty if it is false by itself."""
    alternative: tuple[str, ...] = ()
    """The plan without redundant steps, or else the cheapest plan where it was looked for."""
    difference: int | None = None
    """By how much the plan costs more than the cheapest one."""
    probability: float | None = None
    step_probability: float | None = None
    rank: int | None = None
    """Among the most likely plans of its task; None: not among the first hundred."""
    note: str = ""
    lines: tuple[str, ...] = ()
    """All this for people."""


def explanation_lines(
    found: Explanation, actions: Sequence[str], streets: Mapping[str, str], allowed: str
) -> tuple[str, ...]:
    """In a few lines: `actions` are those of the plan, `streets` names, `allowed` which costs."""
    names = [streets.get(name, name) for name in actions]
    way = (name for name, _ in groupby(streets.get(name, name) for name in found.alternative))
    cheapest = _listed(way, ", " if streets else " ")
    steps = _listed((f"{n} {names[n - 1]}" for n in found.steps), ", ")
    if found.kind == "redundant":
        lines = [f"redundant: the goal is reached without steps {steps}"]
    elif found.kind == "unlikely":
        lines = [*_unlikely(found, steps), f"most likely: {cheapest}"]
    elif found.kind == "not chosen":
        cost = f"cheaper by {found.difference}" if found.difference else "no dearer"
        lines = [f"not chosen: {found.note}", *([f"{cost}: {cheapest}"] if cheapest else [])]
    elif found.with_plans:
        others = _listed(found.with_plans, ", ")
        head = f"in conflict with {others}: no {allowed} make all of them optimal{found.note}"
        lines = [head, *_rows(found)]
    else:
        head = f"impossible alone: no {allowed} make it optimal{found.note}"
        lines = [head, *_rows(found)]
    return tuple(map(escaped, (f"{found.name}: {lines[0]}", *(f"  {line}" for line in lines[1:]))))


def _unlikely(found: Explanation, step: str) -> list[str]:
    if found.probability is None or found.step_probability is None:
        return ["unlikely: under these costs plans have no probabilities"]
    rank = f"number {found.rank}" if found.rank else "not one of the first hundred"
    return [
        f"unlikely: {rank} of the plans of its task, with probability {found.probability:.2g}",
        f"leaves the likely ways at step {step}, of probability {found.step_probability:.2g}",
    ]


def _rows(found: Explanation) -> list[str]:
    """The inequalities and their sum."""
    lines = []
    for row in found.rows:
        times = f"{row.multiplier} x " if row.multiplier > 1 else ""
        whose = row.plan if row.plan and row.plan != found.name else ""
        where = f"step {row.first}" if row.first == row.last else f"steps {row.first}-{row.last}"
        place = f"{whose} {where}".strip() if row.plan else "known"
        same = f" as {_listed(row.alternative, ' ')} always costs as much:" * (row.text == "1 <= 0")
        lines.append(f"{times}{place}:{same} {_short(row.text)}")
    limits = _listed(found.against.split(", "), ", ")
    against = f"but {limits}" if limits else "which is false"
    if len(lines) == 1:
        return [f"{lines[0]}, {against}"]
    return [*lines, f"together: {_short(found.sum)}, {against}"] if lines else []


def _short(relation: str) -> str:
    """Long sums on both sides shortened."""
    return " <= ".join(_listed(side.split(" + "), " + ") for side in relation.split(" <= "))


def _listed(names: Iterable[str], between: str) -> str:
    """Names in a row; of many the first, and how many more there are."""
    found = list(names)
    more = [f"... ({len(found) - _MOST} more)"] if len(found) > _MOST else []
    return between.join([*found[:_MOST], *more])

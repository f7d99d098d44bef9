"""A result as a short text: what was found, what is proven, dearest actions, plans, notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from plancost.result.model import ObservationResult, Result
from plancost.values import escaped

_MOST_PLANS = 20
_MOST_COSTS = 10


def result_lines(result: Result) -> list[str]:
    """What was learned."""
    groups = [
        (f"group {part.group}", _optimal(part), _proof_of_plans(part))
        for part in result.groups or ()
    ]
    lines = aligned([*summary(result), *groups], right=(1,))
    for part in result.parts:
        lines += _costs(part)
    return [*lines, "", *_plans(result), *_notes(result)]


def check_lines(result: Result) -> list[str]:
    """What a check of given costs found; it says nothing about other costs."""
    unknown = sum(item.count for item in result.observations if item.optimal is None)
    count = f"{result.optimal_plans} of {result.plans} plans are optimal under these costs"
    return [
        count if not unknown else f"{count}, {unknown} are undecided",
        "",
        *_plans(result),
        *_notes(result),
    ]


def summary(result: Result) -> list[tuple[str, str, str]]:
    """What was found: its name, the value, and what is proven of it."""
    found = [(f"optimal {result.noun}s", _optimal(result), _proof_of_plans(result))]
    second = result.secondary
    if second is not None:
        name = "distance from the known costs" if result.refined else "sum of costs"
        open_words = f"not proven least, at least {second.lower_bound}"
        found.append((name, f"{second.value}", "proven least" if second.proved else open_words))
    if result.likely:
        value = result.likely.log_likelihood
        words = f"{result.likely.units_per_nat} units of cost are a nat"
        found.append(("log-likelihood", "none" if value is None else f"{value:.1f}", words))
    return found


def _optimal(result: Result) -> str:
    return f"{result.optimal_plans} of {result.plans}"


def _proof_of_plans(result: Result) -> str:
    """What is proven of how many can be optimal."""
    if result.ending == "none exists":
        words = f"proven: no {result.bounded} make all {result.noun}s optimal"
        return f"{words}; these are only costs to begin with"
    if result.solution == "likely" and result.verified:
        return "under the most likely costs"
    if not result.verified:
        return f"not checked to the end, at most {result.upper_bound}"
    if not result.proved:
        return f"not proven most, at most {result.upper_bound}"
    return f"proven: no {result.bounded} make more {result.noun}s optimal"


def _costs(part: Result) -> list[str]:
    """The dearest actions."""
    costs: Mapping[str, int] = part.costs
    least = 0 if part.likely else min(costs.values(), default=1)
    above = sorted((name for name in costs if costs[name] > least), key=lambda name: -costs[name])
    whose = f" in group {escaped(part.group)}" if part.group else ""
    if not above:
        return [f"all {len(costs)} actions cost {least}{whose}"]
    shown = above[:_MOST_COSTS]
    head = f"{len(above)} of {len(costs)} actions cost more than {least}{whose}"
    if part.likely:
        head = f"{len(costs)} actions{whose}, costs in 1/{part.likely.units_per_nat} nat"
    if len(shown) < len(above):
        head += f", the dearest {len(shown)} are"
    rows = [["", name, f"{costs[name]}"] for name in shown]
    return [head, *aligned(rows, right=(2,))]


def _plans(result: Result) -> list[str]:
    found = result.observations
    shown = found[:_MOST_PLANS]
    head = ["trip"] if result.noun == "trip" else ["plan", "problem"]
    has_groups, has_counts = bool(result.groups), any(item.count > 1 for item in found)
    head += ["group"] * has_groups + ["count"] * has_counts + ["cost", "cheapest", "optimal"]
    rows = [head, *([_cell(item, column) for column in head] for item in shown)]
    numbers = ("count", "cost", "cheapest")
    lines = aligned(rows, right=[place for place, name in enumerate(head) if name in numbers])
    return [*lines, f"and {len(found) - len(shown)} more"] if len(found) > len(shown) else lines


def _cell(item: ObservationResult, column: str) -> str:
    if column == "cheapest":
        return "?" if item.optimal_cost is None else f"{item.optimal_cost}"
    return item.verdict if column == "optimal" else f"{getattr(item, column)}"


def _notes(result: Result) -> list[str]:
    return [f"note: {escaped(note)}" for note in result.every_note]


def aligned(rows: Iterable[Sequence[str]], right: Iterable[int]) -> list[str]:
    """Rows as lines with columns as wide as they must be."""
    safe = [[escaped(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*safe, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in safe
    ]

"""One of several groups of trips, as a result of its own: a map shows one cost function."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plancost.errors import UsageError
from plancost.results.result import Result
from plancost.routes.network import Trip


def only_group(result: Result, name: str | None) -> Result:
    """The result of one group; all of it where there are no groups.

    How many trips of one group could be optimal at most is not known.
    """
    groups = {group.name: group for group in result.groups if group.plans}
    if not groups:
        if name is not None:
            raise UsageError(f"there are no groups in this result, so none is called '{name}'")
        return result
    if name is None and len(groups) == 1:
        (name,) = groups
    if name is None or name not in groups:
        asked = "this result has several groups" if name is None else f"there is no group '{name}'"
        raise UsageError(f"{asked}; choose one with --group: {', '.join(groups)}")
    group = groups[name]
    together = f"{result.optimal_plans} of {result.plans} trips are optimal in all groups together"
    most = "proven most" if result.proved else f"at most {result.upper_bound}"
    return replace(
        result,
        plans=group.plans,
        optimal_plans=group.optimal_plans,
        believed_optimal=group.optimal_plans,
        upper_bound=group.plans,
        proved=group.optimal_plans == group.plans,
        secondary=group.secondary,
        costs=group.costs,
        observations=tuple(item for item in result.observations if item.group == name),
        notes=(*result.notes, f"this is the group {name}; {together} ({most})"),
        groups=(),
        trips=None,
        options={key: value for key, value in result.options.items() if key != "answer_from"},
    )


def outside_others(whole: Result, result: Result, trips: Iterable[Trip]) -> list[Trip]:
    """The trips that belong to no other group of the whole result."""
    own = {item.group for item in result.observations}
    others = {item.plan for item in whole.observations if item.group not in own}
    foreign = {group.name for group in whole.groups} - own
    return [trip for trip in trips if trip.name not in others and trip.group not in foreign]

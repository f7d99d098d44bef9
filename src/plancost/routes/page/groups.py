"""One of several groups of trips, as a result of its own: a map shows one cost function."""

from __future__ import annotations

from collections.abc import Iterable

from plancost.results.one_group import group_alone
from plancost.results.result import Result
from plancost.routes.network import Trip


def only_group(result: Result, name: str | None) -> Result:
    """The result of one group; all of it where there are no groups."""
    return group_alone(result, name, "trips")


def outside_others(whole: Result, result: Result, trips: Iterable[Trip]) -> list[Trip]:
    """The trips that belong to no other group of the whole result."""
    own = {item.group for item in result.observations}
    others = {item.plan for item in whole.observations if item.group not in own}
    foreign = {group.name for group in whole.groups} - own
    return [trip for trip in trips if trip.name not in others and trip.group not in foreign]

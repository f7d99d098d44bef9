"""One group of a result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plancost.errors import UsageError
from plancost.results.result import GroupResult, Result, Secondary
from plancost.routes.network import Link, Network, Trip
from plancost.routes.page.groups import only_group, outside_others
from support.towns import result_of

NETWORK = Network((Link("1", "a", "b"), Link("2", "a", "b")))
TRIPS = (Trip("day", ("1",)), Trip("night", ("2",)))


def grouped() -> Result:
    result = result_of(NETWORK, TRIPS, {"1": 1, "2": 2})
    day, night = result.observations
    groups = (
        GroupResult("d", 1, 1, {"1": 1, "2": 2}, Secondary(3, 3, True)),
        GroupResult("n", 1, 1, {"1": 2, "2": 1}, Secondary(3, 3, True)),
        GroupResult("empty", 0, 0, {}, Secondary(0, 0, True)),
    )
    items = (replace(day, group="d"), replace(night, group="n", optimal=True, cost=1))
    return replace(result, groups=groups, observations=items, optimal_plans=2, proved=True)


def test_one_group() -> None:
    found = only_group(grouped(), "n")
    assert found.costs == {"1": 2, "2": 1}
    assert [item.plan for item in found.observations] == ["night"]
    assert (found.plans, found.optimal_plans, found.proved) == (1, 1, True)
    assert found.notes[-1] == (
        "this is the group n; 2 of 2 trips are optimal in all groups together (proven most)"
    )


@pytest.mark.parametrize(
    ("assignment", "together", "bound"), [("column", 8, 4), ("column", 12, 7), ("search", 8, 7)]
)
def test_the_bound_of_a_group(assignment: str, together: int, bound: int) -> None:
    """That of all groups bounds each, but only if nobody chose who is in which."""
    groups = (
        GroupResult("d", 9, 4, {"1": 1, "2": 2}, Secondary(3, 3, True)),
        GroupResult("n", 7, 4, {"1": 2, "2": 1}, Secondary(3, 3, True)),
    )
    whole = replace(
        grouped(),
        groups=groups,
        optimal_plans=8,
        upper_bound=together,
        options={"assignment": assignment},
    )
    found = only_group(whole, "n")
    assert (found.upper_bound, found.proved) == (bound, bound == 4)


def test_a_group_must_be_chosen_if_there_are_several() -> None:
    with pytest.raises(UsageError, match="several groups; choose one with group: d, n"):
        only_group(grouped(), None)
    with pytest.raises(UsageError, match="there is no group 'empty'"):
        only_group(grouped(), "empty")
    with pytest.raises(UsageError, match="there are no groups in this result"):
        only_group(replace(grouped(), groups=()), "d")


def test_without_a_choice_nothing_is_chosen() -> None:
    plain = replace(grouped(), groups=())
    assert only_group(plain, None) is plain
    only = replace(grouped(), groups=grouped().groups[1:])
    assert only_group(only, None).costs == {"1": 2, "2": 1}


def test_trips_of_other_groups_are_not_on_the_map() -> None:
    whole = grouped()
    trips = [*TRIPS, Trip("new", ("1",)), Trip("d2", ("1",), group="d"), Trip("n2", ("1",), 1, "n")]
    found = outside_others(whole, only_group(whole, "n"), trips)
    assert [trip.name for trip in found] == ["night", "new", "n2"]

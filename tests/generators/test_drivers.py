"""Every trip is a path, and without noise it is optimal under the hidden costs."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from plancost.generators.city import City, CityRequest, build_city
from plancost.generators.drivers import DrivenTrip, drive


def trips_of(city: City, **asked: float) -> list[DrivenTrip]:
    return list(drive(city, CityRequest(**asked)))  # type: ignore[arg-type]


def optimal(city: City, trips: list[DrivenTrip]) -> list[bool]:
    """Whether each trip is optimal under the hidden costs, by a search forward in integers."""
    graph = csr_array(
        (city.hidden.astype(np.float64), (city.starts, city.ends)), shape=(city.junctions,) * 2
    )
    least = dijkstra(graph)
    return [
        city.hidden[trip.links].sum()
        == least[city.starts[trip.links[0]], city.ends[trip.links[-1]]]
        for trip in trips
    ]


@settings(max_examples=100)
@given(st.integers(100, 1200), st.integers(0, 10**6), st.integers(1, 60))
def test_without_noise_every_trip_is_optimal(links: int, seed: int, count: int) -> None:
    city = build_city(links, seed)
    trips = trips_of(city, trips=count, seed=seed, noise=0, detours=0)
    assert len(trips) == count
    assert all(optimal(city, trips))


@settings(max_examples=100)
@given(st.integers(100, 1200), st.integers(0, 10**6), st.floats(0, 2), st.floats(0, 1))
def test_every_trip_is_a_path(links: int, seed: int, noise: float, detours: float) -> None:
    city = build_city(links, seed)
    for trip in trips_of(city, trips=40, seed=seed, noise=noise, detours=detours):
        assert len(trip.links) > 0
        assert (city.ends[trip.links[:-1]] == city.starts[trip.links[1:]]).all()


def test_more_noise_leaves_fewer_trips_optimal() -> None:
    city = build_city(2000, 0)
    shares = [
        np.mean(optimal(city, trips_of(city, trips=300, noise=noise, detours=0)))
        for noise in (0, 0.1, 0.3, 0.8)
    ]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1
    assert shares[-1] < 0.5


def test_detours_are_as_many_as_asked_for_and_are_not_optimal() -> None:
    city = build_city(2000, 0)
    trips = trips_of(city, trips=400, noise=0, detours=0.1)
    detours = [trip.is_detour for trip in trips]
    assert 20 <= sum(detours) <= 60
    are_optimal = optimal(city, trips)
    assert all(found for found, detour in zip(are_optimal, detours, strict=True) if not detour)
    assert sum(found for found, detour in zip(are_optimal, detours, strict=True) if detour) <= 5


def test_ends_and_whole_trips_repeat() -> None:
    city = build_city(2000, 0)
    trips = trips_of(city, trips=400)
    assert len({trip.driver for trip in trips}) == 20
    ends = Counter(int(city.ends[trip.links[-1]]) for trip in trips)
    assert ends.most_common(1)[0][1] >= 8
    different = {tuple(trip.links) for trip in trips}
    assert 100 < len(different) < 390


def test_trips_are_as_long_as_those_of_people() -> None:
    city = build_city(20_000, 0)
    metres = [city.metres[trip.links].sum() for trip in trips_of(city, trips=200)]
    assert 2000 < np.median(metres) < 6000
    assert max(metres) < 40_000


def test_a_seed_fixes_the_trips() -> None:
    city = build_city(500, 1)
    one, two = (trips_of(city, trips=60, seed=4) for _ in range(2))
    other = trips_of(city, trips=60, seed=5)
    assert [trip.links.tolist() for trip in one] == [trip.links.tolist() for trip in two]
    assert [trip.links.tolist() for trip in one] != [trip.links.tolist() for trip in other]

"""Links with metres and minutes, and hidden costs that are not the minutes."""

from __future__ import annotations

import numpy as np
import pytest

from plancost.errors import UsageError
from plancost.generators.city import THOUSANDTHS, CityRequest, build_city
from plancost.generators.street_plan import Kind


def test_numbers_of_links_make_sense() -> None:
    city = build_city(3000, 1)
    straight = np.hypot(
        city.x[city.starts] - city.x[city.ends], city.y[city.starts] - city.y[city.ends]
    )
    assert (city.metres >= np.floor(straight)).all()
    assert city.metres.min() >= 1
    speed = city.metres / (city.minutes / THOUSANDTHS) * 60 / 1000
    long = city.metres > 50
    for kind, kmh in ((Kind.STREET, 30), (Kind.ARTERIAL, 50), (Kind.RING, 70)):
        assert speed[long & (city.kinds == kind)] == pytest.approx(kmh, rel=0.02)


def test_hidden_costs_follow_minutes_but_are_others() -> None:
    city = build_city(3000, 1)
    assert city.hidden.min() >= 1
    ratio = city.hidden / city.minutes
    assert np.corrcoef(city.hidden, city.minutes)[0, 1] > 0.5
    assert np.log(ratio).std() > 0.2
    medians = [np.median(ratio[city.kinds == kind]) for kind in (Kind.RING, Kind.STREET)]
    assert medians[0] < medians[1]


def test_both_directions_of_a_street_are_as_long() -> None:
    city = build_city(800, 3)
    lengths = dict(zip(zip(city.starts, city.ends, strict=True), city.metres, strict=True))
    both = [pair for pair in lengths if pair[::-1] in lengths]
    assert len(both) > 500
    assert all(lengths[pair] == lengths[pair[::-1]] for pair in both)


def test_links_along_junctions() -> None:
    city = build_city(300, 0)
    link = 17
    following = int(np.flatnonzero(city.starts == city.ends[link])[0])
    junctions = np.array([city.starts[link], city.ends[link], city.ends[following]])
    assert city.links_along(junctions).tolist() == [link, following]


def test_a_seed_fixes_the_city() -> None:
    one, two, other = build_city(500, 5), build_city(500, 5), build_city(500, 6)
    assert (one.hidden == two.hidden).all() and (one.starts == two.starts).all()
    assert len(one.hidden) != len(other.hidden) or (one.hidden != other.hidden).any()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"links": 99}, "the number of links must be from 100 to 1000000, not 99"),
        ({"trips": 0}, "the number of trips must be from 1 to 1000000, not 0"),
        ({"seed": -1}, "the seed must be at least 0, not -1"),
        ({"noise": float("nan")}, "the noise must be from 0 to 2, not nan"),
        ({"noise": -0.1}, "the noise must be from 0 to 2, not -0.1"),
        ({"detours": 1.5}, "the share of detours must be from 0 to 1, not 1.5"),
    ],
)
def test_a_request_that_makes_no_sense(asked: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        CityRequest(**asked)  # type: ignore[arg-type]  # numbers by name

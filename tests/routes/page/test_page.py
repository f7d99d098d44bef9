"""What the page with the map says, without a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from plancost.results.result import CostRange, Result, Secondary, TripCounts
from plancost.routes.network import Link, Network, Trip
from plancost.routes.page.page import map_page, write_map
from plancost.routes.page.words import first_objective, headline
from plancost.routes.turns import Turns
from support.towns import result_of

LINKS = (
    Link("1", "a", "b", {"minutes": Fraction(1, 3), "metres": Fraction(100)}),
    Link("2", "b", "c", {"minutes": Fraction(2), "metres": Fraction(200)}),
    Link("3", "a", "c", {"minutes": Fraction(5), "metres": Fraction(500)}),
    Link("4", "c", "a", {"minutes": Fraction(5), "metres": Fraction(500)}),
    Link("5", "d", "a", {"minutes": Fraction(5), "metres": Fraction(500)}),
)
NETWORK = Network(LINKS, {"a": (0, 0), "b": (50, 40), "c": (100, 0), "d": (0, 30)}, "links.csv")
COSTS = {"1": 1, "2": 2, "3": 4, "4": 5, "5": 5}
TRIPS = (Trip("x", ("1", "2"), 3), Trip("y", ("3",)), Trip("z", ("4",), group="night"))


def told(trips: tuple[Trip, ...] = TRIPS, initial: dict[str, int] | None = None) -> Result:
    return result_of(NETWORK, trips, COSTS, initial)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found is not None
    content: dict[str, Any] = json.loads(found[1])
    return content


def test_data() -> None:
    data = data_of(map_page(told(initial=COSTS), NETWORK, TRIPS))
    assert data["unit"] is None
    assert data["places"] == {
        "names": ["a", "b", "c", "d"],
        "x": [0, 30000, 60000, 0],
        "y": [24000, 0, 24000, 6000],
    }
    links, trips = data["links"], data["trips"]
    assert links["names"] == ["1", "2", "3", "4", "5"]
    assert (links["from"], links["to"]) == ([0, 1, 0, 2, 3], [1, 2, 2, 0, 0])
    assert links["cost"] == links["initial"] == [1, 2, 4, 5, 5]
    assert links["uses"] == [3, 3, 1, 1, 0]
    assert links["class"] == "33333"
    assert links["least"] == [0, 0, 3, 0, 1]
    assert links["columns"] == [
        ["minutes", [0.333333, 2, 5, 5, 5]],
        ["metres", [100, 200, 500, 500, 500]],
    ]
    assert trips["names"] == ["x", "y", "z"]
    assert trips["counts"] == [3, 1, 1]
    assert trips["groups"] == [None, None, "night"]
    assert trips["links"] == [[0, 1], [2], [3]]
    assert (trips["cost"], trips["best"], trips["verdict"]) == ([3, 4, 5], [3, 3, 5], "101")
    assert trips["other"] == [[4, [[0, 2, [2]]]], [3, [[0, 1, [0, 1]]]], None]


def test_bends_and_their_twins() -> None:
    shape = ((0, 0), (20, 30), (50, 40))
    links = (
        replace(LINKS[0], shape=shape),
        *LINKS[1:],
        Link("6", "b", "a", LINKS[0].numbers, shape[::-1]),
    )
    network = Network(links, NETWORK.places)
    result = result_of(network, TRIPS, {**COSTS, "6": 1})
    assert data_of(map_page(result, network, TRIPS))["links"]["bends"] == [0, [12000, 6000], 5, 0]


def test_unit_ranges_and_reasons() -> None:
    result = told()
    conflict: Any = {"reason": "in conflict", "plans": ["x", "y", "gone"]}
    items = tuple(
        replace(item, explanation=conflict) if item.plan == "y" else item
        for item in result.observations
    )
    result = replace(
        result,
        observations=items,
        options={"initial": "minutes", "scale": 1000},
        ranges={"3": CostRange(4, 9, True)},
    )
    page = map_page(result, NETWORK, TRIPS)
    data = data_of(page)
    assert data["unit"] == ["minutes", 1000]
    assert "cost, minutes" in page
    assert data["links"]["ranges"] == ["", "", "4 to 9", "", ""]
    assert data["trips"]["why"] == [None, ["in conflict", [0]], None]


def test_headline_and_proof() -> None:
    result = told()
    assert headline(result) == "4 of 5 trips are cheapest routes under the learned costs"
    assert first_objective(result).endswith(
        "80.0 % of trips are optimal. Not proven most: at most 5 trips can be."
    )
    proven = replace(result, proved=True, upper_bound=4)
    assert first_objective(proven).endswith("Proven: no costs make more trips optimal.")
    assert headline(replace(result, optimal_plans=5)).startswith("All 5 trips are cheapest routes")
    assert headline(replace(result, optimal_plans=1)).startswith("1 of 5 trips is a cheapest route")
    assert headline(replace(result, optimal_plans=0)).startswith("None of 5 trips is a cheapest")
    open_ = replace(result, verified=False)
    assert headline(open_).startswith("4 of 5 trips are known to be cheapest routes; the check")
    assert first_objective(open_).startswith("80.0 % of trips are known to be optimal.")
    one = replace(result, plans=1, optimal_plans=0)
    assert headline(one) == "The trip is not a cheapest route under the learned costs"


def test_trips_that_were_cut_count_as_trips() -> None:
    result = replace(told(), trips=TripCounts(3, 2, 1, {"b": 1}))
    assert headline(result).startswith("2 of 3 trips")
    assert "4 of 5 parts are optimal. Not proven most: at most 5 parts" in first_objective(result)


def test_notes() -> None:
    result = replace(told(TRIPS[:2]), notes=("left out: <b>",), secondary=Secondary(17, 17, True))
    page = map_page(result, NETWORK, TRIPS[1:])
    assert "<li>Left out: &lt;b&gt;.</li>" in page
    assert "Sum of costs 17: proven least." in page
    assert "Trips on the map that costs were not learned from: 1, of which 1 optimal." in page
    assert "Trips of the result that are not on the map: 1." in page
    assert "The optimal trips determine nothing about 4 of 5 links" in page
    assert "A map of 5 links between 4 places." in page


def test_turns_are_named() -> None:
    turns = Turns({("1", "2"): "left"})
    costs = {**COSTS, "turn:left": 3}
    result = replace(result_of(NETWORK, (), costs), costs=costs)
    page = map_page(result, NETWORK, TRIPS, turns=turns)
    assert "Turns cost something too, beside links: left 3." in page
    assert data_of(page)["trips"]["cost"] == [6, 4, 5]


def test_a_network_without_coordinates_says_so() -> None:
    page = map_page(told(), replace(NETWORK, places={}), TRIPS)
    assert "The network has no coordinates: places are laid out by the metres of links" in page


def test_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "map.html"
    write_map(told(), NETWORK, TRIPS, path, title="Tö<wn")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "<title>Tö&lt;wn: learned costs on the map</title>" in text
    assert "Content-Security-Policy" in text
    assert not re.search(r'(src|href)="(?!#)', text), "nothing is fetched"
    assert "http" not in text.replace("http-equiv", "")
    write_map(told(), NETWORK, TRIPS, path, title="Tö<wn")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("trips", [(), TRIPS[:1]])
def test_few_trips(trips: tuple[Trip, ...]) -> None:
    assert len(data_of(map_page(told(), NETWORK, trips))["trips"]["names"]) == len(trips)

"""The files of a city say what the city is, and are the same on every run."""

from __future__ import annotations

import csv
import itertools
import json
import math
from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.generators.city import CityRequest
from plancost.generators.city_files import GeneratedCity, generate_city

REQUEST = CityRequest(links=400, trips=80, seed=3)
NAMES = {"links.csv", "nodes.csv", "trips.csv", "turns.csv", "hidden-costs.json", "city.json"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> GeneratedCity:
    return generate_city(tmp_path_factory.mktemp("city"), REQUEST)


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_all_files_are_written(made: GeneratedCity) -> None:
    assert {path.name for path in made.folder.iterdir()} == NAMES
    assert json.loads((made.folder / "city.json").read_text())["seed"] == 3


def test_links_and_nodes(made: GeneratedCity) -> None:
    links, nodes = rows(made.folder, "links.csv"), rows(made.folder, "nodes.csv")
    assert list(links[0]) == ["link", "from", "to", "metres", "minutes"]
    assert len({row["link"] for row in links}) == len(links) == len(made.city.starts)
    places = {row["node"]: (float(row["x"]), float(row["y"])) for row in nodes}
    assert {row[end] for row in links for end in ("from", "to")} == set(places)
    assert all(float(row["minutes"]) > 0 for row in links)
    for row in links:
        straight = math.dist(places[row["from"]], places[row["to"]])
        assert float(row["metres"]) >= straight - 1.5


def test_trips_follow_links(made: GeneratedCity) -> None:
    ends = {row["link"]: (row["from"], row["to"]) for row in rows(made.folder, "links.csv")}
    trips = rows(made.folder, "trips.csv")
    assert len({row["trip"] for row in trips}) == len(trips) == REQUEST.trips
    for row in trips:
        driven = [ends[link] for link in row["links"].split()]
        assert all(one[1] == two[0] for one, two in itertools.pairwise(driven))


def test_hidden_costs_are_for_all_links(made: GeneratedCity) -> None:
    hidden = json.loads((made.folder / "hidden-costs.json").read_text())
    assert list(hidden) == [row["link"] for row in rows(made.folder, "links.csv")]
    assert all(type(cost) is int and cost >= 1 for cost in hidden.values())


def test_turns_are_all_pairs_of_links_that_meet(made: GeneratedCity) -> None:
    links = rows(made.folder, "links.csv")
    places = {
        row["node"]: (float(row["x"]), float(row["y"])) for row in rows(made.folder, "nodes.csv")
    }
    by_name = {row["link"]: row for row in links}
    turns = rows(made.folder, "turns.csv")
    pairs = {(row["link"], row["next"]) for row in turns}
    expected = {(a["link"], b["link"]) for a in links for b in links if a["to"] == b["from"]}
    assert pairs == expected and len(turns) == len(pairs)
    for row in turns:
        one, two, angle = by_name[row["link"]], by_name[row["next"]], float(row["angle"])
        assert -3.1417 <= angle <= 3.1417
        if one["from"] == two["to"]:
            assert angle == pytest.approx(math.pi, abs=1e-4)
            continue
        a, b, c = places[one["from"]], places[one["to"]], places[two["to"]]
        left = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        if abs(angle) > 0.02 and abs(angle) < 3.1:
            assert (angle < 0) == (left > 0)


def test_the_same_request_gives_the_same_files(made: GeneratedCity, tmp_path: Path) -> None:
    again = generate_city(tmp_path / "city", REQUEST)
    for name in NAMES:
        assert (again.folder / name).read_bytes() == (made.folder / name).read_bytes()


def test_a_folder_with_something_in_it(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="this folder is not empty"):
        generate_city(tmp_path, REQUEST)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]

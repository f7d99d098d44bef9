"""Turns: their classes, from files and from coordinates."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.routes.invalid import Invalid
from plancost.routes.network import Link, Network, Trip
from plancost.routes.road_maps import NetworkMap
from plancost.routes.turns import Turns, check_turns, class_of, read_turns, turns_from_coordinates

# A crossroads: from the south (s) into the middle (m), and on to the other sides.
NAMES = [("in", "s", "m"), ("north", "m", "n"), ("east", "m", "e"), ("west", "m", "w")]
CROSS = Network(
    tuple(Link(*names) for names in [*NAMES, ("out", "m", "s")]),
    {"s": (0, -1), "m": (0, 0), "n": (0, 1), "e": (1, 0), "w": (-1, 0)},
    "links.csv",
)


@pytest.mark.parametrize(
    ("angle", "found"),
    [
        (0.0, "straight"),
        (-0.5236, "straight"),
        (-0.5237, "left"),
        (0.5237, "right"),
        (3.09, "right"),
        (3.1416, "u-turn"),
        (-3.1416, "u-turn"),
    ],
)
def test_classes_of_angles(angle: float, found: str) -> None:
    assert class_of(angle) == found


def test_from_coordinates() -> None:
    turns = turns_from_coordinates(CROSS)
    assert turns.classes == {
        ("in", "north"): "straight",
        ("in", "east"): "right",
        ("in", "west"): "left",
        ("in", "out"): "u-turn",
        ("out", "in"): "u-turn",
    }
    assert turns.names == ("turn:left", "turn:right", "turn:straight", "turn:u-turn")
    assert turns.in_trip(("in", "east")) == [None, "turn:right"]
    assert turns.in_trip(()) == []
    bent = Link("in", "s", "m", shape=((0, -1), (-1, 0), (0, 0)))
    other = Network((bent, *CROSS.links[1:]), CROSS.places)
    assert turns_from_coordinates(other).classes["in", "north"] == "left"
    with pytest.raises(InputError, match=r"links\.csv has no coordinates"):
        turns_from_coordinates(Network(CROSS.links, source="links.csv"))


def test_degrees_are_narrower_in_the_north() -> None:
    """At 60 degrees a step of two degrees east and one north goes north-east."""
    places = {"s": (0.0, 59.0), "m": (0.0, 60.0), "e": (2.0, 61.0)}
    network = Network((Link("1", "s", "m"), Link("2", "m", "e")), places)
    assert turns_from_coordinates(network).classes == {("1", "2"): "right"}
    far = {name: (1000 * x, 1000 * y) for name, (x, y) in places.items()}
    angle = math.atan2(2, 1)
    assert class_of(angle) == "right"
    assert turns_from_coordinates(Network(network.links, far)).classes == {("1", "2"): "right"}


def test_degrees_are_decided_for_the_whole_network() -> None:
    """Metres near the origin are metres too."""
    places = {"a": (0.0, 80.0), "b": (100.0, 80.0), "c": (170.0, 88.0), "d": (1000.0, 900.0)}
    links = (Link("1", "a", "b"), Link("2", "b", "c"), Link("3", "c", "d"))
    near = turns_from_coordinates(Network(links, places))
    moved = {name: (x + 1000, y + 1000) for name, (x, y) in places.items()}
    assert near.classes["1", "2"] == "straight"
    assert near.classes == turns_from_coordinates(Network(links, moved)).classes


def written(folder: Path, text: str) -> Path:
    path = folder / "turns.csv"
    path.write_text(text)
    return path


def test_from_files(tmp_path: Path) -> None:
    rows = ("link,next,angle,forbidden", "in,east,1.5,", "in,west,-1.5,1", "in,north,0.1,no")
    text = "\n".join((*rows, "in,in,0,", "in,x,0,"))
    turns = read_turns(written(tmp_path, text), CROSS)
    known = {name: kind for name, kind in turns.classes.items() if kind != "straight"}
    assert known == {("in", "east"): "right", ("in", "west"): "left"}
    assert turns.classes["out", "in"] == "straight"  # the file does not say
    assert turns.forbidden == {("in", "west")}
    assert len(turns.notes) == 1
    assert "2 turns of links that are unknown or do not meet" in turns.notes[0]
    text = "link,next,class\nin,east,ramp\nin,north,\n"
    assert read_turns(written(tmp_path, text), CROSS).classes == {("in", "east"): "ramp"}
    text = "link,next,cost\nin,east,0.5\nin,west,1/2\n"
    with pytest.raises(InputError, match="3: the cost of a turn must be a number that is not neg"):
        read_turns(written(tmp_path, text), CROSS)
    text = "link,next,cost\nin,east,0.50\nin,west,0.5\nin,north,0\n"
    turns = read_turns(written(tmp_path, text), CROSS)
    assert set(turns.classes.values()) == {"1/2"}
    assert turns.given == {"1/2": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("link,next\nin,east\n", "1: the first line must name angle, class, cost or forbidden"),
        ("link,next,angle\nin,x,1\n", "no turn of this file is one of links.csv"),
        ("link,next,angle\nin,east,right\n", "the angle of a turn must be a number of radians"),
        ("link,next,forbidden\nin,east,maybe\n", "forbidden must be 1 or 0, not 'maybe'"),
    ],
)
def test_what_does_not_fit(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_turns(written(tmp_path, text), CROSS)


def test_forbidden_turns_are_not_driven() -> None:
    turns = Turns({}, frozenset({("in", "east")}))
    trips = [Trip("x", ("in", "east"), line=2), Trip("y", ("in", "north"), line=3)]
    with pytest.raises(InputError, match="trip x turns from link in into east, which is forbidden"):
        check_turns(turns, CROSS, trips, Path("trips.csv"), Invalid())
    invalid = Invalid(skip=True)
    assert check_turns(turns, CROSS, trips, Path("trips.csv"), invalid) == trips[1:]
    assert invalid.notes[0].startswith("left out: trips.csv:2: ")
    ways = NetworkMap.of(CROSS, turns).road_map.ways["east"]
    assert len(ways) == 1  # from the start alone


def test_a_street_back_to_its_own_place_hides_no_forbidden_turn() -> None:
    network = Network((*CROSS.links, Link("loop", "m", "m")))
    turns = Turns({}, frozenset({("in", "east")}))
    with pytest.raises(InputError, match="turns from link in into east, which is forbidden"):
        check_turns(turns, network, [Trip("x", ("in", "loop", "east"))], None, Invalid())

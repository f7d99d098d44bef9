"""Trips from CSV: what is read, and what is refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.routes.csv_files import joined, separated, separator_of
from plancost.routes.invalid import Invalid
from plancost.routes.network import Link, Network
from plancost.routes.read_trips import read_trips

NETWORK = Network(
    (
        Link("1", "a", "b"),
        Link("2", "b", "c"),
        Link("3", "c", "b"),
        Link("4", "a", "b"),
        Link("5", "d", "c"),
    ),
    source="links.csv",
)


def written(folder: Path, text: str) -> Path:
    path = folder / "trips.csv"
    path.write_text(text)
    return path


def test_if_no_trip_fits_one_sentence_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, "trip;links\nx;1;9\ny;9\nz;1 5\n")
    invalid = Invalid(skip=True)
    invalid.notes.append("left out: something else")
    with pytest.raises(InputError) as caught:
        read_trips(path, NETWORK, invalid=invalid)
    assert str(caught.value) == (
        "none of the 3 trips in this file fits; the first: "
        f"{path}:2: this line has more fields than the first line has columns"
    )


def test_links_and_nodes(tmp_path: Path) -> None:
    text = "trip,links,count,group,time\nx,4 2,3,taxi,08:00\ny,2  3,,,\n"
    first, second = read_trips(written(tmp_path, text), NETWORK)
    assert (first.links, first.count, first.group, first.time) == (("4", "2"), 3, "taxi", "08:00")
    assert (second.links, second.count, second.group, second.line) == (("2", "3"), 1, None, 3)
    (trip,) = read_trips(written(tmp_path, "trip,nodes\nx,a b c b\n"), NETWORK)
    assert trip.links == ("1", "2", "3")  # of two links the first


WRONG = {
    "links\n1\n": ":1: the first line must name the columns trip; missing: trip",
    "trip\n1\n": ":1: the first line must name the columns trip,links or trip,nodes, and has nei",
    "trip,links,nodes\n1,1,a b\n": ":1: the first line must name the columns trip,links or trip,n",
    "trip,links\n": "there are no trips in this file",
    "trip,links\nx,\n": ":2: trip x is empty",
    "trip,nodes\nx,a\n": ":2: trip x has only one node",
    "trip,links\nx,1 9\n": ":2: trip x uses the link 9, which is not in links.csv",
    "trip,links\nx,1 5\n": ":2: trip x has a gap: link 1 ends in b, and link 5 after it starts in",
    "trip,links\nx,2 5\n": ":2: trip x drives link 5 the wrong way: it leads from d to c, and",
    "trip,links\nx,1 1\n": ":2: trip x drives link 1 twice in a row; leave one of them out",
    "trip,nodes\nx,b a\n": ":2: trip x goes from b to a, where there is only a one-way link from a",
    "trip,nodes\nx,a d\n": ":2: trip x goes from a to d, between which there is no link",
    "trip,nodes\nx,a e\n": ":2: trip x passes e, which is not a node of links.csv",
    "trip,links,count\nx,1,0\n": ":2: count must be a whole number from 1",
    "trip,links,count\nx,1,1.5\n": ":2: count must be a whole number from 1",
    "trip,links\nx,1\nx,2\n": ":3: the trip x is listed in line 2 already",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_what_does_not_fit_is_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_trips(written(tmp_path, text), NETWORK)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_of_it_is_listed(tmp_path: Path) -> None:
    text = "trip,links\nu,1 2\nv,1 9\nw,1 5\nx,\ny,2 5\nz,2\n"
    invalid = Invalid(skip=True)
    trips = read_trips(written(tmp_path, text), NETWORK, invalid=invalid)
    assert [trip.name for trip in trips] == ["u", "z"]
    assert [note.split(":")[2] for note in invalid.notes] == ["3", "4", "5", "6"]


def test_names_with_blanks_are_separated_by_semicolons(tmp_path: Path) -> None:
    network = Network((Link("Main St", "a", "b"), Link("Side St", "b", "c")))
    (trip,) = read_trips(written(tmp_path, "trip,links\nx,Main St; Side St\n"), network)
    assert trip.links == ("Main St", "Side St")
    (trip,) = read_trips(written(tmp_path, "trip,nodes\nx,a b c\n"), network)
    assert trip.links == ("Main St", "Side St")


@settings(deadline=None)
@given(st.lists(st.from_regex(r"\A[^\s;](?:[^;\n\r]*[^\s;])?\Z"), min_size=1), st.booleans())
def test_joined_and_separated(names: list[str], marked: bool) -> None:
    names = [name for name in names if name == name.strip() and name.isprintable()]
    have_blanks = any(len(name.split()) > 1 for name in names)
    if marked and not have_blanks:
        names = [f"{name};x" for name in names]
    assert separated(joined(names, have_blanks), separator_of(names)) == names
    if not have_blanks and not marked:
        assert separated(";".join(names), separator_of(names)) == names

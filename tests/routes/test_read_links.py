"""Networks from CSV: what is read, what is refused in one sentence, and the way there and back."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.routes.invalid import Invalid
from plancost.routes.network import Link, Network
from plancost.routes.read_links import read_network
from plancost.routes.shapes import ENDS, line_text

GOOD = "link,from,to,minutes,street\n1,a,b,0.5,Main Street\n2,b,a,1e-3,\n"


def written(folder: Path, text: str, name: str = "links.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_a_table_is_read(tmp_path: Path) -> None:
    network = read_network(written(tmp_path, GOOD))
    assert [link.name for link in network.links] == ["1", "2"]
    first = network.by_name["1"]
    assert (first.start, first.end, first.line, first.street) == ("a", "b", 2, "Main Street")
    assert first.numbers == {"minutes": Fraction(1, 2)}
    assert network.by_name["2"].numbers == {"minutes": Fraction(1, 1000)}


def test_as_other_programs_write_it(tmp_path: Path) -> None:
    text = '\ufeffLink, From ,TO,"Minutes"\r\n"1",a,b,"0.5"\r\n\r\n2,"b, x",a,1\r\n'
    network = read_network(written(tmp_path, text), needed=("minutes",))
    assert [(link.name, link.start, link.line) for link in network.links] == [
        ("1", "a", 2),
        ("2", "b, x", 4),
    ]


WRONG = {
    "link,from\n1,a\n": "links.csv:1: the first line must name the columns link,from,to; missing:",
    "": "links.csv:1: the first line is empty; it must name the columns link,",
    "link,from,to,minutes\n": "links.csv: there are no links",
    "link,from,to,minutes\n1,a,b,1\n1,b,a,1\n": "3: the link 1 is listed in line 2 already",
    "link,from,to,minutes\n1,a,,1\n": "2: the to is missing",
    "link,from,to,minutes\n1,a,b\n": "2: link 1 has no minutes",
    "link,from,to,minutes\n1,a,b,-1\n": "2: the minutes of link 1 must not be negative, but is -1",
    "link;from;to;minutes\n1;a;b;1,5\n": "not '1,5' (write a point, not a comma)",
    "link,from,to,minutes\n1,a,b,soon\n": "must be a number, not 'soon'",
    "link,from,to,minutes\n1,a,b,1e99999\n": "must be a number, not '1e99999'",
    "link,from,to,minutes\n1,a,b,nan\n": "must be a number, not 'nan'",
    "link,from,to,minutes\n1,a,b,1,2\n": "2: this line has more fields",
    "link,from,to,minutes,minutes\n1,a,b,1,2\n": "1: the first line names the column",
    "link,from,to,metres\n1,a,b,1\n": "1: there is no column 'minutes' in this file; it has metres",
    "link,from,to\n1,a,b\n": "there is no column 'minutes' in this file; it has no numbers",
    "link,from,to,minutes,geometry\n1,a,b,1,POINT (1 2)\n": "the geometry of link 1 is not LINE",
    "link,from,to,minutes,x_from,y_from,x_to,y_to\n1,a,b,1,1,2,3,\n": "are not four numbers",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_what_does_not_fit_is_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_network(written(tmp_path, text), needed=("minutes",))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_of_it_is_listed(tmp_path: Path) -> None:
    text = "link,from,to,minutes\n1,a,b,1\n1,b,a,1\n2,b,c,x\n3,c,d,-2\n4,,d,1\n5,d,a,0\n"
    invalid = Invalid(skip=True)
    network = read_network(written(tmp_path, text), needed=("minutes",), invalid=invalid)
    assert [link.name for link in network.links] == ["1", "5"]
    assert [note.split(":")[2] for note in invalid.notes] == ["3", "4", "5", "6"]


def test_places_of_nodes(tmp_path: Path) -> None:
    nodes = written(tmp_path, "node,x,y\na,1.5,2\nz,0,0\n", "nodes.csv")
    network = read_network(written(tmp_path, GOOD), nodes=nodes)
    assert network.places == {"a": (1.5, 2.0), "z": (0.0, 0.0)}
    for text, message in (
        ("node,x,y\na,1,b\n", "x and y of node a must be numbers"),
        ("node,x,y\na,1,2\na,1,2\n", "the node a is listed twice"),
    ):
        with pytest.raises(InputError, match=message):
            read_network(written(tmp_path, GOOD), nodes=written(tmp_path, text, "nodes.csv"))


words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1
).filter(lambda text: text == text.strip() and text)
numbers = st.fractions(0, 10**6, max_denominator=1).map(Fraction) | st.decimals(
    0, 10**6, places=5
).map(Fraction)
points = st.tuples(st.floats(-180, 180), st.floats(-90, 90))


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Any networks, with names of any kind."""
    names = draw(st.lists(words, min_size=1, max_size=6, unique=True))
    places = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    links = []
    for line, name in enumerate(names, start=2):
        start, end = (draw(st.sampled_from(places)) for _ in range(2))
        shape = tuple(draw(st.lists(points, min_size=2, max_size=4)))
        links.append(Link(name, start, end, {"minutes": draw(numbers)}, shape, line))
    return Network(tuple(links))


def as_csv(network: Network) -> str:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(("link", "from", "to", "minutes", "geometry"))
    for link in network.links:
        minutes = link.numbers["minutes"]
        whole, rest = divmod(minutes, 1)
        number = f"{whole}.{int(rest * 10**5):05}"
        writer.writerow((link.name, link.start, link.end, number, line_text(link.shape)))
    return file.getvalue()


@settings(deadline=None)
@given(network=networks())
def test_there_and_back(tmp_path_factory: pytest.TempPathFactory, network: Network) -> None:
    path = written(tmp_path_factory.mktemp("x"), as_csv(network))
    read = read_network(path, needed=("minutes",))
    assert read.links == network.links
    ends = {link.start: link.shape[0] for link in reversed(network.links)}
    assert read.places.keys() >= ends.keys()


def test_ends_of_links(tmp_path: Path) -> None:
    text = f"link,from,to,{','.join(ENDS)}\n1,a,b,0,1,2,3\n2,b,c,,,,\n"
    network = read_network(written(tmp_path, text))
    assert network.places == {"a": (0.0, 1.0), "b": (2.0, 3.0)}
    assert network.points(network.by_name["1"]) == ((0.0, 1.0), (2.0, 3.0))
    assert network.points(network.by_name["2"]) == ()
    assert network.columns == ()

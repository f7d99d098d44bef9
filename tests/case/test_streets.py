from __future__ import annotations

import csv
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from plancost.case.model import Case, Network
from plancost.case.read import read_case
from plancost.case.streets import street_case, with_turns
from plancost.errors import InputError, UsageError

LINKS = "link,from,to,metres\nab,a,b,10\nbc,b,c,20\nac,a,c,50\nca,c,a,5\n"
AWKWARD = ["a", "a b", "a-b", "b", "a>b", "b-a", "1", "x;y", "(go a b)", "a#2", "é"]


def folder(place: Path, **files: str) -> Path:
    for name, text in files.items():
        (place / f"{name}.csv").write_text(text, encoding="utf-8")
    return place


def network(case: Case) -> Network:
    assert isinstance(case.worlds[0], Network)
    return case.worlds[0]


def ways(case: Case) -> list[tuple[str, str, str]]:
    """Action, from, to of each transition."""
    world = network(case)
    rows = zip(world.action.tolist(), world.source.tolist(), world.target.tolist(), strict=True)
    return [(case.actions[a], world.states[s], world.states[t]) for a, s, t in rows]


def plans(case: Case) -> list[tuple[str, ...]]:
    return [tuple(case.actions[a] for a in seen.actions) for seen in case.observations]


def check_plans(case: Case) -> None:
    """Every plan leads from its start to its goal, by transitions that are there once."""
    world = network(case)
    rows = list(
        zip(world.source.tolist(), world.action.tolist(), world.target.tolist(), strict=True)
    )
    step = {(source, action): target for source, action, target in rows}
    assert len(step) == len(rows)
    for seen in case.observations:
        task = case.tasks[seen.task]
        (state,) = task.initial
        for action in seen.actions:
            state = step[state, action]
        assert state in task.goal_states


def draw(seed: int) -> tuple[list[dict[str, Any]], list[list[str]]]:
    """Links between places, all with awkward names, and walks over them."""
    draws = random.Random(seed)
    places = draws.sample(AWKWARD, draws.randint(1, 5))
    count = draws.randint(1, 9)
    turns = [f"{n}>{m}" for n in "ab1" for m in "ab1"]
    names = draws.sample(sorted({*AWKWARD, *turns}), count)
    links = [{"link": n, "from": draws.choice(places), "to": draws.choice(places)} for n in names]
    trips = []
    for _ in range(draws.randint(1, 4)):
        walk = [draws.choice(links)]
        for _ in range(draws.randint(0, 5)):
            follow = [link for link in links if link["from"] == walk[-1]["to"]]
            if follow:
                walk.append(draws.choice(follow))
        trips.append([link["link"] for link in walk])
    return links, trips


def test_a_folder_becomes_places_links_and_tasks(tmp_path: Path) -> None:
    trips = (
        "trip,links,count,cost,suboptimality,group,time\n"
        "one,ab bc,3,7,1.1,m,07:00\ntwo,ac,,,11/10,,\nthree,ab;bc;ca,,,,m,\n"
    )
    case = read_case(folder(tmp_path, links="\ufeff" + LINKS, trips=trips))
    assert ways(case) == [("ab", "a", "b"), ("bc", "b", "c"), ("ac", "a", "c"), ("ca", "c", "a")]
    assert [task.name for task in case.tasks] == ["a -> c", "a -> a"]
    assert plans(case) == [("ab", "bc"), ("ac",), ("ab", "bc", "ca")]
    first, second, third = case.observations
    assert (first.count, first.total, first.factor) == (3, 7, Fraction(11, 10))
    assert (first.group, first.time, first.task) == ("m", "07:00", second.task)
    assert (second.count, second.total, second.factor) == (1, None, Fraction(11, 10))
    assert (third.count, third.factor, third.group, third.time) == (1, None, "m", None)
    assert case.costs.is_plain
    assert case.streets is not None and case.streets.rows[0] == ("ab", "a", "b", "10")
    assert len(case.notes) == 1  # of the trip that visits a place twice


@pytest.mark.parametrize("seed", range(150))
def test_files_mappings_and_graphs_say_the_same(seed: int, tmp_path: Path) -> None:
    links, trips = draw(seed)
    case = street_case(links, trips)
    assert ways(case) == [(link["link"], link["from"], link["to"]) for link in links]
    assert plans(case) == [tuple(trip) for trip in trips]
    check_plans(case)
    names = {name for link in links for name in link.values()}
    if not any(";" in name for name in names):
        with (tmp_path / "links.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["to", "link", "from"])
            writer.writeheader()
            writer.writerows(links)
        rows = [f"{number},{';'.join(trip)}\n" for number, trip in enumerate(trips)]
        (tmp_path / "trips.csv").write_text("trip,links\n" + "".join(rows), encoding="utf-8")
        read = read_case(tmp_path)
        assert (ways(read), plans(read)) == (ways(case), plans(case))
    graph = nx.MultiDiGraph()
    for link in links:
        graph.add_edge(link["from"], link["to"], key=link["link"])
    edges = {key: (start, end, key) for start, end, key in graph.edges(keys=True)}
    of_graph = street_case(graph, [[edges[name] for name in trip] for trip in trips])
    assert len(set(of_graph.actions)) == len(links)
    listed = dict(zip(of_graph.actions, edges, strict=True))
    assert [tuple(map(listed.__getitem__, plan)) for plan in plans(of_graph)] == plans(case)
    check_plans(of_graph)


@pytest.mark.parametrize("seed", range(150))
def test_with_turns_trips_alternate_and_turns_have_actions(seed: int) -> None:
    links, trips = draw(seed)
    case = street_case(links, trips)
    turned = with_turns(case)
    assert len(set(turned.actions)) == len(turned.actions)
    assert turned.actions[: len(links)] == case.actions
    meeting = [
        (before, after)
        for before, one in enumerate(links)
        for after, other in enumerate(links)
        if one["to"] == other["from"]
    ]
    assert turned.streets is not None and list(turned.streets.turns) == meeting
    assert len(turned.actions) == len(links) + len(meeting)
    check_plans(turned)
    for seen, before in zip(turned.observations, case.observations, strict=True):
        assert seen.actions[::2] == before.actions
        turns = [meeting[action - len(links)] for action in seen.actions[1::2]]
        assert turns == list(zip(before.actions, before.actions[1:], strict=False))
    assert not turned.notes


def test_nodes_of_a_graph_are_never_mixed_up() -> None:
    graph = nx.DiGraph([(1, "x"), ("x", 2), (1, 2), ("1", "2"), ("1#2", 2)])
    case = street_case(graph, [[1, "x", 2], ["1", "2"], [("1#2", 2)], ["1#2", 2]])
    assert len(set(network(case).states)) == 6 and len(set(case.actions)) == 5
    assert [seen.actions for seen in case.observations] == [(0, 2), (3,), (4,), (4,)]
    assert len(case.tasks) == 3


def test_parallel_edges_are_links_of_their_own() -> None:
    graph = nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "c")])
    case = street_case(graph, [[("a", "b", 1), ("b", "c", 0)], ["c", "b"]])
    assert len(case.actions) == 6
    assert ways(case)[case.observations[0].actions[0]][1:] == ("a", "b")
    assert (
        case.observations[0].actions[0]
        != street_case(graph, [[("a", "b", 0)]]).observations[0].actions[0]
    )
    with pytest.raises(InputError):
        street_case(graph, [["a", "b"]])  # which of the two?


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.Graph, nx.MultiDiGraph, nx.MultiGraph])
def test_graphml_is_the_graph(kind: Any, tmp_path: Path) -> None:
    graph = kind()
    graph.add_node("a", x=0.0, y=0.0)
    graph.add_node("b b", x=1.0, y=0.0)
    graph.add_edge("a", "b b", length=2.5, geometry="LINESTRING (0 0, 0.5 1, 1 0)")
    graph.add_edge("b b", "c")
    nx.write_graphml(graph, tmp_path / "town.graphml")
    (tmp_path / "trips.csv").write_text("trip,nodes\n1,a;b b;c\n")
    read = read_case(tmp_path / "trips.csv", links=tmp_path / "town.graphml")
    case = street_case(graph, [["a", "b b", "c"]])
    assert (ways(read), plans(read)) == (ways(case), plans(case))
    assert read.streets is not None and case.streets is not None
    assert read.streets.shapes == case.streets.shapes
    assert len(read.streets.shapes[0]) == 3
    assert read.streets.columns == case.streets.columns


WRONG_LINKS = [
    ("link,from\nab,a\n", 1),
    ("link,from,to\nab,a,b\nab,b,c\n", 3),
    ("link,from,to\nab,a,\n", 2),
    ("link,from,to\nab,a,b,c\n", 2),
    ("link,from,to,geometry\nab,a,b,POINT (1 2)\n", 2),
    ("link,from,to,x_from,y_from,x_to,y_to\nab,a,b,1,2,3,east\n", 2),
    ("", None),
    ("link,from,to\n", None),
]


@pytest.mark.parametrize(("text", "line"), WRONG_LINKS)
def test_wrong_links_are_named(text: str, line: int | None, tmp_path: Path) -> None:
    place = folder(tmp_path, links=text, trips="trip,links\n1,ab\n")
    with pytest.raises(InputError) as raised:
        read_case(place)
    at = str(place / "links.csv") + ("" if line is None else f":{line}")
    assert str(raised.value).startswith(f"{at}: ")


WRONG_TRIPS = [
    ("links,count\n1,1\n", 1),
    ("trip,count\n1,1\n", 1),
    ("trip,links,nodes\n1,ab,a b\n", 1),
    ("trip,links\n1,ab zz\n", 2),
    ("trip,links\n1,ab\n2,ab ca\n", 3),
    ("trip,links\n1,\n", 2),
    ("trip,links\n1,ab\n\n1,bc\n", 4),
    ("trip,nodes\n1,a\n", 2),
    ("trip,nodes\n1,a zz\n", 2),
    ("trip,nodes\n1,b a\n", 2),
    *(
        (f"trip,links,{column}\n1,ab,{value}\n", 2)
        for column in ("count", "cost", "suboptimality")
        for value in ("0", "-1", "nan", "many", "1e999", "0.5")
    ),
    ("trip,links,count\n1,ab,1.5\n", 2),
    ("trip,links,count\n1,ab,10000000000\n", 2),
]


@pytest.mark.parametrize(("text", "line"), WRONG_TRIPS)
def test_wrong_trips_are_named(text: str, line: int, tmp_path: Path) -> None:
    place = folder(tmp_path, links=LINKS, trips=text)
    with pytest.raises(InputError) as raised:
        read_case(place)
    assert str(raised.value).startswith(f"{place / 'trips.csv'}:{line}: ")


def test_trips_by_nodes_are_trips_by_links(tmp_path: Path) -> None:
    place = folder(tmp_path, links=LINKS, trips="trip,nodes\n1,a b c a c\n2,c;a\n")
    for read in (read_case(place), read_case(place / "trips.csv", links=place / "links.csv")):
        assert plans(read) == [("ab", "bc", "ca", "ac"), ("ca",)]
    with pytest.raises(UsageError):
        read_case(place / "trips.csv")


def test_wrong_trips_can_be_left_out(tmp_path: Path) -> None:
    trips = "trip,links,count\n1,ab,\njump,ab ca,\n2,bc,2\nnone,ab,0\nnone,ab,1\n"
    place = folder(tmp_path, links=LINKS, trips=trips)
    case = read_case(place, on_invalid="skip")
    assert [seen.name for seen in case.observations] == ["1", "2", "none"]
    (note,) = case.notes
    assert "'jump'" in note and "'none'" in note and ":3: " in note
    with pytest.raises(UsageError):
        read_case(place, on_invalid="ignore")
    folder(tmp_path, trips="trip,links\n1,zz\n")
    with pytest.raises(InputError):
        read_case(place, on_invalid="skip")


ONE = [{"link": "ab", "from": "a", "to": "b"}]
WRONG_TRIPS_GIVEN: list[Any] = [
    None,
    3,
    [3],
    ["ab"],
    [[]],
    [{}],
    [["zz"]],
    [[None]],
    [[["a"]]],
    [[{}]],
    [[[[]]]],
]
WRONG_LINKS_GIVEN: list[Any] = [None, [], [3], [{"link": "ab", "from": "b"}]]
WRONG_CASES = [(ONE, trips) for trips in WRONG_TRIPS_GIVEN]
WRONG_CASES += [(links, [["ab"]]) for links in WRONG_LINKS_GIVEN]


@pytest.mark.parametrize(("links", "trips"), WRONG_CASES)
def test_what_a_program_gives_is_checked(links: Any, trips: Any) -> None:
    with pytest.raises(InputError):
        street_case(links, trips)


@pytest.mark.parametrize("column", ["cuont", "Count", "csot", "gruop", "times"])
def test_columns_that_are_misspelt(column: str) -> None:
    with pytest.raises(InputError, match=f"'{column}' is nearly called"):
        street_case(ONE, [{"links": ["ab"], "mode": "car"}, {"links": ["ab"], column: 2}])


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    folder(tmp_path, links=LINKS)
    place = folder(tmp_path / "in", trips="trip,links\n1,ab\n")
    (place / "links.csv").symlink_to(tmp_path / "links.csv")
    with pytest.raises(InputError):
        read_case(place)
    assert read_case(place, allow_outside=True).actions


CROSS = [
    {"link": "in", "from": "west", "to": "middle"},
    {"link": "ahead", "from": "middle", "to": "east"},
    {"link": "up", "from": "middle", "to": "north"},
    {"link": "down", "from": "middle", "to": "south"},
    {"link": "home", "from": "middle", "to": "west"},
]
EXPECTED = {"ahead": "straight", "up": "left", "down": "right", "home": "back"}


def classes(case: Case) -> dict[str, str]:
    turned = with_turns(case)
    assert turned.streets is not None
    return {turned.actions[after]: c for (one, after), c in turned.streets.turns.items() if not one}


@pytest.mark.parametrize("size", [1.0, 0.001, 1000.0])
def test_turns_from_coordinates(size: float) -> None:
    at = {"west": (-1, 0), "middle": (0, 0), "east": (1, 0.1), "north": (0, 1), "south": (0.2, -1)}
    nodes = [{"node": name, "x": x * size, "y": 50 + y * size} for name, (x, y) in at.items()]
    assert classes(street_case(CROSS, [["in"]], nodes=nodes)) == EXPECTED


def test_turns_at_a_place_that_is_nowhere() -> None:
    nodes = [
        {"node": name, "x": x, "y": 0} for name, x in (("west", 0), ("middle", 1), ("east", 2))
    ]
    found = classes(street_case(CROSS, [["in"]], nodes=nodes))
    assert found == {"ahead": "straight", "up": "other", "down": "other", "home": "back"}


def test_turns_from_angles_and_from_classes(tmp_path: Path) -> None:
    rows = "in,ahead,0.5\nin,up,-0.53\nin,down,0.53\nin,home,-3.14\nin,zz,?\nup,in,?\n"
    folder(tmp_path, turns="link,next,angle\n" + rows, trips="trip,links\n1,in ahead\n")
    text = "link,from,to\n" + "".join(",".join(link.values()) + "\n" for link in CROSS)
    case = read_case(folder(tmp_path, links=text))
    assert classes(case) == EXPECTED
    given = [{"link": "in", "next": "up", "class": "hard"}]
    own = classes(street_case(CROSS, [["in"]], turns=given))
    assert own.pop("up") == "hard" and len(set(own.values())) == 1 and "hard" not in own.values()
    for wrong in ([{"link": "in", "next": "up", "angle": "x"}], [{"link": "in", "next": "up"}]):
        with pytest.raises(InputError):
            street_case(CROSS, [["in"]], turns=wrong)


def test_geometry_says_how_a_link_arrives() -> None:
    links = [
        {"link": "in", "from": "a", "to": "b", "geometry": "LINESTRING (0 0, 0 100, 100 100)"},
        {"link": "out", "from": "b", "to": "c", "geometry": "LineString(100 100, 200 100)"},
    ]
    turned = with_turns(street_case(links, [["in", "out"]]))
    assert turned.streets is not None
    assert turned.streets.turns == {(0, 1): "straight"}

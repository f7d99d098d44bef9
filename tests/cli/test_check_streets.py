"""Trips for the checker of proofs: tables, parts of trips and turns, and damage that it finds."""

from __future__ import annotations

import csv
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.cli import check_streets, exit_codes
from plancost.cli.main import main
from plancost.routes.network import Network
from support.proofs_of_trips import LINKS, TRIPS, learned, street_files, verdict
from support.small_networks import small_networks

BACK = LINKS + "cb,c,b,1\nba,b,a,1\n"
"""With ways back."""


def turn_file(folder: Path, text: str = "link,next,angle\nab,bc,-1\nbc,cd,1\n") -> Path:
    path = folder / "turns.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "trips",
    [
        TRIPS.replace(",group", "").replace(",early", "").replace(",late", ""),
        "trip;nodes\none;a b c d\ntwo;a c d\n",
        "trip,links\none,ab; bc;cd\n",
    ],
)
def test_other_tables(trips: str, tmp_path: Path) -> None:
    files = street_files(tmp_path, trips=trips)
    result, proof = learned(*files)
    word, said = verdict(*files, result, proof)
    assert word == "proven", said
    assert "potentials" not in proof


def test_names_with_blanks(tmp_path: Path) -> None:
    links = "link,from,to\nHigh Street,New York,City\nMill Lane,City,New York\n"
    files = street_files(tmp_path, links, "trip,links\none,High Street\n")
    assert verdict(*files, *learned(*files))[0] == "proven"


@pytest.mark.parametrize(
    ("with_trips", "sentence"), [(True, "the file of the turns"), (False, "the file of the trips")]
)
def test_files_that_are_not_named(with_trips: bool, sentence: str, tmp_path: Path) -> None:
    links, trips = street_files(tmp_path)
    answer = learned(links, trips, turn_file(tmp_path))
    word, said = verdict(links, trips if with_trips else None, *answer)
    assert word == "not proven"
    assert sentence in said[0]


def test_a_link_that_is_not_there(tmp_path: Path) -> None:
    links, trips = street_files(tmp_path)
    answer = learned(links, trips)
    links.write_text(LINKS.replace("bc,b,c,1\n", ""))
    assert verdict(links, trips, *answer)[0] == "wrong"


def test_trips_that_are_cut(tmp_path: Path) -> None:
    files = street_files(tmp_path, BACK, "trip,links,count\none,ab bc cb ba,3\ntwo,ac,1\n")
    result, proof = learned(*files, split=True)
    assert [item["plan"] for item in result["observations"]][:2] == [
        "one part 1 of 2",
        "one part 2 of 2",
    ]
    word, said = verdict(*files, result, proof)
    assert word == "proven", said
    assert "7 plans are optimal" in said


@pytest.mark.parametrize(
    "text",
    [
        "link,next,angle\nab,bc,-1\nbc,cd,1\nab,ba,3.14\n",
        "link,next,angle\n",
        "link,next,class\nab,bc,sharp\nab,bd,\nnobody,ab,sharp\nab,cd,sharp\n",
        "link,next,cost\nab,bc,0.1\nbc,cd,2\nac,cd,0\n",
        "link,next,forbidden\nab,bd,yes\nac,cd,0\n",
        "link,next,class,forbidden\nac,cb,sharp,1\nab,bc,blunt,no\n",
    ],
)
@pytest.mark.parametrize("options", [{}, {"initial": "minutes"}])
def test_turns(text: str, options: dict[str, Any], tmp_path: Path) -> None:
    links, trips = street_files(tmp_path, BACK, "trip,links\none,ab bc cd\ntwo,ac cd\n")
    turns = turn_file(tmp_path, text)
    word, said = verdict(links, trips, *learned(links, trips, turns, **options), turns)
    assert word == "proven", said


def test_a_column_that_trips_do_not_have(tmp_path: Path) -> None:
    """A factor is for plans of a manifest; trips may have such a column for another purpose."""
    files = street_files(tmp_path, trips="trip,links,suboptimality\none,ab bc,2\ntwo,ac,1\n")
    result, proof = learned(*files)
    assert verdict(*files, result, proof)[0] == "proven"
    result["observations"][0]["suboptimality"] = "2"
    assert verdict(*files, result, proof) == ("wrong", ["one may not cost so much"])


@pytest.mark.parametrize(
    ("links", "trips"),
    [
        (LINKS, "trip,links,count\none,ab bc,2\none,ac,1\n"),
        (LINKS, "trip,links,count\none,ab bc,x\ntwo,ac,0\nthree,ac cd,3\n"),
        (LINKS + "ab,a,c,7\n", "trip,links\none,ab bc\ntwo,ac\n"),
        (LINKS + "short,a,d,\n", "trip,links\none,ab bc\ntwo,ac\nthree,short\nfour,ab cd\n"),
    ],
)
def test_rows_that_were_skipped(
    links: str, trips: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = [str(path) for path in street_files(tmp_path, links, trips)]
    files = str(tmp_path / "r.json"), str(tmp_path / "p.json")
    words = ["--initial", "minutes", "--on-invalid", "skip", "--quiet"]
    words += ["--output", files[0], "--certificate", files[1]]
    assert main(["routes", "learn", *named, *words]) == exit_codes.OK
    status = main(["check-proof", named[0], *files, "--trips", named[1]])
    assert (status, capsys.readouterr().out.splitlines()[0]) == (exit_codes.OK, "proven")


def test_the_first_of_several_links_is_driven(tmp_path: Path) -> None:
    links = "link,from,to\none,a,b\ntwo,a,b\nthree,b,c\n"
    files = street_files(tmp_path, links, "trip,nodes\nt,a b c\n")
    assert verdict(*files, *learned(*files))[0] == "proven"
    result, proof = learned(*files, solution="scf")
    assert result["costs"] == {"one": 1, "two": 2, "three": 1}
    assert verdict(*files, result, proof)[0] == "proven"


@pytest.mark.parametrize("seed", [16, 88, 90, 100])
def test_states_that_cannot_be_compared(seed: int, tmp_path: Path) -> None:
    """With turns a state has places, links and None; only its cost is compared in a search."""
    chooser = random.Random(seed)
    ends = {f"l{number}": _two(chooser) for number in range(16)}
    rows = [
        [one, two, chooser.choice("xy")]
        for one, (_, end) in ends.items()
        for two, (start, _) in ends.items()
        if start == end and chooser.random() < 0.6
    ]
    file = _write(tmp_path / "turns.csv", ["link", "next", "class"], *rows)
    operators = check_streets.Turns(file, ends).operators(ends)
    costs = {name: chooser.randint(1, 4) for name in operators}
    task = check_streets.Streets(operators, "a", "nowhere")
    assert task.cheapest(costs, 30, frozenset(), ordered=False) == 30


def _two(chooser: random.Random) -> tuple[str, str]:
    one, two = chooser.sample("abcdef", 2)
    return one, two


def test_conflicts_that_the_second_objective_finds(tmp_path: Path) -> None:
    """The writer knew only pairs of plans that were in conflict before."""
    pairs = ("02", "10", "13", "21", "23", "30", "31", "32")
    links = "".join(["link,from,to\n", *(f"l{pair},{pair[0]},{pair[1]}\n" for pair in pairs)])
    trips = "trip,links\none,l23 l30\ntwo,l21 l13 l30\nthree,l23\n"
    files = street_files(tmp_path, links, trips)
    result, proof = learned(*files, solution="scf", reorderings="same")
    word, said = verdict(*files, result, proof)
    assert word == "proven", said


def test_a_row_that_several_searches_know(tmp_path: Path) -> None:
    """Whose plans induce it is known to all of them together."""
    links = "link,from,to,minutes\nL0,0,0,2\n3,2,0,3.5\nL5,1,0,0\n6,1,2,10\n7,1,0,0\n8,0,1,2\n"
    trips = "trip,links,count\nt0,7 8,2\nt2,L0 8 L5 L0,\nt3,6 3 L0,4\nt5,8 6 3,4\n"
    files = street_files(tmp_path, links, trips)
    result, proof = learned(*files, initial="minutes")
    word, said = verdict(*files, result, proof)
    assert word == "proven", said


def test_turns_whose_costs_are_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A class that costs nothing has no cost, and that is said."""
    links, trips = street_files(tmp_path)
    turns, files = turn_file(tmp_path), (str(tmp_path / "r.json"), str(tmp_path / "p.json"))
    words = [str(links), str(trips), "--turns", str(turns), "--turn-costs", "left=2", "--quiet"]
    words += ["--output", files[0], "--certificate", files[1]]
    assert main(["routes", "learn", *words]) == exit_codes.OK
    words = [str(links), *files, "--trips", str(trips), "--turns", str(turns)]
    assert main(["check-proof", *words]) == exit_codes.OK
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "proven"
    assert "as given: turns of the class straight cost nothing" in said


def _other(*path: str | int, value: object) -> Callable[[Any], None]:
    """Another value at a place."""

    def damage(root: Any) -> None:  # noqa: ANN401
        for key in path[:-1]:
            root = root[key]
        assert root[path[-1]] != value
        root[path[-1]] = value

    return damage


@pytest.mark.parametrize(
    "damage",
    [
        _other("trips", "trips", value=5),
        _other("trips", "optimal_trips", value=5),
        _other("trips", "split_trips", value=0),
        _other("trips", "cuts", value={"b": 3}),
        _other("observations", 0, "problem", value="from b to c"),
        _other("observations", 0, "cost", value=1),
        _other("observations", 0, "plan", value="one"),
        _other("observations", 0, "plan", value="one part 2 of 2"),
        _other("costs", "turn:left", value=9),
        lambda result: result["costs"].pop("turn:left"),
        lambda result: result["costs"].update({"turn:sharp": 1}),
        lambda result: result["options"].pop("split"),
        lambda result: result["options"].pop("turns"),
    ],
)
def test_damage_is_found(damage: Callable[[Any], object], tmp_path: Path) -> None:
    trips = "trip,links,count\none,ab bc cb ba,3\ntwo,ac,1\n"
    files = street_files(tmp_path, BACK, trips)
    turns = turn_file(tmp_path)
    result, proof = learned(*files, turns, split=True)
    assert verdict(*files, result, proof, turns)[0] == "proven"
    damage(result)
    word, said = verdict(*files, result, proof, turns)
    assert word == "wrong", said


def test_a_turn_that_has_become_forbidden(tmp_path: Path) -> None:
    links, trips = street_files(tmp_path)
    turns = turn_file(tmp_path, "link,next,class\nab,bc,x\nbc,cd,x\n")
    answer = learned(links, trips, turns)
    turn_file(tmp_path, "link,next,class,forbidden\nab,bc,x,1\nbc,cd,x,\n")
    word, said = verdict(links, trips, *answer, turns)
    assert (word, "is not possible" in said[0]) == ("wrong", True), said


def _write(path: Path, *rows: list[Any]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def _walk(network: Network, chooser: random.Random) -> list[str]:
    """Some links one after the other, places and loops again and again."""
    found = [chooser.choice(network.links)]
    while (after := network.leaving.get(found[-1].end, ())) and chooser.random() < 0.8:
        found.append(chooser.choice(after))
    return [link.name for link in found]


def _turn_rows(network: Network, kind: str, chooser: random.Random) -> list[list[Any]]:
    """What a table may say of the turns of a network."""
    values: Any = {
        "angle": [-3.14, -1, 0, 0.6, ""],
        "class": ["sharp", "blunt", ""],
        "cost": [0, 0.5, 2, ""],
    }[kind]
    return [
        [link.name, after.name, chooser.choice(values)]
        for link in network.links
        for after in network.leaving.get(link.end, ())
        if chooser.random() < 0.7
    ]


@settings(max_examples=30, deadline=None)
@given(
    small_networks(),
    st.integers(0, 10**6),
    st.sampled_from([None, "angle", "class", "cost"]),
    st.booleans(),
    st.sampled_from(["mcf", "scf"]),
)
def test_every_proof_of_trips_is_accepted(
    network: Network, seed: int, kind: str | None, split: bool, solution: str
) -> None:
    """The graph that the checker builds is the one that was learned on."""
    chooser = random.Random(seed)
    walks = [_walk(network, chooser) for _ in range(chooser.randint(1, 4))]
    loops = {link.name for link in network.links if link.is_loop}
    if all(loops.issuperset(walk) for walk in walks):
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        links = _write(
            folder / "links.csv",
            ["link", "from", "to"],
            *([link.name, link.start, link.end] for link in network.links),
        )
        trips = _write(
            folder / "trips.csv",
            ["trip", "links", "count"],
            *([f"t{n}", " ".join(walk), 1 + n % 2] for n, walk in enumerate(walks)),
        )
        turns = None
        if kind is not None:
            rows = _turn_rows(network, kind, chooser)
            turns = _write(folder / "turns.csv", ["link", "next", kind], *rows)
        result, proof = learned(links, trips, turns, split=split, solution=solution)
        word, said = verdict(links, trips, result, proof, turns)
    assert word == "proven", said
    assert f"no costs make more than {result['upper_bound']} plans optimal" in said

"""The page without a browser: what is in it, and what it is made of."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from base64 import b64encode
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
from msgspec import structs

import plancost
from cities import case_of, cheapest_trips, grid
from plancost.clock import Clock
from plancost.errors import InputError
from plancost.report.alternatives import find_alternatives
from plancost.report.content import by_rank, by_ratio
from plancost.report.layout import from_names, lay_out
from plancost.report.map import find_terrain
from plancost.report.page import report_page
from plancost.result.assemble import assemble
from plancost.result.model import Likely
from small import small_case, small_learned, undecided
from towns import PDDL, command, write

EXAMPLES = Path(__file__).parents[2] / "examples"


def data_of(page: str) -> dict[str, Any]:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*)</script>', page)
    content: dict[str, Any] = json.loads(text)
    return content


def test_the_policy_allows_the_script_and_style_only(tmp_path: Path) -> None:
    folder = write(tmp_path / "case", PDDL)
    page = report_page(plancost.read_case(folder), plancost.learn(folder), Clock(9))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert not re.search(r"\son\w+=|\sstyle=|javascript:", page)
    assert set(re.findall(r'(?:src|href)="([^"]*)"', page)) == {"#plans"}


def test_numbers_are_those_of_the_result(tmp_path: Path) -> None:
    folder = write(tmp_path / "case", PDDL)
    result, case = plancost.learn(folder), plancost.read_case(folder)
    data = data_of(report_page(case, result, Clock(9)))
    part = data["parts"][0]
    assert dict(zip(data["actions"], part["costs"], strict=True)) == result.costs
    assert part["plans"]["costs"] == [item.cost for item in result.observations]
    assert part["plans"]["best"] == [item.optimal_cost for item in result.observations]
    plans = [item.actions for item in case.observations]
    assert part["uses"] == [sum(n in own for own in plans) for n in range(len(case.actions))]
    assert set(data["map"]["places"]) == {"home", "hill", "school", "river", "bridge"}


@pytest.mark.parametrize("seed", range(5))
def test_alternatives_are_the_cheapest_other_ways(seed: int) -> None:
    """As networkx lists the simple paths."""
    links, random = grid(5), np.random.default_rng(seed)
    costs = random.integers(1, 30, len(links))
    guessed = costs * random.uniform(0.7, 1.3, len(links))
    pairs = random.integers(0, 25, (20, 2))
    case = case_of(links, cheapest_trips(links, guessed, pairs[pairs[:, 0] != pairs[:, 1]]))
    graph = networkx.DiGraph()
    for number, link in enumerate(links):
        graph.add_edge(link["from"], link["to"], cost=int(costs[number]), number=number)
    for item, other in zip(case.observations, find_alternatives(case, costs, Clock()), strict=True):
        start, end = case.tasks[item.task].name.split(" -> ")
        ways = networkx.shortest_simple_paths(graph, start, end, weight="cost")
        first, second = (
            sum(graph.edges[pair]["cost"] for pair in pairwise(way)) for way in islice(ways, 2)
        )
        own = case.cost(item.actions, costs)
        assert other is not None and other.actions != item.actions
        assert other.cost == case.cost(other.actions, costs) == (first if own > first else second)


def test_a_result_of_another_case() -> None:
    case = small_case()
    result = assemble(case, plancost.LearnOptions(), small_learned(case))
    with pytest.raises(InputError, match=r"another case: .*over.plan costs 2, not 7"):
        changed = [*result.observations[:1], structs.replace(result.observations[1], cost=7)]
        report_page(case, structs.replace(result, observations=changed), Clock(9))
    with pytest.raises(InputError, match=r"over.plan is not in it"):
        report_page(case, structs.replace(result, observations=result.observations[:1]), Clock(9))


def test_what_is_not_proven_is_said() -> None:
    case = small_case()
    learned = small_learned(case)
    page = report_page(case, assemble(case, plancost.LearnOptions(), learned), Clock(9))
    assert "3 of 4 plans are optimal under the learned costs" in page
    page = report_page(case, assemble(case, plancost.LearnOptions(), undecided(learned)), Clock(9))
    assert "At least 0 of 4 plans are optimal" in page
    assert "not checked to the end, at most 3" in page
    assert "4 plans are undecided" in page


def test_most_likely_costs() -> None:
    case = small_case()
    errors = dict(zip(case.actions, (5, 6, 7), strict=True))
    likely = Likely(
        log_likelihood=-12.34,
        units_per_nat=100,
        standard_errors=errors,
        features={"step": 3.456, "<minutes>": -1.0},
        spreads={"step": 5.0},
    )
    result = assemble(case, plancost.LearnOptions(), small_learned(case))
    page = report_page(case, structs.replace(result, solution="likely", likely=likely), Clock(9))
    assert data_of(page)["parts"][0]["errors"] == [5, 6, 7]
    assert '<th scope="row">step</th><td>3.46</td>' in page
    assert '<th scope="row">&lt;minutes&gt;</th><td>-1.00</td>' in page
    assert "<b>-12.3</b>" in page


def test_given_costs(tmp_path: Path) -> None:
    folder = write(tmp_path / "case", PDDL)
    plancost.write_report(folder, {"(walk home hill)": 9}, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "2 of 3 plans are optimal" in page and "under given costs" in page


def test_terrain() -> None:
    town = plancost.read_case(EXAMPLES / "town")
    found = find_terrain(town, [(item.task, item.actions) for item in town.observations])
    assert found is not None and found.routes is None
    assert set(found.places) == {"home", "hill", "school", "river", "bridge", "shop"}
    for (start, end), actions in zip(found.ways, found.actions, strict=True):
        assert [town.actions[a] for a in actions] == [
            f"(walk {found.places[start]} {found.places[end]})"
        ]


def test_where_nothing_moves_states_are_places() -> None:
    case = plancost.read_case(EXAMPLES / "savings")
    plans = [(item.task, item.actions) for item in case.observations]
    found = find_terrain(case, plans)
    assert found is not None and found.routes is not None
    for key in plans:
        route = found.routes[key]
        assert [found.actions[way][0] for way in route] == list(key[1])
        ends = [found.ways[way] for way in route]
        assert all(one[1] == two[0] for one, two in pairwise(ends))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("c0-0", "c1-0", "c1-2"), [[0, 0], [1, 0], [1, 2]]),
        (("loc-x0-y0", "loc-x1-y0", "loc-x1-y2"), [[0, 0], [1, 0], [1, 2]]),
        (("a1", "b2", "c3"), None),
        (("c0-0", "c90-0", "c1-90"), None),
    ],
)
def test_coordinates_in_names(names: tuple[str, ...], expected: list[list[int]] | None) -> None:
    found = from_names(names, [(0, 1), (1, 2)])
    assert (None if found is None else found.tolist()) == expected


@pytest.mark.parametrize("side", [4, 20])
def test_a_layout_keeps_distances(side: int) -> None:
    number = {(x, y): side * x + y for x in range(side) for y in range(side)}
    ways = [(number[x, y], number[x + 1, y]) for x in range(side - 1) for y in range(side)]
    ways += [(number[x, y], number[x, y + 1]) for x in range(side) for y in range(side - 1)]
    where = lay_out(side**2 + 1, ways)
    lengths = np.linalg.norm(where[[a for a, _ in ways]] - where[[b for _, b in ways]], axis=1)
    assert lengths.min() > 0.6 and lengths.max() < 1.7
    apart = np.linalg.norm(where[number[0, 0]] - where[number[side - 1, side - 1]])
    assert apart > 1.1 * side
    assert (lay_out(side**2 + 1, ways) == where).all()


def test_colours() -> None:
    random = np.random.default_rng(1)
    for costs in ([1] * 5, [1, 1, 2, 9], np.exp(random.uniform(0, 6, 500)).tolist()):
        found = by_rank(costs, "Cost")
        pairs = sorted(zip(costs, found.classes, strict=True))
        assert [own for _, own in pairs] == sorted(found.classes)
        assert {own for own, _ in found.labels} == set(found.classes)
    assert by_ratio([1, 4, 10], [10, 4, 1]).classes == [0, 3, 6]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case, page = write(tmp_path / "case", PDDL), tmp_path / "page.html"
    result = tmp_path / "RESULT.json"
    assert command(capsys, "learn", case, "--output", result, "--report", page).status == 0
    first = page.read_text(encoding="utf-8")
    assert command(capsys, "report", case, result, "--output", page).out == f"wrote {page}\n"
    assert data_of(page.read_text(encoding="utf-8")) == data_of(first)
    for words in (["report", case, result, "--output"], ["learn", case, "--report"]):
        done = command(capsys, *words, case / "school.pddl")
        assert done.status == 1 and "is no report" in done.err
        assert command(capsys, *words, tmp_path / "none" / "page.html").status == 1
    assert (case / "school.pddl").read_text() == PDDL["school.pddl"]


def test_learn_does_without_jinja(tmp_path: Path) -> None:
    words = ["learn", str(write(tmp_path / "case", PDDL)), "--quiet"]
    program = f"from plancost.cli.main import main; main({words}); import sys; "
    program += "sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

"""Every bundled example can be learned from, and its README says what comes out."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest

import plancost
from plancost.observations.case import load_case
from plancost.pictures.coordinates import read_coordinates
from plancost.routes.learning import RouteOptions, learn_routes
from plancost.routes.network import Network, Trip, ends
from plancost.routes.read_links import read_network
from plancost.routes.read_trips import read_trips
from support.documents import ROOT, blocks, commands

FOLDERS = sorted(path.parent for path in ROOT.glob("examples/*/domain.pddl"))
LARGE = ("savings", "small-city")
SECONDS = 60
"""Far more than any of them takes, on a machine with other work too."""

RIVER = 5.0
"""The river of the small city flows along this y coordinate."""

_PLANS = re.compile(r"^optimal plans +(\d+) of (\d+) +proven: no costs", re.MULTILINE)
_SUM = re.compile(r"^sum of costs +(\d+) +proven least", re.MULTILINE)


def shown(folder: Path) -> str | None:
    """What the README shows as the output of learning from the folder, with no further option."""
    for block in blocks((folder / "README.md").read_text(encoding="utf-8")):
        for command in commands(block) if block.language == "console" else ():
            words = command.text.split()
            plain = ["plancost", "learn", f"examples/{folder.name}"]
            if words in (plain, [*plain, "--output", "RESULT.json"]):
                return command.output
    return None


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(path, marks=[pytest.mark.slow] if path.name in LARGE else [], id=path.name)
        for path in FOLDERS
    ],
)
def test_an_example_is_learned_as_its_readme_says(folder: Path) -> None:
    result = plancost.learn(folder, plancost.LearnOptions(time_limit_s=SECONDS))
    assert result.verified and result.proved and result.secondary.proved
    output = shown(folder)
    if output is None:
        return
    plans, least = _PLANS.search(output), _SUM.search(output)
    assert plans is not None and least is not None
    assert (int(plans[1]), int(plans[2])) == (result.optimal_plans, result.plans)
    assert int(least[1]) == result.secondary.value == sum(result.costs.values())


def test_readmes_show_numbers() -> None:
    with_numbers = [folder.name for folder in FOLDERS if shown(folder) is not None]
    assert {"avoid-the-centre", "savings", "small-city"} <= set(with_numbers)


def test_the_city_is_one_connected_map_with_two_bridges() -> None:
    """Its coordinates are those of its junctions, and the river can be crossed on bridges only."""
    folder = ROOT / "examples" / "small-city"
    places = read_coordinates(folder / "coordinates.csv")
    case = load_case(folder)
    streets = {tuple(name.strip("()").split()[1:]) for name in case.actions}
    assert {place for street in streets for place in street} == set(places)
    across = {(a, b) for a, b in streets if (places[a][1] > RIVER) != (places[b][1] > RIVER)}
    assert across == {
        *itertools.permutations(("old-bridge-north", "old-bridge-south")),
        *itertools.permutations(("new-bridge-north", "new-bridge-south")),
    }
    one_way = {(a, b) for a, b in streets if (b, a) not in streets}
    assert len(one_way) >= 5


@pytest.mark.slow
def test_what_mara_says_is_not_what_she_does() -> None:
    """The questionnaire covers all actions and makes none of her plans optimal."""
    folder = ROOT / "examples" / "savings"
    domain, said = folder / "domain.pddl", folder / "questionnaire.json"
    answers = plancost.verify(folder / "mara.csv", said, domain=domain)
    assert answers.verified and answers.optimal_plans < answers.plans
    refined = plancost.learn(
        folder / "mara.csv", plancost.LearnOptions(initial_costs=said), domain=domain
    )
    assert refined.optimal_plans == refined.plans and refined.secondary.proved
    assert refined.initial_costs is not None
    changes = [abs(cost - refined.initial_costs[name]) for name, cost in refined.costs.items()]
    assert sum(changes) == refined.secondary.value > 0


@pytest.fixture(scope="module")
def town() -> tuple[Network, tuple[Trip, ...]]:
    folder = ROOT / "examples" / "riverside-town"
    network = read_network(
        folder / "links.csv", nodes=folder / "nodes.csv", needed=("metres", "minutes")
    )
    return network, read_trips(folder / "trips.csv", network)


def costs_of(town: tuple[Network, tuple[Trip, ...]], group: str) -> plancost.Result:
    network, trips = town
    own = [replace(trip, group=None) for trip in trips if trip.group == group]
    return learn_routes(
        network, own, RouteOptions("minutes", learning=plancost.LearnOptions(time_limit_s=SECONDS))
    )


def test_the_riverside_town_has_two_bridges(town: tuple[Network, tuple[Trip, ...]]) -> None:
    """No other street leads from one bank of the river, y = 0, to the other."""
    network, trips = town
    assert 150 <= len(network.links) <= 300 and len(trips) >= 200
    assert set(network.places) == set(network.place_names)
    north = {place: y > 0 for place, (_, y) in network.places.items()}
    across = {link.name for link in network.links if north[link.start] != north[link.end]}
    bridges = ("mill-bridge", "new-bridge")
    assert across == {f"{bridge}-{way}" for bridge in bridges for way in ("north", "south")}
    assert {trip.group for trip in trips} == {"morning", "evening"}


def test_drivers_of_the_riverside_town_avoid_the_school_in_the_morning(
    town: tuple[Network, tuple[Trip, ...]],
) -> None:
    """Minutes say that most of them should cross on the Mill Bridge, which is by the school."""
    morning, evening = (costs_of(town, group) for group in ("morning", "evening"))
    for result in (morning, evening):
        assert result.verified and result.proved and result.secondary.proved
        assert result.optimal_plans >= 0.95 * result.plans
    assert morning.initial_costs is not None
    minutes = morning.initial_costs
    for bridge in ("mill-bridge-north", "mill-bridge-south"):
        assert morning.costs[bridge] > 2 * minutes[bridge]
        assert evening.costs[bridge] == minutes[bridge]
    changes = {name: morning.costs[name] - minutes[name] for name in minutes}
    assert max(changes, key=lambda name: changes[name]) == "mill-bridge-south"
    assert all(evening.costs[f"station-road-3-{way}"] > 1.5 * minutes[f"station-road-3-{way}"]
               for way in ("east", "west"))  # fmt: skip


def test_minutes_explain_the_riverside_town_badly(town: tuple[Network, tuple[Trip, ...]]) -> None:
    network, trips = town
    minutes = {link.name: int(100 * link.numbers["minutes"]) for link in network.links}
    graph: nx.DiGraph[str] = nx.DiGraph()
    for link in network.links:
        graph.add_edge(link.start, link.end, units=minutes[link.name])
    least = dict(nx.all_pairs_dijkstra_path_length(graph, weight="units"))
    optimal = {"morning": 0, "evening": 0}
    for trip in trips:
        start, end = ends(network, trip)
        cost = sum(minutes[name] for name in trip.links)
        assert trip.group is not None
        optimal[trip.group] += trip.count * (cost == least[start][end])
    assert optimal == {"morning": 227, "evening": 172}

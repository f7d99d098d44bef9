"""Edge costs from routes, against networkx's own shortest paths and brute force."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from plancost import read_result, verify
from plancost.errors import InputError, UsageError
from plancost.interfaces.street_graphs import learn_edge_costs, node_words
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.observations.bounds_files import CostBound
from plancost.observations.pddl import split_action
from plancost.observations.planfile import action_name

if TYPE_CHECKING:
    Graph = nx.Graph[Any]


def cost(graph: Graph, route: list[Any], attribute: str = "learned_cost") -> int:
    return sum(graph.edges[edge][attribute] for edge in itertools.pairwise(route))


def are_shortest(graph: Graph, routes: list[list[Any]], by: str = "learned_cost") -> bool:
    lengths = [nx.dijkstra_path_length(graph, way[0], way[-1], weight=by) for way in routes]
    return lengths == [cost(graph, way, by) for way in routes]


@st.composite
def small_maps(draw: st.DrawFn) -> tuple[Graph, list[list[int]]]:
    """A small graph, directed or not, with walks on it (mostly simple)."""
    directed = draw(st.booleans())
    graph: Graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(5))
    pairs = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] != pair[1])
    graph.add_edges_from(draw(st.lists(pairs, min_size=4, max_size=12)))
    routes = []
    for seed in draw(st.lists(st.integers(0, 999), min_size=1, max_size=4)):
        chooser = random.Random(seed)
        route = [chooser.choice(sorted(node for node in graph if graph.degree(node)))]
        for _ in range(chooser.randint(1, 4)):
            onward = [node for node in graph[route[-1]] if node not in route]
            if onward:
                route.append(chooser.choice(sorted(onward)))
        if len(route) > 1:
            routes.append(route)
    return graph, routes


def most_that_can_be_shortest(graph: Graph, routes: list[list[int]]) -> int:
    """Brute force: for each set of routes a linear program over all simple paths."""
    edges = {edge: number for number, edge in enumerate(graph.edges)}

    def vector(route: list[int]) -> list[int]:
        counts = [0] * len(edges)
        for start, end in itertools.pairwise(route):
            counts[edges.get((start, end), edges.get((end, start), -1))] += 1
        return counts

    rows = {
        number: [
            [mine - theirs for mine, theirs in zip(vector(route), vector(path), strict=True)]
            for path in nx.all_simple_paths(graph, route[0], route[-1])
        ]
        for number, route in enumerate(routes)
    }
    for size in range(len(routes), 0, -1):
        for chosen in itertools.combinations(range(len(routes)), size):
            matrix = [row for number in chosen for row in rows[number]]
            found = linprog([0] * len(edges), A_ub=matrix, b_ub=[0] * len(matrix), bounds=(1, None))
            if found.status == 0:
                return size
    return 0


@settings(max_examples=40, deadline=None)
@given(small_maps())
def test_as_many_routes_as_brute_force(drawn: tuple[Graph, list[list[int]]]) -> None:
    graph, routes = drawn
    if not routes:
        return
    learned = learn_edge_costs(graph, routes)
    assert learned.result.proved and learned.result.verified
    assert learned.result.optimal_plans == most_that_can_be_shortest(graph, routes)
    for route, optimal in zip(routes, learned.optimal, strict=True):
        shortest = nx.dijkstra_path_length(graph, route[0], route[-1], weight="learned_cost")
        assert optimal == (cost(graph, route) == shortest)
    assert set(learned.costs) == set(graph.edges)
    assert learned.result.secondary.value == sum(learned.costs.values())


def streets(graph: Graph, count: int, seed: int) -> list[list[Any]]:
    """Routes of people who follow hidden preferences."""
    chooser = random.Random(seed)
    for _, _, data in graph.edges(data=True):
        data["hidden"] = chooser.choice([1, 1, 2, 5])
    ends = [chooser.sample(sorted(graph.nodes), 2) for _ in range(count)]
    return [nx.dijkstra_path(graph, here, there, weight="hidden") for here, there in ends]


def test_a_city_whose_routes_can_all_be_shortest() -> None:
    graph: Graph = nx.grid_2d_graph(10, 10).to_directed()
    routes = streets(graph, 30, 0)
    learned = learn_edge_costs(graph, routes, attribute="cost")
    assert learned.optimal == (True,) * len(routes)
    assert are_shortest(graph, routes, "cost")
    assert learned.result.proved
    observed = learned.result.observations[0]
    assert observed.plan == "route 1"
    (x, y), (to_x, to_y) = routes[0][0], routes[0][-1]
    assert observed.problem == f"from {x}-{y} to {to_x}-{to_y}"


def test_refining_changes_as_little_as_possible() -> None:
    graph: Graph = nx.DiGraph()
    graph.add_edge("a", "b", metres=4)
    graph.add_edge("b", "c", metres=4)
    graph.add_edge("a", "c", metres=5)
    learned = learn_edge_costs(graph, [["a", "b", "c"]], initial="metres", attribute=None)
    assert learned.result.refined and learned.result.secondary.value == 3
    assert learned.result.proved and "learned_cost" not in graph.edges["a", "b"]
    assert learned.costs["a", "b"] + learned.costs["b", "c"] <= learned.costs["a", "c"]


def test_counts_decide_between_routes() -> None:
    graph: Graph = nx.cycle_graph(4)
    # Two ways round a ring of which every edge is in one of them: only equal costs make both
    # shortest, and strictly cheaper only one can be.
    routes = [[0, 1, 2], [0, 3, 2]]
    strict = LearnOptions(concept=Concept(Solution.SCF))
    learned = learn_edge_costs(graph, routes, counts=[1, 5], options=strict)
    assert learned.optimal == (False, True) and learned.result.optimal_plans == 5


def test_parallel_edges_loops_and_names() -> None:
    graph: Graph = nx.MultiDiGraph([(1, "1"), (1, "1"), (1, 1), ("1", 2), (1, 2)])
    learned = learn_edge_costs(graph, [[1, "1", 2]])
    assert learned.optimal == (True,)
    assert learned.costs[1, "1"] + learned.costs["1", 2] <= learned.costs[1, 2]
    costs = {(start, end): data["learned_cost"] for start, end, data in graph.edges(data=True)}
    assert costs == learned.costs and costs[1, 1] == 1
    assert len(learned.result.costs) == 4
    assert {edge: learned.result.costs[name] for edge, name in learned.actions.items()} == costs


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_every_edge_has_a_cost_also_a_loop(kind: type[Graph]) -> None:
    graph = kind()
    graph.add_edges_from([("a", "a"), ("a", "b"), ("b", "b")], metres=3)
    learned = learn_edge_costs(graph, [["a", "b"], ["a", "a", "b"]], initial="metres")
    assert learned.costs == {("a", "a"): 3, ("a", "b"): 3, ("b", "b"): 3}
    assert learned.optimal == (True, False) and learned.result.proved
    assert [data["learned_cost"] for _, _, data in graph.edges(data=True)] == [3, 3, 3]


def test_parallel_edges_may_be_turned_round() -> None:
    graph: Graph = nx.MultiGraph()
    graph.add_edge("b", "a", key="one", metres=5)
    graph.add_edge("a", "b", key="other", metres=2)
    learned = learn_edge_costs(graph, [["a", "b"]], initial="metres")
    assert list(learned.costs.values()) == [2]
    assert {data["learned_cost"] for _, _, data in graph.edges(data=True)} == {2}


# Nodes that are not the same, and look alike in writing, or whose words are another's.
ALIKE: list[Any] = [
    *("New", "New York", "York City", "City", "new", "NEW", "New York City", "York", " York"),
    *(
        1,
        "1",
        "1#0",
        "1#1",
        (1,),
        "(1,)",
        (1, 2),
        "1 2",
        "1-2",
        -1,
        "-1",
        2.5,
        "2.5",
        "none",
        "None",
    ),
    *("", " ", "()", "(", ")", "node", "a) (go b", "b)", "a\nb", "a\u2028b", "a,b", "a, b", "go"),
    *("a[1]", "a1", "*", "?", "=", ";", "a;b", "a/b", "a//b", "\x00", "\ud800", "İ", "i̇", "x" * 99),
    *(
        "x" * 98,
        frozenset({"a"}),
        "#",
        "Straße",
        "STRASSE",
        "ΑΣ",
        "ας",
        "ασ",
        "<b>",
        "e\u0301",
        "é",
    ),
]


def renamed(graph: Graph, names: list[Any]) -> Graph:
    """The same graph, with its edges and nodes in the same order."""
    other = graph.__class__()
    other.add_nodes_from(names[node] for node in graph)
    other.add_edges_from((names[a], names[b], data) for a, b, data in graph.edges(data=True))
    return other


def adversarial_names() -> st.SearchStrategy[list[Any]]:
    return st.lists(
        st.sampled_from(ALIKE) | st.text(max_size=3) | st.integers(-9, 9),
        min_size=5,
        max_size=5,
        unique=True,
    )


@settings(max_examples=60, deadline=None)
@given(small_maps(), adversarial_names(), st.sampled_from(Solution), st.booleans(), st.data())
def test_names_of_nodes_change_nothing(
    drawn: tuple[Graph, list[list[int]]],
    names: list[Any],
    solution: Solution,
    refine: bool,
    data: st.DataObject,
) -> None:
    plain, routes = drawn
    if not routes:
        return
    for _, _, edge in plain.edges(data=True):
        edge["metres"] = data.draw(st.integers(0, 3))
    if data.draw(st.booleans()):
        plain.add_edge(0, 0, metres=1)
    graph = renamed(plain, names)
    options = LearnOptions(concept=Concept(solution))
    initial = "metres" if refine else None
    expected = learn_edge_costs(plain, routes, initial=initial, options=options).result
    learned = learn_edge_costs(
        graph, [[names[n] for n in route] for route in routes], initial=initial, options=options
    )
    result = learned.result
    assert (result.optimal_plans, result.upper_bound) == (
        expected.optimal_plans,
        expected.upper_bound,
    )
    assert (result.proved, result.verified, result.exists, result.secondary) == (
        expected.proved,
        expected.verified,
        expected.exists,
        expected.secondary,
    )
    assert len(result.costs) == plain.number_of_edges() == len(set(learned.actions.values()))
    assert learned.costs.keys() == set(graph.edges)


@given(st.lists(st.sampled_from(ALIKE) | st.text() | st.floats(), unique=True))
def test_every_node_has_a_word_of_its_own(nodes: list[Any]) -> None:
    """And the word is one that all who read names of actions leave as it is."""
    words = node_words(nodes)
    assert len(set(words)) == len(nodes)
    for word in words:
        name = f"(go {word} {word})"
        assert action_name(name) == name
        assert split_action(name) == ("go", (word, word))


def test_roads_with_like_names_are_two() -> None:
    """New -> York City must be dear and New York -> City cheap."""
    graph: Graph = nx.DiGraph(
        [("New", "x"), ("x", "York City"), ("New", "York City"), ("New York", "City")]
    )
    graph.add_edges_from([("City", "z"), ("New York", "z"), ("s", "New York"), ("s", "New")])
    routes = [["New", "x", "York City"], ["New York", "City", "z"], ["s", "New York", "City"]]
    learned = learn_edge_costs(graph, routes, options=LearnOptions(max_cost=2))
    result = learned.result
    assert (result.optimal_plans, result.upper_bound, result.proved) == (3, 3, True)
    assert result.secondary.value == sum(learned.costs.values()) == 10
    assert learned.actions["New", "York City"] == "(go new york-city)"
    assert [item.problem for item in result.observations][2] == "from s to city"


@pytest.mark.parametrize(
    "options", [LearnOptions(alternatives="5"), LearnOptions(oracle=OracleName.SYMK)]
)
def test_planners_read_any_names(options: LearnOptions) -> None:
    graph: Graph = nx.DiGraph([("A\nB", "(c, D)"), ("(c, D)", "Γ"), ("A\nB", "Γ"), ("Γ", "Γ")])
    learned = learn_edge_costs(graph, [["A\nB", "(c, D)", "Γ"]], options=options)
    assert learned.optimal == (True,) and learned.costs["A\nB", "Γ"] == 2


def test_names_of_a_result_lead_to_edges(tmp_path: Path) -> None:
    """As bounds, in a file of costs, and in a table."""
    graph: Graph = nx.DiGraph([("A b", "c"), ("c", "D"), ("A b", "D")])
    learned = learn_edge_costs(graph, [["A b", "c", "D"]])
    name = learned.actions["A b", "D"]
    options = LearnOptions(bounds=(CostBound(name, 7, 7),))
    bounded = learn_edge_costs(graph, [["A b", "c", "D"]], options=options)
    assert bounded.costs["A b", "D"] == 7
    file = tmp_path / "RESULT.json"
    file.write_text(json.dumps(bounded.result.to_json()))
    assert bounded.result.case is not None
    assert verify(bounded.result.case, file).optimal_plans == 1
    assert read_result(file).costs == bounded.result.costs


def test_a_route_that_passes_a_place_twice() -> None:
    graph: Graph = nx.path_graph(3)
    learned = learn_edge_costs(graph, [[0, 1, 2, 1]])
    assert learned.optimal == (False,) and learned.result.upper_bound == 0
    assert "twice" in learned.result.notes[0]


@pytest.mark.parametrize(
    ("routes", "further", "message"),
    [
        ([], {}, "there is no route to learn from"),
        ([[1]], {}, "route 1 has fewer than two places"),
        ([[0, 1], [0, 2]], {}, "step 1 of route 2 goes from 0 to 2, where there is no road"),
        ([[0, "x"]], {}, "route 1 passes 'x', which is not a node of the graph"),
        ([[0, 1], [[0], 1]], {}, r"route 2 passes \[0\], which is not a node of the graph"),
        ([[([0],), 1]], {}, r"route 1 passes \(\[0\],\), which is not a node of the graph"),
        ([iter([0, "x"])], {}, "route 1 passes 'x', which is not a node of the graph"),
        ([[0, 1]], {"counts": [1, 2]}, "there are 2 counts for 1 routes"),
        ([[0, 1]], {"counts": [0]}, "route 1: count must be a whole number from 1 to .*"),
        ([[0, 1]], {"counts": [2.5]}, "route 1: count must be a whole number from 1 to .*"),
        ([[0, 1]], {"counts": [10**15]}, "route 1: count must be a whole number from 1 to .*"),
        (
            [[0, 1]],
            {"initial": "metres"},
            "the edge from 0 to 1 has no attribute 'metres', only none at all",
        ),
    ],
)
def test_what_is_wrong_in_one_sentence(
    routes: list[list[Any]], further: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=f"^{message}$"):
        learn_edge_costs(nx.path_graph(3), routes, **further)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"graph": None}, "graph must be a graph of networkx, not None"),
        ({"graph": [(0, 1)]}, r"graph must be a graph of networkx, not \[\(0, 1\)\]"),
        ({"routes": None}, "routes must be lists of nodes, not None"),
        ({"routes": [None]}, "route 1 must be a list of nodes, not None"),
        ({"routes": [[0, 1], 5]}, "route 2 must be a list of nodes, not 5"),
        ({"counts": 5}, "counts must be a list with a number for each route, not 5"),
        ({"attribute": ["cost"]}, r"attribute must name an edge attribute, not be \['cost'\]"),
        ({"initial": ([],)}, r"initial must name an edge attribute, not be \(\[\],\)"),
        ({"groups": 2}, "an edge has one cost for all routes here, so groups must be 1"),
        ({"option": 2}, "there is no option 'option'.*"),
    ],
)
def test_what_is_not_of_its_kind(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}$"):
        learn_edge_costs(**{"graph": nx.path_graph(3), "routes": [[0, 1]]} | given)


def test_routes_and_counts_may_be_iterators() -> None:
    graph: Graph = nx.path_graph(3)
    learned = learn_edge_costs(graph, iter([iter([0, 1])]), counts=iter([3]), groups=1)
    assert (learned.optimal, learned.result.plans) == ((True,), 3)


def test_a_dropped_route_keeps_its_place() -> None:
    """The second route passes a place twice, so it is never optimal."""
    graph: Graph = nx.path_graph(3)
    routes = [[0, 1], [0, 1, 2, 1], [1, 2]]
    assert learn_edge_costs(graph, routes).optimal == (True, False, True)
    assert learn_edge_costs(graph, routes, drop=("route 1",)).optimal == (None, False, True)
    assert learn_edge_costs(graph, routes, drop=("route 2",)).optimal == (True, None, True)


def test_there_is_no_pddl(tmp_path: Path) -> None:
    from plancost import learn, write_result_pddl

    learned = learn_edge_costs(nx.path_graph(3), [[0, 1]])
    with pytest.raises(UsageError, match="not learned from PDDL"):
        write_result_pddl(learned.result, tmp_path)
    assert learned.result.case is not None
    with pytest.raises(UsageError, match="no PDDL to take initial costs from"):
        learn(learned.result.case, LearnOptions(refine=True))


@pytest.mark.parametrize("length", [np.int64(85), np.float64(85.0), 85])
def test_lengths_of_numpy(length: object) -> None:
    graph: Graph = nx.path_graph(2)
    graph.edges[0, 1]["metres"] = length
    learned = learn_edge_costs(graph, [[0, 1]], initial="metres", time_limit_s=60)
    assert (learned.costs, learned.scale) == ({(0, 1): 85}, 1)


def test_lengths_with_fractions() -> None:
    """As in every graph of OSMnx: costs are in smaller units."""
    graph: Graph = nx.path_graph(3)
    graph.edges[0, 1]["length"], graph.edges[1, 2]["length"] = 12.5, Fraction(1, 2)
    learned = learn_edge_costs(graph, [[0, 1, 2]], initial="length")
    assert {cost / learned.scale for cost in learned.costs.values()} == {12.5, 0.5}
    assert learned.result.secondary.value == 0
    assert learned.result.notes[0] == f"costs are in units of 1/{learned.scale} of length"


@pytest.mark.parametrize("length", ["12", -1, float("nan"), float("inf"), True, None])
def test_lengths_that_are_none(length: object) -> None:
    graph: Graph = nx.path_graph(2)
    graph.edges[0, 1]["metres"] = length
    with pytest.raises(InputError, match="as its 'metres', which is no number of at least 0"):
        learn_edge_costs(graph, [[0, 1]], initial="metres")


def test_a_misspelt_attribute() -> None:
    graph: Graph = nx.path_graph(2)
    graph.edges[0, 1]["length"] = 5
    with pytest.raises(InputError, match="has no attribute 'lenght', only length"):
        learn_edge_costs(graph, [[0, 1]], initial="lenght")


@pytest.mark.slow
def test_both_objectives_on_a_large_map() -> None:
    """9,660 streets: the least sum of costs is proven, and close to 1 for each street."""
    graph: Graph = nx.grid_2d_graph(70, 70)
    routes = streets(graph, 10, 0)
    learned = learn_edge_costs(graph, routes, time_limit_s=300)
    assert graph.number_of_edges() == 9660
    assert learned.optimal == (True,) * 10 and learned.result.proved
    assert learned.result.secondary.proved
    assert sum(learned.costs.values()) == learned.result.secondary.value < 1.1 * 9660
    assert are_shortest(graph, routes)

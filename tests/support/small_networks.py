"""Small street networks with trips on them, and brute force over all their routes."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from hypothesis import strategies as st
from scipy.optimize import linprog

from plancost.routes.network import Link, Network, Trip
from plancost.routes.turns import Turns

PLACES = "abcde"


@st.composite
def small_networks(draw: st.DrawFn) -> Network:
    """A few places and links: parallel ones, loops, and places that nothing leads to."""
    ends = st.tuples(st.sampled_from(PLACES), st.sampled_from(PLACES))
    pairs = draw(st.lists(ends, min_size=4, max_size=12).filter(_is_no_heap_of_loops))
    links = (Link(str(number), start, end) for number, (start, end) in enumerate(pairs))
    return Network(tuple(links))


@st.composite
def costed_networks(draw: st.DrawFn) -> tuple[Network, dict[str, int]]:
    """A few places fewer, with costs of all links."""
    ends = st.tuples(st.sampled_from(PLACES[:-1]), st.sampled_from(PLACES[:-1]))
    pairs = draw(st.lists(ends, min_size=3, max_size=12))
    links = tuple(Link(f"l{n}", start, end) for n, (start, end) in enumerate(pairs))
    return Network(links), {link.name: draw(st.integers(1, 4)) for link in links}


def _is_no_heap_of_loops(pairs: Sequence[tuple[str, str]]) -> bool:
    return any(start != end for start, end in pairs)


@st.composite
def small_turns(draw: st.DrawFn, network: Network) -> Turns:
    """Some turns of two classes, some of them forbidden."""
    all_turns = [
        (before.name, after.name)
        for before in network.links
        for after in network.leaving.get(before.end, ())
    ]
    kinds = draw(
        st.lists(
            st.sampled_from(["", "", "left", "right", "forbidden"]),
            min_size=len(all_turns),
            max_size=len(all_turns),
        )
    )
    named = list(zip(all_turns, kinds, strict=True))
    return Turns(
        {turn: kind for turn, kind in named if kind in ("left", "right")},
        frozenset(turn for turn, kind in named if kind == "forbidden"),
    )


def routes_between(
    network: Network, start: str, end: str, turns: Turns | None = None
) -> Iterator[tuple[str, ...]]:
    """All routes that end where they first reach the end.

    They pass no place twice; with turns, which can make that pay, no link twice.
    """
    if start == end:
        yield ()
        return
    waiting: list[tuple[str, ...]] = [
        (link.name,) for link in network.leaving.get(start, ()) if not link.is_loop
    ]
    while waiting:
        route = waiting.pop()
        last = network.by_name[route[-1]]
        if last.end == end:
            yield route
            continue
        for link in network.leaving.get(last.end, ()):
            again = link.name in route if turns else link.end in network.visited(route)
            if link.is_loop or again or (turns and (last.name, link.name) in turns.forbidden):
                continue
            waiting.append((*route, link.name))


def all_routes(network: Network) -> list[tuple[str, ...]]:
    """Those between any two different places."""
    pairs = itertools.permutations(network.place_names, 2)
    return [route for start, end in pairs for route in routes_between(network, start, end)]


def cost(route: Sequence[str], costs: Mapping[str, int]) -> int:
    """What a route costs."""
    return sum(costs[name] for name in route)


def draw_trips(network: Network, seeds: Sequence[int], turns: Turns | None = None) -> list[Trip]:
    """Random routes on a network."""
    found = []
    for number, seed in enumerate(seeds):
        chooser = random.Random(seed)
        pairs = list(itertools.permutations(network.place_names, 2))
        chooser.shuffle(pairs)
        for start, end in pairs:
            routes = sorted(routes_between(network, start, end, turns))
            if routes:
                found.append(Trip(f"t{number}", chooser.choice(routes), line=number + 2))
                break
    return found


def actions_of(route: Sequence[str], turns: Turns | None) -> Counter[str]:
    """The links and turns of a route, as often as they occur."""
    found = Counter(route)
    if turns is not None:
        found.update(turn for turn in turns.in_trip(route) if turn is not None)
    return found


def most_that_can_be_cheapest(
    network: Network, trips: Sequence[Trip], turns: Turns | None = None
) -> int:
    """Brute force: for each set of trips a linear program over all their alternatives."""
    names = [link.name for link in network.links]
    names += [] if turns is None else list(turns.names)
    place = {name: number for number, name in enumerate(names)}
    rows = []
    for trip in trips:
        start, end = network.visited(trip.links)[0], network.visited(trip.links)[-1]
        own = actions_of(trip.links, turns)
        demands = []
        for other in routes_between(network, start, end, turns):
            row = [0.0] * len(names)
            for name, count in own.items():
                row[place[name]] += count
            for name, count in actions_of(other, turns).items():
                row[place[name]] -= count
            demands.append(row)
        rows.append(demands)
    for size in range(len(trips), 0, -1):
        for chosen in itertools.combinations(range(len(trips)), size):
            matrix = [row for number in chosen for row in rows[number]]
            found = linprog(
                [1.0] * len(names), A_ub=matrix, b_ub=[0.0] * len(matrix), bounds=(1, None)
            )
            if found.status == 0:
                return size
    return 0

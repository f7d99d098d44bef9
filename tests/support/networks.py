"""Small random networks, and what is true of them by trying everything out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hypothesis import strategies as st

from plancost.routes.network import Link, Network

PLACES = "abcd"


@st.composite
def costed_networks(draw: st.DrawFn) -> tuple[Network, dict[str, int]]:
    """Few places, parallel links and loops among them, with costs."""
    ends = st.tuples(st.sampled_from(PLACES), st.sampled_from(PLACES))
    pairs = draw(st.lists(ends, min_size=3, max_size=12))
    links = tuple(Link(f"l{n}", start, end) for n, (start, end) in enumerate(pairs))
    costs = {link.name: draw(st.integers(1, 4)) for link in links}
    return Network(links), costs


def simple_routes(network: Network, start: str, end: str) -> Iterator[tuple[str, ...]]:
    """All routes that visit no place twice."""

    def go(here: str, seen: frozenset[str], route: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if here == end:
            yield route
            return
        for link in network.leaving.get(here, ()):
            if link.end not in seen:
                yield from go(link.end, seen | {link.end}, (*route, link.name))

    yield from go(start, frozenset({start}), ())


def all_simple_routes(network: Network) -> list[tuple[str, ...]]:
    """Those between any two different places."""
    return [
        route
        for start in network.place_names
        for end in network.place_names
        if start != end
        for route in simple_routes(network, start, end)
    ]


def cost(route: Sequence[str], costs: Mapping[str, int]) -> int:
    """What a route costs."""
    return sum(costs[name] for name in route)

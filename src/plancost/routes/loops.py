"""Streets that lead back to their own place, which no cheapest route uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plancost.routes.network import Network, Trip


def without_loops(
    network: Network, trips: Sequence[Trip]
) -> tuple[Network, tuple[Trip, ...], tuple[str, ...]]:
    """The network and the trips without such links, and notes about what was left out.

    A trip that has no other link is left out.
    """
    loops = {link.name for link in network.links if link.is_loop}
    if not loops:
        return network, tuple(trips), ()
    notes = [f"{_links(len(loops))} left out, since they lead back to their own place"]
    kept, changed, empty = [], 0, []
    for trip in trips:
        links = tuple(name for name in trip.links if name not in loops)
        changed += len(links) < len(trip.links)
        if links:
            kept.append(replace(trip, links=links))
        else:
            empty.append(trip.name)
    if changed:
        notes.append(f"{changed} trips drive such links; they are taken without them")
    if empty:
        notes.append(f"these trips have no other link and are left out: {', '.join(empty)}")
    rest = tuple(link for link in network.links if not link.is_loop)
    return Network(rest, network.places, network.source), tuple(kept), tuple(notes)


def loopless(network: Network, links: Sequence[str]) -> tuple[str, ...]:
    """The links of a route but for those that lead back to their own place."""
    return tuple(name for name in links if not network.by_name[name].is_loop)


def _links(count: int) -> str:
    return "1 link is" if count == 1 else f"{count} links are"

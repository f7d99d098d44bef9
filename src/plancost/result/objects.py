"""Learned costs in objects of other libraries: graphs of networkx, problems of unified-planning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plancost.case.links import is_graph, read_links
from plancost.case.unified import is_unified, priced_problem
from plancost.errors import InputError
from plancost.result.given import GivenCosts, read_costs
from plancost.result.model import Result
from plancost.values import shown, whole


def with_costs(
    target: Any, costs: GivenCosts, *, attribute: str = "cost", in_place: bool = False
) -> Any:
    """A graph of networkx (also of OSMnx), or a problem of unified-planning, with learned costs.

    In a graph they are an `attribute` of edges, which routers take as the weight; in a problem they
    are the metric to minimise, and an action that was not learned costs 1. A graph is copied unless
    `in_place`; the copy of an undirected one has directions, as costs have.
    """
    known = _known(costs)
    if is_unified(target) and hasattr(target, "clone"):
        return priced_problem(target, known)
    if is_graph(target):
        return _priced_graph(target, known, attribute, in_place)
    raise InputError(f"no graph of networkx or problem of unified-planning: {shown(target)}")


def _known(costs: GivenCosts) -> dict[str, int]:
    given = read_costs(costs)
    if isinstance(given, Result) and given.groups:
        raise InputError("this result has groups: take one of its `groups`")
    own = given.costs if isinstance(given, Result) else given.get("costs", given)
    if not isinstance(own, Mapping):
        raise InputError(f"costs must be given by action, not as {shown(own)}")
    return {name: whole(cost, f"the cost of {name}", least=1) for name, cost in own.items()}


def _priced_graph(graph: Any, costs: Mapping[str, int], attribute: str, in_place: bool) -> Any:
    if in_place and not graph.is_directed():
        raise InputError("an edge without a direction cannot have two costs: take the copy")
    links = read_links(graph, None)
    turns = [name for name in costs if name not in links.number]
    missing = [name for name in links.number if name not in costs]
    if missing:
        words = f"{len(missing)} edges have no cost, such as {shown(missing[0])}"
        raise InputError(f"{words}: these costs are of another graph")
    if turns and not any(">" in name for name in turns):
        words = f"there is no edge for {len(turns)} costs, such as that of {shown(turns[0])}"
        raise InputError(f"{words}: these costs are of another graph")
    if turns:
        raise InputError(
            f"edges cannot have the costs of turns such as {shown(turns[0])}: learn without the "
            "feature turns (`features` none, or columns such as length)"
        )
    copy = graph if in_place else graph.to_directed()
    for edge, name in links.edges.items():
        copy.edges[edge][attribute] = costs[name]
    return copy

"""Results in objects of other libraries: networkx, unified-planning, pandas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from plancost.case.links import is_graph, read_links
from plancost.case.unified import is_unified, priced_problem
from plancost.errors import InputError
from plancost.explanation import Explanation
from plancost.extras import needed
from plancost.result.given import GivenCosts, read_costs
from plancost.result.model import Result
from plancost.values import shown, whole

_PLANS = ("group", "problem", "plan", "trip", "count", "optimal", "cost", "optimal_cost")
_COSTS = ("group", "action", "cost", "standard_error")
_CONFLICTS = ("group", "task", "name", "kind", "with_plan", "text")


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
    strange = [name for name in costs if name not in links.number]
    missing = [name for name in links.number if name not in costs]
    turn = next((name for name in strange if ">" in name), None)
    if turn is not None:
        raise InputError(
            f"edges cannot have the costs of turns such as {shown(turn)}: learn without the "
            "feature turns (`features` none, or columns such as length)"
        )
    if strange or missing:
        words = f"{len(missing)} edges have no cost, and {len(strange)} costs no edge"
        example = shown([*missing, *strange][0])
        raise InputError(f"these costs are of another graph: {words}, such as {example}")
    copy = graph if in_place else graph.to_directed()
    for edge, name in links.edges.items():
        copy.edges[edge][attribute] = costs[name]
    return copy


# Tables of pandas


class Frames(NamedTuple):
    """Tables of a result; a column that says nothing is left out."""

    plans: Any
    costs: Any
    conflicts: Any
    """Why plans are not optimal, with a row for each optimal plan that is in the way."""


def frames(result: Result | Path | str, explanations: Iterable[Explanation] = ()) -> Frames:
    """The plans and the costs of a result, and what `explain` found, as DataFrames of pandas."""
    given = read_costs(result)
    if not isinstance(given, Result):
        raise InputError(f"tables are made of a result, not of {shown(given)}")
    plans = [msgspec.to_builtins(item) for item in given.observations]
    errors = [part.likely.standard_errors if part.likely else {} for part in given.parts]
    costs = [
        (part.group or None, action, cost, own.get(action))
        for part, own in zip(given.parts, errors, strict=True)
        for action, cost in part.costs.items()
    ]
    conflicts = [
        (found.group or None, found.task, found.name, found.kind, other, "\n".join(found.lines))
        for found in explanations
        for other in found.with_plans or (None,)
    ]
    return Frames(_frame(plans, _PLANS), _frame(costs, _COSTS), _frame(conflicts, _CONFLICTS))


def _frame(rows: Sequence[Any], columns: Sequence[str]) -> Any:
    """A table of the columns that say something; missing numbers do not make others floats."""
    table = needed("pandas").DataFrame(rows, columns=columns).convert_dtypes()
    return table.dropna(axis="columns", how="all") if rows else table

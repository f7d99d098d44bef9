"""A result as tables of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from plancost.errors import InputError, needed
from plancost.result.explanation import Explanation
from plancost.result.given import read_costs
from plancost.result.model import Result
from plancost.values import shown

_PLANS = ("group", "problem", "plan", "trip", "count", "optimal", "cost", "optimal_cost")
_COSTS = ("group", "action", "cost", "standard_error")
_CONFLICTS = ("group", "task", "name", "kind", "with_plan", "text")


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

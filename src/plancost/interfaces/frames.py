"""Results as pandas tables: one row for each action, observed plan, or moment of the search.

    from plancost.interfaces.frames import costs_frame

    costs_frame(result).sort_values("cost", ascending=False)

What is not known is missing (``<NA>``), never a number that stands for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from plancost.errors import UsageError
from plancost.observations.pddl import split_action
from plancost.results.result import Result

if TYPE_CHECKING:
    import pandas as pd

_WHOLE = "Int64"
_TRUTH = "boolean"
"""The types of pandas that can be missing."""


def costs_frame(result: Result) -> pd.DataFrame:
    """One row for each action.

    The columns are `schema`, `arguments` (a tuple), `action` (the name in full), `cost`;
    `initial_cost` if costs were refined; `constrained` if it is known of which actions the
    optimal plans say anything; `least` and `greatest` if ranges were asked for; `mean`, `sd`,
    `least_90`, `greatest_90` (a 90 % interval) and `observed` if the uncertainty is known.

    Args:
        result: What `plancost.learn` or `plancost.read_result` returned.

    Returns:
        The table.

    Raises:
        UsageError: pandas is not installed.
    """
    names = list(result.costs)
    parts = [split_action(name) for name in names]
    columns: dict[str, tuple[list[object], str]] = {
        "schema": ([schema for schema, _ in parts], "object"),
        "arguments": ([arguments for _, arguments in parts], "object"),
        "action": ([*names], "object"),
        "cost": ([result.costs[name] for name in names], "int64"),
    }
    if result.initial_costs is not None:
        initial = result.initial_costs
        columns["initial_cost"] = ([initial.get(name) for name in names], _WHOLE)
    if result.constrained is not None:
        constrained = frozenset(result.constrained)
        columns["constrained"] = ([name in constrained for name in names], "bool")
    if result.ranges is not None:
        found = [result.ranges.get(name) for name in names]
        columns["least"] = ([item and item.least for item in found], _WHOLE)
        columns["greatest"] = ([item and item.greatest for item in found], _WHOLE)
    if result.uncertainty is not None:
        known = [result.uncertainty[name] for name in names]
        columns["mean"] = ([item.mean for item in known], "float64")
        columns["sd"] = ([item.sd for item in known], "float64")
        columns["least_90"] = ([item.least for item in known], "float64")
        columns["greatest_90"] = ([item.greatest for item in known], "float64")
        columns["observed"] = ([item.observed for item in known], "bool")
    return _frame(columns)


def observations_frame(result: Result) -> pd.DataFrame:
    """One row for each observed plan.

    The columns are `problem`, `plan`, `count`, `optimal`, `cost`, `optimal_cost`, `rival_cost`
    (what a plan costs that beats it) and `reason` (why it is not optimal, in the words of
    RESULT.json).

    Args:
        result: What `plancost.learn` or `plancost.read_result` returned.

    Returns:
        The table.

    Raises:
        UsageError: pandas is not installed.
    """
    items = result.observations
    return _frame(
        {
            "problem": ([item.problem for item in items], "object"),
            "plan": ([item.plan for item in items], "object"),
            "count": ([item.count for item in items], "int64"),
            "optimal": ([item.optimal for item in items], _TRUTH),
            "cost": ([item.cost for item in items], "int64"),
            "optimal_cost": ([item.optimal_cost for item in items], _WHOLE),
            "rival_cost": ([item.rival_cost for item in items], _WHOLE),
            "reason": (
                [item.explanation and item.explanation["reason"] for item in items],
                "object",
            ),
        }
    )


def history_frame(result: Result) -> pd.DataFrame:
    """One row whenever the first objective or its bound moved: `seconds`, `optimal`, `bound`.

    Args:
        result: What `plancost.learn` or `plancost.read_result` returned.

    Returns:
        The table.

    Raises:
        UsageError: pandas is not installed.
    """
    return _frame(
        {
            "seconds": ([seconds for seconds, _, _ in result.history], "float64"),
            "optimal": ([optimal for _, optimal, _ in result.history], "int64"),
            "bound": ([bound for _, _, bound in result.history], "int64"),
        }
    )


def _frame(columns: Mapping[str, tuple[list[object], str]]) -> pd.DataFrame:
    try:
        import pandas as pd
    except ModuleNotFoundError as error:
        raise UsageError("tables need pandas: run 'pip install plancost[pandas]'") from error
    return pd.DataFrame(
        {name: pd.Series(values, dtype=kind) for name, (values, kind) in columns.items()}
    )

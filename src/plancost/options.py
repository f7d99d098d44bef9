"""What can be asked of `learn`: one field for each option, from which the flags are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


def _option(default: Any, words: str, **more: Any) -> Any:
    return field(default=default, metadata={"help": words, **more})


@dataclass(frozen=True, kw_only=True)
class LearnOptions:
    """Options of `learn`; names are those of the flags."""

    solution: str = _option(
        "mcf", "when a plan counts as optimal, or likely costs", choices=("mcf", "scf", "icf")
    )
    ties: str = _option(
        "none",
        "scf: plans of equal cost that do not count against a plan: none, other orders of the "
        "same actions, or plans observed on the same task",
        choices=("none", "reorderings", "observed"),
    )
    suboptimality: str | float | int | None = _option(
        None, "a plan counts if it costs at most W times as much as any other", metavar="W"
    )
    refine: bool | str | Path | Mapping[str, int] = _option(
        False,
        "stay close to known costs: those of the PDDL, a column of links.csv, or a file of costs",
        metavar="FROM",
    )
    bounds: Path | str | Mapping[str, Any] | None = _option(
        None, 'JSON such as {"(drive * b)": [2, 5]}', metavar="FILE"
    )
    features: tuple[str, ...] = _option(
        (), "what costs are made of: 'schema', 'drive ?from ?to', a column, turns; repeatable",
        metavar="SPEC",
    )
    groups: int | None = _option(None, "learn K cost functions and divide the plans", metavar="K")
    alternatives: str | int = _option(
        "exact", "exact, all, baseline, or K alternatives a plan (the paper)", metavar="WHICH"
    )
    solver: str = _option("scip", "of the paper's integer program", choices=("scip", "cbc"))
    oracle: str = _option(
        "auto", "who looks for cheaper plans", choices=("auto", "graph", "planners")
    )
    time_limit: float | None = _option(300.0, "seconds for the whole command, or none", metavar="S")
    memory_limit: int | None = _option(None, "megabytes", metavar="MB")
    jobs: int | None = _option(None, "processes at a time (default: cores)", metavar="N")
    seed: int = _option(0, "of everything random", metavar="N")

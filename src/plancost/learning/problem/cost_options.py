"""What is known about costs, and how near to optimal plans are: the options that say so.

The options that RESULT.json always records come first, then those that it records where they were
used, each in its order there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from plancost.learning.problem.declaration import Recorded, Topic, option
from plancost.observations.bounds_files import (
    CostBound,
    bounds_given,
    checked_bound,
    parse_fix,
    read_bounds,
)
from plancost.observations.cost_files import CostConflicts
from plancost.observations.patterns import ANY
from plancost.observations.plan_costs import Tolerance, parse_suboptimality, parse_tolerance


def _bounds(fixed: list[str] | None, file: Path | None) -> tuple[CostBound, ...]:
    found = tuple(map(parse_fix, fixed or ()))
    return found if file is None else found + read_bounds(file)


def _recorded_bounds(entries: list[Any], path: Path | None) -> tuple[CostBound, ...]:
    return tuple(
        checked_bound(str(pattern), least, greatest, path) for pattern, least, greatest in entries
    )


def _recorded_words(entries: list[Any], _: Path | None) -> tuple[str, ...]:
    return tuple(map(str, entries))


def _recorded_switch(entry: object, _: Path | None) -> bool:
    return bool(entry)


_WORDS = Recorded(write=list, read=_recorded_words)
_SWITCH = Recorded(read=_recorded_switch)


@dataclass(frozen=True, kw_only=True)
class CostOptions:
    """What is known about the costs to be learned."""

    refine: bool = option(
        False,
        "--refine: start from the costs in the PDDL and change them as little as possible",
        topic=Topic.COSTS,
    )
    cost_conflicts: CostConflicts = option(
        CostConflicts.ERROR,
        "--cost-conflicts: what to do if two problems give one action two initial costs "
        "(default: error)",
        topic=Topic.COSTS,
        recorded=Recorded(always=True, write=str),
    )
    default_cost: int | None = option(
        None,
        "--default-cost N: initial cost of the actions that --initial-costs does not name",
        topic=Topic.COSTS,
        kinds=(int,),
        least=0,
        recorded=Recorded(always=True),
    )
    initial_costs: Path | None = option(
        None,
        "--initial-costs FILE: refine the costs of this file instead (RESULT.json, or JSON "
        'such as {"(drive a b)": 3})',
        topic=Topic.COSTS,
        kinds=(Path,),
        recorded=Recorded(always=True, write=lambda path: None if path is None else str(path)),
    )
    bounds: tuple[CostBound, ...] = option(
        (),
        "--fix ACTION=N: this action costs N, e.g. '(drive a b)=3', or from N to M: "
        "'(drive a b)=2..5' (one may be missing: '=2..'); * stands for any argument (repeatable)",
        '--bounds FILE: bounds of single costs: JSON such as {"(drive * b)": [2, 5]}, or CSV with '
        "the columns action,least,greatest",
        topic=Topic.COSTS,
        kinds=(list, Path),
        value=_bounds,
        plain=bounds_given,
        recorded=Recorded(
            write=lambda bounds: [bound.to_json() for bound in bounds], read=_recorded_bounds
        ),
        exact_only=True,
        constrains="bounds on costs",
    )
    max_cost: int | None = option(
        None,
        "--max-cost M: no action costs more than M",
        topic=Topic.COSTS,
        kinds=(int,),
        least=1,
        recorded=Recorded(),
        exact_only=True,
        constrains="bounds on costs",
    )
    share: tuple[str, ...] = option(
        (),
        "--share WHAT: let actions share costs: 'drive ?from ?to' if drive's cost depends on these "
        "parameters only, 'drive' if on none, 'schema' for one cost for each action schema "
        "(repeatable)",
        topic=Topic.COSTS,
        kinds=(list,),
        value=tuple,
        recorded=_WORDS,
        exact_only=True,
        constrains="shared costs",
    )
    linear: tuple[str, ...] = option(
        (),
        "--linear WHAT: costs linear in numbers of the PDDL: 'drive (road-length ?from ?to)' if "
        "drive costs a constant plus a weight times this function; several functions have a weight "
        "each (repeatable)",
        topic=Topic.COSTS,
        kinds=(list,),
        value=tuple,
        recorded=_WORDS,
        exact_only=True,
        constrains="linear costs",
    )
    suboptimality: Fraction = option(
        Fraction(1),
        "--suboptimality W: a plan counts as optimal if it costs at most W times what every "
        "alternative costs, e.g. 1.1 or 11/10; override per plan with the manifest's suboptimality "
        "column (default: 1; verify and explain: as the file says)",
        topic=Topic.OPTIMALITY,
        kinds=(str,),
        value=parse_suboptimality,
        plain=lambda given: parse_suboptimality(str(given)),
        recorded=Recorded(write=str, read=lambda text, _: parse_suboptimality(text)),
        exact_only=True,
        constrains="suboptimality",
    )
    """Kept exactly; 1.1 is read as 11/10."""
    drop: tuple[str, ...] = option(
        (),
        "--drop PLAN: leave out the plan of this file, as if it had not been observed (repeatable; "
        "verify and explain: as the file says)",
        topic=Topic.OPTIMALITY,
        kinds=(list,),
        value=tuple,
        recorded=_WORDS,
    )
    require: tuple[str, ...] = option(
        (),
        "--require PLAN: only costs under which the plan of this file is optimal; an error if "
        "there are none (repeatable)",
        topic=Topic.COSTS,
        kinds=(list,),
        value=tuple,
        recorded=_WORDS,
        exact_only=True,
        constrains="required plans",
    )
    cost_tolerance: Tolerance = option(
        Tolerance(),
        "--cost-tolerance T: how far the cost of a plan may be from the manifest's cost column: a "
        "number, or a percentage such as 5%% (default: 0)",
        topic=Topic.COSTS,
        kinds=(str,),
        value=parse_tolerance,
        plain=lambda given: given if isinstance(given, Tolerance) else parse_tolerance(str(given)),
        recorded=Recorded(write=str, read=lambda text, _: parse_tolerance(text)),
        exact_only=True,
    )
    soft_costs: bool = option(
        False,
        "--soft-costs: costs of plans may differ from the manifest's cost column, in total as "
        "little as possible",
        topic=Topic.COSTS,
        recorded=_SWITCH,
        exact_only=True,
    )
    ignore_costs: bool = option(
        False,
        "--ignore-costs: ignore the manifest's cost column",
        topic=Topic.COSTS,
        recorded=_SWITCH,
    )

    @property
    def all_bounds(self) -> tuple[CostBound, ...]:
        """The bounds of single costs, and those that hold for every action."""
        found = list(self.bounds)
        if self.max_cost is not None:
            found.append(
                CostBound(ANY, greatest=self.max_cost, source=f"--max-cost {self.max_cost}")
            )
        return tuple(found)

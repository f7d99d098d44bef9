"""SymK: the k cheapest simple plans of a task, and optimal plans by symbolic search.

It takes about half a gigabyte and a third of a second to start. Asked for more plans than
there are, it often does not come to its end but runs in a circle without a word (one small
task in ten). So it is told to print every plan, and long silence counts as out of time;
the plans found until then, mostly all, come back with that verdict.

What its answers prove. Exit code 12 can mean "there is none" as well as "gave up", and
exit code 0 with fewer plans than asked for that these are all; neither is taken for a
proof alone. SymK raises a lower bound on the cost of plans not yet listed, and prints it
with the upper bound at which it stops: ``BOUND: lower < upper [found/wanted plans]``. For simple
plans that is beyond the most expensive one there can be, (number of states - 1)
x (largest cost) + 1, or 2^31 - 1 if that is smaller, or the bound that it was given, if that is
smaller still. All is listed if the lower bound came
up to an upper bound of the first kind, or jumped to 2^31 - 1 from far below (nothing left
to look at). A bound that crept up to 2^31 has overflowed and proves nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from threading import Event

from plancost.observations.sas import LARGEST_PLANNER_COST
from plancost.oracles.downward_family import Planner, SearchRun, largest_cost
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.system import binaries
from plancost.system.processes import Limits

SYMK = Planner(
    name="SymK",
    package="up_symk",
    binary_path="symk/builds/release/bin/downward",
    distribution="up-symk",
    exit_codes={0: Verdict.FOUND, 11: Verdict.NONE, 12: Verdict.GAVE_UP},
    variable=binaries.SYMK,
)
TOP_K = "symk_bd(simple=true,plan_selection=unordered(num_plans={count},dump_plans=true))"
"""Both directions at once: forward or backward alone is faster on some tasks (on grids
with drawn costs 2 to 10 times), but finds nothing in time on the hard ones. Of all
orderings of the same actions ``unordered`` gives one."""
TOP_K_ORDERED = TOP_K.replace("unordered", "top_k")
"""The same, with every ordering as a plan of its own."""

LEAST_MEMORY_MB = 600
"""With less, SymK runs out of memory before it has begun: the smallest task takes 430 MB
of address space, a grid of 100 cells 520."""

_SILENCE_S = 30.0
_BOUND = re.compile(r"BOUND: (\d+) < (\d+) \[")
_SILENT = "Active silent mode."
"""Printed after 2000 steps; from then on SymK keeps its bounds to itself."""
_BEGINNING = "reading input..."
"""Without it the output is only the end of what was printed."""
_COUNT = re.compile(r"Number of plans: (\d+)")


def top_plans(
    sas: str,
    count: int | None,
    *,
    limits: Limits,
    below: int | None = None,
    ordered: bool = False,
    stop: Event | None = None,
) -> SearchOutcome:
    """The `count` cheapest plans that visit no state twice; None: all of them.

    Unless `ordered`, one ordering stands for all orderings of the same actions. `below` says that
    plans of this cost or more are not asked for; there may be some among those found. Without it
    SymK may raise its bound by 1 for minutes, up to what no plan costs.
    FOUND: these are they, and with `complete` there are no more (that cost less than `below`). They
    may be fewer than `count` without being complete where several operators carry one name, since
    SymK counts such plans apart. Any other verdict comes with the plans found until then.
    """
    if count is not None and count < 1:
        raise ValueError(f"cannot ask for {count} plans")
    search = (TOP_K_ORDERED if ordered else TOP_K).format(
        count="infinity" if count is None else count
    )
    if below is not None:
        search = search.replace("(", f"(bound={below},", 1)
    limits = replace(limits, silence_s=_patience(limits))
    run = SYMK.search(sas, search, limits=limits, stop=stop)
    if run.outcome.verdict not in (Verdict.FOUND, Verdict.GAVE_UP):
        return run.outcome
    if count is not None and _reported(run) >= count:
        return run.outcome
    if not _has_seen_all(run.output, largest_cost(sas)):
        return replace(run.outcome, verdict=Verdict.GAVE_UP)
    verdict = Verdict.FOUND if run.outcome.plans else Verdict.NONE
    return replace(run.outcome, verdict=verdict, complete=True)


def optimal_plan(sas: str, *, limits: Limits, stop: Event | None = None) -> SearchOutcome:
    """A cheapest plan, by bidirectional symbolic search."""
    run = SYMK.search(sas, "sym_bd()", limits=limits, stop=stop)
    if run.outcome.verdict is Verdict.GAVE_UP and _has_seen_all(run.output, largest_cost(sas)):
        return replace(run.outcome, verdict=Verdict.NONE)
    return run.outcome


def _patience(limits: Limits) -> float:
    """How long silence may last: half of the time there is, since hard tasks are silent too."""
    return max(_SILENCE_S, 0.0 if limits.time_s is None else limits.time_s / 2)


def _reported(run: SearchRun) -> int:
    """How many plans SymK says that it found; that many files must be there."""
    count = _COUNT.search(run.output)
    if count is None or int(count[1]) != run.plan_files:
        raise SYMK.error(f"does not account for the {run.plan_files} plans it wrote", run.output)
    return run.plan_files


def _has_seen_all(output: str, largest: int) -> bool:
    """Whether the bounds that SymK printed prove that there is no further plan."""
    bounds = [(int(lower), int(upper)) for lower, upper in _BOUND.findall(output)]
    if not bounds:
        return False
    lower, upper = bounds[-1]
    safe = LARGEST_PLANNER_COST - 2 * largest
    if upper < safe:
        return lower >= upper or _SILENT in output
    if _SILENT in output or (len(bounds) == 1 and _BEGINNING not in output):
        return False
    before = bounds[-2][0] if len(bounds) > 1 else 0
    return lower == LARGEST_PLANNER_COST and before < safe

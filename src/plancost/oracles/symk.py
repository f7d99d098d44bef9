"""SymK: the k cheapest simple plans of a task, and optimal plans by symbolic search.

It takes about half a gigabyte and a third of a second to start. Its exit code 12 can
mean "there is none" as well as "gave up", so it is never a proof.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event

from plancost.oracles.downward_family import Planner
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.processes import Limits

SYMK = Planner(
    name="SymK",
    package="up_symk",
    binary_path="symk/builds/release/bin/downward",
    distribution="up-symk",
    exit_codes={0: Verdict.FOUND, 10: Verdict.NONE, 11: Verdict.NONE, 12: Verdict.GAVE_UP},
)
TOP_K = "symk_bd(simple=true,plan_selection=unordered(num_plans={count}))"


def top_plans(
    sas: str,
    count: int | None,
    *,
    limits: Limits,
    stop: Event | None = None,
    binary: Path | None = None,
) -> SearchOutcome:
    """The `count` cheapest plans that visit no state twice; None: all of them.

    `complete` if SymK ended by itself with fewer plans than asked for: there are no more.
    """
    search = TOP_K.format(count="infinity" if count is None else count)
    outcome = SYMK.search(sas, search, limits=limits, stop=stop, binary=binary)
    ended = outcome.verdict is Verdict.FOUND
    return replace(outcome, complete=ended and (count is None or len(outcome.plans) < count))


def optimal_plan(
    sas: str, *, limits: Limits, stop: Event | None = None, binary: Path | None = None
) -> SearchOutcome:
    """A cheapest plan, by bidirectional symbolic search."""
    return SYMK.search(sas, "sym_bd()", limits=limits, stop=stop, binary=binary)

"""How a run searches and how much time and memory it may take."""

from __future__ import annotations

import enum
import operator
import time
from dataclasses import dataclass, replace
from typing import Self

from plancost.errors import UsageError
from plancost.learning.problem.declaration import Recorded, Topic, option
from plancost.oracles.graph_limits import GraphLimits
from plancost.system.clock import Deadline
from plancost.system.memory import MemoryShares
from plancost.system.processes import usable_cores
from plancost.system.values import shown, whole_number

_LEAST_S = 0.001
"""No time at all is no time limit."""
_MOST_JOBS = 1000
_ALL_CORES = -1


def _graph_limits(given: object) -> GraphLimits:
    if isinstance(given, GraphLimits):
        return given
    states = whole_number(given)
    if states is None or states < 1:
        raise UsageError(f"--graph-limit takes a whole number of at least 1, not {shown(given)}")
    return GraphLimits(states=states, transitions=10 * states)


def _jobs(given: object) -> int:
    jobs = whole_number(given)
    if jobs == _ALL_CORES:
        return usable_cores()
    if jobs is None or not 1 <= jobs <= _MOST_JOBS:
        raise UsageError(f"--jobs takes a whole number from 1 to {_MOST_JOBS}, not {shown(given)}")
    return jobs


class SolverName(enum.StrEnum):
    """Who solves LACFIP^k: rows as they are needed, or the paper's MILPs."""

    HIGHS = "highs"
    HIGHS_MILP = "highs-milp"
    CBC = "cbc"


class OracleName(enum.StrEnum):
    """What searches for cheaper plans."""

    AUTO = "auto"
    GRAPH = "graph"
    FAST_DOWNWARD = "fast-downward"
    SYMK = "symk"

    @property
    def uses_graphs(self) -> bool:
        """Whether state graphs are built where they fit; otherwise one planner does everything."""
        return self in (OracleName.AUTO, OracleName.GRAPH)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Search, solver and limits."""

    solver: SolverName = option(
        SolverName.HIGHS,
        "--solver: what solves --alternatives K: 'highs' takes in rows as they are needed, "
        "'highs-milp' and 'cbc' solve the paper's MILPs as they stand (default: highs; cbc needs "
        "the extra plancost[cbc])",
        topic=Topic.METHOD,
        recorded=Recorded(always=True, write=str),
    )
    time_limit_s: float | None = option(
        None,
        "--time-limit S: seconds for the whole run",
        topic=Topic.SEARCH,
        kinds=(float,),
        above=0,
        recorded=Recorded(always=True, key="time_limit"),
    )
    started_at: float | None = None
    """When the time began to run, on `time.monotonic`; None: when the work begins."""
    seed: int = option(
        0,
        "--seed N: seed of all random choices (default: 0)",
        topic=Topic.SEARCH,
        kinds=(int,),
        least=0,
        recorded=Recorded(always=True),
    )
    skip_invalid: bool = option(
        False,
        "--on-invalid: what to do with a plan that does not solve its problem (default: error)",
        topic=Topic.SEARCH,
        kinds=(str,),
        choices=("error", "skip"),
        value=lambda word: word == "skip",
        recorded=Recorded(
            always=True, key="on_invalid", write=lambda skip: "skip" if skip else "error"
        ),
    )
    oracle: OracleName = option(
        OracleName.AUTO,
        "--oracle: what searches for cheaper plans: explicit state graphs, a planner, or graphs "
        "where they fit and planners elsewhere (default: auto)",
        topic=Topic.SEARCH,
    )
    graph_limits: GraphLimits = option(
        GraphLimits(growth=4),
        f"--graph-limit STATES: the largest state graph to build (default: {GraphLimits.states}, "
        "and up to four times as many in few graphs that lower the costs, or in a graph for the "
        "check of several tasks)",
        topic=Topic.SEARCH,
        kinds=(int,),
        least=1,
        value=_graph_limits,
        plain=_graph_limits,
    )
    memory_limit_mb: int | None = option(
        None,
        "--memory-limit MB: megabytes for the whole run, planners included",
        topic=Topic.SEARCH,
        kinds=(int,),
        least=1,
    )
    jobs: int = option(
        1,
        "--jobs N: planners and other processes at work at the same time on this machine "
        "(default: the number of cores that it may use)",
        topic=Topic.SEARCH,
        kinds=(int,),
        least=1,
        most=_MOST_JOBS,
        plain=_jobs,
    )
    """In the library 1 if nothing is said, since its caller may run side by side already; -1: as
    many as there are cores that this process may use."""
    scheduler: str | None = option(
        None,
        "--scheduler ADDRESS: run the planners on the Dask cluster of this scheduler, e.g. "
        "tcp://host:8786 (needs the extra plancost[cluster])",
        topic=Topic.SEARCH,
        kinds=(str,),
    )
    use_cache: bool = option(
        True,
        "--no-cache: neither use nor fill the cache of plans",
        topic=Topic.SEARCH,
        value=operator.not_,
    )
    allow_outside: bool = option(
        False,
        "--allow-outside: read files that a manifest or a link names outside of its own folder and "
        "that of the domain (default: an error)",
        topic=Topic.SEARCH,
    )

    @property
    def memory(self) -> MemoryShares | None:
        """How the memory is shared out on this machine; the workers of a cluster have their own."""
        if self.memory_limit_mb is None or self.scheduler is not None:
            return None
        return MemoryShares.of(self.memory_limit_mb)

    def until(self, deadline: Deadline) -> Self:
        """The same, but with the time until a deadline."""
        if deadline.at is None:
            return replace(self, time_limit_s=None, started_at=None)
        now = time.monotonic()
        return replace(self, time_limit_s=max(_LEAST_S, deadline.at - now), started_at=now)

    def deadline(self) -> Deadline:
        """When all has to be done."""
        return Deadline.after(self.time_limit_s, self.started_at)

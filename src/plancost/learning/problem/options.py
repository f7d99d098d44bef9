"""The options of learning, as one value that every stage reads."""

from __future__ import annotations

import enum
import time
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from plancost.errors import UsageError
from plancost.learning.problem.concept import Concept, Solution, one_of
from plancost.observations.bounds_files import CostBound
from plancost.observations.cost_files import CostConflicts
from plancost.observations.plan_costs import Tolerance, parse_suboptimality
from plancost.oracles.graph_limits import GraphLimits
from plancost.system.clock import Deadline
from plancost.system.memory import MemoryShares, graphs_mb

EXACT = "exact"
ALL = "all"
BASELINE = "baseline"
_LEAST_S = 0.001
"""No time at all is no time limit."""
GIVEN = "given"
"""In results of a check: the costs were given and not learned."""

_MOST_DIGITS = 9
"""Of the number of alternatives: SymK counts in 32 bits."""


class SolverName(enum.StrEnum):
    """Who solves the MILPs of LACFIP^k."""

    HIGHS = "highs"
    CBC = "cbc"


class OracleName(enum.StrEnum):
    """Who looks for cheaper plans."""

    AUTO = "auto"
    GRAPH = "graph"
    FAST_DOWNWARD = "fast-downward"
    SYMK = "symk"


_KINDS: dict[str, type[enum.StrEnum]] = {
    "oracle": OracleName,
    "solver": SolverName,
    "cost_conflicts": CostConflicts,
}


@dataclass(frozen=True)
class LearnOptions:
    """What to learn and how."""

    concept: Concept = field(default_factory=Concept)
    refine: bool = False
    initial_costs: Path | None = None
    default_cost: int | None = None
    cost_conflicts: CostConflicts = CostConflicts.ERROR
    alternatives: str = EXACT
    """``exact``, ``all``, ``baseline``, or a number k."""
    oracle: OracleName = OracleName.AUTO
    graph_limits: GraphLimits = GraphLimits()  # noqa: RUF009 (frozen)
    solver: SolverName = SolverName.HIGHS
    time_limit_s: float | None = None
    started_at: float | None = None
    """When the time began to run, on `time.monotonic`; None: when the work begins."""
    prove: bool = False
    """Exact, without a time limit: do not stop before both objectives are proven."""
    memory_limit_mb: int | None = None
    jobs: int = 1
    scheduler: str | None = None
    """The address of a Dask scheduler whose workers run the planners; None: this machine."""
    seed: int = 0
    use_cache: bool = True
    skip_invalid: bool = False
    allow_outside: bool = False
    """Files of the case may be outside of its folder and that of the domain."""
    ranges: bool = False
    """Find what each action can cost, the same plans optimal at the same secondary cost."""
    top_k_seed: int = 0
    """Exact: start from this many cheapest alternatives of each task (0: from none)."""
    groups: int | None = None
    """How many cost functions; None: one for each name in the group column, if there is one."""
    bounds: tuple[CostBound, ...] = ()
    """Exact: what is known about single costs."""
    max_cost: int | None = None
    """Exact: no cost is above this."""
    cost_tolerance: Tolerance = Tolerance()  # noqa: RUF009 (frozen)
    """Exact: how far the cost of a plan may be from its known cost."""
    soft_costs: bool = False
    """Exact: known costs of plans may be missed, by as little as possible in all."""
    ignore_costs: bool = False
    """Known costs of plans are not used."""
    suboptimality: Fraction = Fraction(1)
    """Exact: how many times the optimum a plan may cost, unless the manifest says otherwise.

    Kept exactly; 1.1 is read as 11/10.
    """
    least_factors: bool = False
    """Find for each plan how near to optimal it can be at best."""
    share: tuple[str, ...] = ()
    """Exact: what costs depend on, such as ``schema`` or ``drive ?from ?to``."""
    linear: tuple[str, ...] = ()
    """Exact: costs that are linear in numbers of the PDDL: ``drive (road-length ?from ?to)``."""
    compare_unshared: bool = False
    """Learn without sharing (and linear costs) too, and say how many plans that makes optimal."""
    checkpoint: Path | None = None
    """Exact, one cost function: keep in this folder what was found, and go on from there."""
    checkpoint_every_s: float = 5.0
    """So often at most, and learning that takes less time leaves nothing; 0: for each finding."""

    def __post_init__(self) -> None:
        # Plain strings are welcome where one of a few words is meant.
        for name, kind in _KINDS.items():
            object.__setattr__(self, name, one_of(kind, name, getattr(self, name)))
        if not isinstance(self.concept, Concept):
            object.__setattr__(self, "concept", _concept(self.concept))
        if self.alternatives not in (EXACT, ALL, BASELINE) and not (
            self.alternatives.isdecimal()
            and len(self.alternatives) <= _MOST_DIGITS
            and int(self.alternatives) >= 1
        ):
            raise UsageError(
                f"--alternatives takes 'exact', a number from 1 to {'9' * _MOST_DIGITS}, 'all' or "
                f"'baseline', not '{self.alternatives[:40]}'"
            )
        if self.time_limit_s is not None and self.time_limit_s <= 0:
            raise UsageError("--time-limit takes a number of seconds above 0")
        if self.jobs < 1:
            raise UsageError("--jobs takes a number from 1 on")
        if self.memory is not None:
            least = min(self.graph_limits.memory_mb, graphs_mb(self.memory.own_mb))
            object.__setattr__(self, "graph_limits", replace(self.graph_limits, memory_mb=least))
        if self.groups is not None and self.groups < 1:
            raise UsageError("--groups takes a number from 1 on")
        if self.groups is not None and self.groups > 1:
            if self.alternatives != EXACT:
                raise UsageError("--groups goes with --alternatives exact")
            if self.ranges:
                raise UsageError("--ranges does not go with --groups")
        if self.ignore_costs and (self.soft_costs or self.cost_tolerance.amount):
            raise UsageError("--ignore-costs goes with neither --soft-costs nor --cost-tolerance")
        if self.compare_unshared and not self.share and not self.linear:
            raise UsageError("--compare-unshared goes with --share or --linear")
        object.__setattr__(self, "suboptimality", parse_suboptimality(str(self.suboptimality)))
        if self.checkpoint_every_s < 0:
            raise UsageError("--checkpoint-every takes a number of seconds from 0 on")
        if self.max_cost is not None and self.max_cost < 1:
            raise UsageError("--max-cost takes a whole number from 1 on")

    @property
    def memory(self) -> MemoryShares | None:
        """How the memory is shared out on this machine; the workers of a cluster have their own."""
        if self.memory_limit_mb is None or self.scheduler is not None:
            return None
        return MemoryShares.of(self.memory_limit_mb)

    def until(self, deadline: Deadline) -> LearnOptions:
        """The same, but with the time until a deadline."""
        if deadline.at is None:
            return replace(self, time_limit_s=None, started_at=None)
        now = time.monotonic()
        return replace(self, time_limit_s=max(_LEAST_S, deadline.at - now), started_at=now)

    def deadline(self) -> Deadline:
        """When all has to be done."""
        return Deadline.after(self.time_limit_s, self.started_at)

    @property
    def exact_only(self) -> str | None:
        """An option in use that the exact learner alone understands."""
        used = {
            "--fix and --bounds": self.bounds,
            "--max-cost": self.max_cost,
            "--cost-tolerance": self.cost_tolerance.amount,
            "--soft-costs": self.soft_costs,
            "--suboptimality": self.suboptimality > 1,
            "--share": self.share,
            "--linear": self.linear,
        }
        return next((name for name, value in used.items() if value), None)

    @property
    def alternative_count(self) -> int | None:
        """k, or None for all."""
        return int(self.alternatives) if self.alternatives.isdecimal() else None


def _concept(word: object) -> Concept:
    """The concept that a plain word such as ``scf`` names."""
    return Concept(one_of(Solution, "concept", word))

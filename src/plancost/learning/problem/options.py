"""The options of learning, as one value that every stage reads."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from pathlib import Path

from plancost.errors import UsageError, name_parameters
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.cost_options import CostOptions
from plancost.learning.problem.declaration import (
    Recorded,
    Topic,
    check_values,
    name_options,
    one_of,
    option,
    used_in,
)
from plancost.learning.problem.run_options import OracleName, RunOptions, SolverName
from plancost.system.memory import graphs_mb
from plancost.system.values import whole_number

__all__ = [
    "ALL",
    "BASELINE",
    "EXACT",
    "GIVEN",
    "Choose",
    "LearnOptions",
    "OracleName",
    "SolverName",
]

EXACT = "exact"
ALL = "all"
BASELINE = "baseline"
GIVEN = "given"
"""In results of a check: the costs were given and not learned."""

_MOST_DIGITS = 9
"""Of the number of alternatives: SymK counts in 32 bits."""


class Choose(enum.StrEnum):
    """Which costs to take of all those that make the same plans optimal."""

    LEAST = "least"
    """The least sum of costs, or of changes: the second objective."""
    MEAN = "mean"
    """Their mean, each weighed by how probable it is before anything is seen."""
    LIKELY = "likely"
    """Likely ones, under which more plans are optimal than under the most likely ones."""


def _alternatives(given: object) -> str:
    """A word, or a number."""
    number = whole_number(given)
    return str(given if number is None else number).lower()


def _checkpoint(folder: Path | None, none: bool | None) -> Path | None:
    if folder is not None and none:
        raise UsageError("--checkpoint does not go with --no-checkpoint")
    return folder


@dataclass(frozen=True)
class LearnOptions(RunOptions, CostOptions):
    """What to learn and how. ``plancost learn --help`` says what each option means."""

    concept: Concept = field(default_factory=Concept)
    alternatives: str = option(
        EXACT,
        "--alternatives K: what each plan is compared with: 'exact' (all alternatives, without "
        "listing them), the K cheapest alternatives, 'all' (listed), or 'baseline' for no learning "
        "(default: exact)",
        topic=Topic.METHOD,
        kinds=(str,),
        value=str.lower,
        plain=_alternatives,
    )
    """``exact``, ``all``, ``baseline``, or a number k."""
    choose: Choose = option(
        Choose.LEAST,
        "--choose: which costs to take of those that make the most plans optimal: 'least' (the "
        "least sum of costs or changes), 'mean' (their mean, which predicts new plans better, "
        "with the uncertainty of each cost), or 'likely' (costs near to the most likely ones, "
        "which predict noisy plans better; fewer plans are optimal) (default: least)",
        topic=Topic.METHOD,
        recorded=Recorded(write=str),
        exact_only=True,
    )
    optimality_weight: float | None = option(
        None,
        "--optimality-weight W: with --choose likely: from 0 (the most likely costs) to 1 (all "
        "plans optimal that can be) (default: by cross-validation)",
        topic=Topic.METHOD,
        kinds=(float,),
        least=0,
        recorded=Recorded(),
        exact_only=True,
    )
    top_k_seed: int = option(
        0,
        "--top-k-seed K: exact: start the second objective (least costs) from the K cheapest "
        "alternatives of each task, which can pay off where planners search (default: 0)",
        topic=Topic.METHOD,
        kinds=(int,),
        least=0,
    )
    prove: bool = option(
        False,
        "--prove: without a time limit, continue until both objectives (most plans, then least "
        "costs) are proven, however long that takes",
        topic=Topic.METHOD,
    )
    compare_unshared: bool = option(
        False,
        "--compare-unshared: learn without --share and --linear as well, and say how many plans "
        "are optimal then",
        topic=Topic.ANSWER,
    )
    groups: int | None = option(
        None,
        "--groups K: learn K cost functions and divide the plans among them, so that most plans "
        "are optimal under the costs of their group; 1: one for all plans, even if the manifest "
        "has a group column (default: one for each name in the group column, else 1)",
        topic=Topic.ANSWER,
        kinds=(int,),
        least=1,
    )
    ranges: bool = option(
        False,
        "--ranges: find for each action the least and greatest cost it can have while the same "
        "plans stay optimal at the same sum of costs (or of changes); needs a proven answer",
        topic=Topic.ANSWER,
    )
    least_factors: bool = option(
        False,
        "--least-factors: find for each plan how near to optimal it can be at best (also within "
        "--max-cost)",
        topic=Topic.ANSWER,
    )
    certificate: bool = False
    """Exact, groups only if they are given: also find a proof that others can check."""
    checkpoint: Path | None = option(
        None,
        "--checkpoint DIR: keep in this folder what was found, so that the same command resumes "
        "after it was stopped or killed; removed at the end (default with --output: "
        "RESULT.json.checkpoint)",
        "--no-checkpoint: do not write checkpoints",
        topic=Topic.CHECKPOINTS,
        kinds=(Path, bool),
        value=_checkpoint,
    )
    """Exact, one cost function: a folder that keeps what was found, to resume from."""
    checkpoint_every_s: float = option(
        5.0,
        "--checkpoint-every S: write it at most every S seconds, and not before learning has taken "
        "as long (default: 5)",
        topic=Topic.CHECKPOINTS,
        kinds=(float,),
        least=0,
    )
    """0: after each finding."""

    def __post_init__(self) -> None:
        check_values(self)
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
        if self.memory is not None:
            least = min(self.graph_limits.memory_mb, graphs_mb(self.memory.own_mb))
            object.__setattr__(self, "graph_limits", replace(self.graph_limits, memory_mb=least))
        if self.groups is not None and self.groups > 1:
            if self.alternatives != EXACT:
                raise UsageError("--groups goes with --alternatives exact")
            if self.ranges:
                raise UsageError("--ranges does not go with --groups")
            if self.choose is not Choose.LEAST:
                raise UsageError(f"--choose {self.choose} does not go with --groups")
        if self.optimality_weight is not None:
            if self.choose is not Choose.LIKELY:
                raise UsageError("--optimality-weight goes with --choose likely")
            if self.optimality_weight > 1:
                raise UsageError("--optimality-weight takes a number from 0 to 1")
        if self.choose is Choose.LIKELY and self.concept.solution is Solution.ICF:
            raise UsageError("--choose likely goes with --solution mcf or scf")
        if self.ranges and self.choose is not Choose.LEAST:
            raise UsageError(f"--ranges goes with --choose least, not with {self.choose}")
        if self.require and self.choose is not Choose.LEAST:
            raise UsageError(f"--require goes with --choose least, not with {self.choose}")
        if self.soft_costs and self.choose is Choose.MEAN:
            raise UsageError("--soft-costs does not go with --choose mean")
        if self.ignore_costs and (self.soft_costs or self.cost_tolerance):
            raise UsageError("--ignore-costs goes with neither --soft-costs nor --cost-tolerance")
        if self.compare_unshared and not self.share and not self.linear:
            raise UsageError("--compare-unshared goes with --share or --linear")

    @property
    def exact_only(self) -> str | None:
        """An option in use that the exact learner alone understands."""
        return next((option.name for _, option in used_in(self) if option.exact_only), None)

    @property
    def constrained_by(self) -> str | None:
        """What an option in use tells learning beyond plans and initial costs, in words."""
        return next((option.constrains for _, option in used_in(self) if option.constrains), None)

    @property
    def alternative_count(self) -> int | None:
        """k, or None for all."""
        return int(self.alternatives) if self.alternatives.isdecimal() else None


def _concept(word: object) -> Concept:
    """The concept that a plain word such as ``scf`` names."""
    return Concept(one_of(Solution, "concept", word))


name_options(Concept, LearnOptions)
name_parameters({f"--alternatives {EXACT}": f"alternatives='{EXACT}'"})

"""What a choice is: from an incumbent to other costs for its plans, and what is known of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.run import Run

NO_TIME = "no time was left for them; allow more with --time-limit"
"""Why there is no choice."""


@dataclass(frozen=True)
class Uncertainty:
    """How well the cost of an action is known, in the scale of the costs.

    With a probability of 90 % it is between `least` and `greatest`.
    """

    mean: float
    sd: float
    least: float
    greatest: float
    observed: bool
    """Whether the plans say anything of it; else this is what was thought before."""


@dataclass(frozen=True)
class Chosen:
    """Costs, the plans that a search has found optimal under them, and what else is known."""

    costs: Costs
    plans: PlanSet
    about: Mapping[str, object] = field(default_factory=dict)
    """How they were chosen, for RESULT.json: plain values."""
    uncertainty: tuple[Uncertainty, ...] | None = None
    """Of each action of A."""
    samples: npt.NDArray[np.float64] | None = None
    """Costs that are as probable as each other: a row each, a column for each action of A."""
    tie_break: Costs | None = None
    """Of equally cheap plans, the one with the least sum of these is the most likely."""


Choice = Callable[[Run, LearningTask, Incumbent], Chosen | str]
"""Finds such costs, or says in words why there are none."""

"""Which solver is used for what. Another one for linear programs is chosen here."""

from __future__ import annotations

from collections.abc import Callable

from plancost.solver.highs_lp import HighsLP
from plancost.solver.lp import WarmStartedLP

new_lp: Callable[[], WarmStartedLP] = HighsLP
"""An empty linear program."""

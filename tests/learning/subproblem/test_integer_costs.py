"""Integer costs out of floating-point ones."""

from __future__ import annotations

import numpy as np

from plancost.learning.subproblem.integer_costs import round_to_integers


def test_costs_beyond_exact_arithmetic_are_not_rounded() -> None:
    """Scaled up they would not fit into an integer of the machine, and come out negative."""
    assert round_to_integers(np.array([2.0**60, 1.0])) is None
    assert round_to_integers(np.array([3.0, 0.5])) == (6, 1)

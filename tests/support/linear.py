"""An independent look at rows: SciPy's linear programming."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog

from plancost.learning.task import Row


def is_infeasible(rows: Sequence[Row], actions: int) -> bool:
    """Whether no costs from 1 on satisfy the rows."""
    matrix = np.zeros((len(rows), actions))
    for line, (coefficients, _) in zip(matrix, rows, strict=True):
        for action, coefficient in coefficients:
            line[action] = coefficient
    limits = [-margin for _, margin in rows]
    found = linprog(
        np.zeros(actions), A_ub=matrix, b_ub=limits, bounds=(1, None), method="highs-ds"
    )
    assert found.status in (0, 2), found.message
    return bool(found.status == 2)

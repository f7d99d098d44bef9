"""An independent look at rows: SciPy's linear programming."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from scipy.optimize import linprog

from plancost.learning.problem.rows import Row


def is_infeasible(rows: Sequence[Row], actions: int, may_be_zero: Collection[int] = ()) -> bool:
    """Whether no costs of at least 1 (at least 0, of some) satisfy the rows."""
    matrix = np.zeros((len(rows), actions))
    for line, (coefficients, _) in zip(matrix, rows, strict=True):
        for action, coefficient in coefficients:
            line[action] = coefficient
    limits = [-margin for _, margin in rows]
    bounds = [(0 if action in may_be_zero else 1, None) for action in range(actions)]
    found = linprog(np.zeros(actions), A_ub=matrix, b_ub=limits, bounds=bounds, method="highs-ds")
    assert found.status in (0, 2), found.message
    return bool(found.status == 2)

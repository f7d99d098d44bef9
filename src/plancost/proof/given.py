"""What was asked of costs, as the proof names it for a checker that cannot know it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from plancost.case.model import UNBOUNDED, Case


def given_of(case: Case) -> dict[str, Any]:
    """Of actions what their costs are made of, bounds, and known costs, where there are some."""
    model, names = case.costs, case.costs.parameters
    matrix = model.matrix.tocsr()
    made, bounds = {}, {}
    ends = zip(model.least.tolist(), model.greatest.tolist(), strict=True)
    rows = zip(case.actions, pairwise(matrix.indptr.tolist()), ends, strict=True)
    for action, (first, last), (low, high) in rows:
        columns = [names[n] for n in matrix.indices[first:last].tolist()]
        parts = dict(zip(columns, matrix.data[first:last].tolist(), strict=True))
        if parts != {action: 1}:
            made[action] = parts
        if (low, high) != (1, UNBOUNDED):
            bounds[action] = [low, None if high == UNBOUNDED else high]
    found: dict[str, Any] = {"made": made, "bounds": bounds}
    if model.initial is not None:
        found["known"] = dict(zip(case.actions, model.initial.tolist(), strict=True))
    return found

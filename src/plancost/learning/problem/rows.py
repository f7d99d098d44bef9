"""Rows: what one alternative (or anything else that is known) demands of the costs.

A row reads ``coefficients . costs + margin <= 0``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

Counts = tuple[tuple[int, int], ...]
"""``((parameter, how often), ...)`` sorted by parameter, without zeros."""

Row = tuple[Counts, int]
"""The coefficients and the margin."""


def difference(plan: Sequence[tuple[int, int]], alternative: Sequence[tuple[int, int]]) -> Counts:
    """The counts of a plan less those of an alternative, without zeros."""
    left: Counter[int] = Counter(dict(plan))
    left.subtract(dict(alternative))
    return tuple(sorted((action, count) for action, count in left.items() if count))


def excess(row: Row, costs: Sequence[float] | Mapping[int, int]) -> float:
    """By how much costs break a row, if at all; an exact integer if the costs are."""
    coefficients, margin = row
    return sum(coefficient * costs[action] for action, coefficient in coefficients) + margin


def is_violated(row: Row, costs: Sequence[int] | Mapping[int, int]) -> bool:
    """Whether integer costs break a row."""
    return excess(row, costs) > 0


def is_infeasible(row: Row) -> bool:
    """Whether no costs of at least 1 satisfy a row: the alternative is part of the plan."""
    coefficients, margin = row
    return all(c > 0 for _, c in coefficients) and margin + sum(c for _, c in coefficients) > 0


def is_void(row: Row) -> bool:
    """Whether all costs of at least 1 satisfy a row."""
    coefficients, margin = row
    return all(c < 0 for _, c in coefficients) and margin + sum(c for _, c in coefficients) <= 0

"""Conformal p-values: how unusual is a score among scores that were usual?

If the new score and the others are exchangeable (in any order as likely), then the rank of the
new one is uniform, whatever the distribution. `p_value` is at most e with a probability of at
most e: an alarm at p <= e is false at a rate of at most e. `smoothed_p_value` breaks ties at random
and is exactly uniform; asked again and again with every score joining the others afterwards, its
values are independent (Vovk, Gammerman and Shafer: Algorithmic Learning in a Random World), which
is what a test for change over time needs.
"""

from __future__ import annotations

from collections.abc import Sequence


def p_value(score: float, others: Sequence[float]) -> float:
    """The share of scores, the new one included, that are at least as large."""
    return (1 + sum(other >= score for other in others)) / (1 + len(others))


def smoothed_p_value(score: float, others: Sequence[float], chance: float) -> float:
    """The same, but only a part of the ties counts: `chance` is uniform between 0 and 1."""
    above = sum(other > score for other in others)
    equal = 1 + sum(other == score for other in others)
    return (above + chance * equal) / (1 + len(others))


def least_p_value(count: int) -> float:
    """The smallest p-value that so many other scores allow."""
    return 1 / (1 + count)

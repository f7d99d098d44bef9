"""Methods against maximum entropy, pair by pair, with 95 % intervals.

Both methods of a pair have the same plans to learn from and to predict, so what makes a seed or a
plan hard for both cancels. Intervals are Student's t. Values of one cluster (plans of one task)
may depend on each other: their deviations are added up before they are squared, and there are as
many degrees of freedom as clusters less one. Clusters of one value give the usual interval.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.stats import t as student

from plancost.evaluation.methods import Method

RIVAL = Method.MAXENT
_BELOW = 0.975
"""Of the distribution, so much is below the upper end of a 95 % interval."""


@dataclass(frozen=True)
class Interval:
    """A mean and half of its 95 % interval; infinite if there is only one cluster."""

    mean: float
    half: float
    values: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Interval | None:
        """Of values that do not depend on each other; None of nothing."""
        return cls.of_clusters([[value] for value in values])

    @classmethod
    def of_clusters(cls, clusters: Sequence[Sequence[float]]) -> Interval | None:
        """Of the values in all clusters, none of which is empty; None of nothing."""
        values = [value for cluster in clusters for value in cluster]
        if not values:
            return None
        count, freedom = len(values), len(clusters) - 1
        mean = math.fsum(values) / count
        if not freedom:
            return cls(mean, math.inf, count)
        squares = math.fsum(math.fsum(v - mean for v in cluster) ** 2 for cluster in clusters)
        error = math.sqrt(squares * (freedom + 1) / freedom) / count
        return cls(mean, float(student.ppf(_BELOW, freedom)) * error, count)

    @property
    def low(self) -> float:
        """The lower end."""
        return self.mean - self.half

    @property
    def high(self) -> float:
        """The upper end."""
        return self.mean + self.half

    def text(self, digits: int = 3, factor: float = 1.0) -> str:
        """Such as ``-0.012 ± 0.004``; the mean alone if there is no interval."""
        mean = f"{factor * self.mean:+.{digits}f}"
        return mean if math.isinf(self.half) else f"{mean} ± {factor * self.half:.{digits}f}"


@dataclass(frozen=True)
class Difference:
    """How much more of a measure a method has than maximum entropy."""

    method: Method
    measure: str
    interval: Interval
    learned_from: int | None = None
    """Plans; None where it depends on the split."""

    def to_json(self) -> dict[str, Any]:
        """Plain values; no ends where there is no interval."""
        interval = self.interval
        is_known = math.isfinite(interval.half)
        return {
            **({} if self.learned_from is None else {"learned_from": self.learned_from}),
            "method": self.method.value,
            "against": RIVAL.value,
            "measure": self.measure,
            "pairs": interval.values,
            "mean": interval.mean,
            "low": interval.low if is_known else None,
            "high": interval.high if is_known else None,
        }


Measured = Mapping[int, Mapping[str, float]]
"""Of each seed or plan its measures by name."""


def paired(
    by_method: Mapping[Method, Measured],
    measures: Sequence[str],
    *,
    learned_from: int | None = None,
    clusters: Mapping[int, Hashable] | None = None,
    counts: Mapping[int, int] | None = None,
) -> list[Difference]:
    """For each other method the differences in each measure, over what both have measured."""
    found = []
    for method, own in by_method.items():
        shared = [key for key in own if key in by_method.get(RIVAL, {})]
        for measure in measures if method is not RIVAL else ():
            grouped: dict[Hashable, list[float]] = {}
            for key in shared:
                more = own[key][measure] - by_method[RIVAL][key][measure]
                cluster = clusters[key] if clusters else key
                grouped.setdefault(cluster, []).extend([more] * (counts[key] if counts else 1))
            interval = Interval.of_clusters(list(grouped.values()))
            if interval is not None:
                found.append(Difference(method, measure, interval, learned_from))
    return found

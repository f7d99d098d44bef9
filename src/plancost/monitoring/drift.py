"""Have p-values become smaller? Detectors of change over a stream.

*CUSUM of bets* (the default): each p-value is bet on being small. The bet multiplies the stake by
b(p) = 1 / (2 * sqrt(p)), whose mean is 1 if p is uniform; p below a floor counts as the floor,
which can only lower the bet, so that a single outlier never looks like a change. The stake starts
over at 1 whenever it falls below (Page's CUSUM). Without a change, the mean number of plans until
the stake reaches L is at least L: the stake is at most the sum of the stakes that began with each
plan so far (the statistic of Shiryaev and Roberts), which grows by 1 a plan on average. So L is
the mean time between false alarms that is promised.

*ADWIN* and *Page-Hinkley* are those of `river` (an extra), on the same p-values. Their false
alarms are controlled only roughly.

A detector is a function of the p-values since the last reset. So its state need not be kept: the
p-values are, and a detector that is new is shown them again.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from plancost.errors import PlancostError

_FLOOR = 0.02
_SLACK = 0.1
"""Page-Hinkley: how much lower the mean may be without being a change."""
_VARIANCE = 1 / 12
"""Of a uniform p-value."""
_LEAST_INSTANCES = 10


class DriftMethod(enum.StrEnum):
    """Who says that something has changed."""

    CUSUM = "cusum"
    ADWIN = "adwin"
    PAGE_HINKLEY = "page-hinkley"


class RiverMissingError(PlancostError):
    """river is not installed."""


class Detector(Protocol):
    """Watches p-values."""

    def update(self, p_value: float) -> bool:
        """Whether, with this value, p-values have become smaller."""


def log_bet(p_value: float) -> float:
    """The logarithm of what a bet on a small p-value returns."""
    return -math.log(2) - 0.5 * math.log(max(p_value, _FLOOR))


class Cusum:
    """Page's CUSUM of bets."""

    def __init__(self, run_length: float) -> None:
        self._limit = math.log(run_length)
        self.log_stake = 0.0

    def update(self, p_value: float) -> bool:
        """Bet on the next p-value."""
        self.log_stake = max(0.0, self.log_stake) + log_bet(p_value)
        return self.log_stake >= self._limit


class RiverAdwin:
    """river's ADWIN; only a fall of the mean counts."""

    def __init__(self, run_length: float) -> None:
        drift = _river()
        self._adwin = drift.ADWIN(delta=1 / run_length, clock=1)

    def update(self, p_value: float) -> bool:
        """Show it the next p-value."""
        before = self._adwin.estimation
        self._adwin.update(p_value)
        return bool(self._adwin.drift_detected) and self._adwin.estimation < before


class RiverPageHinkley:
    """river's Page-Hinkley test for a fall of the mean.

    A random walk with steps of variance v and mean -s exceeds h with a probability of about
    exp(-2 s h / v) from each start: h is chosen so that this is one in the run length.
    """

    def __init__(self, run_length: float) -> None:
        drift = _river()
        self._test = drift.PageHinkley(
            min_instances=_LEAST_INSTANCES,
            delta=_SLACK,
            threshold=math.log(run_length) * _VARIANCE / (2 * _SLACK),
            mode="down",
        )

    def update(self, p_value: float) -> bool:
        """Show it the next p-value."""
        self._test.update(p_value)
        return bool(self._test.drift_detected)


def detector(method: DriftMethod, run_length: float, shown: Iterable[float] = ()) -> Detector:
    """A detector that has been shown these p-values already."""
    kinds: dict[DriftMethod, type[Cusum] | type[RiverAdwin] | type[RiverPageHinkley]] = {
        DriftMethod.CUSUM: Cusum,
        DriftMethod.ADWIN: RiverAdwin,
        DriftMethod.PAGE_HINKLEY: RiverPageHinkley,
    }
    made = kinds[method](run_length)
    for p_value in shown:
        made.update(p_value)
    return made


def change_begins(p_values: Sequence[float]) -> int:
    """Where the change most likely begins: the start of the bets that have won most by now."""
    best, best_start = -math.inf, len(p_values) - 1
    won = 0.0
    for start in range(len(p_values) - 1, -1, -1):
        won += log_bet(p_values[start])
        if won >= best:
            best, best_start = won, start
    return max(0, best_start)


def _river() -> Any:  # noqa: ANN401 (river is not typed)
    try:
        from river import drift
    except ModuleNotFoundError as error:
        raise RiverMissingError(
            "this drift detector needs river: run 'pip install plancost[drift]', "
            "or use --drift cusum"
        ) from error
    return drift

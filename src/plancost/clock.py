"""One clock for a run: work looks at it between steps."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field


class OutOfTimeError(Exception):
    """The clock ran out between two steps; what was found is kept by the caller."""


@dataclass(frozen=True)
class Clock:
    """Runs from its creation; `limit` in seconds, infinite if there is none."""

    limit: float = math.inf
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return time.monotonic() - self.began

    @property
    def remaining(self) -> float:
        """Seconds to the limit, at least 0."""
        return max(0.0, self.limit - self.seconds)

    @property
    def is_over(self) -> bool:
        """Whether the limit is reached."""
        return self.seconds >= self.limit

    def check(self) -> None:
        """Raise `OutOfTimeError` if the limit is reached."""
        if self.is_over:
            raise OutOfTimeError

    def part(self, seconds: float) -> Clock:
        """A clock that starts now and ends after so many seconds, at the latest with this one."""
        return Clock(min(seconds, self.remaining))

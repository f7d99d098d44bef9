"""What planners failed with, for the result to say so.

A planner that crashes or talks nonsense has not answered. The search goes on without its
answer, as if the time had run out; the failures are kept here, each sentence once.
"""

from __future__ import annotations

import logging

from plancost.errors import ClusterError, PlancostError

_log = logging.getLogger(__name__)

_MOST_IN_A_ROW = 20
"""A planner that fails so often without one answer in between will not answer."""


class Failures:
    """The failures of one run. May be used from many threads."""

    def __init__(self) -> None:
        self._said: dict[str, None] = {}
        self._cluster_is_lost = False
        self._in_a_row = 0

    @property
    def said(self) -> tuple[str, ...]:
        """One sentence for each, in the order of their first times."""
        return tuple(self._said)

    @property
    def are_too_many(self) -> bool:
        """Whether it is no use to ask again."""
        return self._cluster_is_lost or self._in_a_row >= _MOST_IN_A_ROW

    def note_success(self) -> None:
        """Take note that a planner has answered."""
        self._in_a_row = 0

    def note(self, failure: PlancostError | str) -> None:
        """Take note of a failure."""
        if isinstance(failure, ClusterError):
            self._cluster_is_lost = True
        self._in_a_row += 1
        if str(failure) not in self._said:
            _log.warning("%s", failure)
        self._said[str(failure)] = None

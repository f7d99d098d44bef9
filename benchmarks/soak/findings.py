"""What can be wrong with a run."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class NoReferenceError(Exception):
    """The reference itself did not come to an answer."""


class Wrong(enum.StrEnum):
    """The ways in which a run fails."""

    ANSWER = "wrong answer"
    OUTCOME = "undocumented outcome"
    WEAK = "weaker than it must be"
    LEAK = "leak"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong."""

    kind: Wrong
    text: str

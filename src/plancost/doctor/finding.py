"""What a check finds, and how a check that fails becomes a finding."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any


class State(enum.StrEnum):
    """How something is."""

    OK = "ok"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True)
class Finding:
    """One thing that was checked. `mend` says what to do about it."""

    name: str
    state: State
    said: str
    mend: str = ""
    required: bool = True

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "name": self.name,
            "state": self.state.value,
            "said": self.said,
            "mend": self.mend,
            "required": self.required,
        }


def one_line(error: BaseException) -> str:
    """What an exception says, on one line."""
    return " ".join(str(error).split()) or type(error).__name__

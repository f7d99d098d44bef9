"""What a monitor knows, as a JSON file that survives restarts.

The file is written whole or not at all, after each plan. It holds the current costs, what
regret is usual under them, the regrets and p-values since then, and how far the stream has been
read; the plans themselves stay in the stream. One that cannot be read is put aside.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.files.input_files import parse_json, read_bytes
from plancost.files.kept_files import check_request, put_aside
from plancost.files.output_files import write_file
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.observations.files import ObservedFile

_FORMAT = 1


@dataclass(frozen=True)
class Watched:
    """A plan of the stream that was measured under the current costs."""

    position: int
    regret: float
    p_value: float
    """Smoothed, among the usual regrets and all regrets before it."""


@dataclass
class MonitorState:
    """All that changes while a stream is watched."""

    costs: dict[str, int]
    usual: list[float]
    """Regrets to compare with."""
    position: int = 0
    """How many rows of the stream have been dealt with."""
    digest: str = ""
    """Of those rows, to notice a stream that was rewritten."""
    relearned: int = 0
    watched: list[Watched] = field(default_factory=list)
    """Since the costs were learned."""
    change: int | None = None
    """Where a change that was detected began; costs are relearned once enough plans follow."""
    alternatives: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    """By task key, plans that were found to be cheapest at some time: where to begin learning."""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {**vars(self), "watched": [astuple(item) for item in self.watched]}

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> MonitorState:
        """Read plain values; raises the usual errors of Python if they are not as written."""
        change = content["change"]
        return cls(
            {str(name): _whole(cost, 1) for name, cost in content["costs"].items()},
            [float(value) for value in content["usual"]],
            _whole(content["position"]),
            str(content["digest"]),
            _whole(content["relearned"]),
            [Watched(_whole(n, 1), float(r), _chance(p)) for n, r, p in content["watched"]],
            None if change is None else _whole(change, 1),
            {
                str(key): [tuple(map(str, plan)) for plan in plans]
                for key, plans in content["alternatives"].items()
            },
        )


@dataclass(frozen=True)
class StateFile:
    """Where the state is kept, and what was asked for: another request needs another file."""

    path: Path
    request: dict[str, Any]

    def load(self) -> tuple[MonitorState | None, str | None]:
        """The state, if there is one; and a sentence if a damaged one was put aside."""
        if not self.path.exists():
            return None, None
        data = read_bytes(self.path, "this state", is_ours=True)
        try:
            content = parse_json(data.decode("utf-8"), self.path)
            version, request = content["format"], dict(content["request"])
            state = MonitorState.from_json(content["state"])
        except (InputError, ValueError, KeyError, TypeError, AttributeError, OverflowError):
            aside = put_aside(self.path)
            return None, (
                f"{self.path} is damaged and was put aside as {aside.name}; "
                "the stream is read from its beginning"
            )
        if version != _FORMAT:
            raise InputError(f"this state has format {version}, not {_FORMAT}", self.path)
        check_request(self.path, "this state", request, self.request, "--state")
        return state, None

    def save(self, state: MonitorState) -> None:
        """Write the state."""
        content = {"format": _FORMAT, "request": self.request, "state": state.to_json()}
        write_file(self.path, json.dumps(content, indent=1) + "\n", "this state")


def next_digest(digest: str, row: ObservedFile) -> str:
    """The digest of some rows and the one after them: files by name, and times."""
    parts = [digest, row.problem.name, row.plan.name, row.time]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _whole(value: object, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value} is not a whole number")
    if not least <= value <= LARGEST_LEARNED_COST:
        raise ValueError(f"{value} is not from {least} to {LARGEST_LEARNED_COST}")
    return value


def _chance(value: float) -> float:
    if not 0 <= float(value) <= 1:
        raise ValueError(f"{value} is no p-value")
    return float(value)

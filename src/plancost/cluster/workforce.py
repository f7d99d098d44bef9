"""The workers of a cluster: their capacity, and whether they can be used at all.

A piece of work declares the memory that its programs may use as Dask's resource
``memory``, in bytes; a worker declares how much it has (``--resources "memory=8e9"``) and
accepts no more at the same time. If no worker can take a piece, Dask waits for ever, so this is
checked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plancost.errors import ClusterError

RESOURCE = "memory"
ASSUMED_MB = 1000
"""The assumed memory of a program without a limit: SymK starts with about half of it."""


@dataclass(frozen=True)
class Workforce:
    """For each worker its threads and its bytes of memory; 0 if it declares none."""

    rooms: tuple[tuple[int, float], ...]

    @classmethod
    def of(cls, identity: Mapping[str, Any]) -> Workforce:
        """The workers that a scheduler says it has."""
        return cls(
            tuple(
                (int(worker["nthreads"]), float(worker["resources"].get(RESOURCE, 0)))
                for worker in identity["workers"].values()
            )
        )

    @property
    def largest_bytes(self) -> float:
        """The memory of the largest worker."""
        return max((memory for _, memory in self.rooms), default=0)

    def width(self, needed_bytes: int) -> int:
        """How many pieces of work can run at the same time."""
        return sum(min(threads, int(memory // needed_bytes)) for threads, memory in self.rooms)

    def require_usable(self, address: str) -> None:
        """Raise a `ClusterError` if no worker can ever take a piece of work."""
        how = f"'dask worker {address} --resources \"{RESOURCE}=8e9\"'"
        if not self.rooms:
            raise ClusterError(f"the scheduler at {address} has no workers: start some with {how}")
        if not self.largest_bytes:
            raise ClusterError(
                f"no worker of {address} says how much memory its planners may use: "
                f"start them with {how}"
            )


def needed_bytes(memory_mb: int | None, programs: int = 1) -> int:
    """The memory that a piece of work declares."""
    return programs * (ASSUMED_MB if memory_mb is None else memory_mb) * 1024 * 1024

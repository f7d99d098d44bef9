"""How the memory of a run is shared out, so that all its processes stay below one limit.

The limit is for this process and for all programs that it runs side by side. This process
gets a third of it (state graphs, linear programs), the programs share the rest. A share is a
hard limit: programs are held to an address space of that size (`processes`), which is more
than they can ever use; Python processes to the memory that they may write to, since much of
their address space is only reserved.

Not counted is what such a limit cannot see: the code of shared libraries, some 100 MB, and
what a program's own children use, since each process has the limit for itself. A control
group (`cgroups`), where there can be one, counts all.
"""

from __future__ import annotations

import contextlib
import math
import re
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_OWN_PART = 3
_LEAST_OWN_MB = 400
"""A Python with the solver takes 150 MB before it has done anything."""
_BEFORE_GRAPHS_MB = 250
_LEAST_FOR_GRAPHS_MB = 50
PROGRAM_MB = 600
"""What a planner should have: SymK does not start with less."""
WORKER_PROCESS_MB = 400
"""What a worker process should have."""


@dataclass(frozen=True)
class MemoryShares:
    """What this process and all others together may use, in megabytes."""

    own_mb: int
    others_mb: int

    @classmethod
    def of(cls, total_mb: int) -> MemoryShares:
        """Share out a limit."""
        own = min(max(total_mb // _OWN_PART, _LEAST_OWN_MB), total_mb // 2)
        return cls(max(1, own), max(1, total_mb - own))

    def fitting(self, wanted: int, each_mb: int) -> int:
        """How many of so many processes can have so much; at least one."""
        return max(1, min(wanted, self.others_mb // each_mb))

    def each_of(self, count: int) -> int:
        """What each of so many processes may use."""
        return max(1, self.others_mb // count)


def graphs_mb(process_mb: int) -> int:
    """What state graphs may use in a process that may use so much."""
    return max(_LEAST_FOR_GRAPHS_MB, process_mb - _BEFORE_GRAPHS_MB)


@contextlib.contextmanager
def holding_this_process(most_mb: int) -> Iterator[bool]:
    """Let this process use so much memory for the time of a block; False if that cannot be had.

    Beyond it, asking for memory raises `MemoryError`.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = _most_data_bytes(most_mb)
    if most is None or most >= (math.inf if soft == resource.RLIM_INFINITY else soft):
        yield False
        return
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield True
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _most_data_bytes(most_mb: int) -> int | None:
    """How much memory to write to leads to so much in use, from what is in use now."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return None
    found = dict(re.findall(r"^(VmRSS|VmData):\s+(\d+) kB$", status, re.MULTILINE))
    if len(found) < 2:
        return None
    used_kb, writable_kb = int(found["VmRSS"]), int(found["VmData"])
    return (writable_kb + max(0, most_mb * 1024 - used_kb)) * 1024

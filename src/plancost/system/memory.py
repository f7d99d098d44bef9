"""How the memory of a run is shared out, so that all its processes stay below one limit.

The limit is for this process and for all programs that it runs side by side. This process
gets a third of it (state graphs, linear programs), the programs share the rest. A share is a
hard limit. For programs it limits the address space (`processes`), which is an upper bound on
the memory in use. For Python processes it limits writable memory, because much of their address
space is only reserved.

Such limits do not count the code of shared libraries, some 100 MB, or the memory of a program's
own children, because each process has its own limit. A control group (`cgroups`), if one can be
created, counts everything.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from plancost.errors import LimitError

_OWN_PART = 3
_LEAST_OWN_MB = 400
"""A Python process with the solver uses 150 MB before it does any work."""
_LEAST_FREE_MB = 50
"""What must be left when this process is limited: the smallest case takes 40 MB."""
_BEFORE_GRAPHS_MB = 250
_LEAST_FOR_GRAPHS_MB = 50
_TYPICAL_MACHINE_MB = 8000
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
        """Divide a limit into shares."""
        own = min(max(total_mb // _OWN_PART, _LEAST_OWN_MB), total_mb // 2)
        return cls(max(1, own), max(1, total_mb - own))

    @staticmethod
    def least_for(own_mb: int) -> int:
        """The least limit, in tens, of which this process gets so much."""
        return -(-own_mb * (2 if own_mb <= _LEAST_OWN_MB else _OWN_PART) // 10) * 10

    def fitting(self, wanted: int, each_mb: int, least: int = 1) -> int:
        """How many of these processes can have this much memory each; at least so many."""
        return max(least, min(wanted, self.others_mb // each_mb))

    def each_of(self, count: int) -> int:
        """The memory that each of these processes may use."""
        return max(1, self.others_mb // count)


def machine_mb(group_limit: Path = Path("/sys/fs/cgroup/memory.max")) -> int:
    """The memory of this machine, or of the container that this process is in."""
    try:
        found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 1_000_000
    except (ValueError, OSError):  # not every system tells
        found = _TYPICAL_MACHINE_MB
    with contextlib.suppress(OSError, ValueError):
        found = min(found, int(group_limit.read_text(encoding="ascii")) // 1_000_000)
    return max(1, found)


def graphs_mb(process_mb: int) -> int:
    """The memory that state graphs may use in a process with this limit."""
    return max(_LEAST_FOR_GRAPHS_MB, process_mb - _BEFORE_GRAPHS_MB)


@contextlib.contextmanager
def holding_this_process(most_mb: int) -> Iterator[bool]:
    """Limit the memory of this process within a block; False if the limit cannot be set.

    Allocations beyond the limit raise `MemoryError`. A limit that leaves hardly anything to
    allocate is a `LimitError`.
    """
    _load_libraries()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    usage = _usage()
    most = None if usage is None else usage.data_limit_bytes(most_mb)
    if most is None or most >= (math.inf if soft == resource.RLIM_INFINITY else soft):
        yield False
        return
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield True
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _load_libraries() -> None:
    """These crash, or never return, if they run out of memory while they are loaded."""
    import_module("numpy")
    import_module("scipy.sparse.linalg")
    import_module("highspy")


@dataclass(frozen=True)
class _Usage:
    """Kilobytes of this process: in use, and writable."""

    used_kb: int
    writable_kb: int

    def data_limit_bytes(self, most_mb: int) -> int:
        """The limit on writable memory for this much memory in use."""
        free_kb = most_mb * 1024 - self.used_kb
        if free_kb < _LEAST_FREE_MB * 1024:
            needed_mb = self.used_kb // 1024 + 1 + _LEAST_FREE_MB
            raise LimitError(
                f"this memory limit leaves plancost itself {most_mb} MB, and it needs "
                f"{needed_mb} to begin; give it at least {MemoryShares.least_for(needed_mb)}"
            )
        return (self.writable_kb + free_kb) * 1024


def _usage() -> _Usage | None:
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return None
    found = dict(re.findall(r"^(VmRSS|VmData):\s+(\d+) kB$", status, re.MULTILINE))
    if len(found) < 2:
        return None
    return _Usage(int(found["VmRSS"]), int(found["VmData"]))

"""Which processes there are."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path


def children(process: int) -> list[int]:
    """The direct children of all threads of a process."""
    found = []
    with contextlib.suppress(OSError):  # it has just ended
        for task in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError):  # a thread that has just ended
                found += [int(word) for word in (task / "children").read_text().split()]
    return found


def is_symk(process: int) -> bool:
    """Whether a process is SymK at work."""
    try:
        return b"symk" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def minds_sigterm(process: int) -> bool:
    """Whether a process has a handler for SIGTERM."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def is_running(process: int) -> bool:
    """Whether there is such a process, and more of it than an exit status to collect."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"

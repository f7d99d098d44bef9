"""A control group (version 2) that limits the memory of a run, if we may create one.

It counts the memory of all processes of the run together. Most systems let users create groups
only in some sessions (a desktop session does, a login by ssh or a plain container does not). If
it is not possible, nothing happens, and only the shares of `memory` apply. When a group is full,
the kernel kills its process with the worst score, and planners get a worse score than we
(`processes`).

Only an empty group can be removed. So whoever creates a group tries to remove all others: this
succeeds only for those of ended runs.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path

_log = logging.getLogger(__name__)

_ROOT = Path("/sys/fs/cgroup")
_OWN = Path("/proc/self/cgroup")
_PREFIX = "plancost-"


@contextlib.contextmanager
def limited(memory_mb: int, *, root: Path = _ROOT, own: Path = _OWN) -> Iterator[Path | None]:
    """Run a block in a group with this limit; None if there is no such group."""
    before = _present(root, own)
    group = None if before is None else _made(before, memory_mb)
    if before is None or group is None:
        yield None
        return
    _log.info("all processes together are held to %d MB (%s)", memory_mb, group)
    try:
        yield group
    finally:
        with contextlib.suppress(OSError):
            _enter(before)
            group.rmdir()


def _present(root: Path, own: Path) -> Path | None:
    """The group that we are in, if this is version 2."""
    try:
        lines = own.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except OSError:
        return None
    names = [line.removeprefix("0::/") for line in lines if line.startswith("0::/")]
    # If version 1 is mounted too, version 2 does not control memory.
    return root / names[0] if len(lines) == 1 and names and names[0] else None


def _made(before: Path, memory_mb: int) -> Path | None:
    """A group beside ours (a group with processes in it cannot have groups with limits)."""
    for old in before.parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            old.rmdir()
    group = before.parent / f"{_PREFIX}{os.getpid()}"
    try:
        group.mkdir()
    except OSError:
        return None
    try:
        (group / "memory.max").write_text(str(memory_mb * 1024 * 1024), encoding="ascii")
        _enter(group)
    except OSError:
        with contextlib.suppress(OSError):
            group.rmdir()
        return None
    return group


def _enter(group: Path) -> None:
    (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

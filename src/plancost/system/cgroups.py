"""A control group (version 2) of our own, where we may make one, to hold a run to its memory.

It counts what all processes of the run use together, whatever they start. Most systems let
users make groups only in some places (a desktop session does, a login by ssh or a plain
container does not); where it cannot be done nothing happens, and the shares of `memory` hold
by themselves. When a group is full, the kernel kills the process in it that looks the worst,
and planners are told to look worse than we do (`processes`).

A group can only be removed when it is empty, so that those of killed runs are known: whoever
makes a group tries to remove the others.
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
    """Be in a group with this limit for the time of a block; None: there is no such group."""
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
    # With version 1 beside it, version 2 does not have the memory.
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

"""Temporary directories that are always removed, even after a kill.

A run that is killed (SIGKILL, a power cut) cannot clean up. So each directory contains a file that
its owner keeps locked, and the kernel releases the lock when the owner dies. The first time that
a process creates such a directory, it removes the directories whose lock is free. It leaves all
others, and all other temporary files, alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = "plancost-"
LOCK = ".plancost-in-use"
"""The file in a directory that its owner has locked."""


@contextlib.contextmanager
def private_directory() -> Iterator[Path]:
    """A temporary directory that exists within a block."""
    remove_abandoned(tempfile.gettempdir())
    directory, lock = _made()
    try:
        yield directory
    finally:
        try:
            _remove(directory)
        finally:  # again, because a second Ctrl-C may have interrupted the first attempt
            _remove(directory)
            if lock is not None:
                os.close(lock)


def _made() -> tuple[Path, int | None]:
    while True:
        directory = Path(tempfile.gettempdir()) / f"{PREFIX}{secrets.token_hex(8)}"
        try:
            directory.mkdir(mode=0o700)
            lock = os.open(directory / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        except FileExistsError:
            continue
        except BaseException:  # without the file nobody would ever remove it
            _remove(directory)
            raise
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.fstat(lock).st_nlink:
                return directory, lock
        except OSError:  # a file system without locks: no run will take it for abandoned
            os.close(lock)
            (directory / LOCK).unlink(missing_ok=True)
            return directory, None
        # Another process took it for abandoned between the two calls, and has removed it.
        os.close(lock)


@functools.cache
def remove_abandoned(place: str) -> None:
    """Remove what killed runs of this user have left there."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(place):
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_if_abandoned(Path(entry.path))


def _remove_if_abandoned(directory: Path) -> None:
    if directory.stat().st_uid != os.getuid():
        return
    lock = os.open(directory / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _remove(directory)
    finally:
        os.close(lock)


def _remove(directory: Path) -> None:
    """Remove a directory, the lock file last, so that a half-removed one is still recognised."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(directory)):
            if entry.name == LOCK:
                continue
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                Path(entry.path).unlink()
    shutil.rmtree(directory, ignore_errors=True)

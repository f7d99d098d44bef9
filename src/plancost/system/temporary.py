"""Temporary directories that are gone afterwards, whatever happens.

A run that is killed (SIGKILL, a power cut) cannot clear up. So each directory holds a file that
its owner keeps locked, and the kernel takes the lock away when the owner is gone. The first
time that a process makes such a directory it removes those that nobody has locked; others, and
anything else in the place for temporary files, it leaves alone.
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
"""The file in it that its owner has locked."""


@contextlib.contextmanager
def private_directory() -> Iterator[Path]:
    """A temporary directory of our own for the time of a block."""
    remove_abandoned(tempfile.gettempdir())
    directory, lock = _made()
    try:
        yield directory
    finally:
        try:
            _remove(directory)
        finally:  # once more, since an impatient second Ctrl-C interrupts the first
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
        except OSError:  # a file system without locks: nobody will think that it is abandoned
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
    """Remove all of it; the lock goes last, so that what is half removed is still known."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(directory)):
            if entry.name == LOCK:
                continue
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                Path(entry.path).unlink()
    shutil.rmtree(directory, ignore_errors=True)

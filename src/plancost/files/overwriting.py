"""No output overwrites an input.

Files are compared by device and inode, not by name: a link, a hard link, ``..`` and another letter
case lead to the same file. Devices and pipes such as ``/dev/null`` contain nothing that could be
lost, so they are always allowed.

There are two ways. Code that knows its inputs calls `check_not_an_input`. Inside
`inputs_protected` every file that `input_files` opens is recorded, and `atomic` overwrites none of
them, so that unforeseen cases are safe too.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from plancost.errors import InputError

Identity = tuple[int, int]
"""Device and inode."""

_read: dict[Identity, Path] | None = None
"""What was read since `inputs_protected` began; None outside of it."""


def identity(path: Path) -> Identity | None:
    """The identity of a file; None unless it is an existing regular file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return _identity(status)


def is_same_folder(one: Path, other: Path) -> bool:
    """Whether two names lead to the same existing folder."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def check_not_an_input(output: Path, inputs: Iterable[Path]) -> None:
    """Raise `InputError` if a file to be written is one of the inputs."""
    found = identity(output)
    if found is None:
        return
    for path in inputs:
        if identity(path) == found:
            raise _refused(output, path)


def check_no_input_in(folder: Path, inputs: Iterable[Path]) -> None:
    """Raise `InputError` if one of the inputs is in an output folder."""
    if not folder.is_dir():
        return
    places: set[Path] = set()
    for path in inputs:
        for place in (path.parent, Path(os.path.realpath(path)).parent):
            if place in places or not path.exists():
                continue
            places.add(place)
            if is_same_folder(folder, place):
                raise InputError(
                    f"writing PDDL here could overwrite the input {path.name}; "
                    "choose another directory",
                    folder,
                )


@contextmanager
def inputs_protected() -> Iterator[None]:
    """Files read inside this block are not overwritten in it. Only the innermost block counts."""
    global _read
    before, _read = _read, {}
    try:
        yield
    finally:
        _read = before


def remember_read(path: Path, status: os.stat_result) -> None:
    """A file of the user was opened for reading."""
    found = _identity(status)
    if _read is not None and found is not None:
        _read[found] = path


def check_not_read(output: Path) -> None:
    """Raise `InputError` if a file that is to be written was read before."""
    found = identity(output) if _read else None
    if _read is None or found is None or found not in _read:
        return
    path = _read[found]
    if identity(path) == found:  # otherwise it was deleted, and another file has its inode
        raise _refused(output, path)


def _identity(status: os.stat_result) -> Identity | None:
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _refused(output: Path, path: Path) -> InputError:
    same = "" if output == path else f" (it is {path})"
    return InputError(
        f"this file is read{same}, and writing here would overwrite it; name another file", output
    )

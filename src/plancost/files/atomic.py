"""Atomic writes: other programs see a file complete or not at all.

If the system supports it, a file has no name while it is being written, so that a killed run
leaves nothing. Otherwise it has a temporary name that begins with `UNFINISHED`.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path

from plancost.files.overwriting import check_not_read

UNFINISHED = ".writing-"
"""How temporary names begin; a file with one that is old was left behind by a killed run."""
_NOT_KNOWN = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT)
"""Errors of systems that do not support unnamed files."""


class _NamelessError(Exception):
    """Unnamed files are not supported here."""


def write_atomically(
    path: Path, content: bytes, mode: int = 0o666, *, durable: bool = True
) -> None:
    """Write a file beside its place and move it there.

    A new file gets the permissions `mode`, restricted by the user's umask; a file that replaces
    another gets the permissions of that one. A `durable` file is on disk before it gets its name,
    so that it is complete even after a power cut. Something that is not a regular file, such as
    ``/dev/null`` or a pipe, is written to and not replaced. Raises `OSError` if the file cannot
    be written, and `InputError` if it would overwrite an input (see `overwriting`); then nothing
    is left behind.
    """
    check_not_read(path)
    old_mode = _mode_of(path)
    if old_mode is not None and not (stat.S_ISREG(old_mode) or stat.S_ISDIR(old_mode)):
        path.write_bytes(content)
        return
    beside = _temporary(path.parent)
    try:
        try:
            handle = _nameless(path.parent, mode)
            _fill(handle, content, old_mode, durable=durable, names=(path, beside))
        except _NamelessError:
            _fill(_named(beside, mode), content, old_mode, durable=durable)
        if beside.exists():
            beside.replace(path)
    except BaseException:  # an interrupt must not leave the file behind either
        beside.unlink(missing_ok=True)
        raise


def make_folder_of(path: Path) -> None:
    """Create the folder above a file or another folder, if it is missing.

    Raises `OSError` if this fails, and whenever `check_folder_of` does.
    """
    check_folder_of(path)
    path.parent.mkdir(exist_ok=True)


def check_folder_of(path: Path) -> None:
    """Raise `OSError` if the folder of a path is missing and may not be created.

    Only one folder is created. A path with more missing folders, or with one at the root of the
    file system, is probably mistyped.
    """
    missing = path.parent
    if missing.exists():
        return
    while not missing.parent.exists():
        missing = missing.parent
    if missing != path.parent or os.path.realpath(missing.parent) == os.path.sep:
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {missing}; make it first")


def check_writable(folder: Path) -> None:
    """Raise `OSError` if no file can be created in this folder; nothing is left behind."""
    try:
        os.close(_nameless(folder, 0o600))
    except _NamelessError:
        beside = _temporary(folder)
        os.close(_named(beside, 0o600))
        beside.unlink()


def _fill(
    handle: int, content: bytes, mode: int | None, *, durable: bool, names: tuple[Path, ...] = ()
) -> None:
    """Write the file, and give it the first of the names that is free."""
    with os.fdopen(handle, "wb") as file:
        if mode is not None:
            os.fchmod(handle, stat.S_IMODE(mode))
        file.write(content)
        file.flush()
        if durable:
            os.fsync(handle)
        for name in names:
            if _link(handle, name):
                break


def _temporary(folder: Path) -> Path:
    return folder / f"{UNFINISHED}{secrets.token_hex(8)}"


def _mode_of(path: Path) -> int | None:
    """What kind of file is there, and who may read it."""
    try:
        return path.stat().st_mode
    except OSError:
        return None


def _named(path: Path, mode: int) -> int:
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, mode)


def _nameless(folder: Path, mode: int) -> int:
    if not hasattr(os, "O_TMPFILE"):
        raise _NamelessError
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, mode)
    except OSError as error:
        if error.errno in _NOT_KNOWN:
            raise _NamelessError from error
        raise


def _link(handle: int, name: Path) -> bool:
    """Give a file without a name this one; False if another file has it."""
    try:
        # Only with some `src_dir_fd`, which an absolute path does not use, Python follows links.
        os.link(f"/proc/self/fd/{handle}", name, src_dir_fd=handle, follow_symlinks=True)
    except FileExistsError:
        return False
    except OSError as error:
        raise _NamelessError from error
    return True

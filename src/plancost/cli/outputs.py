"""The files that a command writes: whether they can be written is found out before the work.

What cannot be written after all (a disk can fill up meanwhile) does not take the answer with
it: the rest is written and shown, and a result is put where temporary files are.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plancost.cli.terminal import say
from plancost.errors import InputError, PlancostError
from plancost.files.atomic import check_writable
from plancost.results.result import Result

_FILES = ("output", "report", "state", "log_file")
_FOLDERS = ("pddl_out",)
_OUTPUT_IS_A_FOLDER = frozenset({"apply", "evaluate", "generate", "reproduce"})


def check_outputs(arguments: argparse.Namespace) -> None:
    """An `InputError` if something that the arguments name cannot be written."""
    for name in (*_FILES, *_FOLDERS):
        path = getattr(arguments, name, None)
        if isinstance(path, Path):
            folder = name in _FOLDERS
            folder |= name == "output" and arguments.command in _OUTPUT_IS_A_FOLDER
            _check(path, is_folder=folder)


def _check(path: Path, *, is_folder: bool) -> None:
    if is_folder and path.exists() and not path.is_dir():
        raise InputError("this is a file, and a folder is to be written here", path)
    if not is_folder and path.is_dir():
        raise InputError("this is a folder; name a file to write", path)
    if not is_folder and path.exists() and not path.is_file():
        return  # such as /dev/null
    folder = path if is_folder else path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        check_writable(folder)
    except OSError as error:
        raise InputError(f"nothing can be written here ({error.strerror})", path) from error


class Outputs:
    """What could not be written, while the command goes on."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write something."""
        try:
            yield
        except (PlancostError, OSError) as error:
            self.failed.append(str(error))

    def write(self, result: Result, path: Path) -> None:
        """Write RESULT.json, or else keep it elsewhere and say where."""
        try:
            result.write(path)
        except PlancostError as error:
            self.failed.append(f"{error}{_kept(result)}")

    def report(self) -> None:
        """Say what could not be written."""
        for sentence in self.failed:
            say(f"plancost: {sentence}", error=True)


def _kept(result: Result) -> str:
    handle, name = -1, ""
    try:
        handle, name = tempfile.mkstemp(prefix="plancost-RESULT-", suffix=".json")
        os.close(handle)
        result.write(Path(name))
    except (PlancostError, OSError):
        if name:
            Path(name).unlink(missing_ok=True)
        return ""
    return f"; the result is kept in {name}"

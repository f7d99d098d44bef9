"""The files that a command writes: checked before the work.

None of them may be a file that the command reads, and no two of them may be one file.
If one cannot be written after all (a disk can fill up meanwhile), the answer is not lost: the rest
is written and shown, and a result is put where temporary files are.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli.command import Command, Output
from plancost.cli.inputs import Input, inputs_of
from plancost.cli.output.terminal import print_line
from plancost.errors import InputError, PlancostError, UsageError
from plancost.files.atomic import check_folder_of, check_writable
from plancost.files.overwriting import check_no_input_in, check_not_an_input, identity

if TYPE_CHECKING:
    from plancost.results.result import Result

_KINDS = {
    "certificate": Output.FILE,
    "report": Output.FILE,
    "samples_out": Output.FILE,
    "state": Output.FILE,
    "log_file": Output.FILE,
    "pddl_out": Output.PDDL,
    "checkpoint": Output.FOLDER,
}
_MAY_FAIL = ("checkpoint",)
"""A folder without which the command does its work, with a note."""
results_written: list[Path] = []
"""By the command at work; what is said of an interrupt depends on it."""
OUTPUTS = ("output", *_KINDS)
"""Arguments that name what is written; all other paths are inputs."""


@dataclass(frozen=True)
class _Output:
    """A file or folder that is to be written, and the option that names it."""

    option: str
    path: Path
    kind: Output
    files: tuple[Path, ...]
    """The files that it may become, as far as they are known beforehand."""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.kind is not Output.FILE

    @property
    def holds_nothing(self) -> bool:
        """Whether it is a device or a pipe, such as /dev/null."""
        return self.path.exists() and not (self.path.is_file() or self.path.is_dir())

    @property
    def place(self) -> tuple[str, ...]:
        """Where it is or will be; letter case does not count, as on some file systems."""
        return Path(os.path.realpath(self.path).casefold()).parts


def check_outputs(command: Command, arguments: argparse.Namespace) -> None:
    """An error if something that the arguments name cannot be written, or must not be."""
    outputs = _outputs(command, arguments)
    for output in outputs:
        if output.option not in _MAY_FAIL:
            _check(output.path, is_folder=output.is_folder)
    for one, other in combinations(outputs, 2):
        _check_apart(one, other)
    # What is not there cannot be an input, and a manifest may be long.
    if any(item.is_folder or (item.path.exists() and not item.holds_nothing) for item in outputs):
        _check_inputs(outputs, list(inputs_of(arguments, OUTPUTS)))


def _outputs(command: Command, arguments: argparse.Namespace) -> list[_Output]:
    found = []
    for name in OUTPUTS:
        path = getattr(arguments, name, None)
        if isinstance(path, Path):
            kind = command.output if name == "output" else _KINDS[name]
            files: Iterable[Path] = [path] if kind is Output.FILE else []
            if name == "output" and command.output_files is not None:
                files = command.output_files(arguments)
            found.append(_Output(name, path, kind, tuple(files)))
    return found


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
        check_folder_of(path)
        check_writable(folder)
    except OSError as error:
        raise InputError(f"nothing can be written here ({error.strerror})", path) from error


def _check_apart(one: _Output, other: _Output) -> None:
    """A `UsageError` if two outputs would be one file, or one would be inside the other file."""
    if one.holds_nothing or other.holds_nothing or (one.is_folder and other.is_folder):
        return
    found = identity(one.path)
    linked = found is not None and found == identity(other.path)
    for file, second in ((one, other), (other, one)):
        inside = second.place[: len(file.place)] == file.place
        if not file.is_folder and (inside or linked):
            names = " and ".join(f"--{item.option.replace('_', '-')}" for item in (one, other))
            raise UsageError(f"{names} would write to the same place, {file.path}; name two files")


def _check_inputs(outputs: Sequence[_Output], inputs: Sequence[Input]) -> None:
    """An `InputError` if an input would be overwritten."""
    pddl = [item.path for item in inputs if item.is_pddl]
    for output in outputs:
        if output.kind is Output.PDDL:
            check_no_input_in(output.path, pddl)
            _check_names(output, outputs, pddl)
        for file in output.files:
            check_not_an_input(file, (item.path for item in inputs))


def _check_names(folder: _Output, outputs: Sequence[_Output], pddl: Sequence[Path]) -> None:
    """A `UsageError` if PDDL that is written would take the place of another output."""
    names = {path.name.casefold() for path in pddl}
    for output in outputs:
        inside = output.place[:-1] == folder.place
        if not output.is_folder and inside and output.place[-1] in names:
            raise UsageError(
                f"--{output.option.replace('_', '-')} names a file that PDDL is to be written "
                f"to, {output.path}; name another"
            )


class Outputs:
    """Collects what could not be written, so that the rest of the command still runs."""

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
            results_written.append(path)
        except PlancostError as error:
            self.failed.append(f"{error}{_kept(result)}")

    def report(self) -> None:
        """Say what could not be written."""
        for sentence in self.failed:
            print_line(f"plancost: {sentence}", error=True)


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

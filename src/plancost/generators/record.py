"""``pool.json``: what a pool was asked to be, and which of its problems are done.

It is written before anything else in the folder, and again after the last file of each
problem. So a pool that was killed resumes with the problems that the record does not name,
and a folder never becomes a mixture of two pools. Both the record and the files that it names
are known by checksums: a record that was changed is refused, and files are written again.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.files.atomic import UNFINISHED
from plancost.files.checksum import with_checksum
from plancost.files.input_files import read_json, read_text
from plancost.files.kept_files import FORMAT, check_request, is_known_format, is_unchanged
from plancost.files.output_files import make_folder, write_file
from plancost.observations.files import natural_order
from plancost.oracles.symk import SYMK

RECORD = "pool.json"
_NAME = re.compile(r"p[0-9]+")
"""What problems of a pool are called; the names become those of files."""


@dataclass(frozen=True)
class PoolProblem:
    """A problem, how many plans were found for it, and how long that took."""

    name: str
    plans: int
    seconds: float
    checksum: str | None = None
    """Of its files, in their order; None if they are not known by it."""

    @property
    def files(self) -> list[str]:
        """The problem and its plans."""
        plans = (f"{self.name}.{number:03d}.plan" for number in range(1, self.plans + 1))
        return [f"{self.name}.pddl", *plans]


def checksum(texts: Iterable[str]) -> str:
    """Of the files of a problem."""
    return hashlib.sha256(json.dumps(list(texts)).encode()).hexdigest()


class Record:
    """The record of one folder."""

    def __init__(self, folder: Path, request: Mapping[str, Any]) -> None:
        """Begin a pool, or resume one that was asked for in the same words.

        Problems whose files are gone or changed are no longer in it.
        """
        self._path = folder / RECORD
        self._request = dict(request)
        self.problems: dict[str, PoolProblem] = {}
        """The problems of the pool, with all their files, by name."""
        self.left_out: dict[str, PoolProblem] = {}
        """The problems for which not enough plans were found within the limits."""
        self._symk = SYMK.version()
        names = _make_folder(folder)
        if RECORD in names:
            self._read()
        elif names:
            raise InputError(
                "this folder is not empty and holds no pool; choose another --output", folder
            )
        else:
            self._write()

    def keep(self, problem: PoolProblem) -> None:
        """All files of this problem are written."""
        self.problems[problem.name] = problem
        self._write()

    def leave_out(self, problem: PoolProblem) -> None:
        """This problem is not to become a part of the pool."""
        self.left_out[problem.name] = problem
        self._write()

    def _read(self) -> None:
        try:
            content = read_json(self._path, "this record")
            version, request = content["format"], dict(content["request"])
            problems = _from_json(content["problems"], request["plans"])
            self.left_out = _from_json(content["left_out"])
            self._symk = content["symk"]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError("this is not the record of a pool", self._path) from error
        if not is_known_format(content):
            raise InputError(f"this record has format {version}, not {FORMAT}", self._path)
        if not is_unchanged(content):
            raise InputError(
                "this record was changed after it was written; remove the folder, or choose "
                "another --output",
                self._path,
            )
        check_request(self._path, "this pool", request, self._request, "--output")
        self.problems = {
            name: problem for name, problem in problems.items() if self._has_files(problem)
        }

    def _has_files(self, problem: PoolProblem) -> bool:
        """Whether the files of a problem are there as they were written."""
        try:
            texts = [read_text(self._path.with_name(name)) for name in problem.files]
        except InputError:
            return False
        return problem.checksum in (None, checksum(texts))

    def _write(self) -> None:
        content = {
            "format": FORMAT,
            "request": self._request,
            "symk": self._symk,
            "problems": _to_json(self.problems),
            "left_out": _to_json(self.left_out),
        }
        write_file(self._path, json.dumps(with_checksum(content), indent=1) + "\n")


def _from_json(found: Mapping[str, Any], most_plans: float = math.inf) -> dict[str, PoolProblem]:
    problems = {}
    for name, values in found.items():
        plans, seconds = values["plans"], float(values["seconds"])
        if not _NAME.fullmatch(name):
            raise ValueError(f"no problem of a pool is called {name}")
        if type(plans) is not int or not 0 <= plans <= most_plans:
            raise ValueError(f"{name} cannot have {plans} plans")
        if not 0 <= seconds < math.inf:
            raise ValueError(f"{name} cannot have taken {seconds} seconds")
        problems[name] = PoolProblem(name, plans, seconds, values.get("files"))
    return problems


def _to_json(problems: Mapping[str, PoolProblem]) -> dict[str, Any]:
    found: dict[str, dict[str, Any]] = {}
    for name in sorted(problems, key=natural_order):
        problem = problems[name]
        found[name] = {"plans": problem.plans, "seconds": round(problem.seconds, 2)}
        if problem.checksum is not None:
            found[name]["files"] = problem.checksum
    return found


def make_empty_folder(folder: Path) -> None:
    """Make a folder, if it is missing; `InputError` if it holds anything."""
    if _make_folder(folder):
        raise InputError("this folder is not empty; choose another", folder)


def _make_folder(folder: Path) -> list[str]:
    """Make a folder, if it is missing; the names in it, but for what a killed run left."""
    make_folder(folder)
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError as error:
        raise InputError(f"cannot read this folder ({error.strerror})", folder) from error
    return [name for name in names if not name.startswith(UNFINISHED)]

"""``pool.json``: what a pool was asked to be, and which of its problems are done.

It is written before anything else in the folder, and again after the last file of each
problem. So a pool that was killed goes on with the problems that the record does not name,
and a folder never becomes a mixture of two pools.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plancost.atomic import UNFINISHED, write_atomically
from plancost.errors import InputError
from plancost.input_files import read_json
from plancost.observations.files import natural_order
from plancost.oracles.symk import SYMK

RECORD = "pool.json"
_FORMAT = 1
_NAME = re.compile(r"p[0-9]+")
"""What problems of a pool are called; the names become those of files."""


@dataclass(frozen=True)
class PoolProblem:
    """A problem, how many plans were found for it, and how long that took."""

    name: str
    plans: int
    seconds: float


class Record:
    """The record of one folder."""

    def __init__(self, folder: Path, request: Mapping[str, Any]) -> None:
        """Begin a pool, or go on with one that was asked for in the same words."""
        self._path = folder / RECORD
        self._request = dict(request)
        self.problems: dict[str, PoolProblem] = {}
        """The problems of the pool, with all their files, by name."""
        self.left_out: dict[str, PoolProblem] = {}
        """The problems for which not enough plans were found within the limits."""
        self._symk = SYMK.version()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            names = [path.name for path in folder.iterdir()]
        except OSError as error:
            raise InputError(f"cannot write a pool here ({error.strerror})", folder) from error
        if RECORD in names:
            self._read()
        elif any(not name.startswith(UNFINISHED) for name in names):
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
            self.problems = _from_json(content["problems"])
            self.left_out = _from_json(content["left_out"])
            self._symk = content["symk"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError("this is not the record of a pool", self._path) from error
        if version != _FORMAT:
            raise InputError(f"this record has format {version}, not {_FORMAT}", self._path)
        for key in (*self._request, *request):
            if request.get(key) != self._request.get(key):
                raise InputError(
                    f"this pool was made with {key} {request.get(key)}, not "
                    f"{self._request.get(key)}; choose another --output",
                    self._path,
                )

    def _write(self) -> None:
        content = {
            "format": _FORMAT,
            "request": self._request,
            "symk": self._symk,
            "problems": _to_json(self.problems),
            "left_out": _to_json(self.left_out),
        }
        write_file(self._path, json.dumps(content, indent=1) + "\n")


def _from_json(found: Mapping[str, Any]) -> dict[str, PoolProblem]:
    for name in found:
        if not _NAME.fullmatch(name):
            raise ValueError(f"no problem of a pool is called {name}")
    return {
        name: PoolProblem(name, int(values["plans"]), float(values["seconds"]))
        for name, values in found.items()
    }


def _to_json(problems: Mapping[str, PoolProblem]) -> dict[str, Any]:
    return {
        name: {"plans": problems[name].plans, "seconds": round(problems[name].seconds, 2)}
        for name in sorted(problems, key=natural_order)
    }


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file of a pool whole or not at all."""
    try:
        write_atomically(path, content.encode("utf-8") if isinstance(content, str) else content)
    except OSError as error:
        raise InputError(f"cannot write this file ({error.strerror})", path) from error

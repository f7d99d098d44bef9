"""Files of users: read as text or JSON, written whole or not at all, never over something else."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from plancost.errors import InputError
from plancost.values import shown


def read_text(path: Path) -> str:
    """A file in UTF-8, without a byte order mark."""
    try:
        if path.exists() and not path.is_file():
            raise InputError("this is not a regular file", path)  # reading it might never end
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError("this is not text in UTF-8", path, line) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"this file cannot be read: {reason}", path) from error


def read_json(path: Path) -> Any:
    """The JSON in a file, in which no key may be given twice."""
    text = read_text(path)
    try:
        return json.loads(text, object_pairs_hook=_each_once)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"this is not JSON as it is needed: {error}", path, line) from error


def write_atomically(path: Path, text: str) -> None:
    """Write beside the place and move there; a pipe or device is written to as it is."""
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
            return
        _replace(path, text)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", path) from error


def write_table(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """The same of a CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_atomically(path, text.getvalue())


def check_place(path: Path, mark: bytes, kind: str) -> None:
    """Refuse a place that cannot be written, or where something without this mark is: no input is
    ever overwritten.
    """
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent}; make it first", path)
    if path.is_dir():
        raise InputError("this is a folder; name a file", path)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError("this cannot be written", path)
    if path.is_file():
        with path.open("rb") as file:
            if mark not in file.read(1000):
                words = f"this file is there already and is no {kind}; remove it or name another"
                raise InputError(words, path)


def check_page_place(path: Path) -> None:
    """The same for a report."""
    check_place(path, b'<meta name="generator" content="plancost ', "report")


def check_result_place(path: Path) -> None:
    """The same for a RESULT.json."""
    check_place(path, b'"solution":', "RESULT.json")


def check_proof_place(path: Path) -> None:
    """The same for the file of what was proven."""
    check_place(path, b'{"format":', "proof of plancost")


def make_folder(path: Path) -> None:
    """Make a folder for files, unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"this folder cannot be made ({error.strerror})", path) from error


def _replace(path: Path, text: str) -> None:
    target = path.resolve()
    beside = target.with_name(f".writing-{uuid4().hex}")
    try:
        with beside.open("x", encoding="utf-8") as file:
            if target.exists():
                shutil.copymode(target, beside)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:  # an interrupt must not leave the file behind either
        beside.unlink(missing_ok=True)
        raise


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {shown(name)} is given twice")
        found[name] = value
    return found

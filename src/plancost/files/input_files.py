"""Untrusted files that users name: reading them never hangs and never exhausts memory.

A folder, a device such as ``/dev/zero``, a file larger than `MOST_BYTES` and a pipe without a
writer are errors of one sentence. A pipe with a writer is read to its end, so that ``<(command)``
can replace a file. JSON is read strictly: no duplicate keys, no ``NaN`` or ``Infinity``, no number
beyond the range of floats and `MOST_DIGITS`, no half of a surrogate pair. CSV is a table whose
first line names the columns, each once.
"""

from __future__ import annotations

import csv
import difflib
import io
import json
import math
import os
import re
import select
import stat
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from plancost.errors import InputError
from plancost.files.overwriting import remember_read

MOST_BYTES = 256 * 2**20
"""Far above any file that the rest can work with in the memory of one machine."""
MOST_DIGITS = 400
"""Most digits of an integer in JSON; Python needs seconds to convert millions of digits."""
PATIENCE_S = 10.0
"""How long to wait for a writer of a pipe."""
BLANKS = " \t\n\v\f\r\x1c\x1d\x1e\x1f"
"""What counts as blank in PDDL, plans and tables. Other blanks of Unicode are characters."""
_AT_ONCE = 2**20
_ALIKE = 0.75
_LINE_END = re.compile(r"\r\n?|\n")

CsvRow = dict[str | Any, str | Any]
"""Values by column; the key None has those beyond the last column."""


def read_bytes(path: Path, what: str = "this file", *, is_ours: bool = False) -> bytes:
    """The content of a file; `what` is its name in messages.

    Only a file that `is_ours` may be overwritten later (see `overwriting`).
    """
    with _opened(path, what) as handle:
        status = os.fstat(handle)
        if not is_ours:
            remember_read(path, status)
        if stat.S_ISDIR(status.st_mode):
            raise InputError(f"cannot read {what} (it is a folder)", path)
        if stat.S_ISFIFO(status.st_mode):
            return _limited(_from_pipe(handle, path, what), path, what)
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"cannot read {what} (it is a device, not a file)", path)
        if status.st_size > MOST_BYTES:
            raise _too_large(path, what)
        return _limited(iter(lambda: os.read(handle, _AT_ONCE), b""), path, what)


def read_text(path: Path, what: str = "this file") -> str:
    """A file in UTF-8, without a byte order mark."""
    data = read_bytes(path, what)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(text_lines(data[: error.start].decode("utf-8")))
        raise InputError("this file is not UTF-8 text", path, line) from error


def text_lines(text: str) -> list[str]:
    r"""The lines of a text. Only ``\n``, ``\r\n`` and ``\r`` end one, as in PDDL and CSV."""
    return _LINE_END.split(text)


def read_json(path: Path, what: str = "this file") -> Any:  # noqa: ANN401 (whatever stands there)
    """The JSON in a file."""
    return parse_json(read_text(path, what), path)


def parse_json(text: str, path: Path) -> Any:  # noqa: ANN401
    """Parse JSON strictly, so that nothing is silently lost; `path` is for messages."""
    try:
        content = json.loads(
            text,
            object_pairs_hook=_each_once,
            parse_constant=_no_constant,
            parse_int=_whole,
            parse_float=_finite,
        )
        if "\\ud" in text.lower():
            _check_characters(content)
    except json.JSONDecodeError as error:
        raise InputError(f"this is not JSON ({error.msg})", path, error.lineno) from error
    except RecursionError as error:
        raise InputError("this JSON is nested too deeply", path) from error
    except _WrongNumberError as error:
        raise InputError(str(error), path, _line_of(error.word, text)) from error
    except ValueError as error:
        raise InputError(str(error), path) from error
    return content


class _WrongNumberError(ValueError):
    """A number that JSON or plancost does not know; `word` is how it is written."""

    def __init__(self, word: str, message: str) -> None:
        self.word = word
        super().__init__(message)


def _line_of(word: str, text: str) -> int | None:
    """The line of the first such word outside of strings."""
    for match in re.finditer(rf'"(?:[^"\\]|\\.)*"|(?P<word>{re.escape(word)})', text):
        if match["word"]:
            return text.count("\n", 0, match.start()) + 1
    return None


def csv_rows(text: str, path: Path) -> tuple[list[str], Iterator[tuple[int, CsvRow]]]:
    """The columns that the first line of a CSV table names, and the rows with their lines.

    Columns are in lower case, each once; rows without any content are left out. Fields are
    separated by commas, or by semicolons or tabs if the first line has these and no comma.
    """
    reader = csv.DictReader(
        io.StringIO(text, newline=""), skipinitialspace=True, delimiter=_delimiter(text)
    )
    with _csv_errors(reader, path):
        columns = [name.strip().lower() for name in reader.fieldnames or ()]
    again = [name for name in columns if columns.count(name) > 1]
    if again:
        raise InputError(f"the first line names the column '{again[0][:40]}' twice", path, 1)
    reader.fieldnames = columns

    def rows() -> Iterator[tuple[int, CsvRow]]:
        with _csv_errors(reader, path):
            for row in reader:
                if any(isinstance(value, str) and value.strip() for value in row.values()):
                    yield reader.line_num, row

    return columns, rows()


def _delimiter(text: str) -> str:
    """What separates the fields of a table, by its first line."""
    head = text.split("\n", 1)[0]
    return next((mark for mark in (",", ";", "\t") if mark in head), ",")


@contextmanager
def _csv_errors(reader: csv.DictReader[str], path: Path) -> Iterator[None]:
    try:
        yield
    except csv.Error as error:
        line = max(1, reader.line_num)
        raise InputError(f"this is not a CSV table ({error})", path, line) from error


@contextmanager
def _opened(path: Path, what: str) -> Iterator[int]:
    """Open the file for reading, without waiting for a writer."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except FileNotFoundError as error:
        if path.is_symlink():
            raise InputError(f"cannot read {what} (this link leads nowhere)", path) from error
        why = f"({reason(error)}){similar_name(path)}"
        raise InputError(f"cannot read {what} {why}", path) from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {what} ({reason(error)})", path) from error
    try:
        yield handle
    except OSError as error:
        raise InputError(f"cannot read {what} ({reason(error)})", path) from error
    finally:
        os.close(handle)


def similar_name(path: Path, endings: Collection[str] = ()) -> str:
    """A hint at a file beside the path that has nearly its name, or nothing."""
    try:
        names = [item.name for item in path.parent.iterdir()]
    except OSError:
        return ""
    known = [name for name in names if name.endswith(tuple(endings) or "") and name != path.name]
    near = difflib.get_close_matches(path.name, known, n=1, cutoff=_ALIKE)
    return f"; did you mean {path.with_name(near[0])}?" if near else ""


def reason(error: OSError | ValueError) -> str:
    """Why a file cannot be used, in a few words."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _limited(parts: Iterator[bytes], path: Path, what: str) -> bytes:
    found = bytearray()
    for part in parts:
        found += part
        if len(found) > MOST_BYTES:
            raise _too_large(path, what)
    return bytes(found)


def _too_large(path: Path, what: str) -> InputError:
    return InputError(
        f"cannot read {what} (it has more than {MOST_BYTES // 2**20} MB, the most that plancost "
        "reads of one file)",
        path,
    )


def _from_pipe(handle: int, path: Path, what: str) -> Iterator[bytes]:
    """Read a pipe until its writers have closed it."""
    waiter = select.poll()
    waiter.register(handle, select.POLLIN)
    given_up = time.monotonic() + PATIENCE_S
    has_writer = False
    while True:
        events = waiter.poll(100)
        try:
            part = os.read(handle, _AT_ONCE)
        except BlockingIOError:  # there is a writer that has not written yet
            has_writer = True
            continue
        if part:
            has_writer = True
            yield part
        elif has_writer or events:
            return
        elif time.monotonic() > given_up:
            raise InputError(f"cannot read {what} (nobody writes to this pipe)", path)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"'{key}' occurs twice in this file")
            seen.add(key)
    return found


def _no_constant(word: str) -> NoReturn:
    raise _WrongNumberError(word, f"{word} is no number that JSON knows")


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _WrongNumberError(
            digits, f"the number {digits[:20]}... has {len(digits)} digits, which is too large"
        )
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _WrongNumberError(digits, f"the number {digits[:20]} is too large")
    return value


def _check_characters(content: object) -> None:
    """Raise `ValueError` for half a surrogate pair, which cannot be written to a file.

    Those that Python uses for file names that are not UTF-8 are allowed: our results contain them.
    """
    waiting = [content]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            try:
                item.encode("utf-8", "surrogateescape")
            except UnicodeEncodeError as error:
                raise ValueError(f"{json.dumps(item)[:40]} holds half of a character") from error
        elif isinstance(item, dict):
            waiting += [*item, *item.values()]
        elif isinstance(item, list):
            waiting += item

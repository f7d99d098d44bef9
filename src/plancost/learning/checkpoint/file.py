"""The file of a checkpoint: whole or not there, and never another than was written.

The first line says what it is and has a SHA-256 of the rest, which is gzipped JSON. Whatever does
not agree with that (half a file, a flipped bit, another format) is damaged, and is put aside under
another name, so that it can be looked at and is never read again. Files are moved into place, so
two runs that ask the same question at the same time do not disturb each other: the file is of the
one that wrote last, and either can be resumed.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plancost.files.atomic import UNFINISHED, make_folder_of, write_atomically
from plancost.files.kept_files import put_aside

_FIRST_WORDS = b"plancost checkpoint 1 "
_LARGEST_BYTES = 1 << 30
"""Unpacked; what is larger is neither written nor read."""
_ENDING = ".checkpoint"


class DamagedError(Exception):
    """A checkpoint is not what plancost wrote; the text says how."""


@dataclass(frozen=True)
class CheckpointFile:
    """The checkpoint of one question in a folder."""

    path: Path

    @classmethod
    def of(cls, directory: Path, question: str) -> CheckpointFile:
        """The one that is or would be that of a question."""
        return cls(directory / f"{question[:32]}{_ENDING}")

    def read(self) -> dict[str, Any] | None:
        """What it says; None if there is none. Raises `DamagedError` and `OSError`."""
        try:
            text = self.path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        first, _, packed = text.partition(b"\n")
        if not first.startswith(_FIRST_WORDS):
            raise DamagedError("it does not begin like a checkpoint of this version")
        if first.removeprefix(_FIRST_WORDS) != _checksum(packed):
            raise DamagedError("its checksum is wrong")
        return _unpacked(packed)

    def write(self, content: dict[str, Any]) -> None:
        """Write it whole or not at all; raises `OSError`."""
        plain = json.dumps(content, separators=(",", ":")).encode()
        if len(plain) > _LARGEST_BYTES:
            raise OSError(f"it would be larger than {_LARGEST_BYTES >> 20} MB")
        packed = gzip.compress(plain, compresslevel=3, mtime=0)
        make_folder_of(self.path.parent)
        self.path.parent.mkdir(exist_ok=True)
        write_atomically(self.path, _FIRST_WORDS + _checksum(packed) + b"\n" + packed)

    def put_aside(self) -> Path | None:
        """Give it another name; None if that cannot be done."""
        try:
            return put_aside(self.path)
        except OSError:
            return None


def remove(path: Path) -> None:
    """Remove a checkpoint, and its folder if nothing else is in it. Never an error."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
        for left in path.parent.glob(f"{UNFINISHED}*"):  # by a run that was killed
            left.unlink(missing_ok=True)
        path.parent.rmdir()


def _checksum(packed: bytes) -> bytes:
    return hashlib.sha256(packed).hexdigest().encode()


def _unpacked(packed: bytes) -> dict[str, Any]:
    try:
        unpacking = zlib.decompressobj(wbits=31)
        plain = unpacking.decompress(packed, _LARGEST_BYTES)
        if not unpacking.eof:
            raise DamagedError("it is too large")
        content = json.loads(plain)
    except (ValueError, RecursionError, zlib.error) as error:
        raise DamagedError("it cannot be unpacked") from error
    if not isinstance(content, dict):
        raise DamagedError("it is not an object")
    return content

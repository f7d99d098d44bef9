"""JSON files that a later run reads again: never mixed with another run, never read if damaged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.files.checksum import CHECKSUM, is_intact

FORMAT = 2
"""Files with a checksum."""
_WITHOUT_CHECKSUM = 1
"""The format before there were checksums."""
DAMAGED = ".damaged"


def is_known_format(content: Mapping[str, Any]) -> bool:
    """Whether this version reads such files."""
    return content.get("format") in (FORMAT, _WITHOUT_CHECKSUM)


def is_unchanged(content: Mapping[str, Any]) -> bool:
    """Whether this is what was written: the checksum fits, or the format had none."""
    if content.get("format") == _WITHOUT_CHECKSUM:
        return CHECKSUM not in content
    return is_intact(content)


def put_aside(path: Path) -> Path:
    """Give a damaged file another name; raises `OSError`."""
    return path.replace(path.with_name(path.name + DAMAGED))


def check_request(
    path: Path, what: str, made: Mapping[str, Any], asked: Mapping[str, Any], option: str
) -> None:
    """An error if a file was made for another request than the one of this run."""
    for key in (*asked, *made):
        if made.get(key) != asked.get(key):
            raise InputError(
                f"{what} was made with {key} {made.get(key)}, not {asked.get(key)}; "
                f"choose another {option}",
                path,
            )

"""Files that a later run reads again: whose they are, whether they were changed, put aside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plancost.errors import InputError
from plancost.files.checksum import with_checksum
from plancost.files.kept_files import (
    DAMAGED,
    FORMAT,
    check_request,
    is_known_format,
    is_unchanged,
    put_aside,
)

WITH_CHECKSUM = with_checksum({"format": FORMAT, "a": 1})
OLDER = {"format": 1, "a": 1}


@pytest.mark.parametrize(
    ("content", "known", "unchanged"),
    [
        (WITH_CHECKSUM, True, True),
        (WITH_CHECKSUM | {"a": 2}, True, False),
        ({"format": FORMAT, "a": 1}, True, False),
        (OLDER, True, True),
        (OLDER | {"checksum": "x"}, True, False),
        (with_checksum({"format": 3}), False, True),
    ],
)
def test_formats_and_checksums(content: dict[str, Any], known: bool, unchanged: bool) -> None:
    assert (is_known_format(content), is_unchanged(content)) == (known, unchanged)


def test_another_request_needs_another_file() -> None:
    path = Path("x.json")
    check_request(path, "this pool", {"seed": 1}, {"seed": 1}, "--output")
    message = r"x\.json: this pool was made with seed 1, not 2; choose another output"
    with pytest.raises(InputError, match=message):
        check_request(path, "this pool", {"seed": 1}, {"seed": 2}, "--output")
    with pytest.raises(InputError, match="side 3, not None"):
        check_request(path, "this pool", {"seed": 1, "side": 3}, {"seed": 1}, "--output")


def test_what_is_put_aside_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{")
    aside = put_aside(path)
    assert (aside.name, aside.read_text()) == (f"x.json{DAMAGED}", "{")
    assert not path.exists()

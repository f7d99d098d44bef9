"""The file of a checkpoint: what is damaged is never read."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from plancost.learning.checkpoint.file import CheckpointFile, DamagedError


def test_what_cannot_be_unpacked_is_damaged(tmp_path: Path) -> None:
    file = CheckpointFile(tmp_path / "one")
    assert file.read() is None
    for content in ([1, 2], "text"):
        file.write(content)  # type: ignore[arg-type]
        with pytest.raises(DamagedError, match="not an object"):
            file.read()
    with (
        patch("plancost.learning.checkpoint.file._LARGEST_BYTES", 100),
        pytest.raises(OSError, match="larger"),
    ):
        file.write({"text": "a" * 200})
    file.write({"text": "a" * 2000})
    with (
        patch("plancost.learning.checkpoint.file._LARGEST_BYTES", 100),
        pytest.raises(DamagedError, match="too large"),
    ):
        file.read()

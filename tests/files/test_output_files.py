"""Files that are written for users, with the folders above them."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.files.output_files import write_file


def test_text_bytes_and_folders(tmp_path: Path) -> None:
    write_file(tmp_path / "deep" / "er" / "a.txt", "ä\n")
    write_file(tmp_path / "b", b"\xff")
    assert (tmp_path / "deep" / "er" / "a.txt").read_bytes() == "ä\n".encode()
    assert (tmp_path / "b").read_bytes() == b"\xff"
    with pytest.raises(InputError, match=r"b/c: cannot write this report \(\w+"):
        write_file(tmp_path / "b" / "c", "x", "this report")

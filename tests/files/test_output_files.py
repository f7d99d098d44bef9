"""Files that users ask for: a folder is made, and what fails is one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.files.output_files import make_folder, write_file


def test_text_and_bytes_in_a_new_folder(tmp_path: Path) -> None:
    write_file(tmp_path / "a" / "text", "ä\n")
    assert (tmp_path / "a" / "text").read_bytes() == b"\xc3\xa4\n"
    write_file(tmp_path / "bytes", b"\xff")
    assert (tmp_path / "bytes").read_bytes() == b"\xff"


def test_half_of_a_character_is_replaced(tmp_path: Path) -> None:
    write_file(tmp_path / "text", "a\udcff")
    assert (tmp_path / "text").read_bytes() == b"a?"


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"text: cannot write this report \(.*\)$"):
        write_file(tmp_path / "file" / "text", "text", "this report")


def test_a_folder_and_the_one_above(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    with pytest.raises(InputError, match=r"there is no folder .*new; make it first"):
        make_folder(tmp_path / "new" / "deep" / "folder")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file: cannot write into this folder \(.*\)$"):
        make_folder(tmp_path / "file")

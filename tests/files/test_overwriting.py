"""An input is known by what it is, whatever it is called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import plancost
from plancost.errors import InputError
from plancost.files.atomic import write_atomically
from plancost.files.input_files import read_bytes
from plancost.files.overwriting import check_no_input_in, check_not_an_input, inputs_protected


def _names(file: Path) -> dict[str, Path]:
    """A file by all its names."""
    folder = file.parent
    (folder / "link").symlink_to(file)
    (folder / "hard").hardlink_to(file)
    (folder / "sub").mkdir()
    (folder / "elsewhere").symlink_to(folder)
    names = ["link", "hard", f"sub/../{file.name}", f"elsewhere/{file.name}"]
    return {name: folder / name for name in (file.name, *names)}


def test_a_file_by_another_name_is_the_same(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"precious")
    for path in _names(file).values():
        with pytest.raises(InputError, match=r"this file is read.* would overwrite it"):
            check_not_an_input(path, [tmp_path / "another", file])
        with inputs_protected():
            assert read_bytes(file) == b"precious"
            with pytest.raises(InputError, match=r"this file is read.* would overwrite it"):
                write_atomically(path, b"new")
    assert file.read_bytes() == b"precious"
    assert not (tmp_path / "another").exists()


def test_what_is_no_input(tmp_path: Path) -> None:
    """A file that is not there, another one, a device; one of ours; one read at another time."""
    file, other = tmp_path / "file", tmp_path / "other"
    file.touch()
    check_not_an_input(other, [file, other])
    other.touch()
    check_not_an_input(other, [file])
    check_not_an_input(Path(os.devnull), [Path(os.devnull)])
    with inputs_protected():
        read_bytes(file, is_ours=True)
        write_atomically(file, b"ours")
        read_bytes(other)
    write_atomically(other, b"later")
    read_bytes(other)
    write_atomically(other, b"later still")


def test_an_inode_that_is_used_again(tmp_path: Path) -> None:
    """The number of a file that is gone may become that of another."""
    read, output = tmp_path / "read", tmp_path / "output"
    read.touch()
    output.hardlink_to(read)
    with inputs_protected():
        read_bytes(read)
        read.unlink()
        write_atomically(output, b"new")
    assert output.read_bytes() == b"new"


def test_a_folder_by_another_name(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.mkdir()
    (case / "domain.pddl").touch()
    (tmp_path / "link").symlink_to(case)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "domain.pddl").symlink_to(case / "domain.pddl")
    for folder in (case, tmp_path / "link", tmp_path / "link" / ".." / "case"):
        for path in (case / "domain.pddl", tmp_path / "linked" / "domain.pddl"):
            with pytest.raises(InputError, match=r"could overwrite the input domain\.pddl"):
                check_no_input_in(folder, [path])
    check_no_input_in(tmp_path, [case / "domain.pddl"])
    check_no_input_in(tmp_path / "new", [case / "domain.pddl", tmp_path / "new" / "not there"])


def test_the_library_keeps_the_files_of_a_case(example_1: Path) -> None:
    before = {path: path.read_bytes() for path in example_1.iterdir()}
    result = plancost.learn(example_1)
    assert result.case is not None
    assert set(result.case.files) == set(before)
    for path in before:
        with pytest.raises(InputError, match="would overwrite it"):
            result.write(path)
        with pytest.raises(InputError, match="would overwrite it"):
            plancost.write_report(result, result.case, path)
    with pytest.raises(InputError, match="could overwrite the input"):
        plancost.write_result_pddl(result, example_1)
    assert before == {path: path.read_bytes() for path in example_1.iterdir()}
    output = example_1 / "RESULT.json"
    for _ in range(2):  # its own earlier result may be replaced
        result.write(output)
        plancost.read_result(output)

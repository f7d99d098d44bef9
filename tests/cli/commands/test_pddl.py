"""``plancost pddl``: the same files as learning writes, later."""

from __future__ import annotations

from pathlib import Path

import pytest

import plancost as library
from plancost.errors import InputError, UsageError
from support.command import plancost


def test_later_it_is_the_same(table_1: Path, example_2: Path, tmp_path: Path) -> None:
    result, early, late = tmp_path / "r.json", tmp_path / "early", tmp_path / "late"
    words = ("--output", result, "--pddl-out", early, "--quiet")
    assert plancost("learn", table_1, *words).returncode == 0
    done = plancost("pddl", table_1, result, "--output", late)
    assert (done.returncode, done.stderr) == (0, "")
    files = sorted(path.name for path in early.iterdir())
    assert sorted(done.stdout.split()) == sorted(
        ["wrote"] * len(files) + [f"{late}/{f}" for f in files]
    )
    for name in files:
        assert (late / name).read_text() == (early / name).read_text()
    other = plancost("pddl", example_2, result, "--output", tmp_path / "none")
    assert other.returncode == 1 and not (tmp_path / "none").exists()


def test_the_library(table_1: Path, example_2: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "r.json")
    library.learn(table_1).write(path)
    written = library.write_result_pddl(path, str(tmp_path / "out"), case=str(table_1))
    read = library.read_result(path)
    case = library.load_case(str(table_1))
    assert library.write_result_pddl(read, tmp_path / "out", case=case) == written
    with pytest.raises(UsageError, match="add case="):
        library.write_result_pddl(read, tmp_path / "out")
    with pytest.raises(InputError, match="belongs to another"):
        library.write_result_pddl(read, tmp_path / "out", case=example_2)

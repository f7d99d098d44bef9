"""Binaries that an environment variable names, and versions that tell builds apart."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plancost.errors import PlannerError
from plancost.system.binaries import SYMK, binary_version, installed_version, named_binary


def test_a_binary_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SYMK, raising=False)
    assert named_binary(SYMK) is None
    monkeypatch.setenv(SYMK, "")
    assert named_binary(SYMK) is None
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(SYMK, "own")
    with pytest.raises(PlannerError, match="PLANCOST_SYMK names own, and there is no such file"):
        named_binary(SYMK)
    (tmp_path / "own").write_text("#!/bin/sh\n")
    with pytest.raises(PlannerError, match=r"not executable: chmod \+x it"):
        named_binary(SYMK)
    (tmp_path / "own").chmod(0o755)
    assert named_binary(SYMK) == tmp_path / "own", "also where it runs in another folder"


def test_versions(tmp_path: Path) -> None:
    binary = tmp_path / "planner"
    binary.write_text("one")
    before = binary_version(binary)
    assert binary_version(binary) == before
    os.utime(binary, (1, 1))
    later = binary_version(binary)
    binary.write_text("other")
    os.utime(binary, (1, 1))
    assert len({before, later, binary_version(binary)}) == 3
    assert installed_version("plancost") is not None
    assert installed_version("no-such-distribution") is None

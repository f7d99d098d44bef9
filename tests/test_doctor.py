"""The doctor finds what is fine and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_planner import fake
from plancost.doctor import examine


def test_everything_works_here() -> None:
    assert [finding for finding in examine() if not finding.ok] == []


@pytest.mark.parametrize(
    ("name", "variable", "mode"),
    [
        ("Fast Downward", "PLANCOST_FAST_DOWNWARD", "wrong plan"),
        ("SymK", "PLANCOST_SYMK", "no plan"),
    ],
)
def test_what_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, variable: str, mode: str
) -> None:
    monkeypatch.setenv(variable, fake(tmp_path, mode))
    assert [finding.name for finding in examine() if not finding.ok] == [name]

"""The doctor finds what is fine and what is not."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import plancost
from fake_planner import fake
from plancost.doctor import examine
from plancost.errors import EXTRAS


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


def test_without_planners_and_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {"up_fast_downward", "up_symk", *(module for module, _ in EXTRAS.values())}
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in missing else find(name)
    )
    assert sum("not installed" in found.words for found in examine() if found.ok) == len(missing)
    assert plancost.learn(Path(__file__).parents[1] / "examples" / "town").proved

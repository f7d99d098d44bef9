"""``progress=True``: a bar for library calls, and silence without it."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import plancost
from plancost.errors import UsageError
from plancost.progress.shown import shows_progress
from plancost.system.progress import Progress, no_progress
from support.command import PLANCOST
from support.terminals import on_a_terminal

EXAMPLE = Path(__file__).parents[2] / "examples" / "avoid-the-centre"


@shows_progress
def given(*, progress: Progress | bool = False, time_limit_s: float | None = None) -> object:
    return progress


def test_a_function_or_none() -> None:
    assert given() is given(progress=False) is no_progress
    assert given(progress=no_progress) is no_progress
    with pytest.raises(UsageError, match="progress must be True, False or a function, not 3"):
        given(progress=3)  # type: ignore[arg-type]


def test_true_off_a_terminal_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert given(progress=True) is not no_progress
    assert plancost.learn(EXAMPLE, progress=True).proved
    assert capsys.readouterr() == ("", "")


def test_every_public_function_with_progress_takes_true() -> None:
    found = 0
    for name in plancost.__all__:
        function = getattr(plancost, name)
        if inspect.isfunction(function):
            parameter = inspect.signature(function).parameters.get("progress")
            if parameter is not None:
                found += 1
                assert parameter.default is False and "bool" in str(parameter.annotation), name
    assert found >= 10


SLOW = """
import time
from plancost.progress.shown import shows_progress
@shows_progress
def work(*, progress, time_limit_s):
    progress("first objective", 3, 7, "3 optimal, at most 7")
    time.sleep(2)
work(progress=True, time_limit_s=60)
"""


def test_a_bar_on_a_terminal() -> None:
    shown = on_a_terminal([str(PLANCOST.parent / "python"), "-c", SLOW])
    assert "3/7" in shown and "left of the limit" in shown
    assert "Ctrl-C ends the search and keeps the best answer" in shown

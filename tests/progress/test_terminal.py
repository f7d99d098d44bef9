"""The progress bar: only on a terminal, and only after a second."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plancost.api.learn import learn
from plancost.progress.terminal import TerminalBar
from support.command import PLANCOST
from support.grid_walks import grid_case, random_walks
from support.terminals import on_a_terminal

Capture = pytest.CaptureFixture[str]


def test_off_a_terminal_no_thread_is_started(capsys: Capture) -> None:
    with TerminalBar(quiet=False) as bar:
        bar("grounding", 1, 2)
    assert capsys.readouterr().err == ""


STAGES = """
import sys, time
from plancost.api.learn import learn
from plancost.progress.terminal import TerminalBar
with TerminalBar(quiet=False, time_limit_s=float(sys.argv[1]) if sys.argv[1] else None) as bar:
    bar("grounding", 3, 3)
    bar("first objective", 1, 9, "1 optimal, at most [b]7[/b]")
    time.sleep(2.5)
    if len(sys.argv) > 2:
        bar("verifying", 1, 9)
        time.sleep(1)
        print("MARK")
        time.sleep(2)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "left"), [("60", r"[12] s, 5\d s left of the limit"), ("", r"[12] s")]
)
def test_the_bar_says_what_is_left(limit: str, left: str) -> None:
    """It appears although no stage reports after the first second."""
    python = str(PLANCOST.parent / "python")
    shown = on_a_terminal([python, "-c", STAGES, limit])
    assert re.search(rf"first objective .* 1/9 +{left} +1 optimal, at most \[b\]7\[/b\]", shown)
    assert re.search(r"grounding .* 3/3 +0 s", shown)


def test_the_bar_says_what_ctrl_c_does() -> None:
    """While an answer is looked for, and no longer when it is being checked."""
    python = str(PLANCOST.parent / "python")
    shown = on_a_terminal([python, "-c", STAGES, "", "and verify"])
    searching, verifying = shown.split("MARK")
    assert "Ctrl-C ends the search and keeps the best answer" in searching
    assert "verifying" in verifying
    assert "Ctrl-C" not in verifying


def test_a_bar_can_fill() -> None:
    """Both objectives count towards their bound, and reach it where they are proven."""
    reports: list[tuple[str, int, int]] = []
    learn(
        grid_case(4, random_walks(4, 12, 4, 0)),
        progress=lambda stage, done, total, known="": reports.append((stage, done, total)),
    )
    for stage in ("first objective", "second objective"):
        counts = [(done, total) for name, done, total in reports if name == stage]
        assert all(0 <= done <= total for done, total in counts)
        done, total = counts[-1]
        assert done == total > 1


def test_a_short_run_shows_no_bar(table_1: Path) -> None:
    shown = on_a_terminal([str(PLANCOST), "learn", str(table_1), "--quiet"])
    assert shown == ""

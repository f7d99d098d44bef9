"""The bar in a notebook, with and without a kernel."""

from __future__ import annotations

import sys
import time

import pytest

from plancost.progress import notebook
from plancost.progress.notebook import NotebookBar, is_notebook


def test_no_notebook_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_notebook()
    monkeypatch.setitem(sys.modules, "IPython.core.getipython", None)
    assert not is_notebook(), "IPython need not be installed"


def test_what_it_shows() -> None:
    bar = NotebookBar(60)
    bar("grounding", 3, 3)
    bar("first objective", 5, 8, "<b>5 optimal</b>, at most 8")
    assert '<progress value="5" max="8">' in bar.html()
    assert "<td>5/8</td>" in bar.html() and "60 s left of the limit" in bar.html()
    assert "&lt;b&gt;5 optimal" in bar.html(), "names are the user's"
    assert "keeps the best answer" in bar.html()
    bar("second objective", 0, 1, "building state graphs")
    assert "<progress></progress>" in bar.html(), "it does not say how far it is"
    bar("verifying", 0, 8)
    assert "keeps the best answer" not in bar.html()


class Handle:
    def __init__(self) -> None:
        self.shown: list[str] = []

    def update(self, html: str) -> None:
        self.shown.append(html)


@pytest.fixture
def handle(monkeypatch: pytest.MonkeyPatch) -> Handle:
    """What the notebook shows."""
    handle = Handle()

    def display(html: str, *, display_id: bool) -> Handle:
        assert display_id
        handle.update(html)
        return handle

    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr(notebook, "_html", str)
    return handle


def test_it_appears_after_a_second_and_goes(
    monkeypatch: pytest.MonkeyPatch, handle: Handle
) -> None:
    with NotebookBar() as bar:
        bar("grounding", 1, 2)
        assert handle.shown == []
    assert handle.shown == [], "a short call shows nothing"
    monkeypatch.setattr(notebook, "_QUIET_S", 0.0)
    monkeypatch.setattr(notebook, "_LEAST_BETWEEN_S", 0.0)
    with NotebookBar() as bar:
        bar("first objective", 1, 2)
        bar("first objective", 2, 2)
    assert len(handle.shown) == 3
    assert '<progress value="2" max="2">' in handle.shown[1] and handle.shown[2] == ""


def test_ticks_before_it_appears_do_not_put_it_off(
    monkeypatch: pytest.MonkeyPatch, handle: Handle
) -> None:
    monkeypatch.setattr(notebook, "_QUIET_S", 0.0)
    monkeypatch.setattr(notebook, "_LEAST_BETWEEN_S", 0.1)
    monkeypatch.setattr(notebook, "_TICK_S", 0.001)
    with NotebookBar() as bar:
        time.sleep(0.2)
        bar("first objective", 1, 2)
        assert len(handle.shown) == 1, "drawn although it has just ticked"

"""Figures are written, show what they should, and need matplotlib only when drawn."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from plancost.experiments.figure1 import ROUTES, draw_up, steps
from plancost.experiments.figures import draw_alignment, draw_seconds
from plancost.experiments.layout import Layout
from plancost.experiments.reports import write_figure1
from plancost.experiments.statistics import Results
from plancost.pictures.panel import PlotsMissingError
from support.studies import failed, solved, tiny_study

STUDY = tiny_study(("baseline", "10", "all", "exact"), tasks=2, sizes=(3, 4))
RESULTS = Results(
    STUDY,
    {
        ("grid", 3, 1, "baseline"): solved(0.0, seconds=0.5),
        ("grid", 3, 1, "10"): solved(0.0, seconds=5),
        ("grid", 3, 2, "10"): failed("planner out of time"),
        ("grid", 3, 1, "exact"): solved(0.0, seconds=1),
    },
)


def test_seconds(tmp_path: Path) -> None:
    png, svg = draw_seconds(RESULTS, tmp_path / "figure2")
    assert png.read_bytes().startswith(b"\x89PNG") and png.stat().st_size > 5000
    first = svg.read_text()
    ElementTree.fromstring(first)
    draw_seconds(RESULTS, tmp_path / "figure2")
    assert svg.read_text() == first


@pytest.mark.slow
def test_figure_1_is_learned_once_and_drawn(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    assert draw_up(layout) == 2
    assert draw_up(layout) == 0
    written = write_figure1(layout)
    assert [path.name for path in written.files] == ["figure1.png", "figure1.svg"]
    contents = [path.read_text() for path in (tmp_path / "records").iterdir()]
    assert all('"optimal_plans": 3' in text and '"plans": 3' in text for text in contents)
    right = next(text for text in contents if '"task": "right"' in text)
    found = json.loads(right)
    assert len(found["costs"]) == 1  # one action that costs more than 1, as in the paper
    assert found["ranges_proved"]
    for name, cost in found["costs"].items():
        least, greatest = found["ranges"][name]
        assert least <= cost <= greatest


def test_the_routes_are_the_paper_s_kind() -> None:
    centre = {(x, y) for x in (1, 2, 3) for y in (2, 3)} - {(3, 2)}  # (3, 2) is a goal
    top = {(x, 4) for x in range(5)}
    for route in ROUTES["left"].values():
        assert not set(route) & (centre | top)
    for route in ROUTES["right"].values():
        assert not {cell for cell in route[1:-1] if 0 in cell or 4 in cell}
    assert steps(((0, 1), (1, 1))) == ["(move x0y1 x1y1)"]


def test_without_matplotlib_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PlotsMissingError, match=r"pip install plancost\[plots\]"):
        draw_alignment({}, tmp_path / "figure1")

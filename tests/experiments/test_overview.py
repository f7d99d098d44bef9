"""The figure of a table has a line for each size, its exact answer and the paper's means."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from plancost.experiments.overview import draw_overview
from plancost.experiments.statistics import Results
from support.studies import failed, solved, tiny_study


def test_the_same_figure_each_time(tmp_path: Path) -> None:
    study = tiny_study(("baseline", "10", "100", "exact"), tasks=2, sizes=(10, 100))
    outcomes = {
        ("grid", 10, 1, "baseline"): solved(0.1),
        ("grid", 10, 1, "10"): solved(0.5, seconds=5),
        ("grid", 10, 2, "10"): failed("planner out of time"),
        ("grid", 10, 1, "exact"): solved(0.9, seconds=1),
    }
    png, svg = draw_overview(Results(study, outcomes), tmp_path / "overview")
    assert png.read_bytes().startswith(b"\x89PNG")
    text = svg.read_text()
    ElementTree.fromstring(text)
    for name in ("grid", "10 plans", "10 plans, in the paper", "100 plans, exact"):
        assert f"<!-- {name} -->" in text
    outcomes["grid", 10, 1, "10"] = solved(0.6, seconds=5)
    assert draw_overview(Results(study, outcomes), tmp_path / "overview")[1].read_text() != text

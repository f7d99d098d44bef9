"""Pictures as SVG and PNG: well formed, complete, and safe with any name."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError, UsageError
from plancost.pictures.canvas import canvas_of
from plancost.pictures.files import write_picture
from plancost.pictures.palette import DARK, LIGHT
from plancost.pictures.panel import PlotsMissingError, png
from plancost.pictures.scene import MOST_COLOURS, Arrow, CostScale, Point, Route, Scene
from plancost.pictures.svg import svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert('x')</script>&\"<!--"


def scene(routes: int = 2, name: str = "plan", cost: int = 3) -> Scene:
    points = (Point("a", 0, 0), Point(name, 1, 0), Point("c", 1, 1, note=name))
    arrows = (
        Arrow(0, 1, ((f"(move a {name})", cost),)),
        Arrow(1, 0, (("(move b a)", 1),)),
        Arrow(1, 2, (("(walk b c)", 1), ("(fly b c)", 5))),
    )
    found = tuple(Route(n, f"{name} {n}", (0, 1, 2)) for n in range(1, routes + 1))
    return Scene(points, arrows, found, names_shown=True, notes=(name,))


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


@pytest.mark.parametrize("alone", [True, False])
def test_what_is_drawn(alone: bool) -> None:
    root = parsed(svg(scene(), alone=alone))
    classes = [element.get("class") or "" for element in root.iter()]
    assert [c for c in classes if c.startswith("route ")] == ["route route-1", "route route-2"]
    assert sorted(c for c in classes if c.startswith("cost cost-")) == [
        "cost cost-1",
        "cost cost-2",
    ]
    for kind in ("start", "goal", "line"):
        assert classes.count(kind) >= 2
    labels = [element.text for element in root.iter(f"{SVG}text")]
    assert "3" in labels and "1–5" in labels
    assert ("paper" in classes) is alone
    assert (root.find(f"{SVG}style") is not None) is alone


@pytest.mark.parametrize("routes", [1, 5, MOST_COLOURS])
def test_costs_stand_beside_all_routes(routes: int) -> None:
    drawn = scene(routes)
    canvas = canvas_of(drawn)
    paths = map(canvas.path, drawn.coloured, canvas.shifts)
    heights = [spot.imag for path in paths for spot in path[:2]]  # of the street from left to right
    assert len(set(heights)) == routes
    for arrow in drawn.arrows[:2]:
        for spot in canvas.arrow(arrow):
            assert all(abs(spot.imag - height) > canvas.line / 2 for height in heights)


def test_many_plans_are_drawn_as_a_crowd() -> None:
    root = parsed(svg(scene(routes=40)))
    classes = [element.get("class") or "" for element in root.iter()]
    assert sum(c.startswith("route ") for c in classes) == MOST_COLOURS
    assert classes.count("crowd") == 1
    assert len(set(LIGHT.routes)) == len(set(DARK.routes)) == MOST_COLOURS == 12


@settings(deadline=None)
@given(st.text(max_size=30))
def test_any_name_gives_xml(name: str) -> None:
    root = parsed(svg(scene(name=name)))
    assert root.tag == f"{SVG}svg"


def test_hostile_names_stay_text() -> None:
    root = parsed(svg(scene(name=HOSTILE)))
    assert not list(root.iter(f"{SVG}script"))
    titles = [element.text or "" for element in root.iter(f"{SVG}title")]
    assert any(HOSTILE in title for title in titles)


def test_a_route_that_stays_where_it_is() -> None:
    still = Scene((Point("a", 0, 0),), (), (Route(1, "p", (0,)),))
    parsed(svg(still))
    assert png(still).startswith(b"\x89PNG")


@settings(deadline=None)
@given(st.lists(st.integers(2, 50), min_size=1))
def test_costs_in_groups(costs: list[int]) -> None:
    scale = CostScale(costs)
    groups = [scale.group(cost) for cost in sorted(costs)]
    assert groups == sorted(groups)
    assert set(groups) == set(range(len(scale.groups())))
    assert len(scale.groups()) == min(len(set(costs)), len(LIGHT.costs))


def test_files(tmp_path: Path) -> None:
    write_picture(scene(), tmp_path / "new" / "a.svg")
    parsed((tmp_path / "new" / "a.svg").read_text())
    write_picture(scene(routes=14, name="$x$"), tmp_path / "a.PNG")
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UsageError, match=r"NAME\.svg or NAME\.png, not a\.jpg"):
        write_picture(scene(), tmp_path / "a.jpg")
    with pytest.raises(InputError, match="cannot write"):
        write_picture(scene(), tmp_path / "a.PNG" / "b.svg")


def test_without_matplotlib_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PlotsMissingError, match=r"pip install plancost\[plots\]"):
        png(scene())

"""The map as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

from plancost.routes.network import Link, Network, Trip
from plancost.routes.page.palette import DARK, LIGHT
from plancost.routes.page.picture import map_picture, write_map_picture
from support.towns import result_of

LINKS = (Link("1", "a", "b"), Link("2", "b", "a"), Link("3", "b", "c"), Link("4", "c", "c"))
NETWORK = Network(LINKS, {"a": (0, 0), "b": (100, 0), "c": (100, 50)})
TRIPS = (Trip("x", ("1", "3"), 3), Trip("y", ("3",)))
COSTS = {"1": 4, "2": 1, "3": 10}


def paths(text: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(text)
    group = next(element for element in root if element.tag.endswith("}g"))
    return list(group)


def test_links_by_class_and_width() -> None:
    initial = {"1": 1, "2": 1, "3": 20}
    lines = paths(map_picture(result_of(NETWORK, TRIPS, COSTS, initial), NETWORK, TRIPS, "t"))
    assert [line.get("class") for line in lines] == ["k3", "k6", "k2"]
    widths = [float(line.get("stroke-width") or 0) for line in lines]
    assert widths[0] == 0.7 and widths[0] < widths[1] < widths[2] == 6
    there, back = (next(line for line in lines if line.get("class") == k) for k in ("k6", "k3"))
    assert there.get("d") != back.get("d"), "the two directions are drawn side by side"


def test_both_modes_and_hostile_names(tmp_path: Path) -> None:
    network = replace(NETWORK, source="<script>")
    path = tmp_path / "map.svg"
    write_map_picture(result_of(network, TRIPS, COSTS), network, TRIPS, path)
    text = path.read_text(encoding="utf-8")
    assert "<script" not in text
    assert all(colour in text for colour in (*LIGHT.rank, *DARK.rank))
    root = ElementTree.fromstring(text)
    assert (root.get("aria-label") or "").startswith("<script>: All 4 trips are cheapest routes")


def test_a_single_spot() -> None:
    network = Network(LINKS[:2], {"a": (1, 1), "b": (1, 1)})
    assert len(paths(map_picture(result_of(network, (), COSTS), network, (), "t"))) == 2

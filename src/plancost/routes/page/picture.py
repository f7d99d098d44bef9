"""The map as a still picture: SVG for pages and documents, in light and in dark mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from plancost.files.escape import html_text
from plancost.files.output_files import write_file
from plancost.results.result import Result
from plancost.routes.loops import without_loops
from plancost.routes.network import Network, Trip, driven
from plancost.routes.page.colours import Colours, find_colours
from plancost.routes.page.palette import palette_style
from plancost.routes.page.positions import Cell, Positions, find_positions
from plancost.routes.page.words import headline

WIDTH = 900
_MARGIN = 24
_LEGEND = 64
_THINNEST, _WIDEST = 0.7, 6.0
_MANY = 1500
"""Lines of networks with more links are thinner."""
_Point = tuple[float, float]


def write_map_picture(
    result: Result,
    network: Network,
    trips: Sequence[Trip],
    path: Path,
    *,
    title: str | None = None,
) -> None:
    """Write the picture atomically."""
    text = map_picture(result, network, trips, title or network.source)
    write_file(path, text, "this picture")


def map_picture(result: Result, network: Network, trips: Sequence[Trip], title: str) -> str:
    """The text of the picture: links by class, wider where more trips go, and a legend."""
    kept, trips, _ = without_loops(network, trips)
    positions = find_positions(kept)
    colours = find_colours(kept, result.costs, result.initial_costs)
    right = max(x for x, _ in positions.places)
    bottom = max(y for _, y in positions.places)
    scale = (WIDTH - 2 * _MARGIN) / max(right, bottom, 1)
    width = round(max(right * scale, 480)) + 2 * _MARGIN
    height = round(bottom * scale) + 2 * _MARGIN + _LEGEND
    kind = "ratio" if colours.diverging else "rank"
    lines = _lines(kept, positions, driven(trips), scale)
    drawn = "".join(
        f'<path class="k{colours.classes[link]}" stroke-width="{wide:.1f}" d="{path}"/>\n'
        for link, wide, path in lines
    )
    style = palette_style() + "".join(
        f".k{number} {{ stroke: var(--{kind}-{number}); fill: none; }}\n" for number in range(7)
    )
    words = f"{title}: {headline(result)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{html_text(words)}">\n'
        f"<style>{style}.paper {{ fill: var(--paper); }}\n"
        "text { fill: var(--soft); font: 13px system-ui, sans-serif; }\n</style>\n"
        f'<rect class="paper" width="{width}" height="{height}" rx="8"/>\n'
        f'<g transform="translate({_MARGIN} {_MARGIN})" stroke-linecap="round" '
        f'stroke-linejoin="round">\n{drawn}</g>\n{_legend(colours, height - _LEGEND)}</svg>\n'
    )


def _lines(
    network: Network, positions: Positions, uses: Mapping[str, int], scale: float
) -> list[tuple[int, float, str]]:
    """The link, width and path of each line, narrow ones first."""
    number = network.place_number
    ends = {(link.start, link.end) for link in network.links}
    most = max(uses.values(), default=1)
    thinner = min(1.0, (_MANY / len(network.links)) ** 0.3)
    found = []
    for position, link in enumerate(network.links):
        share = (uses.get(link.name, 0) / most) ** 0.5
        wide = thinner * (_THINNEST + (_WIDEST - _THINNEST) * share)
        first, last = positions.places[number[link.start]], positions.places[number[link.end]]
        cells = [first, *positions.bends.get(position, ()), last]
        shift = wide / 2 + 0.4 if (link.end, link.start) in ends else 0.0
        found.append((position, wide, _path(cells, scale, shift)))
    return sorted(found, key=lambda line: line[1])


def _path(cells: Sequence[Cell], scale: float, shift: float) -> str:
    """A line to the right of the middle, for streets in two directions."""
    points: list[_Point] = []
    for place, (x, y) in enumerate(cells):
        (ax, ay), (bx, by) = cells[max(0, place - 1)], cells[min(len(cells) - 1, place + 1)]
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 or 1.0
        points.append(
            (x * scale - (by - ay) / length * shift, y * scale + (bx - ax) / length * shift)
        )
    return "M" + " ".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _legend(colours: Colours, top: int) -> str:
    """The classes in a row, with what stands between them."""
    step = 46
    parts = [f'<text x="{_MARGIN}" y="{top + 12}">{html_text(colours.title)}</text>']
    for number, tick in enumerate(colours.ticks):
        left = _MARGIN + step * number
        parts.append(
            f'<path class="k{number}" stroke-width="9" d="M{left} {top + 26}h{step - 1}"/>'
        )
        if tick:
            middle = left + step
            parts.append(
                f'<text x="{middle}" y="{top + 46}" text-anchor="middle">{html_text(tick)}</text>'
            )
    sides = (colours.sides[0], colours.sides[-1])
    for side, x, anchor in ((sides[0], _MARGIN, "start"), (sides[1], _MARGIN + 7 * step, "end")):
        parts.append(
            f'<text x="{x}" y="{top + 46}" text-anchor="{anchor}">{html_text(side)}</text>'
        )
    return "\n".join(parts) + "\n"

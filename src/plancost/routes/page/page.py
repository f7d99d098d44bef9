"""The page with the map: one HTML file that needs nothing else, neither network nor other files.

Names come from files of the user and are never trusted: see `plancost.files.web_page`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files

from plancost.files.escape import html_text, json_text
from plancost.files.output_files import write_file
from plancost.files.web_page import WebPage
from plancost.results.result import Result
from plancost.routes.network import Network, Trip
from plancost.routes.page.colours import Colours, find_colours
from plancost.routes.page.content import map_data
from plancost.routes.page.palette import palette_style
from plancost.routes.page.positions import find_positions
from plancost.routes.page.shown import Shown, find_shown
from plancost.routes.page.words import (
    about,
    first_objective,
    headline,
    map_in_words,
    undetermined_words,
)
from plancost.routes.turns import Turns
from plancost.system.values import PathLike, as_path
from plancost.version import __version__

_GENERATOR = f"plancost {__version__}"

_SCRIPTS = ("model.js", "draw.js", "camera.js", "lists.js", "start.js")
_WHOLE = (
    '<svg viewBox="0 0 16 16" aria-hidden="true">'
    '<path d="M1 5V1h4M11 1h4v4M15 11v4h-4M5 15H1v-4"/></svg>'
)
_WEDGE = (
    '<span>few trips</span><svg viewBox="0 0 100 10" preserveAspectRatio="none" '
    'aria-hidden="true"><path d="M0 4.6 100 1v8L0 5.4z"/></svg><span>many trips</span>'
)


def write_map(
    result: Result,
    network: Network,
    trips: Sequence[Trip],
    path: PathLike,
    *,
    title: str | None = None,
    turns: Turns | None = None,
) -> None:
    """Write the map of a network as a page, atomically.

    Args:
        result: What was learned on this network.
        network: The network.
        trips: The trips to show; they need not be those that the costs were learned from.
        path: The HTML file to write.
        title: What the page calls the network.
        turns: Those that the costs were learned with.

    Raises:
        InputError: The file cannot be written, or the result is of another network.
    """
    write_file(as_path(path, "path"), map_page(result, network, trips, title, turns), "this map")


def map_page(
    result: Result,
    network: Network,
    trips: Sequence[Trip],
    title: str | None = None,
    turns: Turns | None = None,
) -> str:
    """The text of the page."""
    title = title or network.source
    shown = find_shown(result, network, trips, turns)
    positions = find_positions(shown.network)
    colours = find_colours(shown.network, result.costs, result.initial_costs)
    data = map_data(result, shown, positions, colours)
    style = palette_style() + _file("map.css")
    script = '"use strict";\n(() => {\n' + "".join(map(_file, _SCRIPTS)) + "})();\n"
    unit = f", {html_text(data['unit'][0])}" if data["unit"] else ""
    notes = about(result, shown, positions)
    page = WebPage(f"{title}: learned costs on the map", _GENERATOR, style, script, data)
    scale = "ratio" if colours.diverging else "rank"
    body = f"""\
<a class="skip" href="#panel">To the lists of trips and links</a>
<div class="page">
<div class="side"><header>{_opening(result, title)}</header>
<main id="panel" tabindex="-1">{_tabs()}
{_trips_panel(unit)}{_links_panel(shown, colours, unit)}{_about_panel(result, notes)}</main></div>
{_map(shown, colours)}{_chosen()}
</div>
<noscript>The map and the lists need JavaScript.</noscript>"""
    return page.html(body, f' data-scale="{scale}"')


def _opening(result: Result, title: str) -> str:
    return (
        f'<p class="case">{html_text(title)}</p><h1>{html_text(headline(result))}</h1>'
        f"<p>{html_text(first_objective(result))}</p>"
    )


def _map(shown: Shown, colours: Colours) -> str:
    return (
        '<section id="map" aria-label="Map">'
        '<canvas id="canvas" tabindex="0" role="application" aria-label="Map of the network" '
        f'aria-describedby="map-words map-keys">{html_text(map_in_words(shown, colours))}</canvas>'
        f'<p id="map-words" class="unseen">{html_text(map_in_words(shown, colours))}</p>'
        '<p id="map-keys" class="unseen">Arrow keys move the map, plus and minus zoom, 0 shows all '
        "of it, Escape clears what is chosen.</p>"
        '<div class="zoom" role="group" aria-label="Zoom">'
        '<button type="button" id="zoom-in" aria-label="Zoom in">+</button>'
        '<button type="button" id="zoom-out" aria-label="Zoom out">−</button>'
        f'<button type="button" id="zoom-all" aria-label="Show all of it">{_WHOLE}</button></div>'
        f'{_legend(shown, colours)}<p id="tip" hidden></p></section>\n'
    )


def _legend(shown: Shown, colours: Colours) -> str:
    kind = "ratio" if colours.diverging else "rank"
    blocks = "".join(
        f'<li class="{kind}-{number}" title="{html_text(label)}">'
        f'<span class="unseen">{html_text(label)}</span></li>'
        for number, label in enumerate(colours.labels)
    )
    ticks = "".join(f"<span>{html_text(tick)}</span>" for tick in colours.ticks)
    sides = "".join(f"<span>{html_text(side)}</span>" for side in colours.sides)
    free = ""
    if shown.undetermined:
        free = (
            f'<label title="{html_text(undetermined_words(shown))}"><input type="checkbox" '
            'id="layer-free" autocomplete="off"> <span>links that nothing determines '
            f'({len(shown.undetermined):,})</span> <span class="line free"></span></label>'
        )
    return (
        f'<details id="legend" open><summary>{html_text(_capital(colours.title))}</summary><div>'
        f'<ul class="scale">{blocks}</ul><div class="ticks" aria-hidden="true">{ticks}</div>'
        f'<div class="sides" aria-hidden="true">{sides}</div>'
        f'<div class="sides">{_WEDGE}</div>'
        '<label><input type="checkbox" id="layer-driven" autocomplete="off"> '
        "<span>only links with trips</span></label>"
        f"{free}</div></details>"
    )


def _chosen() -> str:
    return (
        '<section id="chosen" aria-live="polite" aria-labelledby="chosen-title" hidden>'
        '<div class="title"><h2 id="chosen-title"></h2>'
        '<button type="button" id="chosen-show">Show</button>'
        '<button type="button" id="chosen-close">Clear</button></div>'
        '<div id="chosen-content"></div></section>'
    )


def _tabs() -> str:
    tabs = "".join(
        f'<button type="button" role="tab" id="tab-{key}" aria-controls="{key}" '
        f'aria-selected="{"true" if key == "trips" else "false"}" '
        f'tabindex="{0 if key == "trips" else -1}">{title}</button>'
        for key, title in (("trips", "Trips"), ("links", "Links"), ("about", "About"))
    )
    return f'<div role="tablist" aria-label="Lists">{tabs}</div>'


def _panel(key: str, content: str) -> str:
    hidden = "" if key == "trips" else " hidden"
    return (
        f'<section id="{key}" role="tabpanel" aria-labelledby="tab-{key}"{hidden}>{content}'
        "</section>"
    )


def _controls(name: str, options: Iterable[tuple[str, str]]) -> str:
    choices = "".join(f'<option value="{value}">{words}</option>' for value, words in options)
    return (
        '<div class="controls">'
        f'<label>Search <input type="search" id="{name}-search" autocomplete="off" '
        f'spellcheck="false"></label><label>Show <select id="{name}-filter" autocomplete="off">'
        f'{choices}</select></label><p id="{name}-count" aria-live="polite"></p></div>'
    )


def _table(name: str, columns: Iterable[tuple[str, str, str]]) -> str:
    heads = "".join(
        f'<th scope="col" class="{kind}" data-key="{key}"><button type="button">{title}</button>'
        "</th>"
        for key, title, kind in columns
    )
    return (
        f'<table id="{name}-table" aria-label="{name.capitalize()}s"><thead><tr>{heads}</tr>'
        '</thead><tbody></tbody></table><button type="button" class="more" '
        f'id="{name}-more" hidden>Show more</button>'
    )


def _trips_panel(unit: str) -> str:
    options = [("", "all"), ("1", "optimal"), ("0", "not optimal"), ("2", "not checked")]
    columns = [
        ("trip", "trip", ""),
        ("links", "links", "number"),
        ("cost", f"cost{unit}", "number"),
        ("excess", "over cheapest", "number"),
        ("verdict", "optimal?", "number"),
    ]
    return _panel("trips", _controls("trip", options) + _table("trip", columns))


def _links_panel(shown: Shown, colours: Colours, unit: str) -> str:
    options = [("", "all"), ("driven", "with trips")]
    columns = [("link", "link", ""), ("way", "from → to", ""), ("cost", f"cost{unit}", "number")]
    if colours.diverging:
        options += [("cheaper", "cheaper"), ("dearer", "more expensive")]
        columns.append(("ratio", "change", "number"))
    if shown.undetermined:
        options.append(("free", "not determined"))
    columns.append(("uses", "trips", "number"))
    return _panel("links", _controls("link", options) + _table("link", columns))


def _about_panel(result: Result, notes: Iterable[str]) -> str:
    total = result.seconds.get("total")
    took = "" if total is None else f" in {total:.1f} seconds"
    listed = "".join(f"<li>{html_text(words)}</li>" for words in notes)
    return _panel(
        "about",
        f"<ul>{listed}</ul><p>On the map: drag or use the arrow keys to move; wheel, pinch, "
        "<kbd>+</kbd> and <kbd>−</kbd> zoom; <kbd>0</kbd> shows all; <kbd>Esc</kbd> clears what is "
        "chosen. Click a link to see its numbers. Streets in two directions are drawn side by "
        "side, each on the right of its way.</p>"
        f"<footer><p>Learned{took}; map by {html_text(_GENERATOR)}.</p>"
        "<details><summary>Options of the run</summary>"
        f"<pre>{html_text(json_text(result.options))}</pre></details></footer>",
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _file(name: str) -> str:
    return files("plancost.routes.page").joinpath(name).read_text(encoding="utf-8")

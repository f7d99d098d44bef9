"""The report as one HTML page that needs nothing else: no network, no other file.

Names come from files of the user and are never trusted: see `plancost.files.web_page`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from plancost.files.escape import html_text, json_text
from plancost.files.output_files import write_file
from plancost.files.overwriting import check_not_an_input
from plancost.files.web_page import WebPage
from plancost.observations.case import Case
from plancost.pictures.maps import find_map, scene_of
from plancost.pictures.svg import stylesheet
from plancost.report.conflicts import find_conflicts
from plancost.report.content import initial_costs, report_data
from plancost.report.sections import (
    conflicts_section,
    costs_overview,
    linear_costs,
    map_figure,
    opening,
    proof,
    shared_costs,
)
from plancost.results.result import Result
from plancost.system.values import PathLike, as_path, path_or_none
from plancost.version import __version__

_GENERATOR = f"plancost {__version__}"


def write_report(
    result: Result,
    case: Case,
    path: PathLike,
    *,
    coordinates: PathLike | None = None,
    title: str | None = None,
) -> None:
    """Write a page about a result, atomically.

    Args:
        result: What was learned from this case.
        case: What it was learned from, such as ``result.case``.
        path: The HTML file to write.
        coordinates: A CSV file with the positions of places.
        title: What the page calls the case; None: the name of its folder.

    Raises:
        InputError: The coordinates are wrong, or the file cannot be written.
    """
    file, places = as_path(path, "path"), path_or_none(coordinates, "coordinates")
    check_not_an_input(file, [*case.files, *([] if places is None else [places])])
    name = case.root.resolve().name if title is None else title
    write_file(file, report_page(result, case, name, places), "this report")


@dataclass(frozen=True)
class Addition:
    """What is on the page besides the report: its HTML, and a script with style and data."""

    html: str = ""
    style: str = ""
    script: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    connects: bool = False
    """Whether the script talks to the server of the page."""
    with_map: bool = True
    """Whether a map is looked for, which takes long in a large street network."""


def report_page(
    result: Result,
    case: Case,
    name: str,
    coordinates: Path | None = None,
    addition: Addition = Addition(),  # noqa: B008 (frozen)
) -> str:
    """The text of the report."""
    the_map = find_map(case, coordinates) if addition.with_map else None
    scene = None if the_map is None else scene_of(the_map, case, result.costs)
    initial, unknown = initial_costs(result, case)
    data = report_data(result, case, initial, the_map, scene)
    notes = [*result.notes, *([unknown] if unknown else [])]
    sections = [
        ("proof", "What is proven", proof(result, notes)),
        ("map", "On the map", map_figure(scene)),
        (
            "costs",
            "Costs",
            costs_overview(result)
            + linear_costs(result)
            + shared_costs(result)
            + _costs_table(result, data),
        ),
        ("plans", "Observed plans", _plans_list(result)),
        ("conflicts", "Conflicts", conflicts_section(find_conflicts(result), result)),
    ]
    links = "".join(f'<a href="#{key}">{title}</a>' for key, title, _ in sections)
    body = "".join(
        f'<section id="{key}" aria-labelledby="{key}-title"><h2 id="{key}-title">{title}</h2>'
        f"{content}</section>"
        for key, title, content in sections
    )
    style = f"{stylesheet()}\n{_file('report.css')}{addition.style}"
    script = f"{_file('report.js')}{addition.script}"
    page = WebPage(
        f"{name}: learned costs",
        _GENERATOR,
        style,
        script,
        {**data, **addition.data},
        connects=addition.connects,
    )
    return page.html(f"""\
<a class="skip" href="#main">To the content</a>
<header><p class="case">{html_text(name)}</p><h1>{html_text(opening(result))}</h1>
<nav aria-label="Sections">{links}</nav></header>
{addition.html}<main id="main">{body}</main>
<footer>{_footer(result)}</footer>
<noscript>The lists of costs and plans need JavaScript.</noscript>""")


def _costs_table(result: Result, data: dict[str, Any]) -> str:
    columns = [("action", "action", ""), ("cost", "cost", "number")]
    if data["initial"] is not None:
        columns += [("initial", "initially", "number"), ("change", "change", "number")]
    if data["ranges"] is not None:
        columns.append(("range", "can be", "number"))
    if data["uncertainty"] is not None:
        columns.append(("uncertainty", "90 % interval", "number"))
    columns.append(("uses", "plans with it", "number"))
    heads = "".join(
        f'<th scope="col" class="{kind}" data-key="{key}"><button type="button">{title}</button>'
        "</th>"
        for key, title, kind in columns
    )
    return (
        f'<h3 id="all-costs">All {len(result.costs)} actions</h3><div class="controls">'
        '<label>Search <input type="search" id="cost-search" autocomplete="off" '
        'spellcheck="false"></label>'
        '<label>Schema <select id="cost-schema"><option value="">all</option></select></label>'
        '<p id="cost-count" aria-live="polite"></p></div>'
        f'<table id="cost-table" aria-labelledby="all-costs"><thead><tr>{heads}</tr></thead>'
        "<tbody></tbody></table>"
        '<button type="button" class="more" id="cost-more" hidden>Show more</button>'
    )


def _plans_list(result: Result) -> str:
    return (
        '<div class="controls"><label>Search <input type="search" id="plan-search" '
        'autocomplete="off" spellcheck="false"></label><label>Show '
        '<select id="plan-filter"><option value="">all</option><option value="yes">optimal'
        '</option><option value="no">not optimal</option></select></label>'
        f'<p id="plan-count" aria-live="polite">{len(result.observations)} plans</p></div>'
        '<ol id="plan-list"></ol>'
        '<button type="button" class="more" id="plan-more" hidden>Show more</button>'
    )


def _footer(result: Result) -> str:
    total = result.seconds.get("total")
    took = "" if total is None else f" in {total:.1f} seconds"
    options = json_text(result.options)
    return (
        f"<p>Learned{took}; report by {html_text(_GENERATOR)}.</p>"
        f"<details><summary>Options of the run</summary><pre>{html_text(options)}</pre></details>"
    )


def _file(name: str) -> str:
    return files("plancost.report").joinpath(name).read_text(encoding="utf-8")

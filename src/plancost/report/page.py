"""The report as one HTML page that needs nothing else: no network, no other file.

Names come from files of the user and are never trusted: see `plancost.files.web_page`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from plancost.files.escape import html_text, json_text
from plancost.files.output_files import write_file
from plancost.files.overwriting import check_not_an_input
from plancost.files.web_page import WebPage
from plancost.observations.case import Case
from plancost.pictures.maps import Map, find_map, scene_of
from plancost.pictures.svg import stylesheet
from plancost.report.conflicts import find_conflicts
from plancost.report.content import initial_costs, report_data
from plancost.report.groups import groups_opening, groups_overview
from plancost.report.history import bounds_over_time
from plancost.report.sections import (
    conflicts_section,
    costs_overview,
    linear_costs,
    map_figure,
    opening,
    proof,
    shared_costs,
)
from plancost.results.one_group import one_group
from plancost.results.reading import result_and_case
from plancost.results.result import Result
from plancost.system.values import PathLike, as_path, path_or_none
from plancost.version import __version__

_GENERATOR = f"plancost {__version__}"
_SCRIPTS = ("report.js", "zoom.js", "start.js")
_TITLES = {
    "proof": "What is proven",
    "map": "On the map",
    "costs": "Costs",
    "plans": "Observed plans",
    "conflicts": "Conflicts",
}


def write_report(
    result: Result | PathLike,
    case: PathLike | Case,
    path: PathLike,
    *,
    domain: PathLike | None = None,
    coordinates: PathLike | None = None,
    title: str | None = None,
) -> None:
    """Write a page about a result, atomically. Several groups are on one page.

    Args:
        result: What was learned from this case, or the path of a RESULT.json.
        case: What it was learned from: ``result.case``, or a path.
        path: The HTML file to write.
        domain: The PDDL domain, if `case` is a manifest.
        coordinates: A CSV file with the positions of places.
        title: What the page calls the case; None: the name of its folder.

    Raises:
        InputError: The result is of another case, the coordinates are wrong, or the file cannot be
            written.
    """
    file, places = as_path(path, "path"), path_or_none(coordinates, "coordinates")
    if not (isinstance(result, Result) and isinstance(case, Case)):
        result, case = result_and_case(result, case, domain)
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
    """The text of the report; of several groups, one is shown at a time."""

    def content(of: Result, part: Case) -> _Content:
        return _content(of, part, find_map(part, coordinates) if addition.with_map else None)

    groups = [group.name for group in result.groups if group.plans]
    if not groups:
        only = content(result, case)
        return _page(name, opening(result), "", [only], only.data, addition)
    contents = [content(*one_group(result, case, group)) for group in groups]
    overview = groups_overview(result) + bounds_over_time(result)
    data = {"groups": [one.data for one in contents]}
    return _page(name, groups_opening(result), overview, contents, data, addition)


@dataclass(frozen=True)
class _Content:
    """What the page shows of one cost function."""

    body: str
    footer: str
    data: dict[str, Any]


def _content(result: Result, case: Case, the_map: Map | None) -> _Content:
    scene = None if the_map is None else scene_of(the_map, case, result.costs)
    initial, unknown = initial_costs(result, case)
    data = report_data(result, case, initial, the_map, scene)
    notes = [*result.notes, *([unknown] if unknown else [])]
    costs = costs_overview(result) + linear_costs(result) + shared_costs(result)
    sections = {
        "proof": proof(result, notes) + bounds_over_time(result),
        "map": map_figure(scene),
        "costs": costs + _costs_table(result, data),
        "plans": _plans_list(result),
        "conflicts": conflicts_section(find_conflicts(result), result),
    }
    body = "".join(
        f'<section id="{key}" aria-labelledby="{key}-title"><h2 id="{key}-title">{_TITLES[key]}'
        f"</h2>{content}</section>"
        for key, content in sections.items()
    )
    return _Content(body, _footer(result), data)


def _page(
    name: str,
    headline: str,
    overview: str,
    contents: Sequence[_Content],
    data: dict[str, Any],
    addition: Addition,
) -> str:
    links = "".join(f'<a href="#{key}">{title}</a>' for key, title in _TITLES.items())
    others = "".join(
        f'<template class="group">{content.body}</template>' for content in contents[1:]
    )
    style = f"{stylesheet()}\n{_file('report.css')}{addition.style}"
    script = "\n".join([*map(_file, _SCRIPTS), addition.script])
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
<header><p class="case">{html_text(name)}</p><h1>{html_text(headline)}</h1>
{overview}<nav aria-label="Sections">{links}</nav></header>
{addition.html}<main id="main">{contents[0].body}</main>{others}
<footer>{contents[0].footer}</footer>
<noscript>The lists of costs and plans need JavaScript, and so do further groups.</noscript>""")


def _costs_table(result: Result, data: dict[str, Any]) -> str:
    columns = [("action", "action", ""), ("cost", "cost", "number")]
    if data["initial"] is not None:
        columns += [("initial", "initially", "number"), ("change", "change", "number")]
    if data["ranges"] is not None:
        columns.append(("range", "can be", "number"))
    if data["uncertainty"] is not None:
        columns += [("mean", "mean", "number"), ("sd", "sd", "number")]
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

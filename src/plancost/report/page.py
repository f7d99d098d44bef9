"""The report: one HTML page that needs nothing else, no network and no other file.

Names come from files that anybody may have written. The template escapes them; the script gets
them as JSON that cannot end its own block, and puts them into the page as text only; characters
that reverse or move text are written out. A content security policy allows only the script and the
style of the page, by their hashes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files
from typing import Any

import jinja2

from plancost import __version__
from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import InputError
from plancost.report.alternatives import find_alternatives
from plancost.report.content import Explanations, Part
from plancost.report.map import map_data
from plancost.report.terrain import Terrain, find_terrain
from plancost.report.words import asked, claims, headline, plot
from plancost.result.model import Result
from plancost.result.text import escaped
from plancost.use.predict import parts_of, priced_case

_IN_JSON = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def report_page(
    case: Case, result: Result, clock: Clock, explanations: Explanations | None = None
) -> str:
    """The text of the page; alternatives of plans are looked for as long as the clock runs."""
    parts = _parts(case, result, clock)
    whole = parts[0].case
    plans = (plan for part in parts for plan in part.plans())
    terrain = find_terrain(case if case.streets is not None else whole, plans)
    drawn = None if terrain is None else map_data(whole, terrain)
    if drawn is None:
        terrain = None
    noun, thing = ("plan", "action") if case.streets is None else ("trip", "link")
    data: dict[str, Any] = {
        "noun": noun,
        "thing": thing,
        "actions": list(whole.actions),
        "map": drawn,
        "parts": [part.data(terrain, explanations or {}) for part in parts],
    }
    return _rendered(
        data,
        name=case.name,
        headline=headline(result, noun),
        asked=asked(parts[0].result, noun),
        parts=[_section(part, terrain, noun) for part in parts],
        totals=claims(result, noun) if result.groups else [],
        notes=[
            *result.notes,
            *(f"{g.group}: {note}" for g in result.groups or () for note in g.notes),
        ],
        options=[(name, json.dumps(value)) for name, value in result.options.items()],
        noun=noun,
        thing=thing,
        drawn=drawn,
        has_known=any(part["known"] is not None for part in data["parts"]),
        has_errors=any(part["errors"] is not None for part in data["parts"]),
    )


def _parts(case: Case, result: Result, clock: Clock) -> list[Part]:
    """One for each group."""
    groups = list(parts_of(case, result))
    parts = []
    for place, (_, own, given) in enumerate(groups):
        assert isinstance(given, Result)
        costs = priced_case(own, given)[0].costs
        share = clock.part(clock.remaining / (len(groups) - place))
        part = Part(own, given, costs, ())
        part.items()  # before a search that would be in vain
        parts.append(replace(part, alternatives=find_alternatives(own, costs, share)))
    if not parts:
        raise InputError("this case has no plans to report of")
    return parts


def _section(part: Part, terrain: Terrain | None, noun: str) -> dict[str, Any]:
    """What the template shows of one cost function."""
    likely = part.result.likely or None
    return {
        "group": part.result.group or "",
        "optimal": part.result.optimal_plans,
        "plans": part.result.plans,
        "claims": claims(part.result, noun),
        "plot": plot(part.result, noun),
        "likely": likely,
        "colours": None if terrain is None else part.colours(terrain),
    }


def _rendered(data: dict[str, Any], **content: Any) -> str:
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: escaped(value) if type(value) is str else value,
    )
    style, script = _file("report.css"), _file("report.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    text = json.dumps(_plain(data), ensure_ascii=False, separators=(",", ":"))
    return environment.from_string(_file("report.html")).render(
        **content,
        policy=policy,
        generator=f"plancost {__version__}",
        style=style,
        script=script,
        data=text.translate(_IN_JSON),
    )


def _plain(data: Any) -> Any:
    """The same data with texts that are safe to show."""
    if isinstance(data, str):
        return escaped(data)
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    return [_plain(item) for item in data] if isinstance(data, list) else data


def _file(name: str) -> str:
    return files("plancost.report").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()

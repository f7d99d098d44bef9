"""The report: one HTML page that needs nothing else, no network and no other file.

Names come from files that anybody may have written. The template escapes them; the script gets
them as JSON that cannot end its own block, and puts them into the page as text only; characters
that reverse or move text are written out. A content security policy allows only the script and the
style of the page, by their hashes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

import jinja2

from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import InputError
from plancost.report.alternatives import find_alternatives
from plancost.report.content import Explanations, Part, told_of
from plancost.report.map import find_terrain, map_data
from plancost.report.words import asked, claims, headline, plot
from plancost.result.model import Result
from plancost.use.predict import parts_of, priced_case
from plancost.values import escaped
from plancost.version import __version__

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
    shown = None if drawn is None else terrain
    colours = [None if shown is None else part.colours(shown) for part in parts]
    both = list(zip(parts, colours, strict=True))
    data: dict[str, Any] = {
        "noun": result.noun,
        "actions": list(whole.actions),
        "map": drawn,
        "parts": [part.data(shown, own, explanations or {}) for part, own in both],
    }
    return _rendered(
        data,
        name=case.name,
        headline=headline(result),
        asked=asked(parts[0].result),
        parts=[
            {
                "result": part.result,
                "claims": claims(part.result),
                "plot": plot(part.result),
                "colours": own,
            }
            for part, own in both
        ],
        totals=claims(result) if result.groups else [],
        notes=result.every_note,
        options=[(name, json.dumps(value)) for name, value in result.options.items()],
        noun=result.noun,
        thing="action" if case.streets is None else "link",
        drawn=drawn,
        has_known=any(part["known"] is not None for part in data["parts"]),
        has_errors=any(part["errors"] is not None for part in data["parts"]),
    )


def _parts(case: Case, result: Result, clock: Clock) -> list[Part]:
    """One for each group."""
    groups = list(parts_of(case, result))
    if not groups:
        raise InputError("this case has no plans to report of")
    parts = []
    for place, (_, own, given) in enumerate(groups):
        assert isinstance(given, Result)
        costs = priced_case(own, given)[0].costs
        items = told_of(own, given, costs)  # before a search that would be in vain
        share = clock.part(clock.remaining / (len(groups) - place))
        parts.append(Part(own, given, costs, items, find_alternatives(own, costs, share)))
    return parts


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

"""Both objectives over time: what was found and its bound come towards each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plancost.results.result import Result

_WIDE, _HIGH = 100.0, 100.0
"""The plot's own units; the page stretches it to the room that there is."""
_LEAST_CHANGES = 2
_LEAST_S = 1.0
"""A plot of fewer changes, or of a shorter run, says nothing."""

_Change = tuple[float, int]
"""Seconds since the start, and the value from then on."""


def bounds_over_time(result: Result) -> str:
    """A plot of each objective with its bound as HTML; nothing where there is little to see."""
    first = _plot(
        result,
        [(seconds, value) for seconds, value, _ in result.history],
        [(seconds, value) for seconds, _, value in result.history],
        _FIRST,
    )
    moments = result.secondary_history
    return first + _plot(
        result,
        [(moment.seconds, moment.bound) for moment in moments],
        [(moment.seconds, moment.value) for moment in moments],
        _SECOND,
    )


@dataclass(frozen=True)
class _Words:
    """What a plot says; the numbers of the lower and the upper line are filled in."""

    title: str
    said: str
    lower: tuple[str, str]
    """The kind of the line, and its key."""
    upper: tuple[str, str]


_FIRST = _Words(
    "Optimal plans and their bound over time",
    "{} plans optimal, at most {} can be",
    ("optimal", "{} optimal"),
    ("bound", "at most {}"),
)
_SECOND = _Words(
    "The second objective and its bound over time",
    "second objective at least {}, {} found",
    ("bound", "at least {}"),
    ("optimal", "{} found"),
)


def _plot(result: Result, below: Sequence[_Change], above: Sequence[_Change], words: _Words) -> str:
    lower, upper = _changes(below), _changes(above)
    begin, end = (below[0][0], below[-1][0]) if below else (0.0, 0.0)
    end = max(end, result.seconds.get("total", 0.0))
    if len(lower) + len(upper) - 2 < _LEAST_CHANGES or end < _LEAST_S:
        return ""
    least, most = min(value for _, value in lower), max(value for _, value in upper)

    def line(changes: Sequence[_Change]) -> str:
        """The corners of a line with steps."""
        found: list[str] = []
        for number, (seconds, value) in enumerate(changes):
            across = _WIDE * (seconds - begin) / ((end - begin) or 1.0)
            down = _HIGH * (most - value) / ((most - least) or 1)
            found.append(f"{'V' if number else f'M{across:.2f},'}{down:.2f}")
            until = changes[number + 1][0] if number + 1 < len(changes) else end
            found.append(f"H{_WIDE * (until - begin) / ((end - begin) or 1.0):.2f}")
        return "".join(found)

    said = f"{words.said.format(lower[-1][1], upper[-1][1])}, after {end:.1f} s"
    lines = [(*words.upper, upper), (*words.lower, lower)]
    paths = "".join(f'<path class="{kind}" d="{line(changes)}"/>' for kind, _, changes in lines)
    key = "".join(
        f'<li><span class="swatch {kind}"></span>{text.format(changes[-1][1])}</li>'
        for kind, text, changes in lines
    )
    return (
        f'<figure class="history"><figcaption>{words.title}</figcaption>'
        f'<div class="plot"><span class="top">{most}</span><span class="bottom">{least}</span>'
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="{said}">'
        f"<title>{said}</title>{paths}</svg>"
        f'<span class="begin">{begin:.1f} s</span><span class="end">{end:.1f} s</span></div>'
        f'<ul class="key">{key}</ul></figure>'
    )


def _changes(values: Sequence[_Change]) -> list[_Change]:
    """Those entries that differ from the one before."""
    return [item for n, item in enumerate(values) if n == 0 or item[1] != values[n - 1][1]]

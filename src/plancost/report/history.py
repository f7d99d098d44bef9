"""The first objective over time: optimal plans from below, their bound from above."""

from __future__ import annotations

from collections.abc import Sequence

from plancost.results.result import Result

_WIDE, _HIGH = 100.0, 100.0
"""The plot's own units; the page stretches it to the room that there is."""
_LEAST_CHANGES = 2
_LEAST_S = 1.0
"""A plot of fewer changes, or of a shorter run, says nothing."""

_Change = tuple[float, int]
"""Seconds since the start, and the value from then on."""


def bounds_over_time(result: Result) -> str:
    """A plot of both bounds as HTML; nothing where there is little to see."""
    optimal = _changes([(seconds, value) for seconds, value, _ in result.history])
    bound = _changes([(seconds, value) for seconds, _, value in result.history])
    begin, end = (result.history[0][0], result.history[-1][0]) if result.history else (0.0, 0.0)
    end = max(end, result.seconds.get("total", 0.0))
    if len(optimal) + len(bound) - 2 < _LEAST_CHANGES or end < _LEAST_S:
        return ""
    least, most = optimal[0][1], bound[0][1]

    def line(changes: Sequence[_Change]) -> list[str]:
        """The corners of a line with steps."""
        found: list[str] = []
        for number, (seconds, value) in enumerate(changes):
            across = _WIDE * (seconds - begin) / ((end - begin) or 1.0)
            down = _HIGH * (most - value) / ((most - least) or 1)
            found.append(f"{'V' if number else f'M{across:.2f},'}{down:.2f}")
            until = changes[number + 1][0] if number + 1 < len(changes) else end
            found.append(f"H{_WIDE * (until - begin) / ((end - begin) or 1.0):.2f}")
        return found

    said = f"{optimal[-1][1]} plans optimal, at most {bound[-1][1]} can be, after {end:.1f} s"
    return (
        '<figure class="history"><figcaption>Optimal plans and their bound over time'
        "</figcaption>"
        f'<div class="plot"><span class="top">{most}</span><span class="bottom">{least}</span>'
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<path class="bound" d="{"".join(line(bound))}"/>'
        f'<path class="optimal" d="{"".join(line(optimal))}"/></svg>'
        f'<span class="begin">{begin:.1f} s</span><span class="end">{end:.1f} s</span></div>'
        f'<ul class="key"><li><span class="swatch bound"></span>at most {bound[-1][1]}</li>'
        f'<li><span class="swatch optimal"></span>{optimal[-1][1]} optimal</li></ul></figure>'
    )


def _changes(values: Sequence[_Change]) -> list[_Change]:
    """Those entries that differ from the one before."""
    return [item for n, item in enumerate(values) if n == 0 or item[1] != values[n - 1][1]]

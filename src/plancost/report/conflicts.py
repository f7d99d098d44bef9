"""Which plans cannot all be optimal, as a small graph."""

from __future__ import annotations

from plancost.files.escape import html_text
from plancost.pictures.layout import lay_out
from plancost.results.result import Result

Members = tuple[int, ...]
"""Plans by their numbers, which count from 1."""

_MOST_DRAWN = 40
_APART = 62.0
_LARGEST = 640.0
_MARGIN = 26.0
_RADIUS = 15.0


def find_conflicts(result: Result) -> list[Members]:
    """The sets of plans that are in conflict according to explanations, smallest first."""
    number_of: dict[str, int] = {}
    for number, item in enumerate(result.observations, start=1):
        number_of.setdefault(item.plan, number)
    named = [
        item.explanation.get("plans", ()) if item.explanation else ()
        for item in result.observations
    ]
    found = {
        tuple(sorted({number_of[name] for name in names if name in number_of}))
        for names in [*named, result.conflict]
    }
    return sorted((members for members in found if len(members) > 1), key=lambda m: (len(m), m))


def draw_conflicts(conflicts: list[Members], result: Result) -> tuple[str, int]:
    """Draw a readable number of conflicts: plans as circles, joined if two are in conflict.

    If more than two plans are in conflict, all of them are joined to a dot. Also returns how many
    of the conflicts are drawn.
    """
    nodes: dict[int, int] = {}
    shown = []
    for members in conflicts:
        if len({*nodes, *members}) <= _MOST_DRAWN:
            shown.append(members)
            for member in members:
                nodes.setdefault(member, len(nodes))
    count = len(nodes)
    edges = []
    for members in shown:
        if len(members) == 2:
            edges.append((nodes[members[0]], nodes[members[1]]))
        else:
            edges += [(nodes[member], count) for member in members]
            count += 1
    spots, width, height = _spots(count, edges)
    parts = [
        f'<svg class="conflict-graph" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" role="group" aria-label="Plans that cannot all be optimal">',
        '<path class="edges" d="'
        + "".join(
            f"M{spots[a][0]:.1f},{spots[a][1]:.1f}L{spots[b][0]:.1f},{spots[b][1]:.1f}"
            for a, b in edges
        )
        + '"/>',
        *(
            f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'
            for x, y in spots[len(nodes) :]
        ),
        *(_node(number, spots[place], result) for number, place in nodes.items()),
        "</svg>",
    ]
    return "\n".join(parts), len(shown)


def _node(number: int, spot: tuple[float, float], result: Result) -> str:
    item = result.observations[number - 1]
    kind, state = ("is-optimal", "optimal") if item.optimal else ("is-not", "not optimal")
    x, y = spot
    return (
        f'<a class="{kind}" href="#plan-{number}" data-plan="{number}">'
        f"<title>{html_text(item.plan)}: {state}</title>"
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS:g}"/>'
        f'<text x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle">{number}</text></a>'
    )


def _spots(
    count: int, edges: list[tuple[int, int]]
) -> tuple[list[tuple[float, float]], float, float]:
    places = lay_out(count, edges)
    left, low = min(x for x, _ in places), min(y for _, y in places)
    across, up = max(x for x, _ in places) - left, max(y for _, y in places) - low
    scale = min(_APART, _LARGEST / max(across, 1.0))
    spots = [(_MARGIN + (x - left) * scale, _MARGIN + (y - low) * scale) for x, y in places]
    return spots, 2 * _MARGIN + across * scale, 2 * _MARGIN + up * scale

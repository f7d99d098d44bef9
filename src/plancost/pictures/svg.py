"""A scene as SVG text, on its own or inside a page.

Every element has a class and its colour as an attribute. A stylesheet with variables for
light and dark paper overrides the attributes; programs that know no variables use them.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot, sqrt

from plancost.files.escape import escaped, html_text
from plancost.pictures import palette
from plancost.pictures.canvas import NAME_BESIDE, Canvas, Spot, canvas_of
from plancost.pictures.scene import Arrow, Route, Scene

_MOST_POINTS = 400
_MOST_ACTIONS = 8
_LINE_HEIGHT = 20
_MOST_LETTERS = 58
_LETTER = 7.2
"""Pixels; a guess, to make room for the legend."""


def svg(scene: Scene, *, alone: bool = True) -> str:
    """A picture. `alone` adds what a file of its own needs: style, paper and legend."""
    canvas = canvas_of(scene)
    scale = palette.CostScale(arrow.greatest for arrow in scene.dear_arrows)
    legend = _legend(scene, scale) if alone else []
    letters = max((len(text) for _, text in legend), default=0)
    width = max(canvas.width, 40 + _LETTER * letters if alone else 0.0)
    height = canvas.height + (_LINE_HEIGHT * len(legend) + 10 if legend else 0)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="plancost-map" '
        f'width="{_px(width)}" height="{_px(height)}" viewBox="0 0 {_px(width)} {_px(height)}" '
        'role="img" font-family="sans-serif" font-size="14">',
        f"<title>{html_text(_title(scene))}</title>",
    ]
    if alone:
        parts += [f"<style>{stylesheet()}</style>", _paper(width, height)]
    parts += [
        _streets(scene, canvas),
        *_points(scene, canvas),
        *_crowd(scene, canvas),
        '<g class="routes">',
        *(
            _route(route, number, canvas, shift)
            for number, (route, shift) in enumerate(
                zip(scene.coloured, canvas.shifts, strict=True), start=1
            )
        ),
        "</g>",
        '<g class="costs">',
        *_arrows(scene, canvas, scale),
        "</g>",
        *(_names(scene, canvas) if scene.names_shown else []),
        '<g class="chosen"></g>',
    ]
    parts += [
        _legend_line(mark, words, canvas.height + 8 + _LINE_HEIGHT * number)
        for number, (mark, words) in enumerate(legend)
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def stylesheet() -> str:
    """The style of pictures, alone or in a page."""
    light = _variables(
        palette.PAPER, palette.INK, palette.STREET, palette.CROWD, palette.ROUTES, palette.COSTS
    )
    dark = _variables(
        palette.PAPER_ON_DARK,
        palette.INK_ON_DARK,
        palette.STREET_ON_DARK,
        palette.CROWD_ON_DARK,
        palette.ROUTES_ON_DARK,
        palette.COSTS_ON_DARK,
    )
    rules = [
        f".plancost-map{{{light}}}",
        f"@media (prefers-color-scheme:dark){{.plancost-map{{{dark}}}}}",
        ".plancost-map .paper{fill:var(--paper)}",
        ".plancost-map .streets{stroke:var(--street)}",
        ".plancost-map .crowd line{stroke:var(--crowd)}",
        ".plancost-map .ink,.plancost-map .names text{fill:var(--ink)}",
        ".plancost-map .points circle{fill:var(--street)}",
        ".plancost-map .line{stroke:var(--colour)}",
        ".plancost-map .start{fill:var(--colour)}",
        ".plancost-map .goal{fill:var(--paper);stroke:var(--colour)}",
        ".plancost-map .cost path{stroke:var(--colour)}",
        ".plancost-map .cost polygon,.plancost-map .cost text{fill:var(--colour)}",
        ".plancost-map .cost text,.plancost-map .names text"
        "{stroke:var(--paper);stroke-width:3px;paint-order:stroke}",
    ]
    for kind, count in (("route", len(palette.ROUTES)), ("cost", len(palette.COSTS))):
        rules += [f".{kind}-{n}{{--colour:var(--{kind}-{n})}}" for n in range(1, count + 1)]
    return "\n".join(rules)


def _variables(
    paper: str, ink: str, street: str, crowd: str, routes: Iterable[str], costs: Iterable[str]
) -> str:
    values = {"paper": paper, "ink": ink, "street": street, "crowd": crowd}
    values |= {f"route-{n}": colour for n, colour in enumerate(routes, start=1)}
    values |= {f"cost-{n}": colour for n, colour in enumerate(costs, start=1)}
    return ";".join(f"--{name}:{value}" for name, value in values.items())


def _title(scene: Scene) -> str:
    plans = "1 plan" if len(scene.routes) == 1 else f"{len(scene.routes)} plans"
    return f"A map with {len(scene.points)} places and {plans}; filled: start, open: goal"


def _paper(width: float, height: float) -> str:
    return (
        f'<rect class="paper" width="{_px(width)}" height="{_px(height)}" fill="{palette.PAPER}"/>'
    )


def _streets(scene: Scene, canvas: Canvas) -> str:
    lines = " ".join(
        f"M{_spot(canvas.spots[a])}L{_spot(canvas.spots[b])}" for a, b in scene.streets
    )
    return f'<path class="streets" d="{lines}" fill="none" stroke="{palette.STREET}"/>'


def _crowd(scene: Scene, canvas: Canvas) -> list[str]:
    """The routes without a colour, as lines that are wider where more of them go."""
    uses = scene.uses
    if not uses:
        return []
    most = max(uses.values())
    widest = min(14.0, 0.3 * canvas.step)
    parts = ['<g class="crowd" stroke-linecap="round">']
    for (a, b), count in sorted(uses.items()):
        (x1, y1), (x2, y2) = canvas.spots[a], canvas.spots[b]
        parts.append(
            f'<line x1="{_px(x1)}" y1="{_px(y1)}" x2="{_px(x2)}" y2="{_px(y2)}" '
            f'stroke="{palette.CROWD}" stroke-width="{_px(max(1.0, widest * sqrt(count / most)))}">'
            f"<title>{count} plans</title></line>"
        )
    return [*parts, "</g>"]


def _route(route: Route, number: int, canvas: Canvas, shift: float) -> str:
    spots = canvas.path(route, shift)
    colour = palette.ROUTES[number - 1]
    line = " ".join(map(_spot, spots))
    (x1, y1), (x2, y2) = spots[0], spots[-1]
    width, end = _px(canvas.line), canvas.end
    times = f", seen {route.count} times" if route.count > 1 else ""
    start_radius = end if spots[0] != spots[-1] else end / 2
    return (
        f'<g class="route route-{number}" data-plan="{route.number}">'
        f"<title>{html_text(route.name + times)}</title>"
        f'<polyline class="line" points="{line}" fill="none" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linejoin="round"/>'
        f'<circle class="goal" cx="{_px(x2)}" cy="{_px(y2)}" r="{_px(end)}" fill="white" '
        f'stroke="{colour}" stroke-width="{width}"/>'
        f'<circle class="start" cx="{_px(x1)}" cy="{_px(y1)}" r="{_px(start_radius)}" '
        f'fill="{colour}"/></g>'
    )


def _arrows(scene: Scene, canvas: Canvas, scale: palette.CostScale) -> list[str]:
    labelled = canvas.has_room_for_costs(scene)
    return [
        _arrow(arrow, canvas, scale.group(arrow.greatest), labelled) for arrow in scene.dear_arrows
    ]


def _arrow(arrow: Arrow, canvas: Canvas, group: int, labelled: bool) -> str:
    begin, end, label = canvas.arrow(arrow)
    length = hypot(end[0] - begin[0], end[1] - begin[1]) or 1.0
    dx, dy = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
    head = min(10.0, 0.5 * length)
    neck = (end[0] - dx * head, end[1] - dy * head)
    wing = 0.45 * head
    corners = [
        end,
        (neck[0] - dy * wing, neck[1] + dx * wing),
        (neck[0] + dy * wing, neck[1] - dx * wing),
    ]
    colour = palette.COSTS[group]
    actions = [f"{name}: {cost}" for name, cost in arrow.actions[:_MOST_ACTIONS]]
    if len(arrow.actions) > _MOST_ACTIONS:
        actions.append(f"and {len(arrow.actions) - _MOST_ACTIONS} more")
    cost = (
        f'<text x="{_px(label[0])}" y="{_px(label[1] + 5)}" text-anchor="middle" '
        f'fill="{colour}">{html_text(arrow.label)}</text>'
        if labelled
        else ""
    )
    return (
        f'<g class="cost cost-{group + 1}"><title>{chr(10).join(map(html_text, actions))}</title>'
        f'<path d="M{_spot(begin)}L{_spot(neck)}" stroke="{colour}" '
        f'stroke-width="{_px(min(3.0, 0.3 * head))}" fill="none"/>'
        f'<polygon points="{" ".join(map(_spot, corners))}" fill="{colour}"/>{cost}</g>'
    )


def _points(scene: Scene, canvas: Canvas) -> list[str]:
    if len(scene.points) > _MOST_POINTS:
        return []
    radius = _px(min(3.0, 0.04 * canvas.step))
    parts = ['<g class="points">']
    for point, (x, y) in zip(scene.points, canvas.spots, strict=True):
        note = f"{point.name}: {point.note}" if point.note else point.name
        parts.append(
            f'<circle cx="{_px(x)}" cy="{_px(y)}" r="{radius}" fill="{palette.STREET}">'
            f"<title>{html_text(note)}</title></circle>"
        )
    return [*parts, "</g>"]


def _names(scene: Scene, canvas: Canvas) -> list[str]:
    return [
        '<g class="names" font-size="12">',
        *(
            f'<text x="{_px(x + NAME_BESIDE)}" y="{_px(y - NAME_BESIDE)}" '
            f'fill="{palette.INK}">{html_text(point.name)}</text>'
            for point, (x, y) in zip(scene.points, canvas.spots, strict=True)
        ),
        "</g>",
    ]


def _legend(scene: Scene, scale: palette.CostScale) -> list[tuple[str, str]]:
    """For each line of the legend its mark and its words."""
    lines = []
    for number, route in enumerate(scene.coloured, start=1):
        times = f" (seen {route.count} times)" if route.count > 1 else ""
        lines.append((f"route-{number}", _short(escaped(route.name)) + times))
    groups = scale.groups() if scene.dear_arrows else []
    lines += [(f"cost-{number}", f"costs {name}") for number, name in enumerate(groups, start=1)]
    if scene.arrows:
        lines.append(("", f"All other moves cost {scene.least_cost}. Filled: start, open: goal."))
    lines += [("", line) for note in scene.notes for line in _wrapped(note)]
    return lines


def _legend_line(mark: str, words: str, y: float) -> str:
    kind, _, number = mark.partition("-")
    written = f'<text class="ink" x="{44 if mark else 16}" y="{_px(y + 4)}" fill="{palette.INK}">'
    written += f"{html_text(words)}</text>"
    if not mark:
        return f"<g>{written}</g>"
    colours = palette.ROUTES if kind == "route" else palette.COSTS
    return (
        f'<g class="{mark}"><path class="line" d="M16,{_px(y)}H36" fill="none" '
        f'stroke="{colours[int(number) - 1]}" stroke-width="3"/>{written}</g>'
    )


def _short(words: str) -> str:
    return words if len(words) <= _MOST_LETTERS else f"…{words[-_MOST_LETTERS:]}"


def _wrapped(words: str) -> list[str]:
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) > _MOST_LETTERS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _spot(spot: Spot) -> str:
    return f"{_px(spot[0])},{_px(spot[1])}"


def _px(value: float) -> str:
    """A number of pixels in at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")

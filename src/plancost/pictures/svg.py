"""A scene as SVG text, on its own or inside a page.

Every element has a class and its colour as an attribute. A stylesheet with variables for light
and dark mode overrides the attributes; programs without support for variables use the attributes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from math import sqrt

from plancost.files.escape import escaped, html_text
from plancost.pictures.canvas import NAME_BESIDE, Canvas, Spot, canvas_of, unit
from plancost.pictures.palette import DARK, LIGHT, Palette
from plancost.pictures.scene import Arrow, Route, Scene

_MOST_POINTS = 400
_MOST_ACTIONS = 8
_LINE_HEIGHT = 20
_MOST_LETTERS = 58
_LETTERS = 14
"""The size of letters in pixels."""
_HALF_A_LETTER = 0.36
_LETTER = 7.2
"""Estimated pixels, to leave room for the legend."""
_Attributes = dict[str, str | float]

_RULES = """\
.plancost-map .paper{fill:var(--paper)}
.plancost-map .streets{stroke:var(--street)}
.plancost-map .crowd line{stroke:var(--crowd)}
.plancost-map .ink,.plancost-map .names text{fill:var(--ink)}
.plancost-map .points circle{fill:var(--street)}
.plancost-map .line{stroke:var(--colour)}
.plancost-map .start{fill:var(--colour)}
.plancost-map .goal{fill:var(--paper);stroke:var(--colour)}
.plancost-map .cost path{stroke:var(--colour)}
.plancost-map .cost polygon,.plancost-map .cost text{fill:var(--colour)}
.plancost-map .cost text,.plancost-map .names text\
{stroke:var(--paper);stroke-width:3px;paint-order:stroke}"""


def svg(scene: Scene, *, alone: bool = True) -> str:
    """A picture. `alone` adds what a file of its own needs: style, paper and legend."""
    canvas = canvas_of(scene)
    legend = _legend(scene) if alone else []
    letters = max((len(words) for _, words in legend), default=0)
    width = max(canvas.width, 40 + _LETTER * letters if alone else 0.0)
    height = canvas.height + (_LINE_HEIGHT * len(legend) + 10 if legend else 0)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="plancost-map" '
        f'width="{_px(width)}" height="{_px(height)}" viewBox="0 0 {_px(width)} {_px(height)}" '
        'role="img" font-family="sans-serif" '
        f'font-size="{_LETTERS}">',
        _title(_summary(scene)),
    ]
    if alone:
        paper = _element("rect", class_="paper", width=width, height=height, fill=LIGHT.paper)
        parts += [f"<style>{stylesheet()}</style>", paper]
    parts += [_streets(scene, canvas), *_points(scene, canvas), *_crowd(scene, canvas)]
    parts += _group("routes", _routes(scene, canvas))
    labelled = canvas.has_room_for_costs(scene)
    parts += _group("costs", (_arrow(a, scene, canvas, labelled) for a in scene.expensive_arrows))
    if scene.names_shown:
        parts += _group("names", _names(scene, canvas), font_size=12)
    parts.append('<g class="chosen"></g>')
    parts += [
        _legend_line(mark, words, canvas.height + 8 + _LINE_HEIGHT * number)
        for number, (mark, words) in enumerate(legend)
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def stylesheet() -> str:
    """The style of pictures, alone or in a page."""
    rules = [
        f".plancost-map{{{_variables(LIGHT)}}}",
        f"@media (prefers-color-scheme:dark){{.plancost-map{{{_variables(DARK)}}}}}",
        _RULES,
    ]
    for kind, colours in (("route", LIGHT.routes), ("cost", LIGHT.costs)):
        rules += [f".{kind}-{n}{{--colour:var(--{kind}-{n})}}" for n in range(1, len(colours) + 1)]
    return "\n".join(rules)


def _variables(colours: Palette) -> str:
    values = {name: getattr(colours, name) for name in ("paper", "ink", "street", "crowd")}
    values |= {f"route-{n}": colour for n, colour in enumerate(colours.routes, start=1)}
    values |= {f"cost-{n}": colour for n, colour in enumerate(colours.costs, start=1)}
    return ";".join(f"--{name}:{value}" for name, value in values.items())


def _element(tag: str, *inside: str, **attributes: str | float) -> str:
    """An element; numbers are pixels, and names of attributes have ``_`` for ``-``."""
    said = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{value if isinstance(value, str) else _px(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{said}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{said}/>"


def _group(kind: str, elements: Iterable[str], **attributes: str | float) -> list[str]:
    opening = _element("g", "", class_=kind, **attributes).removesuffix("</g>")
    return [opening, *elements, "</g>"]


def _title(words: str) -> str:
    return f"<title>{html_text(words)}</title>"


def _summary(scene: Scene) -> str:
    plans = "1 plan" if len(scene.routes) == 1 else f"{len(scene.routes)} plans"
    return f"A map with {len(scene.points)} places and {plans}; filled: start, open: goal"


def _streets(scene: Scene, canvas: Canvas) -> str:
    lines = " ".join(_line(canvas.spots[a], canvas.spots[b]) for a, b in scene.streets)
    return _element("path", class_="streets", d=lines, fill="none", stroke=LIGHT.street)


def _points(scene: Scene, canvas: Canvas) -> list[str]:
    if len(scene.points) > _MOST_POINTS:
        return []
    radius = min(3.0, 0.04 * canvas.step)
    circles = []
    for point, spot in zip(scene.points, canvas.spots, strict=True):
        title = _title(f"{point.name}: {point.note}" if point.note else point.name)
        circles.append(
            _element("circle", title, cx=spot.real, cy=spot.imag, r=radius, fill=LIGHT.street)
        )
    return _group("points", circles)


def _crowd(scene: Scene, canvas: Canvas) -> list[str]:
    """The routes without a colour, as lines that are wider where more of them go."""
    if not scene.uses:
        return []
    most = max(scene.uses.values())
    widest = min(14.0, 0.3 * canvas.step)
    lines = []
    for (a, b), count in sorted(scene.uses.items()):
        start, end = canvas.spots[a], canvas.spots[b]
        ends = {"x1": start.real, "y1": start.imag, "x2": end.real, "y2": end.imag}
        width = max(1.0, widest * sqrt(count / most))
        title = _title(f"{count} plans")
        lines.append(_element("line", title, **ends, stroke=LIGHT.crowd, stroke_width=width))
    return _group("crowd", lines, stroke_linecap="round")


def _routes(scene: Scene, canvas: Canvas) -> Iterable[str]:
    routes = zip(scene.coloured, canvas.shifts, strict=True)
    for number, (route, shift) in enumerate(routes, start=1):
        spots = canvas.path(route, shift)
        start, goal, colour = spots[0], spots[-1], LIGHT.routes[number - 1]
        style: _Attributes = {"stroke": colour, "stroke_width": canvas.line}
        radius = canvas.end if start != goal else canvas.end / 2
        yield _element(
            "g",
            _title(route.name + _seen(route, ", seen {} times")),
            _element(
                "polyline", class_="line", points=_spots(spots), fill="none",
                **style, stroke_linejoin="round",
            ),
            _element(
                "circle", class_="goal", cx=goal.real, cy=goal.imag, r=canvas.end, fill="white",
                **style,
            ),
            _element("circle", class_="start", cx=start.real, cy=start.imag, r=radius, fill=colour),
            class_=f"route route-{number}",
            data_plan=route.number,
        )  # fmt: skip


def _arrow(arrow: Arrow, scene: Scene, canvas: Canvas, labelled: bool) -> str:
    begin, end, label = canvas.arrow(arrow)
    ahead = unit(end - begin)
    head = min(10.0, 0.5 * (abs(end - begin) or 1.0))
    neck, wing = end - head * ahead, 0.45 * head * 1j * ahead
    group = scene.cost_scale.group(arrow.greatest)
    colour = LIGHT.costs[group]
    actions = [f"{name}: {cost}" for name, cost in arrow.actions[:_MOST_ACTIONS]]
    if len(arrow.actions) > _MOST_ACTIONS:
        actions.append(f"and {len(arrow.actions) - _MOST_ACTIONS} more")
    width = min(3.0, 0.3 * head)
    parts = [
        _title("\n".join(actions)),
        _element("path", d=_line(begin, neck), stroke=colour, stroke_width=width, fill="none"),
        _element("polygon", points=_spots([end, neck + wing, neck - wing]), fill=colour),
    ]
    if labelled:
        middle = (begin + end) / 2
        away = (label - middle) / _LETTERS  # a page may change the size of letters
        where: _Attributes = {
            "x": middle.real,
            "y": middle.imag,
            "dx": f"{away.real:.2f}em",
            "dy": f"{away.imag + _HALF_A_LETTER:.2f}em",
            "text_anchor": "middle",
        }
        parts.append(_element("text", html_text(arrow.label), **where, fill=colour))
    return _element("g", *parts, class_=f"cost cost-{group + 1}")


def _names(scene: Scene, canvas: Canvas) -> Iterable[str]:
    for point, spot in zip(scene.points, canvas.spots, strict=True):
        x, y = spot.real + NAME_BESIDE, spot.imag - NAME_BESIDE
        yield _element("text", html_text(point.name), x=x, y=y, fill=LIGHT.ink)


def _legend(scene: Scene) -> list[tuple[str, str]]:
    """For each line of the legend its mark and its words."""
    lines = [
        (f"route-{number}", _short(escaped(route.name)) + _seen(route, " (seen {} times)"))
        for number, route in enumerate(scene.coloured, start=1)
    ]
    groups = enumerate(scene.cost_scale.groups(), start=1)
    lines += [(f"cost-{number}", f"costs {name}") for number, name in groups]
    if scene.arrows:
        lines.append(("", f"All other moves cost {scene.least_cost}. Filled: start, open: goal."))
    for note in scene.notes:
        lines += [("", line) for line in textwrap.wrap(note, _MOST_LETTERS + 1)]
    return lines


def _legend_line(mark: str, words: str, y: float) -> str:
    x = 44 if mark else 16
    written = _element("text", html_text(words), class_="ink", x=x, y=y + 4, fill=LIGHT.ink)
    if not mark:
        return _element("g", written)
    kind, _, number = mark.partition("-")
    colour = (LIGHT.routes if kind == "route" else LIGHT.costs)[int(number) - 1]
    style: _Attributes = {"fill": "none", "stroke": colour, "stroke_width": 3}
    line = _element("path", class_="line", d=f"M16,{_px(y)}H36", **style)
    return _element("g", line, written, class_=mark)


def _seen(route: Route, words: str) -> str:
    return words.format(route.count) if route.count > 1 else ""


def _short(words: str) -> str:
    return words if len(words) <= _MOST_LETTERS else f"…{words[-_MOST_LETTERS:]}"


def _line(start: Spot, end: Spot) -> str:
    return f"M{_spots([start])}L{_spots([end])}"


def _spots(spots: Iterable[Spot]) -> str:
    return " ".join(f"{_px(spot.real)},{_px(spot.imag)}" for spot in spots)


def _px(value: float) -> str:
    """A number of pixels in at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")

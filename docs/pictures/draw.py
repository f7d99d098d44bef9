"""Draw the bundled example: ``python docs/pictures/draw.py RESULT.json > picture.svg``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

_STEP, _MARGIN, _SIDE = 84, 46, 5
_COLOURS = {"commuter": "#2b6cb0", "courier": "#dd6b20", "visitor": "#2f855a"}
_OFFSETS = {"commuter": -7, "courier": 0, "visitor": 7}


def _point(cell: str) -> tuple[float, float]:
    x, y = int(cell[1]), int(cell[3])
    return _MARGIN + x * _STEP, _MARGIN + (_SIDE - 1 - y) * _STEP


def _streets() -> list[str]:
    lines = []
    for x in range(_SIDE):
        for y in range(_SIDE):
            for dx, dy in ((1, 0), (0, 1)):
                if x + dx < _SIDE and y + dy < _SIDE:
                    (x1, y1), (x2, y2) = _point(f"x{x}y{y}"), _point(f"x{x + dx}y{y + dy}")
                    lines.append(
                        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#cbd5e0"/>'
                    )
    return lines


def _route(name: str, folder: Path) -> list[str]:
    steps = [
        line.strip("()\n").split()
        for line in sorted(folder.glob(f"{name}*.plan"))[0].read_text().splitlines()
        if line.startswith("(")
    ]
    cells = [steps[0][2], *(step[3] for step in steps)]
    shift = _OFFSETS[name]
    points = [(x + shift, y + shift) for x, y in map(_point, cells)]
    path = " ".join(f"{x},{y}" for x, y in points)
    colour = _COLOURS[name]
    (x1, y1), (x2, y2) = points[0], points[-1]
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="4"/>',
        f'<circle cx="{x1}" cy="{y1}" r="8" fill="{colour}"/>',
        f'<circle cx="{x2}" cy="{y2}" r="8" fill="white" stroke="{colour}" stroke-width="4"/>',
    ]


def _costs(costs: dict[str, int]) -> list[str]:
    marks = []
    for action, cost in costs.items():
        if cost == 1:
            continue
        _, _, start, end = action.strip("()").split()
        (x1, y1), (x2, y2) = _point(start), _point(end)
        dx, dy = (x2 - x1) / _STEP, (y2 - y1) / _STEP
        side_x, side_y = -dy * 9, dx * 9
        a, b = (
            (x1 + dx * 18 + side_x, y1 + dy * 18 + side_y),
            (
                x2 - dx * 22 + side_x,
                y2 - dy * 22 + side_y,
            ),
        )
        marks.append(
            f'<line x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}" stroke="#c53030" '
            'stroke-width="3" marker-end="url(#arrow)"/>'
            f'<text x="{(a[0] + b[0]) / 2 + side_x}" y="{(a[1] + b[1]) / 2 + side_y + 4}" '
            f'text-anchor="middle" fill="#c53030">{cost}</text>'
        )
    return marks


def main() -> None:
    """Print the picture."""
    result = json.loads(Path(sys.argv[1]).read_text())
    folder = Path(__file__).parents[2] / "examples" / "avoid-the-centre"
    size = 2 * _MARGIN + (_SIDE - 1) * _STEP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        f'width="{size}" height="{size}" font-family="sans-serif" font-size="15">',
        '<defs><marker id="arrow" markerWidth="7" markerHeight="7" refX="4" refY="3" '
        'orient="auto"><path d="M0,0 L6,3 L0,6 z" fill="#c53030"/></marker></defs>',
        f'<rect width="{size}" height="{size}" fill="white"/>',
        *_streets(),
        *(part for name in _COLOURS for part in _route(name, folder)),
        *_costs(result["costs"]),
        "</svg>",
    ]
    sys.stdout.write("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()

"""The colours of pictures, in light and in dark mode."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """Colours for one mode. `crowd` is for routes without their own colour.

    `costs` go from the cheapest of the marked ways to the most expensive; the first three of
    the light ones are those of the paper.
    """

    paper: str
    ink: str
    street: str
    crowd: str
    routes: tuple[str, ...]
    costs: tuple[str, ...]


LIGHT = Palette(
    *("#ffffff", "#2d3748", "#cbd5e0", "#a8b3c2"),
    routes=(
        *("#2b6cb0", "#dd6b20", "#2f855a", "#805ad5", "#b7791f", "#0e7490"),
        *("#be185d", "#4d7c0f", "#4338ca", "#9f5f3f", "#5b7083", "#a21caf"),
    ),
    costs=("#c53030", "#d53f8c", "#6b21a8", "#7b3f00", "#1a202c"),
)
DARK = Palette(
    *("#16181c", "#d8dce2", "#3d444f", "#5d6878"),
    routes=(
        *("#63a4e8", "#f59a56", "#5cc48c", "#b79af2", "#e0b04a", "#45b8d0"),
        *("#f272ac", "#9bd14a", "#9a93f5", "#d29a7c", "#9fb3c4", "#e07bea"),
    ),
    costs=("#ff6b6b", "#ff8fc7", "#c48af5", "#d9a066", "#f0f0f0"),
)

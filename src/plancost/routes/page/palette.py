"""The colours of links, in light and in dark mode.

From blue over grey to brown for links that became cheaper or more expensive, which colour-blind
readers can tell apart; in one hue from pale to strong for costs alone. In dark mode the extremes
are the brightest.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """Colours of the seven classes, and of the ground."""

    paper: str
    soft: str
    ratio: tuple[str, ...]
    rank: tuple[str, ...]

    def variables(self) -> str:
        """The declarations of a style sheet."""
        named = [("paper", self.paper), ("soft", self.soft)]
        for kind, colours in (("ratio", self.ratio), ("rank", self.rank)):
            named += [(f"{kind}-{number}", colour) for number, colour in enumerate(colours)]
        return " ".join(f"--{name}: {colour};" for name, colour in named)


LIGHT = Palette(
    *("#f7f5f0", "#5c6470"),
    ratio=("#08488f", "#2f7fc1", "#85b6da", "#bdb9b0", "#eda85f", "#d4640f", "#842c05"),
    rank=("#c3cbd3", "#a3bfd4", "#79a8cb", "#5089bd", "#3568a8", "#28478c", "#1d2663"),
)
DARK = Palette(
    *("#111316", "#a0a6b0"),
    ratio=("#a8d8ff", "#529fe0", "#2d6494", "#4b5058", "#8d5a25", "#e58a34", "#ffd09a"),
    rank=("#3a4048", "#35506b", "#356a94", "#3f88b8", "#62a7d4", "#97c8ea", "#d6ecff"),
)


def palette_style() -> str:
    """The colours as variables of a style sheet, for both modes."""
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {DARK.variables()} }} }}"
    return f":root {{ {LIGHT.variables()} }}\n{dark}\n"

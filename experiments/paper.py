"""The numbers that the paper published, from ``data/paper.txt``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from experiments.studies import DOMAINS

SIZES = (10, 100, 1000)
_FILE = Path(__file__).with_name("data") / "paper.txt"
GREY = "-"


@cache
def published(study: str) -> dict[tuple[str, int, str], str]:
    """The cells of a table by domain, size and row: ``43±16`` in per cent, or `GREY`."""
    text = _FILE.read_text(encoding="utf-8")
    _, _, after = text.partition(f"[{study}]\n")
    places = [(domain, plans) for domain in DOMAINS for plans in SIZES]
    found = {}
    for line in after.partition("\n\n")[0].splitlines():
        row, *cells = line.split()
        for place, content in zip(places, cells, strict=False):
            found[*place, row] = content
    return found

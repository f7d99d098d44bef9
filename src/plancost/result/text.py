"""Names as they may be shown: they come from files that anybody may have written."""

from __future__ import annotations

import unicodedata
from typing import Any

_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories: control, format, half of a surrogate pair, line and paragraph separators.
Such characters move the cursor, reverse text or forge a line."""


def escaped(text: str) -> str:
    r"""The text with every character that is not plain text written out, as in ``\x1b``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in _UNSAFE else char
        for char in text
    )


def costs_allowed(asked: dict[str, Any], *, totals: bool, groups: bool = False) -> str:
    """Those that features, bounds, known totals of plans and a division into groups allow."""
    of = " and ".join(["groups"] * groups + ["features"] * bool(asked.get("features")))
    words = ["costs", f"of these {of}" if of else ""]
    words += ["within these bounds"] * bool(asked.get("bounds")) + ["with these totals"] * totals
    return " ".join(filter(None, words))

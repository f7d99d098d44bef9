"""Names as they may be shown: they come from files that anybody may have written."""

from __future__ import annotations

import unicodedata

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

r"""Escaped text that is only displayed and has no other effect, wherever it is read.

Names come from files that anybody may have written. A control character moves the cursor or forges
a line of a log, a format character reverses text, half of a surrogate pair (Python's replacement
for a byte of a file name that is not valid text) cannot be written at all, and a spreadsheet reads
``=`` at the beginning of a cell as a formula.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from typing import Any

_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories: control, format, surrogate, line and paragraph separators."""
_NOT_IN_XML = frozenset("\ufffe\uffff")
_DOUBTFUL = re.compile(r"[^ -~]")
_DOUBTFUL_IN_LINES = re.compile(r"[^\n -~]")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")


def escaped(text: str) -> str:
    r"""The text with every character that is not plain text written out, as in ``\x1b``."""
    return _DOUBTFUL.sub(
        lambda found: _replaced(found[0], found[0].encode("unicode_escape").decode("ascii")), text
    )


def html_text(text: str) -> str:
    """Escape text for HTML, XML and SVG, also inside an attribute."""
    return html.escape(escaped(text))


def json_text(content: Any, *, indent: int | None = 1) -> str:  # noqa: ANN401 (JSON is anything)
    """JSON text without special characters; reading it gives the same value."""
    text = json.dumps(content, indent=indent, ensure_ascii=False)
    return _DOUBTFUL_IN_LINES.sub(
        lambda found: _replaced(found[0], json.dumps(found[0])[1:-1]), text
    )


def csv_value(value: object) -> object:
    """A value for a CSV cell: text that a spreadsheet would read as a formula gets a ``'``.

    Numbers stay numbers.
    """
    if not isinstance(value, str):
        return value
    words = escaped(value)
    return f"'{words}" if _FORMULA.match(words) else words


def markdown_text(text: str) -> str:
    """Escape text for Markdown, also inside a table."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|~&!" else sign for sign in escaped(text))


def _replaced(char: str, instead: str) -> str:
    unsafe = char in _NOT_IN_XML or unicodedata.category(char) in _UNSAFE
    return instead if unsafe else char

"""What a page of ours needs to be safe to open, whatever is in its data.

Names come from files of the user and are never trusted. In HTML they are escaped. A script gets
them as JSON, in which characters that could end its block are escaped, and puts them into the
page as text only. Characters that would reverse or move text are escaped too. A content security
policy forbids everything except the script and the style of the page.
"""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from plancost.files.escape import escaped, html_text

_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


@dataclass(frozen=True)
class WebPage:
    """What makes one of our pages: its script finds the data as JSON."""

    title: str
    generator: str
    """What wrote it."""
    style: str
    script: str
    data: dict[str, Any]
    connects: bool = False
    """Whether its script may talk to the server that it comes from."""

    def html(self, body: str, attributes: str = "") -> str:
        """The text of the page; `attributes` are those of its body."""
        allowed = policy(self.style, self.script, connects=self.connects)
        return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="{html_text(self.generator)}">
<title>{html_text(self.title)}</title>
<style>{self.style}</style>
</head>
<body{attributes}>
{body}
<script type="application/json" id="data">{embedded(self.data)}</script>
<script>{self.script}</script>
</body>
</html>
"""


def embedded(data: dict[str, Any]) -> str:
    """JSON that is safe inside a page: it cannot end its own block.

    The script shows texts without escaping them, so they are escaped here.
    """
    text = json.dumps(plain(data), ensure_ascii=False, separators=(",", ":"))
    return text.translate(_ESCAPES)


def policy(style: str, script: str, *, connects: bool = False) -> str:
    """The content security policy of a page with this style and this script."""
    own = "connect-src 'self'; " if connects else ""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        f"{own}base-uri 'none'; form-action 'none'"
    )


def plain(data: Any) -> Any:  # noqa: ANN401 (whatever JSON can hold)
    """The same data with texts that are safe to show."""
    if isinstance(data, str):
        return escaped(data)
    if isinstance(data, dict):
        return {plain(key): plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(item) for item in data]
    return data


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")

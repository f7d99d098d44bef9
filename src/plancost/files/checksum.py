"""JSON objects with a checksum, so that damage is detected.

The checksum protects against disk errors and accidental edits, not against attackers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

CHECKSUM = "checksum"


def with_checksum(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content with its checksum."""
    return {**content, CHECKSUM: _checksum(content)}


def is_intact(content: Mapping[str, Any]) -> bool:
    """Whether the content has a checksum that matches."""
    return content.get(CHECKSUM) == _checksum(content)


def _checksum(content: Mapping[str, Any]) -> str:
    rest = {name: value for name, value in content.items() if name != CHECKSUM}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()

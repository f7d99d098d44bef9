"""JSON objects with a checksum of their own, so that damage is never taken for content.

It is against disks and editors, not against anybody who would write a new checksum.
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
    """Whether the content has a checksum, and it fits."""
    return content.get(CHECKSUM) == _checksum(content)


def _checksum(content: Mapping[str, Any]) -> str:
    rest = {name: value for name, value in content.items() if name != CHECKSUM}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()

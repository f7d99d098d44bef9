"""Options as one value or as keywords."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from plancost.errors import UsageError
from plancost.system.options import options_of


@dataclass(frozen=True)
class Some:
    size: int = 1
    name: str = "x"


def test_options_and_keywords() -> None:
    assert options_of(Some, None, {}) == Some()
    assert options_of(Some, Some(3), {"name": "y"}) == Some(3, "y")


@pytest.mark.parametrize(
    ("options", "keywords", "message"),
    [
        ({"size": 2}, {}, r"options must be Some, not \{'size': 2\}; single options are keywords"),
        (None, {"sizes": 2}, r"there is no option 'sizes' \(did you mean size\?\)"),
        (None, {"qqq": 2}, r"there is no option 'qqq'$"),
        (None, {"solutio": 2}, r"did you mean solution\?"),
    ],
)
def test_what_is_refused(options: object, keywords: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        options_of(Some, options, keywords, ["solution"])

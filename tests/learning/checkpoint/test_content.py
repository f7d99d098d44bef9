"""What a checkpoint says, as JSON."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from plancost.learning.checkpoint.content import different_subpath


@given(st.text("ab", max_size=8), st.text("ab", max_size=8))
def test_subpaths_put_together_again(own: str, other: str) -> None:
    start, stop, instead = different_subpath(tuple(own), tuple(other))
    assert (*own[:start], *instead, *own[stop:]) == tuple(other)
    assert json.dumps([start, stop, instead])

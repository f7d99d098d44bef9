"""A checksum that notices every change of the content, and no other order of its keys."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from plancost.files.checksum import CHECKSUM, is_intact, with_checksum

values = st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=3) | st.none()
contents = st.dictionaries(st.text(max_size=5), values, max_size=4)


@given(contents, st.text(max_size=5), values)
def test_every_change_is_noticed(content: dict[str, Any], key: str, value: object) -> None:
    whole = with_checksum(content)
    assert is_intact(whole)
    assert is_intact(json.loads(json.dumps(whole)))
    assert is_intact(dict(reversed(whole.items())))
    assert with_checksum(whole) == whole, "it does not count itself"
    if key != CHECKSUM and (key not in content or content[key] != value):
        assert not is_intact({**whole, key: value})
    for name in content:
        if name != CHECKSUM:
            assert not is_intact({own: x for own, x in whole.items() if own != name})


def test_what_has_none_is_not_intact() -> None:
    assert not is_intact({})
    assert not is_intact({"a": 1})
    assert not is_intact({"a": 1, CHECKSUM: None})

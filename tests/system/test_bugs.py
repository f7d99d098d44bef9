"""What an unexpected exception says: its kind, its text and its place, in one line."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from plancost.system.bugs import bug_sentence, what_it_says


def fails(text: str) -> None:
    raise LookupError(text)


def test_the_place_is_where_it_was_raised() -> None:
    line = fails.__code__.co_firstlineno + 1
    try:
        fails("no\n  such  thing")
    except LookupError as error:
        said = bug_sentence(error)
    expected = f"this is a bug in plancost (LookupError: no such thing, in fails, line {line})"
    assert said == expected


@given(st.text())
def test_one_short_line(text: str) -> None:
    said = what_it_says(ValueError(text))
    assert said.startswith("ValueError:")
    assert len(said) <= 200
    assert not re.search(r"[\n\r\t]|  ", said)

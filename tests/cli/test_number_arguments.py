"""Numbers among the arguments: durations."""

from __future__ import annotations

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.cli.number_arguments import seconds


@given(st.integers(0, 99), st.integers(0, 99), st.integers(1, 99))
def test_parts_add_up(hours: int, minutes: int, rest: int) -> None:
    assert seconds(f"{hours}h{minutes}m{rest}s") == 3600 * hours + 60 * minutes + rest
    assert seconds(f"{minutes}m{rest}s") == 60 * minutes + rest


@pytest.mark.parametrize(
    ("text", "found"),
    [("10m", 600), ("10min", 600), ("1.5h", 5400), ("90s", 90), ("0.5", 0.5), (" 2M ", 120)],
)
def test_durations(text: str, found: float) -> None:
    assert seconds(text) == found


@pytest.mark.parametrize("text", ["", "m", "10x", "1m1h", "-5m", "0m", "5 minutes", "1e3m", "nan"])
def test_what_is_none(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="or 90s, 10m, 1h30m"):
        seconds(text)

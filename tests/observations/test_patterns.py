"""Patterns know the star alone; names of objects stand for themselves."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from plancost.observations.patterns import fits, named_by

WORDS = st.text("ab[]1!?*-.^$\\{}|+", min_size=1, max_size=6)
PLAIN = st.text("ab[]1!?-.^$\\{}|+", min_size=1, max_size=6)


@given(st.lists(PLAIN, min_size=1, max_size=3), st.lists(PLAIN, min_size=1, max_size=3))
@example(["walk", "a1"], ["walk", "a[1]"])
@example(["walk", "ab"], ["walk", "a?"])
@example(["walk", "b"], ["walk", "[!a]"])
def test_a_name_is_no_pattern(words: list[str], wanted: list[str]) -> None:
    action, pattern = f"({' '.join(words)})", f"({' '.join(wanted)})"
    assert fits(action, pattern) is (action == pattern)
    assert fits(pattern, pattern)


@given(WORDS, WORDS)
def test_stars_stand_for_anything(word: str, wanted: str) -> None:
    expected = ".*".join(map(re.escape, wanted.split("*")))
    assert fits(f"({word})", f"({wanted})") is (re.fullmatch(expected, word) is not None)


def test_words_do_not_run_into_each_other() -> None:
    assert fits("(drive car x0y1 b)", "(drive * x0* *)")
    assert not fits("(drive a b c)", "(drive *)")
    assert not fits("(drive aa)", "(drive aa*aa)")


def test_the_name_of_an_action_is_that_action() -> None:
    actions = ("(go ab)", "(go a*)", "(go a[b])")
    assert named_by("(go a*)", actions) == ["(go a*)"]
    assert named_by("(go a[*)", actions) == ["(go a[b])"]
    assert named_by("(go *)", actions) == list(actions)

"""By default slow tests are left out and property tests draw a part of their examples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def test_as_many_examples_as_were_asked_for(pytestconfig: pytest.Config) -> None:
    own = vars(test_draws_examples)["_hypothesis_internal_use_settings"]
    assert own.max_examples == (60 if pytestconfig.getoption("--all") else 6)


@settings(max_examples=60)
@given(st.integers())
def test_draws_examples(number: int) -> None:
    assert number == int(str(number))


@pytest.mark.slow
def test_slow_tests_run_only_when_all_is_asked_for(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getoption("--all")

"""By default slow tests are left out, and others do less: fewer examples, kept translations."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import LimitError
from plancost.observations.case import load_case
from plancost.system.processes import Limits


def test_as_many_examples_as_were_asked_for(pytestconfig: pytest.Config) -> None:
    own = vars(test_draws_examples)["_hypothesis_internal_use_settings"]
    by_option = {"--rest": 30, "--all": 60}  # with --rest, --all is set as well
    asked = (n for option, n in by_option.items() if pytestconfig.getoption(option))
    assert own.max_examples == next(asked, 6)


@settings(max_examples=60)
@given(st.integers())
def test_draws_examples(number: int) -> None:
    assert number == int(str(number))


@pytest.mark.slow
def test_slow_tests_run_only_when_all_is_asked_for(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getoption("--all")


def test_the_translator_is_asked_once_for_a_text(
    pytestconfig: pytest.Config, example_1: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = load_case(example_1)
    with caplog.at_level(logging.DEBUG, "plancost.system.processes"):
        assert load_case(example_1).actions == first.actions
    asked = [line for line in caplog.messages if "fast_downward.translate" in line]
    assert len(asked) == (2 if pytestconfig.getoption("--all") else 0)
    with pytest.raises(LimitError, match="time limit"):
        load_case(example_1, limits=Limits(time_s=0.001))

"""The public names: all of them are found by tab, and every function says what it takes."""

from __future__ import annotations

import inspect
import re

import pytest

import plancost

FUNCTIONS = [name for name in plancost.__all__ if inspect.isfunction(getattr(plancost, name))]
_LONGEST_SIGNATURE = 700


def test_tab_shows_every_public_name() -> None:
    names = dir(plancost)
    assert set(plancost.__all__) <= set(names) and "__version__" in names
    assert not [
        name for name in names if not name.startswith("__") and name not in plancost.__all__
    ]
    assert len(FUNCTIONS) > 20


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_takes_and_returns(name: str) -> None:
    function = getattr(plancost, name)
    text, signature = inspect.getdoc(function) or "", inspect.signature(function)
    for parameter in signature.parameters:
        assert re.search(rf"^    {parameter}: ", text, re.MULTILINE), f"{parameter} of {name}"
    if signature.return_annotation not in (None, "None"):
        assert "\nReturns:\n" in text
    assert len(str(signature)) < _LONGEST_SIGNATURE

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from plancost.errors import UsageError
from plancost.options import LearnOptions, as_json, checked

WRONG: dict[str, list[Any]] = {
    "time_limit": [0, -1, "soon", True, float("nan"), float("inf"), []],
    "alternatives": [0, -3, 1.5, "some", None, True, "9" * 30],
    "suboptimality": [0.9, "0", "1/0", float("nan"), [], "1.00001"],
    "groups": [0, 1, 1.5, "two", True],
    "jobs": [0, 2.5, float("nan"), "all"],
    "seed": [-1, None, 0.5],
    "solution": ["best", None, 3, "MCF"],
    "refine": [None, 3, [], float("nan")],
    "features": [3, [3], [""]],
    "bounds": [3],
    "memory_limit": ["much"],
}


@pytest.mark.parametrize(
    ("name", "given", "kept"),
    [
        ("time_limit", 3, 3.0),
        ("time_limit", np.float64(2.5), 2.5),
        ("time_limit", "2.5", 2.5),
        ("time_limit", "none", None),
        ("time_limit", None, None),
        ("alternatives", "12", 12),
        ("alternatives", np.int32(4), 4),
        ("alternatives", "all", "all"),
        ("suboptimality", 1.1, "11/10"),
        ("suboptimality", "11/10", "11/10"),
        ("suboptimality", Fraction(3, 2), "3/2"),
        ("suboptimality", Decimal("1.25"), "5/4"),
        ("suboptimality", 1, None),
        ("refine", np.bool_(True), True),
        ("refine", {"(a)": np.int64(3)}, {"(a)": 3}),
        ("groups", np.int64(2), 2),
        ("groups", 2.0, 2),
        ("features", "schema", ("schema",)),
        ("features", ["schema", "turns"], ("schema", "turns")),
        ("seed", 0, 0),
    ],
)
def test_what_is_meant_is_understood(name: str, given: Any, kept: Any) -> None:
    assert getattr(checked(**{name: given}), name) == kept


@pytest.mark.parametrize(
    ("name", "given"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_a_wrong_value_is_one_sentence_that_names_the_option(name: str, given: Any) -> None:
    with pytest.raises(UsageError) as caught:
        checked(**{name: given})
    assert f"`{name}`" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "together",
    [
        {"ties": "observed"},
        {"ties": "reorderings", "solution": "icf"},
        {"solution": "scf", "suboptimality": 1.5},
        {"solution": "icf", "groups": 2},
        {"groups": 2, "alternatives": 5},
        {"features": "schema", "alternatives": "all"},
        {"features": "schema", "alternatives": "baseline"},
        {"suboptimality": 2, "alternatives": 5},
        {"solver": "cbc"},
    ],
)
def test_what_makes_no_sense_together(together: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        checked(**together)
    for name, value in together.items():  # each alone, or with what it belongs to, is fine
        if name not in ("ties", "solver"):
            checked(**{name: value})


def test_an_unknown_option_is_told_its_nearest() -> None:
    with pytest.raises(UsageError, match="`time_limit`"):
        checked(time_limt=3)


def test_defaults_pass_the_check() -> None:
    assert checked() == LearnOptions()
    kept = as_json(checked(refine={"(a)": np.int64(3)}, bounds={"*": (1, None)}))
    assert kept["refine"] == {"(a)": 3}
    assert type(kept["refine"]["(a)"]) is int
    assert kept["bounds"] == {"*": [1, None]}

"""The check of an incumbent: every plan under the cost function where it belongs."""

from __future__ import annotations

import pytest

from plancost.learning.verify.incumbent import nearest_function
from plancost.learning.verify.verification import Verdict


@pytest.mark.parametrize(
    ("verdicts", "group"),
    [
        ([(False, 6, 3), (True, 9, 9)], 1),
        ([(False, 6, 3), (False, 9, 8)], 1),
        ([(None, 6, None), (False, 9, 1)], 1),
        ([(None, 6, None), (None, 9, None)], 0),
        ([(False, 0, 0), (False, 2, 1)], 0),
    ],
)
def test_a_plan_goes_where_it_is_nearest_to_optimal(
    verdicts: list[tuple[bool | None, int, int | None]], group: int
) -> None:
    assert nearest_function([Verdict(*verdict, rival=None) for verdict in verdicts]) == group

"""The ranking as values, table and JSON, and what is said when time was short."""

from __future__ import annotations

import numpy as np
import pytest

from plancost.errors import LimitError
from plancost.probability.outlook import Outlook
from plancost.probability.ranking import Candidate, rank_tasks


def look(*costs: tuple[int, ...]) -> Outlook:
    table = 1000 * np.array(costs).reshape(len(costs), -1)
    return Outlook(tuple((f"(p{n})",) for n in range(len(costs))), table, table.argmin(axis=0))


AGREED = Candidate("agreed", look((1, 1), (2, 2)), 3)
OPEN = Candidate("open", look((1, 2), (2, 1)))
NOTHING = Candidate("unsearched", Outlook((("(p)",),), np.empty((1, 0), int), np.empty(0, int)))


def test_the_one_that_samples_disagree_on_comes_first() -> None:
    found = rank_tasks([AGREED, OPEN], 2)
    first, last = found.tasks
    assert (first.name, first.score, first.probability, first.plans) == ("open", 1.0, 0.5, 2)
    assert first.expected_regret == pytest.approx(1.5)
    assert (last.name, last.score, last.probability, last.observed) == ("agreed", 0.0, 1.0, 3)
    assert found.table().rows[0] == ("open", "100.0 %", "50 %", "1.500", "2", "0")
    assert found.remarks() == ["2 chosen of 2; 2 samples"]
    content = found.to_json()
    assert content["tasks"][1]["name"] == "agreed"
    assert (content["candidates"], content["searched"], content["notes"]) == (2, 2, [])


def test_a_budget() -> None:
    assert [task.name for task in rank_tasks([AGREED, OPEN], 2, 1).tasks] == ["open"]
    assert len(rank_tasks([AGREED, OPEN], 2, 5).tasks) == 2


def test_equal_ones_stay_in_their_order() -> None:
    names = [task.name for task in rank_tasks([OPEN, Candidate("other", OPEN.look)], 2).tasks]
    assert names == ["open", "other"]


def test_short_of_time() -> None:
    found = rank_tasks([NOTHING, OPEN], 200, notes=("before",))
    assert found.notes == (
        "before",
        "left out, since no search ended in time: unsearched",
        "2 of 200 samples were searched in time",
    )
    with pytest.raises(LimitError, match="no sample"):
        rank_tasks([NOTHING], 200)

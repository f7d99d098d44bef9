"""The probability that each observed plan is optimal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conftest import WriteGraphCase
from plancost.api.check import verify
from plancost.errors import UsageError
from plancost.learning.problem.options import LearnOptions
from plancost.probability.observed import with_probabilities
from plancost.results.claims import Claims
from plancost.results.result import GroupResult, Secondary
from support.drawn import samples

ROADS = {("a", "b"): 1, ("b", "d"): 1, ("a", "c"): 1, ("c", "d"): 1}
AB, BD, AC, CD = (f"(move {a} {b})" for a, b in ROADS)
DRAWN = samples(*({AB: ab, BD: 1.0, AC: ac, CD: 1.0} for ab, ac in ((1, 2), (1, 3), (5, 3))))
CLAIMS = Claims(costs=dict.fromkeys((AB, BD, AC, CD), 1), path=None)


def test_each_plan(write_graph_case: WriteGraphCase) -> None:
    case = write_graph_case(ROADS, ["abd", "acd", "ab"])
    result = verify(case, CLAIMS)
    found = with_probabilities(result, DRAWN, CLAIMS, LearnOptions())
    assert [item.probability for item in found.observations] == [0.666667, 0.333333, 1.0]
    regrets = [item.expected_regret for item in found.observations]
    assert regrets == pytest.approx([3.5 / 3, (1.5 + 2 + 1) / 3, 1.0], abs=1e-4)
    assert found.notes == result.notes
    assert found.observations[0].to_json()["probability"] == 0.666667
    assert "probability" not in result.observations[0].to_json()
    short = with_probabilities(result, DRAWN, CLAIMS, LearnOptions(time_limit_s=1e-9))
    assert [item.probability for item in short.observations] == [None] * 3
    assert short.notes[-1] == "0 of 3 samples were searched in time"


def test_groups_have_no_samples(write_graph_case: WriteGraphCase) -> None:
    result = verify(write_graph_case(ROADS, ["abd"]), CLAIMS)
    group = GroupResult("one", 1, 1, result.costs, Secondary(4, 4, True))
    with pytest.raises(UsageError, match="groups"):
        with_probabilities(replace(result, groups=(group,)), DRAWN, CLAIMS, LearnOptions())
    with pytest.raises(UsageError, match="case"):
        with_probabilities(replace(result, case=None), DRAWN, CLAIMS, LearnOptions())

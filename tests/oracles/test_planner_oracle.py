"""The question for another plan that costs no more, to the real SymK and to one that lies."""

from __future__ import annotations

import pytest

from conftest import WriteGraphCase, both_ways
from plancost.learning.problem.options import LearnOptions
from plancost.learning.run import Oracles
from plancost.observations.case import Case, load_case
from plancost.observations.planfile import Plan
from plancost.oracles import symk
from plancost.oracles.oracle import Allowed
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.system.clock import Deadline

DIRECT, AROUND = ("(move a c)",), ("(move a b)", "(move b c)")
NOBODY_ELSE = Allowed(frozenset([DIRECT]), any_order=False)


@pytest.fixture
def triangle(write_graph_case: WriteGraphCase) -> Case:
    """Two plans lead from a to c; `abc` was observed."""
    return load_case(write_graph_case(both_ways({"ab": 1, "ac": 1, "bc": 1}), ["abc"]))


@pytest.mark.parametrize(("direct", "other"), [(1, None), (2, AROUND)])
def test_another_plan_that_costs_no_more(triangle: Case, direct: int, other: Plan | None) -> None:
    oracle = Oracles.of(triangle, LearnOptions()).planner_oracle
    costs = {**dict.fromkeys(triangle.actions, 1), "(move a c)": direct}
    answer = oracle.outside(0, costs, NOBODY_ELSE, direct, Deadline())
    assert (answer.plan, answer.proven) == (other, True)


def test_a_list_without_a_plan_that_there_is_proves_nothing(
    triangle: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_few(*_: object, **__: object) -> SearchOutcome:
        return SearchOutcome(Verdict.FOUND, (AROUND,), 0.1, "SymK", complete=True)

    monkeypatch.setattr(symk, "top_plans", too_few)
    oracles = Oracles.of(triangle, LearnOptions())
    costs = dict.fromkeys(triangle.actions, 1)
    answer = oracles.planner_oracle.outside(0, costs, NOBODY_ELSE, 1, Deadline())
    assert not answer.proven
    (said,) = oracles.planners.failures.said
    assert "SymK lists no plan of" in said

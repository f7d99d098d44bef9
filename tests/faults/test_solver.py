"""A solver that is wrong: what is claimed holds all the same, because it is checked."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import highspy
import pytest

import plancost
from conftest import WriteGraphCase, both_ways
from plancost import Case, LearnOptions
from plancost.errors import SolverError
from plancost.learning.exact import hitting_set
from plancost.learning.master.relaxation import Relaxation
from plancost.learning.problem.options import OracleName
from plancost.learning.subproblem import integer_search
from plancost.learning.subproblem.certificates import Certificate, certify
from plancost.learning.subproblem.cost_lp import CostLP, ProgramPoint
from plancost.solver import highs
from plancost.solver.checked import checked
from plancost.solver.model import Model, Outcome, Status
from support.lying_highs import LIARS, Honest

LOADED: list[Case] = []


@pytest.fixture
def case(table_1: Path) -> Case:
    """Two plans that can be optimal together; loaded once, since grounding takes longest."""
    if not LOADED:
        LOADED.append(plancost.load_case(table_1))
    return LOADED[0]


@pytest.mark.parametrize("alternatives", ["exact", "4"])
@pytest.mark.parametrize("fault", LIARS)
def test_nothing_is_claimed_that_the_check_does_not_confirm(
    fault: str, alternatives: str, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = LearnOptions(
        oracle=OracleName.GRAPH, alternatives=alternatives, time_limit_s=60.0, use_cache=True
    )
    truth = plancost.learn(case, options)
    assert truth.optimal_plans == 2 and truth.secondary.proved
    monkeypatch.setattr(highspy, "Highs", LIARS[fault])
    result = plancost.learn(case, options)
    monkeypatch.undo()
    assert result.verified  # by search, without the solver
    again = plancost.learn(case, LearnOptions(alternatives="baseline"), initial_costs=result.costs)
    assert again.costs == result.costs
    assert [item.optimal for item in again.observations] == [
        item.optimal for item in result.observations
    ]
    assert result.optimal_plans <= truth.optimal_plans <= result.upper_bound
    if result.proved:
        assert result.secondary.lower_bound <= truth.secondary.value
    if fault in ("raises", "unknown status"):
        assert any("HiGHS" in said for said in result.failures)


def test_one_question_that_the_solver_fails_at_does_not_end_learning(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays open, and the others are asked; that it failed is said all the same."""
    solve, asked = CostLP.solve, 0

    def fails_once(program: CostLP, time_limit_s: float | None = None) -> ProgramPoint:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise SolverError("HiGHS ended in an unexpected way: Unknown")
        return solve(program, time_limit_s)

    detours = write_graph_case({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1}, ["abc", "ac"])
    monkeypatch.setattr(CostLP, "solve", fails_once)
    result = plancost.learn(detours, LearnOptions(oracle=OracleName.GRAPH, time_limit_s=60.0))
    assert (result.optimal_plans, result.proved, result.secondary.proved) == (2, True, True)
    assert result.failures == ("HiGHS ended in an unexpected way: Unknown",)


def _fails(*_: object, **__: object) -> None:
    raise SolverError("HiGHS ended in an unexpected way: Solve error")


def test_costs_that_the_solver_cannot_make_whole_leave_the_answer(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    edges = {("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1, ("b", "a"): 1}
    case = write_graph_case(edges, ["abc", "ac", "abab", "ababc"])
    monkeypatch.setattr(integer_search, "dive", lambda *_: None)
    monkeypatch.setattr(integer_search, "solve_with_slack", _fails)
    options = LearnOptions(suboptimality=Fraction("1.37"), time_limit_s=60.0)
    result = plancost.learn(case, options)
    assert (result.optimal_plans, result.upper_bound, result.verified) == (3, 3, True)
    assert result.failures == ("HiGHS ended in an unexpected way: Solve error",)


def test_without_a_bound_on_sets_of_plans_costs_still_come_down(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A-B-C and A-C-B are in conflict; nobody says that this leaves only one of them."""
    edges = both_ways({"ab": 1, "bc": 1, "ac": 1})
    case = write_graph_case(edges, ["abc", "acb"])
    monkeypatch.setattr(hitting_set, "heaviest_set", _fails)
    monkeypatch.setattr(Relaxation, "solve", _fails)
    result = plancost.learn(case, LearnOptions(time_limit_s=60.0))
    assert (result.optimal_plans, result.upper_bound, result.proved) == (1, 2, False)
    assert sum(result.costs.values()) == 7  # one action is 2, all others 1
    assert result.failures == ("HiGHS ended in an unexpected way: Solve error",)


def test_a_basis_that_the_solver_cannot_go_on_from_is_left(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unknown from the last basis, as with the rows of fine factors; from none all is well."""

    class FromScratchOnly(Honest):
        fresh = False

        def clearSolver(self) -> None:  # noqa: N802
            self.fresh = True
            self.real.clearSolver()

        def getModelStatus(self) -> object:  # noqa: N802
            status = self.real.getModelStatus()
            goes_on = self.real.getOptionValue("presolve")[1] == "off" and not self.fresh
            self.fresh = False
            return highspy.HighsModelStatus.kUnknown if goes_on else status

    monkeypatch.setattr(highspy, "Highs", FromScratchOnly)
    result = plancost.learn(case, LearnOptions(oracle=OracleName.GRAPH, time_limit_s=60.0))
    assert (result.optimal_plans, result.secondary.proved, result.failures) == (2, True, ())


@pytest.mark.parametrize("fault", ["wrong duals", "duals that are NaN", "infeasible for feasible"])
def test_conflicts_that_are_wrong_do_not_count(
    fault: str, example_1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound may stay above what is true, never fall below it."""
    case = plancost.load_case(example_1)
    monkeypatch.setattr(highspy, "Highs", LIARS[fault])
    result = plancost.learn(case, LearnOptions(oracle=OracleName.GRAPH, time_limit_s=60.0))
    assert result.optimal_plans <= 1 <= result.upper_bound
    assert all(conflict is not None for conflict in result.conflict)


def test_a_wrong_certificate_is_none() -> None:
    row = (((0, 1), (1, -1)), 0)  # c0 <= c1
    other = (((0, -1), (1, 1)), 0)  # c1 <= c0
    assert not Certificate((row, other), (1, 1)).is_valid()  # both hold with equal costs
    assert not Certificate((row, other), (1, -1)).is_valid()
    assert certify([row, other], [1.0, 1.0]) is None
    strict = (((0, -1), (1, 1)), 1)  # c1 < c0
    found = certify([row, strict], [1.0, 1.0])
    assert found is not None and found.is_valid()
    assert certify([row, strict], [0.0, 0.0]) is None


def knapsack() -> Model:
    """Minimise -x - y over whole numbers with 2 x + 2 y <= 3: one of them is 1."""
    model = Model()
    for _ in range(2):
        model.add_column(0, 1, objective=-1, integer=True)
    model.add_row({0: 2.0, 1: 2.0}, upper=3.0)
    return model


@pytest.mark.parametrize(
    ("values", "objective", "bound", "complaint"),
    [
        ((1.0, 1.0), -2.0, -2.0, "breaks its constraints"),
        ((0.5, 0.5), -1.0, -1.0, "is not whole"),
        ((2.0, -1.0), -1.0, -1.0, "is outside its bounds"),
        ((math.nan, 0.0), -1.0, -1.0, "is no number"),
        ((1.0,), -1.0, -1.0, "does not fit its model"),
        ((1.0, 0.0), -2.0, -2.0, "worth something else"),
        ((1.0, 0.0), math.nan, -1.0, "worth something else"),
        ((0.0, 0.0), 0.0, 1.0, "better than its own bound"),
        ((1.0, 0.0), -1.0, math.nan, "bound that is no number"),
        (None, None, -1.0, "gives none"),
    ],
)
def test_what_contradicts_its_own_model_is_an_error(
    values: tuple[float, ...] | None, objective: float | None, bound: float, complaint: str
) -> None:
    outcome = Outcome(Status.OPTIMAL, values, objective, bound)
    with pytest.raises(SolverError, match=complaint):
        checked(knapsack(), outcome, "HiGHS", gap=1e-6)


def test_optimal_with_a_gap_is_only_stopped() -> None:
    early = checked(knapsack(), Outcome(Status.OPTIMAL, (0.0, 0.0), 0.0, -1.0), "HiGHS", gap=1e-6)
    assert early.status is Status.STOPPED
    right = highs.solve(knapsack())
    assert (right.status, right.objective) == (Status.OPTIMAL, -1.0)

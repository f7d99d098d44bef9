"""A solver that is wrong: what is claimed holds all the same, because it is checked."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import highspy
import pytest

import plancost
from conftest import WriteGraphCase, both_ways
from plancost import Case, LearnOptions
from plancost.errors import SolverError
from plancost.learning.exact import hitting_set
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.master.relaxation import Relaxation
from plancost.learning.problem.options import OracleName
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem import integer_search
from plancost.learning.subproblem.conflict import Undecided
from plancost.learning.subproblem.cost_lp import CostLP, ProgramPoint
from plancost.observations.case import load_case
from plancost.system.clock import Deadline
from support.lying_highs import LIARS, Honest

LOADED: list[Case] = []


@pytest.fixture
def case(table_1: Path) -> Case:
    """Two plans that can be optimal together; loaded once, since grounding takes longest."""
    if not LOADED:
        LOADED.append(plancost.load_case(table_1))
    return LOADED[0]


SLOW = {"point outside its constraints"}
"""Learning is given up only after a while without progress."""


@pytest.mark.parametrize("alternatives", ["exact", "4"])
@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=pytest.mark.slow) if fault in SLOW else fault for fault in LIARS],
)
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


@pytest.mark.parametrize("failures", [1, 2])
def test_a_question_that_the_solver_fails_at_is_asked_again_from_scratch(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """Once; a second failure leaves it open."""
    case = load_case(write_graph_case({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1}, ["abc", "ac"]))
    options = LearnOptions()
    task = LearningTask(case, options.concept, None)
    subproblem = first_subproblem(Run.of(case, options), task)
    solve, asked = CostLP.solve, 0

    def fails_at_the_second(program: CostLP, time_limit_s: float | None = None) -> ProgramPoint:
        nonlocal asked
        asked += 1
        if 2 <= asked < 2 + failures:
            raise SolverError("HiGHS ended in an unexpected way: Unknown")
        return solve(program, time_limit_s)

    monkeypatch.setattr(CostLP, "solve", fails_at_the_second)
    answer = subproblem.relax(frozenset([0, 1]), Deadline())
    assert isinstance(answer, ProgramPoint if failures == 1 else Undecided)
    assert asked > failures


def _fails(*_: object, **__: object) -> None:
    raise SolverError("HiGHS ended in an unexpected way: Solve error")


def test_costs_that_the_solver_cannot_make_whole_leave_the_answer(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    edges = {("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1, ("b", "a"): 1}
    case = write_graph_case(edges, ["abc", "ac", "abab", "ababc"])
    monkeypatch.setattr(integer_search, "dive", lambda *_, **__: None)
    monkeypatch.setattr(integer_search, "round_to_integers", lambda *_, **__: None)
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

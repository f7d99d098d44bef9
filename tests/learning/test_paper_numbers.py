"""The numbers of the paper's Table 1 and its two examples, through the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import WriteGraphCase, both_ways
from plancost.api.learn import learn
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions, SolverName
from plancost.results.result import Result

STRATEGIES = ["exact", "all"]


def options(
    solution: Solution, alternatives: str, *, refine: bool = False, strict: bool = False
) -> LearnOptions:
    return LearnOptions(Concept(solution, strict), refine=refine, alternatives=alternatives, jobs=2)


def assert_proved(result: Result) -> None:
    """Both objectives are proven and the check by search confirmed every claim."""
    assert result.verified
    assert result.proved
    assert result.secondary.proved
    assert result.secondary.lower_bound == result.secondary.value
    assert result.upper_bound == result.optimal_plans == result.believed_optimal


@pytest.mark.parametrize("alternatives", STRATEGIES)
@pytest.mark.parametrize(
    ("solution", "refine", "secondary"),
    [
        (Solution.MCF, False, 14),
        (Solution.SCF, False, 16),
        (Solution.MCF, True, 2),
        (Solution.SCF, True, 3),
    ],
)
def test_table_1(
    table_1: Path, solution: Solution, refine: bool, secondary: int, alternatives: str
) -> None:
    result = learn(table_1, options(solution, alternatives, refine=refine))
    assert (result.optimal_plans, result.plans) == (2, 2)
    assert result.secondary.value == secondary
    assert_proved(result)
    assert (result.solution, result.refined, result.alternatives) == (
        solution.value,
        refine,
        alternatives,
    )
    assert len(result.costs) == 14
    assert min(result.costs.values()) >= 1


@pytest.mark.parametrize("alternatives", STRATEGIES)
@pytest.mark.parametrize("strict", [False, True])
def test_table_1_has_ideal_costs(table_1: Path, strict: bool, alternatives: str) -> None:
    result = learn(table_1, options(Solution.ICF, alternatives, strict=strict))
    assert result.exists is True
    assert result.secondary.value == (16 if strict else 14)
    assert_proved(result)


def test_table_1_with_cbc(table_1: Path) -> None:
    """The solver that the paper used finds the same."""
    found = LearnOptions(Concept(Solution.SCF), alternatives="all", solver=SolverName.CBC)
    result = learn(table_1, found)
    assert (result.optimal_plans, result.secondary.value) == (2, 16)
    assert_proved(result)


@pytest.mark.parametrize(("refine", "optimal", "secondary"), [(False, 2, 14), (True, 1, 0)])
def test_the_baseline_of_table_1(table_1: Path, refine: bool, optimal: int, secondary: int) -> None:
    """Under unit costs both plans are optimal; under C̄, A-B-D-F is cheaper than A-C-E-F."""
    result = learn(table_1, options(Solution.MCF, "baseline", refine=refine))
    assert (result.optimal_plans, result.secondary.value) == (optimal, secondary)
    assert result.believed_optimal == optimal
    assert result.upper_bound == 2, "the baseline claims no bound of its own"
    assert result.verified


@pytest.mark.parametrize("alternatives", STRATEGIES)
def test_example_1(example_1: Path, alternatives: str) -> None:
    result = learn(example_1, options(Solution.MCF, alternatives))
    assert (result.optimal_plans, result.plans) == (1, 2)
    assert result.secondary.value == 7
    assert_proved(result)


@pytest.mark.parametrize("alternatives", STRATEGIES)
@pytest.mark.parametrize("strict", [False, True])
def test_example_1_has_no_ideal_costs(example_1: Path, strict: bool, alternatives: str) -> None:
    result = learn(example_1, options(Solution.ICF, alternatives, strict=strict))
    assert result.exists is False
    assert result.upper_bound == 1
    assert result.conflict == ("p1.plan", "p2.plan")


@pytest.mark.parametrize("alternatives", ["exact", "100"])
def test_example_2(example_2: Path, alternatives: str) -> None:
    """A plan with two redundant actions is never optimal, so nothing is learned.

    (Even this small task has far too many simple plans for "all".)
    """
    result = learn(example_2, options(Solution.MCF, alternatives))
    assert (result.optimal_plans, result.plans) == (0, 1)
    assert_proved(result)
    assert set(result.costs.values()) == {1}
    (observation,) = result.observations
    assert (observation.optimal, observation.cost, observation.optimal_cost) == (False, 6, 4)
    assert observation.rival == ("(unstack b a)", "(putdown b)", "(pickup a)", "(stack a b)")


def test_initial_costs_that_need_no_change_are_a_settled_answer(
    write_graph_case: WriteGraphCase,
) -> None:
    """A distance of 0 is a bound like any other, and no conflict."""
    case = write_graph_case(both_ways({"ab": 1, "bc": 1}), ["abc"])
    result = learn(case, LearnOptions(refine=True))
    assert (result.optimal_plans, result.secondary.value) == (1, 0)
    assert result.secondary.proved
    assert result.options["canonical"] is True

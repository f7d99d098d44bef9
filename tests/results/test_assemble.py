"""What learning claims and the check refutes is not called proven."""

from __future__ import annotations

from plancost.api.learn import learn
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.incumbent import Check
from plancost.learning.verify.verification import Verdict
from plancost.results.assemble import Extras, assemble
from plancost.results.result import Result
from support.grid_walks import grid_case, random_walks

CASE = grid_case(3, random_walks(3, 5, 2, seed=1))
TASK = LearningTask(CASE, Concept(), None)
OPTIONS = LearnOptions()


def result_of(answer: Incumbent, optimal: bool = True) -> Result:
    """The result if the check finds every plan as optimal as this."""
    verdicts = [Verdict(optimal, 1, 1, None) for _ in CASE.observations]
    return assembled(answer, verdicts)


def assembled(answer: Incumbent, verdicts: list[Verdict]) -> Result:
    check = Check((0,) * len(verdicts), tuple(verdicts))
    return assemble(Run.of(CASE, OPTIONS), answer, check, Extras())


def claim(upper_bound: int, secondary_bound: int) -> Incumbent:
    answer = Incumbent.baseline(TASK)
    answer.upper_bound, answer.only.secondary_bound = upper_bound, secondary_bound
    return answer


def test_claims_that_hold() -> None:
    value = TASK.secondary(TASK.baseline)
    result = result_of(claim(CASE.plan_count, value))
    assert result.proved and result.secondary.proved
    assert result.failures == ()


def test_a_refuted_bound_proves_nothing() -> None:
    """Even where the plans that the check found are as many as there are."""
    result = result_of(claim(CASE.plan_count - 1, TASK.secondary(TASK.baseline)))
    assert result.optimal_plans == result.upper_bound == CASE.plan_count
    assert not result.secondary.proved or TASK.secondary_floor == result.secondary.value
    (failure,) = result.failures
    assert f"the check finds {CASE.plan_count}" in failure
    verdicts = [Verdict(number > 0, 1, 1, None) for number in range(len(CASE.observations))]
    result = assembled(claim(1, 0), verdicts)
    assert 1 < result.optimal_plans < result.upper_bound == CASE.plan_count
    assert not result.proved and not result.secondary.proved
    assert len(result.failures) == 1


def test_a_refuted_bound_on_the_secondary_cost_proves_nothing() -> None:
    value = TASK.secondary(TASK.baseline)
    result = result_of(claim(CASE.plan_count, value + 1))
    assert result.proved
    assert result.secondary.lower_bound == TASK.secondary_floor
    (failure,) = result.failures
    assert f"a secondary cost of at least {value + 1}" in failure


def test_groups_that_refine_say_so() -> None:
    """Also where the initial costs come from Python and not from an option."""
    initial = dict.fromkeys(CASE.actions, 2)
    for groups in (1, 2):
        result = learn(CASE, LearnOptions(groups=groups), initial_costs=initial)
        assert result.refined

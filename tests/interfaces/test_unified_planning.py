"""Problems of unified-planning in and out, with the real library and its engines."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from unified_planning.engines import PlanGenerationResultStatus
from unified_planning.environment import get_environment
from unified_planning.io import PDDLReader, PDDLWriter
from unified_planning.plans import ActionInstance, PartialOrderPlan, SequentialPlan
from unified_planning.shortcuts import (
    BoolType,
    Fluent,
    InstantaneousAction,
    Int,
    IntType,
    MinimizeActionCosts,
    Not,
    Object,
    ObjectExp,
    OneshotPlanner,
    Problem,
    UserType,
)

import plancost
from conftest import TABLE_1
from plancost.errors import InputError, UsageError
from plancost.interfaces.unified_planning import (
    LearnedProblems,
    case_from_unified_planning,
    learn_from_unified_planning,
)
from plancost.observations.bounds_files import CostBound

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "avoid-the-centre"
PLACE = UserType("Place")
AT = Fluent("At", BoolType(), p=PLACE)
ROAD = Fluent("road", BoolType(), a=PLACE, b=PLACE)
LENGTH = Fluent("length", IntType(), a=PLACE, b=PLACE)
# Names that PDDL cannot tell apart, or has words for.
NAMES = {"a": "A", "b": "a", "c": "The Park", "d": "the-park", "e": "object", "f": "7th/Main"}
STRICT = plancost.LearnOptions(concept=plancost.Concept(plancost.Solution.SCF))


def move(name: str = "Drive To") -> InstantaneousAction:
    """Going along a road."""
    action = InstantaneousAction(name, a=PLACE, b=PLACE)
    action.add_precondition(AT(action.a))
    action.add_precondition(ROAD(action.a, action.b))
    action.add_effect(AT(action.a), False)
    action.add_effect(AT(action.b), True)
    return action


def task(start: str, goal: str, action: InstantaneousAction, name: str | None = None) -> Problem:
    """Table 1 of the paper as a problem, with lengths as costs."""
    problem = Problem(name)
    for fluent in (AT, ROAD):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_fluent(LENGTH, default_initial_value=0)
    problem.add_action(action)
    at = {letter: problem.add_object(NAMES[letter], PLACE) for letter in "abcdef"}
    for (here, there), length in TABLE_1.items():
        problem.set_initial_value(ROAD(at[here], at[there]), True)
        problem.set_initial_value(LENGTH(at[here], at[there]), length)
    problem.set_initial_value(AT(at[start]), True)
    problem.add_goal(AT(at[goal]))
    metric = MinimizeActionCosts({action: LENGTH(action.a, action.b)})
    problem.add_quality_metric(metric)
    return problem


def route(problem: Problem, places: str) -> SequentialPlan:
    """A plan such as ``"abd"``."""
    (action,) = problem.actions
    steps = [
        ActionInstance(action, tuple(ObjectExp(problem.object(NAMES[p])) for p in pair))
        for pair in itertools.pairwise(places)
    ]
    return SequentialPlan(steps)


@pytest.fixture
def pairs() -> list[tuple[Problem, SequentialPlan]]:
    """The two observations of Table 1."""
    one, other = task("a", "d", move(), "to d"), task("a", "f", move())
    return [(one, route(one, "abd")), (other, route(other, "acef"))]


def engine_cost(learned: LearnedProblems, problem: Problem, engine: str) -> int:
    """What the plan costs that an optimal engine of unified-planning finds."""
    get_environment().credits_stream = None
    with OneshotPlanner(name=engine) as planner:
        found = planner.solve(problem)
    assert found.status is PlanGenerationResultStatus.SOLVED_OPTIMALLY
    return sum(learned.cost(step) for step in found.plan.actions)


def test_the_numbers_of_the_paper(pairs: list[tuple[Problem, SequentialPlan]]) -> None:
    learned = learn_from_unified_planning(pairs)
    result = learned.result
    assert (result.optimal_plans, result.proved, result.secondary.value) == (2, True, 14)
    assert [item.problem for item in result.observations] == ["problem 'to d'", "problem 'problem'"]
    assert len(learned.costs) == len(TABLE_1) == len(result.costs)
    assert {name for name, _ in learned.costs} == {"Drive To"}
    assert {words for _, words in learned.costs} == {(NAMES[a], NAMES[b]) for a, b in TABLE_1}
    refined = learn_from_unified_planning(pairs, plancost.LearnOptions(refine=True)).result
    assert (refined.optimal_plans, refined.secondary.value) == (2, 2)


def test_names_lead_back_to_the_right_objects(pairs: list[tuple[Problem, SequentialPlan]]) -> None:
    """Renamed or not, what a plan costs in the result is what its steps cost by name."""
    learned = learn_from_unified_planning(pairs, STRICT)
    for (_, plan), item in zip(pairs, learned.result.observations, strict=True):
        assert sum(learned.cost(step) for step in plan.actions) == item.cost
    assert learned.result.secondary.value == sum(learned.costs.values()) == 16


@pytest.mark.parametrize("engine", ["fast-downward-opt", "symk-opt"])
def test_engines_find_plans_of_the_same_cost(
    pairs: list[tuple[Problem, SequentialPlan]], engine: str
) -> None:
    learned = learn_from_unified_planning(pairs, plancost.LearnOptions(refine=True))
    assert max(learned.costs.values()) > 1
    for problem, item in zip(learned.problems, learned.result.observations, strict=True):
        assert engine_cost(learned, problem, engine) == item.optimal_cost


def test_the_problem_can_be_written_and_learned_again(
    pairs: list[tuple[Problem, SequentialPlan]],
) -> None:
    """The written PDDL has the learned costs: nothing is left to change in them."""
    learned = learn_from_unified_planning(pairs, STRICT)
    problem, plan = learned.problems[0], pairs[0][1]
    writer = PDDLWriter(problem)
    case = plancost.case_from_strings(
        writer.get_domain(), {"p": writer.get_problem()}, [("p", writer.get_plan(plan))]
    )
    again = plancost.learn(case, plancost.LearnOptions(refine=True))
    assert (again.optimal_plans, again.secondary.value) == (1, 0)
    assert again.observations[0].cost == learned.result.observations[0].cost
    assert sum(again.costs.values()) == sum(learned.costs.values())


def test_the_users_problems_are_left_alone(pairs: list[tuple[Problem, SequentialPlan]]) -> None:
    before = [problem.clone() for problem, _ in pairs]
    learned = learn_from_unified_planning(pairs)
    assert [problem for problem, _ in pairs] == before
    assert len(learned.problems) == 2
    for problem, _ in pairs:
        assert not any(fluent.name.startswith("plancost-") for fluent in problem.fluents)


def test_costs_for_a_problem_that_was_not_observed(
    pairs: list[tuple[Problem, SequentialPlan]],
) -> None:
    learned = learn_from_unified_planning(pairs, STRICT)
    new = task("b", "e", move())
    new.add_object("Elsewhere", PLACE)
    new.add_fluent("plancost-Drive To", BoolType(), default_initial_value=False)
    priced = learned.apply_to(new)
    assert priced.fluent("plancost-Drive To-2").type.is_int_type()
    cheapest = min(
        sum(learned.costs["Drive To", (NAMES[a], NAMES[b])] for a, b in itertools.pairwise(way))
        for way in ("bace", "bdce", "bdfe")
    )
    assert engine_cost(learned, priced, "fast-downward-opt") == cheapest


def with_new_places() -> Problem:
    """A problem with two roads that no observed one has, and another length of a known road."""
    new = task("b", "e", move(), "new")
    here, known = new.object(NAMES["a"]), new.object(NAMES["b"])
    for name, length in (("Elsewhere", 9), ("elsewhere", 4)):
        there = new.add_object(name, PLACE)
        new.set_initial_value(ROAD(here, there), True)
        new.set_initial_value(LENGTH(here, there), length)
    new.set_initial_value(LENGTH(here, known), 6)
    return new


def steps_of(problem: Problem) -> dict[tuple[str, str], ActionInstance]:
    """A step along each road, by the names of its ends."""
    (action,) = problem.actions
    return {
        (a.name, b.name): ActionInstance(action, (ObjectExp(a), ObjectExp(b)))
        for a, b in itertools.permutations(problem.all_objects, 2)
        if problem.initial_value(ROAD(a, b)).is_true()
    }


def metric_cost(problem: Problem, step: ActionInstance) -> int:
    """What the quality metric of a problem says of a step."""
    (metric,) = problem.quality_metrics
    term = metric.get_action_cost(step.action)
    if term.is_fluent_exp():
        term = problem.initial_value(term.fluent()(*step.actual_parameters))
    return int(term.constant_value())


AT_LEAST_3 = (CostBound("(drive_to * *)", 3),)


@pytest.mark.parametrize(
    ("options", "unseen"),
    [
        # Nothing is known of them: the median of the schema, whether all cost the same or not.
        (plancost.LearnOptions(bounds=AT_LEAST_3), [3, 3]),
        (plancost.LearnOptions(refine=True), [2, 2]),
        (plancost.LearnOptions(), [1, 1]),
        # What is learned of a class or of numbers holds for actions never seen.
        (plancost.LearnOptions(share=("schema",), bounds=AT_LEAST_3), [3, 3]),
        (
            plancost.LearnOptions(
                share=("drive_to ?a",), bounds=(CostBound("(drive_to a_0 *)", 5),)
            ),
            [5, 5],
        ),
        (plancost.LearnOptions(linear=("drive_to (length ?a ?b)",)), None),
    ],
)
def test_the_metric_and_the_cost_of_a_step_agree(
    pairs: list[tuple[Problem, SequentialPlan]],
    options: plancost.LearnOptions,
    unseen: list[int] | None,
) -> None:
    learned = learn_from_unified_planning(pairs, options)
    for problem, priced in zip((pair[0] for pair in pairs), learned.problems, strict=True):
        for step in steps_of(problem).values():
            assert metric_cost(priced, step) == learned.cost(step) == learned.cost(step, problem)
    new = with_new_places()
    priced = learned.apply_to(new)
    steps = steps_of(new)
    for ends, step in steps.items():
        assert metric_cost(priced, step) == learned.cost(step, new)
        if unseen is not None:
            assert learned.cost(step) == learned.cost(step, new)
            assert learned.costs.get(("Drive To", ends), learned.cost(step)) == learned.cost(step)
    if unseen is not None:
        found = [learned.cost(steps[NAMES["a"], name]) for name in ("Elsewhere", "elsewhere")]
        assert found == unseen


def test_linear_costs_are_those_of_the_problem(
    pairs: list[tuple[Problem, SequentialPlan]],
) -> None:
    linear = plancost.LearnOptions(linear=("drive_to (length ?a ?b)",), concept=STRICT.concept)
    learned = learn_from_unified_planning(pairs, linear)
    assert learned.result.linear is not None
    (weights,) = learned.result.linear.values()
    new = with_new_places()
    for (a, b), step in steps_of(new).items():
        length = new.initial_value(LENGTH(new.object(a), new.object(b))).constant_value()
        expected = weights["constant"] + weights["(length ?a ?b)"] * length
        assert learned.cost(step, new) == max(1, expected)
    with pytest.raises(InputError, match=r"^the cost of 'Drive To' depends on numbers"):
        learned.cost(steps_of(new)[NAMES["a"], "Elsewhere"])


def test_a_problem_with_other_preconditions_and_types(
    pairs: list[tuple[Problem, SequentialPlan]],
) -> None:
    """Actions and objects are known by name, and what was called otherwise is new."""
    learned = learn_from_unified_planning(pairs, STRICT)
    assert max(learned.costs.values()) > 1
    new = task("b", "e", changed_action())
    priced = learned.apply_to(new)
    for ends, step in steps_of(new).items():
        assert metric_cost(priced, step) == learned.costs["Drive To", ends]
    odd = with_other_object()
    there = odd.add_object("b", PLACE)
    odd.set_initial_value(ROAD(odd.object("A"), there), True)
    odd.set_initial_value(AT(odd.object("A")), True)
    odd.add_goal(AT(there))
    (step,) = steps_of(odd).values()
    assert metric_cost(learned.apply_to(odd), step) == learned.cost(step) == learned.cost(step, odd)
    flying = task("b", "e", move("fly"))
    with pytest.raises(InputError, match="are these costs of another domain"):
        learned.apply_to(flying)


def test_names_of_problems_that_read_alike() -> None:
    """Labels are paths, to which these are one."""
    one, other = task("a", "d", move(), "a//b"), task("a", "f", move(), "a/b")
    pairs = [(one, route(one, "abd")), (other, route(other, "acef"))]
    found = learn_from_unified_planning(pairs).result
    assert found.optimal_plans == 2
    assert [item.problem for item in found.observations] == ["problem 'a/b'", "problem 'a/b (2)'"]


def test_equal_costs_are_a_number() -> None:
    problem = task("a", "d", move())
    learned = learn_from_unified_planning([(problem, route(problem, "abd"))])
    (metric,) = learned.problems[0].quality_metrics
    assert list(metric.costs.values()) == [Int(1)]
    assert len(learned.problems[0].fluents) == len(problem.fluents)


def test_one_problem_with_many_plans_is_written_once() -> None:
    problem = task("a", "d", move(), "p")
    plan, other = route(problem, "abd"), route(problem, "acd")
    case = case_from_unified_planning([(problem, plan), (problem, other), (problem, plan)])
    assert len(case.problems) == len(case.tasks) == 1
    assert [str(item.plan_file) for item in case.observations] == [
        f"plan {number} of problem 'p'" for number in (1, 2, 3)
    ]
    assert plancost.learn(case).optimal_plans == 3


def test_requirements_and_subtypes_of_all_problems_count() -> None:
    """One problem has a negative goal, the other objects of a subtype."""
    action = move()
    one, other = task("a", "d", action, "one"), task("a", "d", action, "other")
    one.add_goal(Not(AT(one.object(NAMES["a"]))))
    park = UserType("park", PLACE)
    green = other.add_object(Object("Green", park))
    other.set_initial_value(ROAD(other.object(NAMES["a"]), green), True)
    learned = learn_from_unified_planning([(one, route(one, "abd")), (other, route(other, "acd"))])
    assert learned.result.optimal_plans == 2
    assert ("Drive To", (NAMES["a"], "Green")) in learned.costs


@pytest.mark.filterwarnings("ignore:Name car already defined")
def test_a_problem_read_from_pddl_has_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this domain an object is called as its type, which the library has to be told."""
    monkeypatch.setattr(get_environment(), "error_used_name", False)
    reader = PDDLReader()
    pairs = []
    for path in sorted(EXAMPLE.glob("*.plan")):
        file = EXAMPLE / f"{path.name.split('.')[0]}.pddl"
        problem = reader.parse_problem(str(EXAMPLE / "domain.pddl"), str(file))
        pairs.append((problem, reader.parse_plan(problem, str(path))))
    learned = learn_from_unified_planning(pairs)
    direct = plancost.learn(EXAMPLE)
    names = {f"({' '.join([name, *words])})" for name, words in learned.costs}
    assert names == direct.costs.keys()
    assert learned.result.secondary == direct.secondary
    assert engine_cost(learned, learned.problems[0], "fast-downward-opt") == (
        direct.observations[0].optimal_cost
    )


def changed_action() -> InstantaneousAction:
    """Another action of the same name."""
    action = move()
    action.add_precondition(Not(AT(action.b)))
    return action


def with_other_object() -> Problem:
    problem = Problem("odd")
    for fluent in (AT, ROAD):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_fluent(LENGTH, default_initial_value=0)
    problem.add_action(move())
    problem.add_object("A", UserType("park", PLACE))
    return problem


def numeric() -> Problem:
    fuel = Fluent("fuel", IntType())
    action = InstantaneousAction("burn")
    action.add_decrease_effect(fuel, 1)
    problem = Problem("tank")
    problem.add_fluent(fuel, default_initial_value=2)
    problem.add_action(action)
    problem.add_goal(fuel().Equals(0))
    return problem


def with_object_fluent() -> Problem:
    problem = Problem("where")
    problem.add_fluent("place", PLACE)
    problem.add_object("a", PLACE)
    problem.add_action(InstantaneousAction("wait"))
    return problem


def sentences() -> Iterable[tuple[list[tuple[Problem, object]], str]]:
    good = task("a", "d", move(), "good")
    nothing = SequentialPlan([])
    other = task("a", "d", changed_action(), "other")
    foreign = SequentialPlan([ActionInstance(InstantaneousAction("fly"), ())])
    yield [], "there is no plan to learn from"
    yield (
        [(good, route(good, "abd")), (other, route(other, "abd"))],
        "the problems 'good' and 'other' are not of one domain: "
        "the action 'Drive To' is not the same in both",
    )
    yield (
        [(good, route(good, "abd")), (with_other_object(), nothing)],
        "the object 'A' has two types",
    )
    yield [(good, PartialOrderPlan({}))], "plan 1 is a PartialOrderPlan"
    yield [(good, foreign)], "step 1 of plan 1 is the action 'fly', which the problem 'good'"
    yield [(good, route(good, "ab"))], "plan 1 of problem 'good': the plan ends outside the goal"
    yield [(numeric(), nothing)], "domain (unified-planning)"
    yield [(with_object_fluent(), nothing)], "unified-planning cannot write this as PDDL"


@pytest.mark.parametrize(("given", "message"), list(sentences()))
def test_one_sentence_says_what_is_wrong(
    given: list[tuple[Problem, SequentialPlan]], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        learn_from_unified_planning(given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_costs_to_refine_must_agree_and_be_complete() -> None:
    action = move()
    one, other = task("a", "d", action, "one"), task("a", "f", action, "other")
    other.clear_quality_metrics()
    pairs = [(one, route(one, "abd")), (other, route(other, "acef"))]
    refine = plancost.LearnOptions(refine=True)
    with pytest.raises(InputError, match="'one' and 'other' have different action costs"):
        learn_from_unified_planning(pairs, refine)
    assert learn_from_unified_planning(pairs).result.optimal_plans == 2
    one.clear_quality_metrics()
    one.add_quality_metric(MinimizeActionCosts({}))
    with pytest.raises(InputError, match="gives no cost to the action 'Drive To'"):
        learn_from_unified_planning(pairs[:1], refine)


def test_without_the_library_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "unified_planning.io", None)
    with pytest.raises(UsageError, match=r"pip install plancost\[unified-planning\]"):
        learn_from_unified_planning([])


ALIKE = ["A", "a", "a_0", "a_1", "x y", "x_y", "x-y", "object", "and", "?a", "(a)", "é", "İ", "\n"]


def detour(action: InstantaneousAction, names: list[str], title: str) -> Problem:
    """Three places, with a direct way from the first to the last, and other roads to the rest."""
    problem = Problem(title)
    for fluent in (AT, ROAD):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_action(action)
    here, between, there, *others = (problem.add_object(name, PLACE) for name in names)
    for a, b in ((here, between), (between, there), (here, there), *((here, o) for o in others)):
        problem.set_initial_value(ROAD(a, b), True)
    problem.set_initial_value(AT(here), True)
    problem.add_goal(AT(there))
    return problem


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from(ALIKE) | st.text(min_size=1, max_size=4),
        min_size=5,
        max_size=5,
        unique=True,
    ),
    st.sampled_from(["go", "GO", "a_2", "(go)", "walk to"]),
)
def test_any_names_lead_back(names: list[str], called: str) -> None:
    """Whatever places are called, the direct way of a detour gets its cost, also elsewhere."""
    action = move(called)
    assume(not set(names) & {"At", "road", called, "Place"})
    problem = detour(action, names[:3], "p")
    here, between, there = problem.all_objects
    steps = [(here, between), (between, there)]
    plan = SequentialPlan([ActionInstance(action, tuple(map(ObjectExp, pair))) for pair in steps])
    learned = learn_from_unified_planning([(problem, plan)])
    start, stop, end, *_ = names
    new = detour(action, names, "new")
    priced = learned.apply_to(new)
    for ends, step in steps_of(new).items():
        expected = 2 if ends == (start, end) else 1
        assert metric_cost(priced, step) == learned.cost(step) == expected
    assert learned.costs == {
        (called, (start, stop)): 1,
        (called, (stop, end)): 1,
        (called, (start, end)): 2,
    }

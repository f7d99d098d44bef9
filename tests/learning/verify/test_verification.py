"""The check of an answer: graphs and planners against the definitions, tried on all plans."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from conftest import TABLE_1, WriteGraphCase, graph_problem
from plancost.api.learn import learn
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Oracles, Run
from plancost.learning.verify import incumbent
from plancost.learning.verify.verification import check_costs, check_into, unchecked
from plancost.observations.case import Case, load_case
from plancost.observations.planfile import Plan
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.graph_oracle import GraphOracle, TaskGraph
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.oracle import Allowed, Answer, Oracle
from plancost.system.clock import Deadline, TimeIsUp
from support.brute_force import is_optimal
from support.small_tasks import CONCEPTS, simple_plans

# Actions that commute (press), that do the work of others (both), with conditional
# effects (flash) and without any (look): orderings and ties abound, plans are few.
LAMPS = """(define (domain lamps) (:requirements :adl)
  (:predicates (on ?l) (pair ?a ?b))
  (:action press :parameters (?l) :precondition (not (on ?l)) :effect (on ?l))
  (:action both :parameters (?a ?b)
    :precondition (and (pair ?a ?b) (not (on ?a)) (not (on ?b))) :effect (and (on ?a) (on ?b)))
  (:action flash :parameters () :precondition (exists (?l) (not (on ?l)))
    :effect (forall (?l) (when (not (on ?l)) (on ?l))))
  (:action look :parameters () :effect (and)))
"""
TWO_OF_THREE = """(define (problem two) (:domain lamps) (:objects a b c)
  (:init (pair a b)) (:goal (and (on a) (on b))))
"""
ALL_THREE = TWO_OF_THREE.replace("problem two", "problem three").replace(
    "(on b))", "(on b) (on c))"
)
PLANS = {
    "two.1.plan": "(press a)\n(press b)\n",
    "two.2.plan": "(press b)\n(press a)\n",
    "two.3.plan": "(both a b)\n",
    "three.1.plan": "(press c)\n(both a b)\n",
    "three.2.plan": "(flash)\n",
    "three.3.plan": "(press a)\n(flash)\n",
}


@pytest.fixture
def lamps(tmp_path: Path) -> Case:
    for name, text in {
        "domain.pddl": LAMPS,
        "two.pddl": TWO_OF_THREE,
        "three.pddl": ALL_THREE,
        **PLANS,
    }.items():
        (tmp_path / name).write_text(text)
    return load_case(tmp_path)


@pytest.fixture
def streets(write_graph_case: WriteGraphCase) -> Case:
    folder = write_graph_case(TABLE_1, ["abd", "acef"])
    nodes = sorted({a for a, _ in TABLE_1})
    (folder / "p3.pddl").write_text(graph_problem("p3", nodes, TABLE_1, "a", "f"))
    for number, route in enumerate(["abdf", "acdf", "abdcef"]):
        steps = "".join(f"(move {a} {b})\n" for a, b in pairwise(route))
        (folder / f"p3.{number}.plan").write_text(steps)
    return load_case(folder)


def random_costs(case: Case, seed: int) -> Costs:
    """Small costs, so that plans tie often."""
    random = Random(seed)
    return tuple(random.choice((1, 1, 2, 3)) for _ in case.actions)


def lamp_costs(case: Case, press: int, both: int, flash: int) -> Costs:
    prices = {"press": press, "both": both, "flash": flash, "look": 1}
    return tuple(prices[name[1:-1].split()[0]] for name in case.actions)


def graph_oracle(case: Case) -> Oracle:
    built = GraphStore(case, GraphLimits()).graphs(None, Deadline())
    graphs = {number: graph for number, graph in built.items() if isinstance(graph, TaskGraph)}
    assert len(graphs) == len(case.tasks)
    return GraphOracle(graphs)


def run_on(case: Case, deadline: Deadline | None = None, jobs: int = 1) -> Run:
    return Run.of(case, LearnOptions(jobs=jobs), deadline)


def planner_oracle(case: Case, planner: str) -> Oracle:
    return Oracles.of(case, LearnOptions(oracle=OracleName(planner))).planner_oracle


def assert_right(task: LearningTask, costs: Costs, oracle: Oracle) -> None:
    """Every verdict is what the definitions say."""
    plans = [simple_plans(item.sas) for item in task.case.tasks]
    verdicts = check_costs(run_on(task.case, jobs=2), task, costs, oracle)
    assert len(verdicts) == len(task.case.observations)
    for number, (observation, verdict) in enumerate(
        zip(task.case.observations, verdicts, strict=True)
    ):
        least = min(task.cost(plan, costs) for plan in plans[observation.task])
        assert verdict.cost == task.cost(observation.plan, costs)
        assert verdict.optimal_cost == least
        assert verdict.optimal == is_optimal(task, number, costs, plans[observation.task])
        if verdict.optimal:
            assert verdict.rival is None
        else:
            assert verdict.rival in plans[observation.task]
            assert task.cost(verdict.rival, costs) == least
            assert verdict.rival != observation.plan


@pytest.mark.parametrize("concept", CONCEPTS)
def test_graphs(lamps: Case, streets: Case, concept: Concept) -> None:
    for case in (lamps, streets):
        task = LearningTask(case, concept, None)
        oracle = graph_oracle(case)
        for seed in range(25):
            assert_right(task, random_costs(case, seed), oracle)


@pytest.mark.parametrize(
    ("concept", "planner"),
    [
        *((concept, "fast-downward") for concept in CONCEPTS[:2]),
        *(pytest.param(c, "fast-downward", marks=pytest.mark.slow) for c in CONCEPTS[2:]),
        (CONCEPTS[0], "symk"),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else None,
)
def test_planners(lamps: Case, concept: Concept, planner: str) -> None:
    """Ties of all kinds; with the second costs only one plan of the first task is optimal.

    Which planner is asked matters for the cheapest plan; the others are SymK's.
    """
    task = LearningTask(lamps, concept, None)
    oracle = planner_oracle(lamps, planner)
    for press, both, flash in ((1, 2, 3), (2, 1, 3)):
        assert_right(task, lamp_costs(lamps, press, both, flash), oracle)


def test_planners_on_streets(streets: Case) -> None:
    task = LearningTask(streets, Concept(Solution.SCF), None)
    assert_right(task, random_costs(streets, 3), planner_oracle(streets, "fast-downward"))


def test_costs_beyond_the_planners_are_not_decided(streets: Case) -> None:
    """Both planners count in 32 bits: better no answer than a wrong one."""
    task = LearningTask(streets, Concept(), None)
    huge = (2**40,) * len(streets.actions)
    verdicts = check_costs(run_on(task.case), task, huge, planner_oracle(streets, "fast-downward"))
    assert all(verdict.optimal is None for verdict in verdicts)
    assert_right(task, huge, graph_oracle(streets))


@pytest.mark.parametrize("concept", CONCEPTS)
def test_out_of_time_another_order_is_still_a_rival(lamps: Case, concept: Concept) -> None:
    """It costs as much whatever the costs, so no planner is needed; nothing else is claimed."""
    task = LearningTask(lamps, concept, None)
    costs = lamp_costs(lamps, 1, 2, 3)
    verdicts = check_costs(
        run_on(task.case, Deadline.after(0.0)), task, costs, planner_oracle(lamps, "fast-downward")
    )
    found = 0
    for number, verdict in enumerate(verdicts):
        plan = lamps.observations[number].plan
        if verdict.optimal is None:
            continue
        plans = simple_plans(lamps.tasks[lamps.observations[number].task].sas)
        assert not is_optimal(task, number, costs, plans)
        assert verdict.rival in plans
        found += sorted(verdict.rival or ()) == sorted(plan)
    told_apart = concept.is_strict and concept.reorderings is not Reorderings.SAME
    assert (found > 0) == told_apart


def test_sums_beyond_exact_arithmetic_are_not_decided(streets: Case) -> None:
    task = LearningTask(streets, Concept(), None)
    costs = (2**53 - 1,) * len(streets.actions)
    verdicts = check_costs(run_on(task.case), task, costs, graph_oracle(streets))
    assert {verdict.optimal for verdict in verdicts if verdict.cost >= 2**53} == {None}


def test_priced_out_actions_do_not_bother_the_planners(streets: Case) -> None:
    """An action that costs more than a known plan is in no cheapest plan, whatever it costs."""
    task = LearningTask(streets, Concept(Solution.SCF), None)
    used = {name for item in streets.observations for name in item.plan}
    costs = tuple(1 if name in used else 2**40 for name in streets.actions)
    assert_right(task, costs, planner_oracle(streets, "fast-downward"))


class Tired:
    """An oracle that finishes only what it is told to, and never finds a cheaper plan."""

    name = "tired"

    def __init__(self, best: Answer) -> None:
        self._best = best

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        return self._best

    def outside(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int, deadline: Deadline
    ) -> Answer:
        return Answer(None, None, proven=False)


NOTHING = Answer(None, None, proven=False)
ABD: Plan = ("(move a b)", "(move b d)")


def test_a_search_that_does_not_end_proves_nothing(table_1: Path) -> None:
    case = load_case(table_1)
    task = LearningTask(case, Concept(), None)
    for verdict in check_costs(run_on(task.case), task, task.baseline, Tired(NOTHING)):
        assert (verdict.optimal, verdict.optimal_cost, verdict.rival) == (None, None, None)


class Interrupted(Tired):
    """The same, until the second question ends the check."""

    def __init__(self, best: Answer) -> None:
        super().__init__(best)
        self.asked: list[int] = []

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        self.asked.append(task)
        if len(self.asked) > 1:
            raise TimeIsUp
        return super().cheapest(task, costs, deadline)


@pytest.mark.parametrize("first", [0, 1])
def test_a_check_that_is_ended_keeps_what_it_has_found(table_1: Path, first: int) -> None:
    """And what it is asked to check first, it has checked by then."""
    case = load_case(table_1)
    task = LearningTask(case, Concept(), None)
    cost = task.cost(case.observations[first].plan, task.baseline)
    oracle = Interrupted(Answer(case.observations[first].plan, cost, proven=True))
    verdicts = unchecked(task, task.baseline)
    with pytest.raises(TimeIsUp):
        check_into(verdicts, run_on(case), task, task.baseline, oracle, range(2), [first])
    assert oracle.asked[0] == case.observations[first].task
    assert verdicts[first].optimal is True
    assert verdicts[1 - first].optimal is None


def test_tasks_behind_one_that_does_not_end_are_kept(table_1: Path) -> None:
    """With two jobs the second task is done while the first still goes on; then time is up."""
    case = load_case(table_1)
    task = LearningTask(case, Concept(), None)
    verdicts, second = unchecked(task, task.baseline), threading.Event()

    class Slow(Tired):
        def cheapest(self, number: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
            if number == case.observations[0].task:
                assert second.wait(10)
                raise TimeIsUp
            return super().cheapest(number, costs, deadline)

    def progress(stage: str, done: int, total: int, known: str = "") -> None:
        if done:
            second.set()

    plan = case.observations[1].plan
    run = replace(run_on(case, jobs=2), progress=progress)
    oracle = Slow(Answer(plan, task.cost(plan, task.baseline), proven=True))
    with pytest.raises(TimeIsUp):
        check_into(verdicts, run, task, task.baseline, oracle, range(2))
    assert [verdict.optimal for verdict in verdicts] == [None, True]


def test_strictness_needs_the_second_search_too(table_1: Path) -> None:
    """The cheapest plan is the observed one; whether another is as cheap stays open."""
    case = load_case(table_1)
    costs = (1,) * len(case.actions)
    found = Tired(Answer(ABD, 2, proven=True))
    strict = check_costs(
        run_on(case), LearningTask(case, Concept(Solution.SCF), None), costs, found
    )
    assert (strict[0].optimal, strict[0].optimal_cost) == (None, 2)
    plain = check_costs(run_on(case), LearningTask(case, Concept(), None), costs, found)
    assert plain[0].optimal is True


def test_a_cheaper_plan_decides_even_if_it_is_not_proven_cheapest(table_1: Path) -> None:
    case = load_case(table_1)
    costs = tuple(5 if name == "(move a c)" else 1 for name in case.actions)
    found = Tired(Answer(("(move a b)", "(move b d)", "(move d f)"), 3, proven=False))
    task = LearningTask(case, Concept(), None)
    second = check_costs(run_on(task.case), task, costs, found)[1]
    assert (second.optimal, second.cost, second.optimal_cost) == (False, 7, None)
    assert second.rival is not None


@pytest.mark.parametrize("solution", [Solution.MCF, Solution.SCF, Solution.ICF])
def test_a_result_that_is_not_checked_says_so(
    table_1: Path, monkeypatch: pytest.MonkeyPatch, solution: Solution
) -> None:
    """The optimiser believes 2 of 2; without the check nothing is counted."""
    monkeypatch.setattr(incumbent, "oracle_for", lambda *_: Tired(NOTHING))
    result = learn(table_1, LearnOptions(Concept(solution)))
    assert not result.verified
    assert (result.optimal_plans, result.believed_optimal, result.proved) == (0, 2, False)
    assert not result.secondary.proved
    assert result.exists is None
    content = result.to_json()
    assert content["verified"] is False
    assert all(item["optimal"] is None for item in content["observations"])
    assert all(item["optimal_cost"] is None for item in content["observations"])


def test_out_of_time_planners_still_tell_which_plans_are_too_expensive(streets: Case) -> None:
    """An observed plan that costs more than another of its task needs no search."""
    task = LearningTask(streets, Concept(), None)
    costs = random_costs(streets, 3)
    right = check_costs(run_on(task.case), task, costs, graph_oracle(streets))
    planners = planner_oracle(streets, "fast-downward")
    for deadline in (Deadline.after(0.0), Deadline.after(60.0)):
        found = check_costs(run_on(task.case, deadline), task, costs, planners)
        for verdict, truth, observation in zip(found, right, streets.observations, strict=True):
            least = min(
                task.cost(streets.observations[member].plan, costs)
                for member in streets.observations_of_task[observation.task]
            )
            assert verdict.optimal in (None, truth.optimal)
            assert verdict.optimal_cost in (None, truth.optimal_cost)
            if verdict.cost > least:
                assert verdict.optimal is False
                assert verdict.rival is not None


def test_observed_plans_with_actions_that_the_check_leaves_out(
    write_graph_case: WriteGraphCase,
) -> None:
    """A-C costs more than the whole plan A-B, so its graph does not have it; A-B-C does not tie."""
    lengths = {("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 9}
    case = write_graph_case(lengths, ["abc"])
    (case / "p1.dear.plan").write_text("(move a c)\n")
    concept = Concept(Solution.SCF, ties=Ties.OBSERVED)
    result = learn(case, LearnOptions(concept, refine=True, alternatives="baseline"))
    assert [item.optimal for item in result.observations] == [False, True]

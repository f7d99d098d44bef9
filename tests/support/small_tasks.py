"""Random small learning tasks, built without PDDL so that hundreds run in seconds.

Two kinds: movement on a directed graph (with parallel actions and with one action
on several edges), and STRIPS-like tasks over a few binary variables, where actions
commute and plans have reorderings.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st

from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.task import LearningTask
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import MOST_COUNT, ObservedFile
from plancost.observations.pddl import parse_domain, parse_problem
from plancost.observations.planfile import Plan
from plancost.observations.sas import Effect, Operator, SasTask, State, Variable

_MOST_PLANS = 60
COUNTS = st.integers(1, 2) | st.sampled_from(
    [1, 1, 2, 2, MOST_COUNT, MOST_COUNT - 1, MOST_COUNT - 2, 10**8 + 7]
)
"""Mostly few copies of a plan; now and then as many as there may be, or almost."""

DOMAIN = parse_domain("(define (domain d) (:predicates (p)) (:action a :effect (when (p) (p))))")
PROBLEM = parse_problem("(define (problem p) (:domain d) (:init) (:goal (p)))")
"""Stand-ins: these tasks live in SAS+ only."""


def simple_plans(task: SasTask, most: int = 10**9) -> list[Plan]:
    """All plans that visit no state twice, by depth-first search."""
    found: list[Plan] = []

    def extend(state: State, seen: frozenset[State], plan: Plan) -> None:
        if len(found) >= most:
            return
        if task.is_goal(state):
            found.append(plan)
        for operator in task.operators:
            if task.holds(operator.preconditions, state):
                after = task.apply(operator, state)
                if after not in seen:
                    extend(after, seen | {after}, (*plan, operator.name))

    extend(task.initial_state, frozenset([task.initial_state]), ())
    return list(dict.fromkeys(found))


@st.composite
def graph_tasks(draw: st.DrawFn, most_actions: int) -> list[SasTask]:
    """Up to three tasks on one random graph."""
    size = draw(st.integers(3, 5))
    pairs = [(a, b) for a in range(size) for b in range(size) if a != b]
    edges = draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=most_actions))
    operators: list[Operator] = []
    for number, (a, b) in enumerate(edges):
        # A repeated pair is a parallel action; now and then an action has two edges.
        name = f"(m{number} {a} {b})"
        if operators and draw(st.integers(0, 9)) == 0:
            other = operators[-1].name
            if all(o.name != other or o.preconditions != ((0, a),) for o in operators):
                name = other
        operators.append(Operator(name, ((0, a),), (Effect((), 0, b),)))
    variable = Variable("var0", -1, tuple(f"Atom at({node})" for node in range(size)))
    ends = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=3))
    return [
        SasTask((variable,), (), (start,), ((0, goal),), tuple(operators), ())
        for start, goal in ends
    ]


@st.composite
def switch_tasks(draw: st.DrawFn, most_actions: int) -> list[SasTask]:
    """Up to two tasks over three or four binary variables."""
    size = draw(st.integers(3, 4))
    variables = tuple(
        Variable(f"var{i}", -1, (f"Atom on(v{i})", f"NegatedAtom on(v{i})")) for i in range(size)
    )
    facts = st.tuples(st.integers(0, size - 1), st.integers(0, 1))
    operators = []
    for number in range(draw(st.integers(2, most_actions))):
        conditions = dict(draw(st.lists(facts, max_size=2)))
        effects = dict(draw(st.lists(facts, min_size=1, max_size=2)))
        operators.append(
            Operator(
                f"(a{number})",
                tuple(sorted(conditions.items())),
                tuple(Effect((), v, value) for v, value in sorted(effects.items())),
            )
        )
    found = []
    for _ in range(draw(st.integers(1, 2))):
        start = tuple(draw(st.integers(0, 1)) for _ in range(size))
        goal = dict(draw(st.lists(facts, min_size=1, max_size=2)))
        found.append(
            SasTask(variables, (), start, tuple(sorted(goal.items())), tuple(operators), ())
        )
    return found


@st.composite
def cases(draw: st.DrawFn, most_actions: int = 6) -> tuple[Case, list[list[Plan]]]:
    """A case, and for each of its tasks all simple plans."""
    kinds = st.one_of(graph_tasks(most_actions), switch_tasks(most_actions))
    tasks: list[Task] = []
    plans: list[list[Plan]] = []
    observations: list[Observation] = []
    seen = set()
    for sas in draw(kinds):
        if (sas.initial, sas.goal) in seen:
            continue
        seen.add((sas.initial, sas.goal))
        found = simple_plans(sas, _MOST_PLANS + 1)
        if not found or len(found) > _MOST_PLANS:
            continue
        number = len(tasks)
        tasks.append(Task(PROBLEM, sas, f"task {number}", f"world {number}"))
        plans.append(found)
        for plan in draw(st.lists(st.sampled_from(found), min_size=1, max_size=3)):
            name = Path(f"p{number}.{len(observations)}.plan")
            source = ObservedFile(Path(f"p{number}.pddl"), name, draw(COUNTS))
            observations.append(Observation(number, plan, False, source))
    case = Case(Path(), DOMAIN, (), tuple(tasks), tuple(observations), ())
    if not observations:
        from hypothesis import reject

        reject()
    return case, plans


def few_copies(task: LearningTask) -> LearningTask:
    """The same with small counts, which soft known costs need."""
    observations = tuple(
        replace(o, source=replace(o.source, count=1 + o.count % 2)) for o in task.case.observations
    )
    return replace(task, case=replace(task.case, observations=observations))


CONCEPTS = [
    Concept(Solution.MCF),
    Concept(Solution.SCF),
    Concept(Solution.SCF, reorderings=Reorderings.SAME),
    Concept(Solution.SCF, ties=Ties.OBSERVED),
    Concept(Solution.SCF, reorderings=Reorderings.SAME, ties=Ties.OBSERVED),
]


@st.composite
def learning_tasks(draw: st.DrawFn, most_actions: int = 6) -> tuple[LearningTask, list[list[Plan]]]:
    """A learning task under any concept, with or without initial costs."""
    case, plans = draw(cases(most_actions))
    concept = draw(st.sampled_from(CONCEPTS))
    initial = None
    if draw(st.booleans()):
        initial = tuple(draw(st.integers(0, 4)) for _ in case.actions)
    return LearningTask(case, concept, initial), plans

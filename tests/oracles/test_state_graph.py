"""The state graph against step-by-step execution of the same tasks.

Following all actions in the graph and in the task side by side (a bisimulation check)
compares everything there is: applicability, successors and goals.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.observations.case import Task
from plancost.observations.grounding import ground
from plancost.observations.pddl import Domain, parse_domain, parse_problem, task_key, world_key
from plancost.observations.replay import applicable
from plancost.observations.sas import Effect, Fact, Operator, SasTask, Variable, sas_text
from plancost.oracles import fast_downward
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.shortest_paths import CostToGo
from plancost.oracles.state_graph import (
    StateGraph,
    TooLarge,
    Unsupported,
    build_state_graph,
    groups,
)
from plancost.system.clock import Deadline
from plancost.system.processes import Limits
from support.plan_worlds import World, worlds

VANS = """(define (domain vans)
  (:requirements :typing :negative-preconditions :equality)
  (:types place - object van parcel - movable)
  (:constants depot - place)
  (:predicates (road ?a ?b - place) (at ?m - movable ?p - place) (in ?x - parcel ?v - van)
               (full ?v - van) (washed ?v - van))
  (:action drive :parameters (?v - van ?a ?b - place)
    :precondition (and (at ?v ?a) (road ?a ?b) (not (= ?a ?b)))
    :effect (and (not (at ?v ?a)) (at ?v ?b)))
  (:action load :parameters (?x - parcel ?v - van ?p - place)
    :precondition (and (at ?v ?p) (at ?x ?p) (not (full ?v)))
    :effect (and (not (at ?x ?p)) (in ?x ?v) (full ?v)))
  (:action drop :parameters (?x - parcel ?v - van ?p - place)
    :precondition (and (at ?v ?p) (in ?x ?v))
    :effect (and (at ?x ?p) (not (in ?x ?v)) (not (full ?v))))
  (:action wash :parameters (?v - van) :precondition (at ?v depot) :effect (washed ?v)))"""


def vans_problem(init: str, goal: str, roads: str = "(road depot a) (road a depot)") -> str:
    return f"""(define (problem p) (:domain vans) (:objects a b - place v - van x y - parcel)
      (:init {roads} (road a b) (road b a) {init}) (:goal {goal}))"""


def translated(domain: Domain, text: str) -> Task:
    problem = parse_problem(text)
    return Task(
        problem,
        ground(domain, problem, Limits()),
        task_key(domain, problem),
        world_key(domain, problem),
    )


def build(
    domain: Domain, tasks: Sequence[Task], actions: Collection[str] | None = None
) -> StateGraph:
    graph = build_state_graph(domain, tasks, actions, GraphLimits(), Deadline())
    assert isinstance(graph, StateGraph)
    return graph


def check_same_behaviour(
    graph: StateGraph, number: int, task: SasTask, actions: Collection[str] | None = None
) -> set[int]:
    """Follow all actions in both; returns the states of the graph that were reached."""
    goal = set(graph.goals[number].tolist())
    start = (graph.initial[number], task.initial_state)
    seen, open_pairs = {start}, [start]
    while open_pairs:
        node, state = open_pairs.pop()
        assert (node in goal) == task.is_goal(state)
        for name in graph.action_names:
            after = graph.successor(node, graph.action_number[name])
            operator = applicable(task, task.operators_by_name.get(name, ()), state)
            assert (after is None) == (operator is None)
            if after is not None and operator is not None:
                pair = (after, task.apply(operator, state))
                if pair not in seen:
                    seen.add(pair)
                    open_pairs.append(pair)
        for name in task.operators_by_name:
            assert (name in graph.action_number) == (actions is None or name in actions)
    return {node for node, _ in seen}


def check_arrays(graph: StateGraph) -> None:
    order = graph.source.astype(np.int64) * len(graph.action_names) + graph.action
    assert np.all(np.diff(order) > 0)
    assert np.all(graph.source != graph.target)
    incoming = graph.incoming
    first = np.arange(len(incoming.indices)) if incoming.first is None else incoming.first
    targets = np.repeat(np.arange(graph.state_count), np.diff(incoming.row_starts))
    found = set()
    bounds = [*first.tolist(), len(incoming.actions)]
    for entry, (begin, end) in enumerate(pairwise(bounds)):
        assert begin < end
        for action in incoming.actions[begin:end].tolist():
            found.add((int(incoming.indices[entry]), int(targets[entry]), action))
    pairs = set(zip(incoming.indices.tolist(), targets.tolist(), strict=True))
    assert len(pairs) == len(first)
    assert found == set(
        zip(graph.source.tolist(), graph.target.tolist(), graph.action.tolist(), strict=True)
    )


# Random STRIPS worlds: atoms p0, p1, ... and the same task as SAS+ with binary variables.

ATOMS = 5
literals = st.dictionaries(st.integers(0, ATOMS - 1), st.booleans(), max_size=3)
schemas = st.lists(st.tuples(literals, literals), max_size=7)
starts_and_goals = st.lists(
    st.tuples(st.frozensets(st.integers(0, ATOMS - 1)), literals), min_size=1, max_size=3
)


def conjunction(atoms: dict[int, bool]) -> str:
    return "(and " + " ".join(f"(p{a})" if v else f"(not (p{a}))" for a, v in atoms.items()) + ")"


def facts(atoms: dict[int, bool]) -> tuple[Fact, ...]:
    return tuple((atom, int(value)) for atom, value in atoms.items())


def strips_world(
    actions: list[tuple[dict[int, bool], dict[int, bool]]],
    problems: list[tuple[frozenset[int], dict[int, bool]]],
) -> tuple[Domain, list[Task]]:
    predicates = " ".join(f"(p{atom})" for atom in range(ATOMS))
    # An action that is never applicable; with it no atom is static.
    every_atom = conjunction(dict.fromkeys(range(ATOMS), True))
    text = "(:action never :parameters () :precondition (and (p0) (not (p0)))"
    text += f" :effect {every_atom})"
    text += " ".join(
        f"(:action a{number} :parameters () :precondition {conjunction(before)} "
        f":effect {conjunction(after)})"
        for number, (before, after) in enumerate(actions)
    )
    domain = parse_domain(f"(define (domain d) (:predicates {predicates}) {text})")
    operators = tuple(
        Operator(f"(a{n})", facts(before), tuple(Effect((), v, x) for v, x in facts(after)))
        for n, (before, after) in enumerate(actions)
    )
    operators += (Operator("(never)", ((0, 0), (0, 1)), ()),)
    variables = tuple(Variable(f"v{a}", -1, ("no", "yes")) for a in range(ATOMS))
    tasks = []
    for init, goal in problems:
        initial = tuple(int(atom in init) for atom in range(ATOMS))
        sas = SasTask(variables, (), initial, facts(goal), operators, ())
        problem = parse_problem(
            f"(define (problem p) (:domain d) (:init {' '.join(f'(p{a})' for a in sorted(init))}) "
            f"(:goal {conjunction(goal)}))"
        )
        tasks.append(Task(problem, sas, "", "one world"))
    return domain, tasks


@settings(deadline=None)
@given(schemas, starts_and_goals, st.none() | st.frozensets(st.integers(0, 6)))
def test_strips_graph_behaves_like_its_tasks(
    actions: list[tuple[dict[int, bool], dict[int, bool]]],
    problems: list[tuple[frozenset[int], dict[int, bool]]],
    allowed: frozenset[int] | None,
) -> None:
    domain, tasks = strips_world(actions, problems)
    names = None if allowed is None else {f"(a{number})" for number in allowed}
    assert groups(domain, tasks) == [list(range(len(tasks)))]
    graph = build(domain, tasks, names)
    reached = set()
    for number, task in enumerate(tasks):
        reached |= check_same_behaviour(graph, number, task.sas, names)
    assert reached == set(range(graph.state_count))
    assert graph.state_count <= 2**ATOMS
    check_arrays(graph)


# Random SAS+ tasks with conditional effects and several operators of one name.

NOT_STRIPS = parse_domain(
    "(define (domain d) (:predicates (p) (q)) "
    "(:action a :parameters () :precondition () :effect (when (p) (q))))"
)
ANY_PROBLEM = parse_problem("(define (problem p) (:domain d) (:init) (:goal (p)))")
SIZES = (2, 3, 4)
fact_lists = st.dictionaries(st.integers(0, len(SIZES) - 1), st.integers(0, 1), max_size=2).map(
    lambda chosen: tuple(chosen.items())
)
effects = st.builds(Effect, fact_lists, st.integers(0, 2), st.integers(0, 1))
actions_with_conditions = st.lists(
    st.tuples(st.lists(fact_lists, min_size=1, max_size=2), st.lists(effects, max_size=3)),
    max_size=6,
)


def sas_task(
    actions: list[tuple[list[tuple[Fact, ...]], list[Effect]]], goal: tuple[Fact, ...]
) -> Task:
    variables = tuple(
        Variable(f"v{number}", -1, tuple(map(str, range(size))))
        for number, size in enumerate(SIZES)
    )
    operators = tuple(
        Operator(f"(a{number})", preconditions, tuple(effects))
        for number, (alternatives, effects) in enumerate(actions)
        for preconditions in alternatives
    )
    return Task(ANY_PROBLEM, SasTask(variables, (), (0, 1, 2), goal, operators, ()), "", "")


@settings(deadline=None)
@given(actions_with_conditions, fact_lists)
def test_sas_graph_behaves_like_its_task(
    actions: list[tuple[list[tuple[Fact, ...]], list[Effect]]], goal: tuple[Fact, ...]
) -> None:
    task = sas_task(actions, goal)
    graph = build(NOT_STRIPS, [task])
    reached = check_same_behaviour(graph, 0, task.sas)
    assert reached == set(range(graph.state_count))
    check_arrays(graph)


# Real PDDL through the real translator.


def test_tasks_share_the_graph_of_their_world() -> None:
    domain = parse_domain(VANS)
    more_roads = "(road depot a) (road a depot) (road depot b)"
    texts = [
        vans_problem("(at v a) (at x b)", "(at x depot)"),
        vans_problem("(at v depot) (at x a) (at y a)", "(and (at x b) (not (at y a)))"),
        vans_problem("(at v a) (at x b)", "(at x depot)", roads=more_roads),
    ]
    tasks = [translated(domain, text) for text in texts]
    assert groups(domain, tasks) == [[0, 1], [2]]
    graph = build(domain, tasks[:2])
    # One parcel or two. Whether the van is washed is never asked, so it does not count.
    assert graph.state_count == 3 * 4 + 3 * (4 * 4 - 1)

    fetch = ("(drive v a b)", "(load x v b)", "(drive v b a)", "(drive v a depot)")
    states = graph.follow(0, (*fetch, "(wash v)", "(drop x v depot)")).tolist()
    assert states[0] == graph.initial[0]
    assert states[4] == states[5]  # washing changes nothing
    assert len(set(states)) == 6
    assert states[-1] in graph.goals[0]

    bring = ("(drive v depot a)", "(load x v a)", "(drive v a b)", "(drop x v b)")
    assert graph.follow(1, bring)[-1] not in graph.goals[1]  # the other is still at a
    more = ("(drive v b a)", "(load y v a)")
    assert graph.follow(1, (*bring, *more))[-1] in graph.goals[1]

    different = build_state_graph(domain, tasks, None, GraphLimits(), Deadline())
    assert isinstance(different, Unsupported)


@pytest.mark.parametrize("seed", range(3))
def test_cheapest_plans_cost_what_fast_downward_finds(seed: int) -> None:
    domain = parse_domain(VANS)
    goal = "(and (at x depot) (at y b) (at v a))"
    task = translated(domain, vans_problem("(at v a) (at x b) (at y depot)", goal))
    graph = build(domain, [task])
    random = np.random.default_rng(seed)
    costs = random.integers(1, 100, len(graph.action_names))
    named = dict(zip(graph.action_names, costs.tolist(), strict=True))
    outcome = fast_downward.optimal_plan(sas_text(task.sas, named), limits=Limits(time_s=60))
    cost_to_go = CostToGo(graph, graph.goals[0], costs)
    assert cost_to_go.cost_from(graph.initial[0]) == sum(named[name] for name in outcome.plans[0])


def test_following_an_impossible_plan_is_an_error() -> None:
    domain = parse_domain(VANS)
    task = translated(domain, vans_problem("(at v a) (at x b)", "(at x depot)"))
    graph = build(domain, [task], {"(drive v a b)", "(load x v b)"})
    assert graph.action_names == ("(drive v a b)", "(load x v b)")
    assert graph.state_count == 3
    assert len(graph.goals[0]) == 0
    with pytest.raises(ValueError, match=r"step 1 \(load x v b\)"):
        graph.follow(0, ("(load x v b)",))
    with pytest.raises(ValueError, match=r"step 2 \(drive v b a\)"):
        graph.follow(0, ("(drive v a b)", "(drive v b a)"))


def test_goals_on_static_facts_and_equality() -> None:
    domain = parse_domain(VANS)
    init = "(at v a) (at x b)"
    possible = vans_problem(init, "(and (at v b) (road a b) (not (= a b)) (not (road a a)))")
    task = translated(domain, possible)
    graph = build(domain, [task])
    assert 0 < len(graph.goals[0]) < graph.state_count
    always = translated(domain, vans_problem(init, "(and (road a b) (= a a))"))
    assert always.actions == task.actions
    graph = build(domain, [always])
    assert len(graph.goals[0]) == graph.state_count
    impossible = parse_problem(vans_problem(init, "(and (at v b) (road a a))"))
    never = Task(impossible, task.sas, "", "")
    assert len(build(domain, [never]).goals[0]) == 0


CLEANING = """(define (domain cleaning)
  (:requirements :adl)
  (:constants one two)
  (:predicates (room ?r) (at ?r) (dirty ?r) (lamp))
  (:action go :parameters (?a ?b) :precondition (and (room ?a) (room ?b) (at ?a))
    :effect (and (not (at ?a)) (at ?b)))
  (:action switch :parameters () :precondition (or (at one) (at two))
    :effect (and (when (lamp) (not (lamp))) (when (not (lamp)) (lamp))))
  (:action clean :parameters () :precondition (lamp)
    :effect (forall (?r) (when (and (room ?r) (at ?r)) (not (dirty ?r))))))"""


def cleaning_problem(goal: str) -> str:
    return f"""(define (problem p) (:domain cleaning) (:objects three)
      (:init (room one) (room two) (room three) (at one) (dirty one) (dirty two) (dirty three))
      (:goal {goal}))"""


def test_tasks_without_schemas_are_read_from_their_operators() -> None:
    empty = parse_domain("(define (domain d) (:predicates (p)))")
    task = sas_task([([((1, 1),)], [Effect((), 1, 0)])], ((1, 0),))
    assert groups(empty, [task, task]) == [[0], [1]]
    graph = build(empty, [task])
    assert (graph.state_count, graph.goals[0].tolist()) == (2, [1])
    assert check_same_behaviour(graph, 0, task.sas) == {0, 1}


def test_the_last_of_two_effects_on_a_variable_counts() -> None:
    task = sas_task([([()], [Effect((), 1, 0), Effect((), 1, 2)])], ((1, 2),))
    graph = build(NOT_STRIPS, [task])
    assert check_same_behaviour(graph, 0, task.sas) == {0, 1}


def test_conditional_effects_and_disjunctions() -> None:
    domain = parse_domain(CLEANING)
    goals = ["(not (dirty two))", "(or (not (dirty two)) (not (dirty three)))"]
    tasks = [translated(domain, cleaning_problem(goal)) for goal in goals]
    assert groups(domain, tasks) == [[0], [1]]
    graph = build(domain, tasks[:1])
    assert len(tasks[0].sas.operators_by_name["(switch)"]) > 1
    check_same_behaviour(graph, 0, tasks[0].sas)
    check_arrays(graph)
    assert isinstance(
        build_state_graph(domain, tasks, None, GraphLimits(), Deadline()), Unsupported
    )
    # The translator turns a disjunctive goal into an axiom.
    outcome = build_state_graph(domain, tasks[1:], None, GraphLimits(), Deadline())
    assert isinstance(outcome, Unsupported)
    assert "axioms" in outcome.reason


@pytest.mark.parametrize(
    ("limits", "deadline", "limit"),
    [
        (GraphLimits(states=10), Deadline(), "states"),
        (GraphLimits(transitions=10), Deadline(), "transitions"),
        (GraphLimits(memory_mb=0), Deadline(), "memory"),
        (GraphLimits(), Deadline(at=0.0), "time"),
    ],
)
def test_limits(limits: GraphLimits, deadline: Deadline, limit: str) -> None:
    toggles: list[tuple[dict[int, bool], dict[int, bool]]] = [
        ({}, {atom: value}) for atom in range(ATOMS) for value in (True, False)
    ]
    everything = dict.fromkeys(range(ATOMS), True)
    domain, tasks = strips_world(toggles, [(frozenset(), everything)])
    outcome = build_state_graph(domain, tasks, None, limits, deadline)
    assert isinstance(outcome, TooLarge)
    assert outcome.limit == limit
    assert 1 < outcome.states <= 2**ATOMS
    assert build(domain, tasks).state_count == 2**ATOMS


# The table of states.


@settings(deadline=None)
@given(worlds(), st.data())
def test_many_plans_are_followed_as_one_is(world: World, data: st.DataObject) -> None:
    """Also through actions that lead back to their own state."""
    names = world.graph.action_names
    plans: list[list[int]] = []
    for _ in range(data.draw(st.integers(0, 4))):
        states, plan = [0], list[int]()
        for _ in range(data.draw(st.integers(0, 5))):
            usable = [action for state, action in world.moves if state == states[-1]]
            if usable:
                plan.append(data.draw(st.sampled_from(usable)))
                states.append(world.moves[states[-1], plan[-1]])
        plans.append(plan)
    named = [[names[action] for action in plan] for plan in plans]
    followed = world.graph.follow_all([0] * len(plans), named)
    assert [states.tolist() for states in followed] == [world.states(plan) for plan in plans]
    for visited, plan in zip(followed, plans, strict=True):
        for state, action, after in zip(visited, plan, visited[1:], strict=False):
            assert world.graph.successor(int(state), action) == after
    for (state, action), after in world.moves.items():
        assert ((action, after) in world.graph.steps_from(state)) == (after != state)

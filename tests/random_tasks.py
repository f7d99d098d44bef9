"""Small random cases and questions about them.

A drawn case is made of the types alone, so that it takes no process and can have what no reader
makes: several operators of one action, actions on many transitions, axioms. Written cases are text
(PDDL or tables) for the readers. Observed plans are cheapest under costs that nobody else knows,
or nearly so, or wander about.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from heapq import heappop, heappush
from pathlib import Path
from random import Random

import numpy as np
from scipy.sparse import csr_array

from brute_force import Plan, State, TooLargeError, is_goal, state_graph
from plancost.case.model import (
    ALWAYS,
    UNBOUNDED,
    Axiom,
    Case,
    Condition,
    CostModel,
    Effect,
    Ints,
    Network,
    Observation,
    Operator,
    Strips,
    Task,
    World,
)
from plancost.options import LearnOptions

Maker = Callable[[], World]
"""Another world with the same actions at each call."""


def draw_case(seed: int) -> Case:
    """A case with up to seven observations and costs that may be refined, bounded or shared."""
    random = Random(seed)
    while True:
        kind = random.choice([draw_network, draw_network, _draw_doors, draw_operators])
        count, make = kind(random)
        worlds = tuple(make() for _ in range(random.choice([1, 1, 2])))
        hidden = [random.randint(1, 6) for _ in range(count)]
        bare = bare_case(count, worlds)
        try:
            case = with_observations(random, bare, hidden)
        except TooLargeError:
            continue
        if case.observations:
            return replace(case, costs=_draw_costs(random, case, hidden))


def draw_options(seed: int, case: Case) -> LearnOptions:
    """A solution concept and what goes with it; all that is known of costs is in the case."""
    random = Random(f"options {seed}")
    solution = random.choice(["mcf", "mcf", "scf", "scf", "icf"])
    with_factors = any(seen.factor is not None for seen in case.observations)
    if with_factors and solution == "scf":
        solution = "mcf"
    if solution == "scf":
        return LearnOptions(
            solution="scf", ties=random.choice(["none", "reorderings", "observed"]), time_limit=60
        )
    factor = random.choice([None, None, None, "1.25", "1.5", "2"])
    refine = case.costs.initial is not None
    return LearnOptions(solution=solution, suboptimality=factor, refine=refine, time_limit=60)


def plain_costs(count: int) -> CostModel:
    """Every action has a cost of its own, at least 1."""
    return CostModel(
        tuple(f"cost {number}" for number in range(count)),
        csr_array(np.eye(count, dtype=np.int64)),
        np.ones(count, dtype=np.int64),
        np.full(count, UNBOUNDED, dtype=np.int64),
    )


def random_plan(random: Random, case: Case, task: Task, hidden: list[int]) -> Plan | None:
    """A plan that is cheap for somebody, perhaps with a detour; None if there is none."""
    world = case.worlds[task.world]
    graph = state_graph(world, task.initial)
    noise = random.choice([3, 9, 30])
    costs = [cost + random.randint(0, noise) for cost in hidden]
    before: Plan = ()
    state = task.initial
    if random.random() < 0.15:
        for _ in range(random.randint(1, 3)):
            if graph[state]:
                action, state = random.choice(graph[state])
                before = (*before, action)
    rest = _cheapest(world, task, graph, state, costs)
    return None if rest is None else (*before, *rest)


def draw_streets(seed: int, folder: Path) -> tuple[Case, Ints]:
    """A folder of links.csv and trips.csv; the same case by hand, and the metres of its links."""
    random = Random(f"streets {seed}")
    while True:
        count, make = draw_network(random, shared=False)
        network = make()
        assert isinstance(network, Network)
        hidden = [random.randint(1, 6) for _ in range(count)]
        bare = bare_case(count, (network,), [f"l{n}" for n in range(count)])
        case = with_observations(random, bare, hidden, several_goals=False)
        seen = [one for one in case.observations if one.actions]
        if len(seen) > 1:
            break
    folder.mkdir(parents=True, exist_ok=True)
    ends = zip(network.source, network.target, strict=True)
    links = [
        (name, network.states[source], network.states[target], str(cost))
        for name, (source, target), cost in zip(case.actions, ends, hidden, strict=True)
    ]
    write_table(folder / "links.csv", [("link", "from", "to", "metres"), *links])
    rows = [
        (
            one.name,
            " ".join(case.actions[action] for action in one.actions),
            *(as_text(value) for value in (one.count, one.total, one.factor)),
        )
        for one in seen
    ]
    head = ("trip", "links", "count", "cost", "suboptimality")
    write_table(folder / "trips.csv", [head, *rows])
    return replace(case, observations=tuple(seen)), np.array(hidden)


def as_text(value: object) -> str:
    """As a field of a table."""
    if isinstance(value, Fraction):
        return str(float(value))
    return "" if value is None else str(value)


def write_table(path: Path, rows: Iterable[tuple[str, ...]]) -> Path:
    """Write a CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def _cheapest(
    world: World,
    task: Task,
    graph: dict[State, list[tuple[int, State]]],
    start: State,
    costs: list[int],
) -> Plan | None:
    queue: list[tuple[int, Plan, list[int], State]] = [(0, (), sorted(start), start)]
    done = set()
    while queue:
        cost, plan, _, state = heappop(queue)
        if is_goal(world, task, state):
            return plan
        if state not in done:
            done.add(state)
            for action, after in graph[state]:
                heappush(queue, (cost + costs[action], (*plan, action), sorted(after), after))
    return None


def bare_case(count: int, worlds: tuple[World, ...], names: Sequence[str] = ()) -> Case:
    """Nothing was seen yet."""
    named = tuple(names) or tuple(f"(act a{number:02})" for number in range(count))
    return Case("drawn", named, worlds, (), (), plain_costs(count))


def with_observations(
    random: Random, bare: Case, hidden: list[int], *, several_goals: bool = True
) -> Case:
    """The case with tasks and plans, some of which have factors or a known total."""
    tasks: list[Task] = []
    seen: list[Observation] = []
    with_factors = random.random() < 0.15
    for _ in range(random.randint(2, 9)):
        task = _draw_task(random, bare, len(tasks), several_goals)
        if tasks and random.random() < 0.5:
            task = random.choice(tasks)
        pair = [random_plan(random, bare, task, hidden) for _ in range(2)]
        plan = max((plan for plan in pair if plan is not None), key=len, default=None)
        if plan is None:
            continue
        if task not in tasks:
            tasks.append(task)
        number = tasks.index(task)
        count = random.choice([1, 1, 1, 2, 3])
        factor = Fraction(random.choice(["1", "1.5", "2"])) if with_factors else None
        name = f"{task.name}.{len(seen)}.plan"
        seen.append(Observation(name, number, plan, count, factor=factor))
    if random.random() < 0.12 and seen:
        chosen = random.randrange(len(seen))
        wrong = random.choice([0, 0, 0, 1])
        total = sum(hidden[action] for action in seen[chosen].actions) + wrong
        seen[chosen] = replace(seen[chosen], total=total)
    return replace(bare, tasks=tuple(tasks), observations=tuple(seen))


def _draw_task(random: Random, case: Case, number: int, several_goals: bool) -> Task:
    index = random.randrange(len(case.worlds))
    world, name = case.worlds[index], f"p{number}"
    if isinstance(world, Network):
        size = random.choice([2, 2, 2, 3]) if several_goals else 2
        start, *goals = random.sample(range(len(world.states)), size)
        if several_goals and random.random() < 0.05:
            goals.append(start)
        return Task(name, index, frozenset({start}), goal_states=frozenset(goals))
    changed = {effect.atom for operator in world.operators for effect in operator.effects}
    places = [n for n, atom in enumerate(world.atoms) if atom.startswith("(at ")]
    if places:
        start, goal = random.sample(places, 2)
        doors = [n for n in range(len(world.atoms)) if n not in places and random.random() < 0.4]
        return Task(name, index, frozenset({start, *doors}), Condition(frozenset({goal})))
    initial = frozenset(atom for atom in changed if random.random() < 0.3)
    return Task(name, index, initial, _condition(random, list(range(len(world.atoms))), 2))


def draw_network(random: Random, *, shared: bool = True) -> tuple[int, Maker]:
    """Streets: most links are an action of their own; `shared`: some actions are several links."""
    places = random.randint(4, 8)
    count = places + random.randint(3, 10)

    def make() -> Network:
        labels: dict[tuple[int, int], int] = {}
        rows = []
        for link in range(count + shared * random.choice([0, 0, 2])):
            source, target = random.sample(range(places), 2)
            own = not shared or random.random() < 0.9
            action = link % count if own else random.randrange(count)
            if (source, action) not in labels:
                labels[source, action] = target
                rows.append((source, target, action))
        columns = np.array(rows, dtype=np.int64).T
        return Network(tuple(f"n{n}" for n in range(places)), *columns)

    return count, make


def _draw_doors(random: Random) -> tuple[int, Maker]:
    """Places joined by ways of which some need a door open; doors are opened from anywhere."""
    places, doors = random.randint(3, 5), random.randint(1, 2)
    ways = random.randint(5, 10)

    def make() -> Strips:
        atoms = [f"(at p{n})" for n in range(places)] + [f"(door d{n})" for n in range(doors)]
        operators = []
        for way in range(ways):
            one, other = random.sample(range(places), 2)
            door = places + random.randrange(doors)
            needs = {one, door} if random.random() < 0.4 else {one}
            forbids = {door} if door not in needs and random.random() < 0.2 else set()
            effects = (Effect(one, False), Effect(other, True))
            condition = Condition(frozenset(needs), frozenset(forbids))
            operators.append(Operator(way, condition, effects))
        for door in range(doors):
            number = places + door
            if random.random() < 0.5:
                swap = (
                    Effect(number, True, Condition(forbids=frozenset({number}))),
                    Effect(number, False, Condition(needs=frozenset({number}))),
                )
                operators.append(Operator(ways + door, ALWAYS, swap))
            else:
                operators.append(Operator(ways + door, ALWAYS, (Effect(number, True),)))
        return Strips(tuple(atoms), tuple(operators))

    return ways + doors, make


def draw_operators(random: Random, *, with_axioms: bool = False) -> tuple[int, Maker]:
    """Anything: conditional effects, effects that change nothing, twofold operators, axioms."""
    atoms, count = random.randint(3, 4), random.randint(5, 8)

    def make() -> Strips:
        base = list(range(atoms))
        axioms: tuple[Axiom, ...] = ()
        everything = base
        if with_axioms:
            everything = [*base, atoms, atoms + 1]
            first = Axiom(0, atoms, _condition(random, base, 1))
            axioms = (first, Axiom(1, atoms + 1, _condition(random, everything[:-1], 2)))
        operators = []
        for action in range(count):
            effects = tuple(_effect(random, atom, base) for atom in _some(random, base, 2))
            for _ in range(random.choice([1, 1, 1, 1, 2])):
                operators.append(Operator(action, _condition(random, everything, 2), effects))
        names = tuple(f"(s{n})" for n in everything)
        return Strips(names, tuple(operators), axioms)

    return count, make


def _effect(random: Random, atom: int, base: list[int]) -> Effect:
    condition = _condition(random, base, 1) if random.random() < 0.25 else ALWAYS
    return Effect(atom, random.random() < 0.6, condition)


def _condition(random: Random, atoms: list[int], most: int) -> Condition:
    chosen = _some(random, atoms, most)
    needs = frozenset(atom for atom in chosen if random.random() < 0.6)
    return Condition(needs, frozenset(chosen) - needs)


def _some(random: Random, atoms: list[int], most: int) -> list[int]:
    return random.sample(atoms, random.randint(1, most))


def _draw_costs(random: Random, case: Case, hidden: list[int]) -> CostModel:
    count = len(case.actions)
    model = plain_costs(count)
    if random.random() < 0.35:
        initial = [max(0, cost + random.randint(-2, 2)) for cost in hidden]
        model = replace(model, initial=np.array(initial, dtype=np.int64))
    if random.random() < 0.2:
        names, matrix = _drawn_matrix(random, count)
        model = replace(model, parameters=names, matrix=matrix)
    if random.random() < 0.2:
        least, greatest = model.least.copy(), model.greatest.copy()
        for action in random.sample(range(count), 2):
            least[action] = random.randint(1, hidden[action])
            if random.random() < 0.7:
                greatest[action] = hidden[action] + random.randint(0, 2)
        model = replace(model, least=least, greatest=greatest)
    return model


def _drawn_matrix(random: Random, count: int) -> tuple[tuple[str, ...], csr_array]:
    """Actions in classes of one cost, or a constant of the class plus a weight times a number."""
    classes = random.randint(2, max(2, count - 2))
    matrix = np.zeros((count, classes + 1), dtype=np.int64)
    linear = random.random() < 0.5
    for action in range(count):
        matrix[action, random.randrange(classes)] = 1
        if linear:
            matrix[action, classes] = random.randint(0, 3)
    used = matrix.any(axis=0)
    names = tuple(f"class {number}" for number in range(int(used.sum())))
    return names, csr_array(matrix[:, used])

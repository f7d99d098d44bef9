"""Random cases as text, and beside each the same case made by hand, which needs no reader.

What the readers, the translator and the cost models make of the text can so be held against
something that they had no part in. `same_actions` fits the case by hand to the actions that the
readers found, because an action that can never be applied need not be among them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from brute_force import state_graph
from plancost.case.model import (
    UNBOUNDED,
    Case,
    Condition,
    CostModel,
    Effect,
    Observation,
    Operator,
    Strips,
)
from plancost.options import LearnOptions
from random_tasks import (
    Maker,
    as_text,
    bare_case,
    draw_operators,
    draw_options,
    plain_costs,
    with_observations,
    write_table,
)

ROADS = """(define (domain roads)
  (:requirements :typing :negative-preconditions :conditional-effects :action-costs)
  (:types place door rider)
  (:predicates (at ?p - place) (open ?d - door) (path ?a ?b - place) (may ?r - rider)
    (gate ?a ?b - place ?d - door))
  (:functions (total-cost) - number (length ?a ?b - place) - number)
  (:action walk :parameters (?a ?b - place) :precondition (and (at ?a) (path ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b))))
  (:action ride :parameters (?a ?b - place ?r - rider)
    :precondition (and (at ?a) (path ?a ?b) (may ?r))
    :effect (and (at ?b) (not (at ?a)) (increase (total-cost) 2)))
  (:action pass :parameters (?a ?b - place ?d - door)
    :precondition (and (at ?a) (gate ?a ?b ?d) (open ?d))
    :effect (and (not (at ?a)) (at ?b)))
  (:action turn :parameters (?d - door)
    :effect (and (when (open ?d) (not (open ?d))) (when (not (open ?d)) (open ?d))
      (increase (total-cost) 1))))
"""


@dataclass(frozen=True)
class Written:
    """The text of a domain and its problems, and the same by hand; observations are by hand."""

    domain: str
    problems: dict[str, str]
    case: Case
    """Costs are plain; `initial` says what the PDDL says of each action."""
    initial: dict[str, int]

    def write(self, folder: Path) -> tuple[Path, dict[str, Any]]:
        """As a folder, or as a manifest where a folder cannot say it; with words to read it by."""
        known = [(seen.total, seen.factor, seen.group) for seen in self.case.observations]
        if set(known) == {(None, None, None)}:
            return self.write_folder(folder), {}
        return self.write_manifest(folder), {"domain": folder / "domain.pddl"}

    def write_folder(self, folder: Path) -> Path:
        """As a folder; a plan seen several times is several files."""
        self._write_problems(folder)
        for number, seen in enumerate(self.case.observations):
            for copy in range(seen.count):
                name = f"{self.case.tasks[seen.task].name}.{number}-{copy}.plan"
                (folder / name).write_text(self._plan_text(seen), encoding="utf-8")
        return folder

    def write_manifest(self, folder: Path) -> Path:
        """As a table of problems and plans, with counts, known totals, factors and groups."""
        self._write_problems(folder)
        path = folder / "manifest.csv"
        rows: list[tuple[str, ...]] = [
            ("problem", "plan", "count", "cost", "suboptimality", "group")
        ]
        for number, seen in enumerate(self.case.observations):
            plan = f"seen-{number}.plan"
            (folder / plan).write_text(self._plan_text(seen), encoding="utf-8")
            problem = f"{self.case.tasks[seen.task].name}.pddl"
            known = [as_text(value) for value in (seen.total, seen.factor, seen.group)]
            rows.append((problem, plan, str(seen.count), *known))
        return write_table(path, rows)

    def _write_problems(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "domain.pddl").write_text(self.domain, encoding="utf-8")
        for name, text in self.problems.items():
            (folder / f"{name}.pddl").write_text(text, encoding="utf-8")

    def _plan_text(self, seen: Observation) -> str:
        return "".join(f"{self.case.actions[action]}\n" for action in seen.actions)


@dataclass(frozen=True)
class Question:
    """Options as a caller gives them, and what they mean for costs, by hand."""

    options: LearnOptions
    refine: bool
    shared: bool
    bounds: dict[str, tuple[int, int | None]]

    @property
    def keywords(self) -> dict[str, Any]:
        """For `learn`."""
        names = ("solution", "ties", "suboptimality", "oracle", "time_limit")
        found = {name: getattr(self.options, name) for name in names}
        found |= {"refine": True} if self.refine else {}
        found |= {"features": ("schema",)} if self.shared else {}
        return found | ({"bounds": self.bounds} if self.bounds else {})

    def model(self, actions: tuple[str, ...], initial: dict[str, int]) -> CostModel:
        """What these options say of costs."""
        model = shared_by(actions, 0) if self.shared else plain_costs(len(actions))
        least, greatest = model.least.copy(), model.greatest.copy()
        for name, (low, high) in self.bounds.items():
            least[actions.index(name)] = low
            greatest[actions.index(name)] = UNBOUNDED if high is None else high
        known = np.array([initial[name] for name in actions]) if self.refine else None
        return replace(model, least=least, greatest=greatest, initial=known)


def draw_written(seed: int) -> Written:
    """Switches without objects, or roads with doors and riders; perhaps with groups."""
    random = Random(f"written {seed}")
    written = _draw_switches(random) if random.random() < 0.4 else _draw_roads(random)
    if random.random() < 0.15:
        seen = [replace(one, group=random.choice("ab")) for one in written.case.observations]
        written = replace(written, case=replace(written.case, observations=tuple(seen)))
    return written


def draw_question(seed: int, written: Written) -> Question:
    """What to ask of a written case."""
    random = Random(f"question {seed}")
    options = draw_options(seed, written.case)
    used = sorted({action for seen in written.case.observations for action in seen.actions})
    bounds: dict[str, tuple[int, int | None]] = {}
    if used and random.random() < 0.25:
        low = random.randint(1, 4)
        high = random.choice([None, low, low + 2])
        bounds[written.case.actions[random.choice(used)]] = (low, high)
    return Question(options, random.random() < 0.3, random.random() < 0.2, bounds)


def same_actions(case: Case, actions: tuple[str, ...]) -> Case:
    """The case with these actions, which must be all that can ever be applied."""
    number = {name: index for index, name in enumerate(actions)}
    applied = {
        case.actions[action]
        for task in case.tasks
        for steps in state_graph(case.worlds[task.world], task.initial).values()
        for action, _ in steps
    }
    assert applied <= number.keys() <= set(case.actions), "the readers found other actions"
    renumbered = [number.get(name, -1) for name in case.actions]
    worlds = []
    for world in case.worlds:
        assert isinstance(world, Strips)
        kept = [
            replace(operator, action=renumbered[operator.action])
            for operator in world.operators
            if renumbered[operator.action] >= 0
        ]
        worlds.append(replace(world, operators=tuple(kept)))
    seen = [
        replace(one, actions=tuple(renumbered[action] for action in one.actions))
        for one in case.observations
    ]
    return replace(
        case,
        actions=actions,
        worlds=tuple(worlds),
        observations=tuple(seen),
        costs=plain_costs(len(actions)),
    )


def shared_by(actions: tuple[str, ...], words: int) -> CostModel:
    """One cost for all actions that agree in the schema and so many parameters after it."""
    keys = [" ".join(name.strip("()").split()[: words + 1]) for name in actions]
    classes = sorted(set(keys))
    matrix = np.array([[int(key == one) for one in classes] for key in keys], dtype=np.int64)
    plain = plain_costs(len(actions))
    return replace(plain, parameters=tuple(classes), matrix=csr_array(matrix))


def _draw_switches(random: Random) -> Written:
    while True:
        count, make = draw_operators(random, with_axioms=random.random() < 0.15)
        world = make()
        names = [f"(do{number})" for number in range(count)]
        bare = bare_case(count, (world,), names)
        case = with_observations(random, bare, [random.randint(1, 6) for _ in range(count)])
        if case.observations:
            break
    assert isinstance(world, Strips)
    initial = {name: random.randint(0, 4) for name in names}
    derived = {axiom.atom for axiom in world.axioms}
    problems = {
        task.name: f"(define (problem {task.name}) (:domain switches)\n"
        f"  (:init {' '.join(world.atoms[atom] for atom in sorted(task.initial - derived))})\n"
        f"  (:goal {_formula(world, task.goal)}))\n"
        for task in case.tasks
    }
    return Written(_switch_domain(world, names, initial), problems, case, initial)


def _switch_domain(world: Strips, names: list[str], initial: dict[str, int]) -> str:
    actions = []
    for number, name in enumerate(names):
        ways = [operator for operator in world.operators if operator.action == number]
        conditions = " ".join(_formula(world, way.condition) for way in ways)
        effects = " ".join(_effect(world, effect) for effect in ways[0].effects)
        actions.append(
            f"  (:action {name.strip('()')} :parameters ()\n    :precondition (or {conditions})\n"
            f"    :effect (and {effects} (increase (total-cost) {initial[name]})))"
        )
    axioms = [
        f"  (:derived {world.atoms[axiom.atom]} {_formula(world, axiom.condition)})"
        for axiom in world.axioms
    ]
    return (
        "(define (domain switches)\n  (:requirements :adl :derived-predicates :action-costs)\n"
        f"  (:predicates {' '.join(world.atoms)})\n  (:functions (total-cost) - number)\n"
        + "\n".join([*axioms, *actions])
        + ")\n"
    )


def _formula(world: Strips, condition: Condition) -> str:
    forbidden = [f"(not {world.atoms[atom]})" for atom in sorted(condition.forbids)]
    return f"(and {' '.join([*(world.atoms[a] for a in sorted(condition.needs)), *forbidden])})"


def _effect(world: Strips, effect: Effect) -> str:
    text = world.atoms[effect.atom] if effect.adds else f"(not {world.atoms[effect.atom]})"
    if effect.condition == Condition():
        return text
    return f"(when {_formula(world, effect.condition)} {text})"


def _draw_roads(random: Random) -> Written:
    places = [f"p{n}" for n in range(random.randint(4, 5))]
    doors, riders = ["d0", "d1"][: random.choice([1, 1, 1, 2])], ["ann", "bob"]
    pairs = [(one, other) for one in places for other in places if one != other]
    common = random.sample(pairs, min(len(pairs), len(places) + random.randint(0, 3)))
    lengths = {pair: random.randint(0, 6) for pair in pairs}
    while True:
        names: dict[str, int] = {}
        facts = [_road_facts(random, pairs, common, doors) for _ in range(random.randint(1, 2))]
        makers = [_road_world(places, doors, riders, one, names) for one in facts]
        hidden = [random.randint(1, 6) for _ in names]
        bare = bare_case(len(names), tuple(make() for make in makers), list(names))
        case = with_observations(random, bare, hidden)
        if case.observations:
            break
    problems = {}
    for task in case.tasks:
        world = case.worlds[task.world]
        assert isinstance(world, Strips)
        (goal,) = task.goal.needs
        values = [f"(= (length {one} {other}) {value})" for (one, other), value in lengths.items()]
        true = [world.atoms[atom] for atom in sorted(task.initial)]
        problems[task.name] = (
            f"(define (problem {task.name}) (:domain roads)\n  (:objects {' '.join(places)} - place"
            f" {' '.join(doors)} - door {' '.join(riders)} - rider)\n"
            f"  (:init {' '.join([*true, *facts[task.world], *values])})\n"
            f"  (:goal {world.atoms[goal]}))\n"
        )
    fixed = {"ride": 2, "pass": 0, "turn": 1}
    initial = {}
    for name in names:
        schema, *words = name.strip("()").split()
        initial[name] = fixed[schema] if schema in fixed else lengths[words[0], words[1]]
    return Written(ROADS, problems, case, initial)


def _road_facts(
    random: Random, pairs: list[tuple[str, str]], common: list[tuple[str, str]], doors: list[str]
) -> list[str]:
    ways = [*common, random.choice(pairs)]
    facts = {f"(path {one} {other})" for one, other in ways}
    for _ in range(random.randint(1, 3)):
        one, other = random.choice(pairs)
        facts.add(f"(gate {one} {other} {random.choice(doors)})")
    if random.random() < 0.2:
        facts.add(f"(may {random.choice(['ann', 'bob'])})")
    return sorted(facts)


def _road_world(
    places: list[str], doors: list[str], riders: list[str], facts: list[str], names: dict[str, int]
) -> Maker:
    """By hand what the translator has to make of the roads."""
    atoms = [f"(at {place})" for place in places] + [f"(open {door})" for door in doors]
    at = {place: number for number, place in enumerate(places)}
    is_open = {door: len(places) + number for number, door in enumerate(doors)}
    operators = []

    def add(name: str, needs: Iterable[int], *effects: Effect) -> None:
        action = names.setdefault(name, len(names))
        operators.append(Operator(action, Condition(frozenset(needs)), effects))

    for kind, *words in (fact.strip("()").split() for fact in facts):
        if kind == "may":
            continue
        one, other = at[words[0]], at[words[1]]
        move = (Effect(one, False), Effect(other, True))
        if kind == "gate":
            add(f"(pass {' '.join(words)})", (one, is_open[words[2]]), *move)
        else:
            add(f"(walk {' '.join(words)})", (one,), *move)
            for rider in riders:
                if f"(may {rider})" in facts:
                    add(f"(ride {' '.join(words)} {rider})", (one,), *move)
    for door, number in is_open.items():
        closed, opened = Condition(forbids=frozenset({number})), Condition(frozenset({number}))
        add(f"(turn {door})", (), Effect(number, True, closed), Effect(number, False, opened))
    return lambda: Strips(tuple(atoms), tuple(operators))

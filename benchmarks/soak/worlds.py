"""Random small worlds: their PDDL, and independently of it their ground actions.

The actions are grounded here by hand, so that what plancost's translator makes of the PDDL is part
of what is checked. Here are switches with negative preconditions, three blocks, and a van with two
parcels, where actions commute; `roads` and `house` are worlds of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from random import Random

from benchmarks.soak import wordings
from plancost.observations.sas import Effect, Operator, SasTask, Variable

Atom = tuple[str, ...]


@dataclass(frozen=True)
class Action:
    """A ground action."""

    words: tuple[str, ...]
    needs: frozenset[Atom]
    needs_not: frozenset[Atom]
    adds: frozenset[Atom]
    deletes: frozenset[Atom]
    initial_cost: int = 1

    @property
    def name(self) -> str:
        """As it stands in plans."""
        return f"({' '.join(self.words)})"


@dataclass(frozen=True)
class Problem:
    """Where to start and what to reach: atoms that are not static."""

    start: frozenset[Atom]
    goal: frozenset[Atom]
    static: str = ""
    """Static facts that other problems do not have."""
    absent: frozenset[str] = frozenset()
    """Objects that this problem lacks, with all that can be done with them."""


@dataclass(frozen=True)
class World:
    """A domain with objects, and all that can be done in it."""

    kind: str
    domain: str
    objects: str
    static: str
    actions: tuple[Action, ...]
    parameters: Mapping[str, tuple[str, ...]]
    """The parameters of each schema, as in the PDDL."""
    draw_problem: Callable[[Random], Problem]
    features: Mapping[str, tuple[Atom, ...]] = field(default_factory=dict)
    """Of schemas: numeric functions over their parameters."""
    values: Mapping[Atom, int] = field(default_factory=dict)
    """The values of these functions, as far as problems have them."""
    uses: tuple[str, ...] = ()
    """What of PDDL it uses that other worlds do not."""
    fractional: bool = False
    """Whether the costs in the PDDL are fractions."""
    own_actions: Callable[[Problem], tuple[Action, ...]] | None = None
    """Where static facts differ between problems: what can be done in one of them."""

    def problem_text(self, random: Random, name: str, problem: Problem) -> str:
        """The PDDL of a problem, in one of many ways to write it."""
        facts = f"{_texts(problem.start)} {self.static} {problem.static}"
        objects = self.objects
        if problem.absent:
            facts = wordings.without(facts, problem.absent)
            objects = wordings.objects_without(objects, problem.absent)
        goal = [_texts([atom]) for atom in sorted(problem.goal)]
        return wordings.problem_text(random, name, self.kind, objects, facts, goal)

    def actions_in(self, problem: Problem) -> list[Action]:
        """What can be done in a problem."""
        actions = self.actions if self.own_actions is None else self.own_actions(problem)
        return [action for action in actions if problem.absent.isdisjoint(action.words)]

    def with_fewer_objects(self, random: Random, problem: Problem) -> Problem:
        """The same without some objects that neither start nor goal speaks of."""
        spoken_of = {word for atom in (*problem.start, *problem.goal) for word in atom}
        listed = {word for action in self.actions for word in action.words[1:]}
        spare = sorted((listed & set(self.objects.split())) - spoken_of)
        absent = frozenset(random.sample(spare, random.randint(0, len(spare))))
        return replace(problem, static=wordings.without(problem.static, absent), absent=absent)

    def grounded(self, problem: Problem) -> SasTask:
        """The same as a task with one binary variable for each atom."""
        actions = self.actions_in(problem)
        atoms = sorted(
            {atom for a in actions for atom in (*a.needs, *a.needs_not, *a.adds, *a.deletes)}
            | problem.start
            | problem.goal
        )
        number = {atom: n for n, atom in enumerate(atoms)}
        variables = tuple(
            Variable(f"var{n}", -1, (f"Atom {atom}", f"NegatedAtom {atom}"))
            for n, atom in enumerate(atoms)
        )
        operators = []
        for action in actions:
            needs = {number[atom]: 0 for atom in action.needs}
            needs |= {number[atom]: 1 for atom in action.needs_not}
            changes = {number[atom]: 1 for atom in action.deletes}
            changes |= {number[atom]: 0 for atom in action.adds}
            effects = tuple(Effect((), n, value) for n, value in sorted(changes.items()))
            operators.append(Operator(action.name, tuple(sorted(needs.items())), effects))
        initial = tuple(0 if atom in problem.start else 1 for atom in atoms)
        goal = tuple(sorted((number[atom], 0) for atom in problem.goal))
        return SasTask(variables, (), initial, goal, tuple(operators), ())


def _texts(atoms: Iterable[Atom]) -> str:
    return " ".join(f"({' '.join(atom)})" for atom in sorted(atoms))


def as_atoms(*texts: str) -> frozenset[Atom]:
    """Atoms from texts such as ``at home``."""
    return frozenset(tuple(text.split()) for text in texts)


def numbers(values: Mapping[Atom, int]) -> str:
    """Values of functions, as they stand in the PDDL."""
    return " ".join(f" (= ({' '.join(term)}) {value})" for term, value in values.items())


def draw_switches(random: Random) -> World:
    """Switches that depend on each other."""
    names = [f"s{n}" for n in range(random.randint(3, 4))]
    actions = []
    for number in range(random.randint(6, 10)):
        conditions = {name: random.random() < 0.6 for name in random.sample(names, 2)}
        if random.random() < 0.4:
            conditions.popitem()
        effects = {
            name: random.random() < 0.6 for name in random.sample(names, random.choice([1, 1, 2]))
        }
        actions.append(
            Action(
                (f"a{number}",),
                as_atoms(*(name for name, on in conditions.items() if on)),
                as_atoms(*(name for name, on in conditions.items() if not on)),
                as_atoms(*(name for name, on in effects.items() if on)),
                as_atoms(*(name for name, on in effects.items() if not on)),
                random.randint(0, 3),
            )
        )
    texts = "\n".join(map(_switch_text, actions))
    domain = (
        "(define (domain switches)\n  (:requirements :strips :negative-preconditions "
        f":action-costs)\n  (:predicates {_texts(as_atoms(*names))})\n"
        f"  (:functions (total-cost) - number)\n{texts})\n"
    )

    def problem(random: Random) -> Problem:
        start = [name for name in names if random.random() < 0.4]
        goal = random.sample(names, random.choice([1, 2]))
        return Problem(as_atoms(*start), as_atoms(*goal))

    parameters: dict[str, tuple[str, ...]] = {action.words[0]: () for action in actions}
    return World(
        *("switches", domain, "", "", tuple(actions), parameters, problem),
        uses=("negative conditions",),
    )


def _switch_text(action: Action) -> str:
    def negated(atoms: frozenset[Atom]) -> str:
        return " ".join(f"(not ({name}))" for (name,) in sorted(atoms))

    return (
        f"  (:action {action.words[0]} :parameters ()\n"
        f"    :precondition (and {_texts(action.needs)} {negated(action.needs_not)})\n"
        f"    :effect (and {_texts(action.adds)} {negated(action.deletes)} "
        f"(increase (total-cost) {action.initial_cost})))"
    )


_BLOCKS = """(define (domain blocks)
  (:requirements :strips :action-costs)
  (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (different ?x ?y))
  (:functions (total-cost) - number)
  (:action lift :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x))
    :effect (and (not (on ?x ?y)) (on-table ?x) (clear ?y) (increase (total-cost) 1)))
  (:action stack :parameters (?x ?y)
    :precondition (and (on-table ?x) (clear ?x) (clear ?y) (different ?x ?y))
    :effect (and (not (on-table ?x)) (not (clear ?y)) (on ?x ?y) (increase (total-cost) 1))))
"""


def draw_blocks(random: Random) -> World:
    """Three blocks."""
    blocks = ["a", "b", "c"]
    pairs = list(permutations(blocks, 2))
    actions = [
        Action(
            ("lift", x, y),
            as_atoms(f"on {x} {y}", f"clear {x}"),
            frozenset(),
            as_atoms(f"on-table {x}", f"clear {y}"),
            as_atoms(f"on {x} {y}"),
        )
        for x, y in pairs
    ] + [
        Action(
            ("stack", x, y),
            as_atoms(f"on-table {x}", f"clear {x}", f"clear {y}"),
            frozenset(),
            as_atoms(f"on {x} {y}"),
            as_atoms(f"on-table {x}", f"clear {y}"),
        )
        for x, y in pairs
    ]

    def problem(random: Random) -> Problem:
        x, y, z = random.sample(blocks, 3)
        start = random.choice(
            [
                as_atoms(
                    f"on-table {x}", f"clear {x}", f"on-table {y}", f"on {z} {y}", f"clear {z}"
                ),
                as_atoms(f"on-table {x}", f"on {y} {x}", f"on {z} {y}", f"clear {z}"),
                as_atoms(
                    *(f"{word} {block}" for word in ("on-table", "clear") for block in blocks)
                ),
            ]
        )
        x, y, z = random.sample(blocks, 3)
        goal = random.choice([as_atoms(f"on {x} {y}"), as_atoms(f"on {x} {y}", f"on {y} {z}")])
        return Problem(start, goal)

    static = "    " + _texts(as_atoms(*(f"different {x} {y}" for x, y in pairs)))
    parameters = {"lift": ("?x", "?y"), "stack": ("?x", "?y")}
    return World("blocks", _BLOCKS, " ".join(blocks), static, tuple(actions), parameters, problem)


_VAN = """(define (domain van)
  (:requirements :strips :typing :action-costs)
  (:types place parcel)
  (:predicates (at ?p - place) (lies ?o - parcel ?p - place) (in ?o - parcel)
    (road ?a ?b - place))
  (:functions (total-cost) - number (weight ?o - parcel) (tax ?p - place))
  (:action drive :parameters (?from ?to - place)
    :precondition (and (at ?from) (road ?from ?to))
    :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 3)))
  (:action load :parameters (?o - parcel ?p - place)
    :precondition (and (at ?p) (lies ?o ?p))
    :effect (and (not (lies ?o ?p)) (in ?o) (increase (total-cost) 1)))
  (:action unload :parameters (?o - parcel ?p - place)
    :precondition (and (at ?p) (in ?o))
    :effect (and (not (in ?o)) (lies ?o ?p) (increase (total-cost) 1))))
"""


def draw_van(random: Random) -> World:
    """A van with two parcels."""
    places, parcels = ["x", "y"], ["o1", "o2"]
    roads = list(permutations(places, 2))
    actions = [
        Action(
            ("drive", a, b),
            as_atoms(f"at {a}"),
            frozenset(),
            as_atoms(f"at {b}"),
            as_atoms(f"at {a}"),
            3,
        )
        for a, b in roads
    ]
    for parcel, place in product(parcels, places):
        lies, inside, here = f"lies {parcel} {place}", f"in {parcel}", f"at {place}"
        actions += [
            Action(
                ("load", parcel, place),
                as_atoms(here, lies),
                frozenset(),
                as_atoms(inside),
                as_atoms(lies),
            ),
            Action(
                ("unload", parcel, place),
                as_atoms(here, inside),
                frozenset(),
                as_atoms(lies),
                as_atoms(inside),
            ),
        ]

    def problem(random: Random) -> Problem:
        start = [f"at {random.choice(places)}"]
        start += [f"lies {parcel} {random.choice(places)}" for parcel in parcels]
        goal = random.choice(
            [["lies o1 y"], ["lies o1 y", "lies o2 y"], ["lies o1 y", "lies o2 x"], ["in o1"]]
        )
        return Problem(as_atoms(*start), as_atoms(*goal))

    values: dict[Atom, int] = {("weight", parcel): random.randint(0, 3) for parcel in parcels}
    values |= {("tax", place): random.randint(0, 3) for place in places}
    static = "    " + _texts(as_atoms(*(f"road {a} {b}" for a, b in roads))) + numbers(values)
    parameters = {"drive": ("?from", "?to"), "load": ("?o", "?p"), "unload": ("?o", "?p")}
    objects = "x y - place o1 o2 - parcel"
    load = (("weight", "?o"), ("tax", "?p"))
    features = {"load": load, "unload": load, "drive": (("tax", "?to"),)}
    return World(
        *("van", _VAN, objects, static, tuple(actions), parameters, problem),
        features=features,
        values=values,
    )

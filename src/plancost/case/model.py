"""What was seen: tasks, the plans observed on them, and what their costs are made of.

A `Case` is names and integers; where they come from (PDDL, CSV, graphs) is the business of the
readers beside this file, and everything behind `read_case` sees only a `Case`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

Ints = npt.NDArray[np.int64]

Actions = tuple[int, ...]
Part = tuple[str, int]
"""A parameter, and how often it is in the cost of an action."""
UNBOUNDED = 2**62
"""A greatest cost that is none."""


@dataclass(frozen=True)
class Condition:
    """Holds in the states in which all atoms of `needs` and none of `forbids` are true."""

    needs: frozenset[int] = frozenset()
    forbids: frozenset[int] = frozenset()

    def holds(self, state: frozenset[int]) -> bool:
        """Whether it holds in a state, given as the set of the true atoms."""
        return self.needs <= state and not self.forbids & state


ALWAYS = Condition()


@dataclass(frozen=True)
class Effect:
    """An atom becomes true (`adds`) or false where the condition holds before the action."""

    atom: int
    adds: bool
    condition: Condition = ALWAYS


@dataclass(frozen=True)
class Operator:
    """One way in which an action can be applied; adding an atom wins over deleting it."""

    action: int
    """The number of its name in `Case.actions`."""
    condition: Condition
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Axiom:
    """The atom is true where the condition holds; layers are evaluated in increasing order."""

    layer: int
    atom: int
    condition: Condition


@dataclass(frozen=True, eq=False)
class Strips:
    """A world of PDDL: problems with the same objects and static facts share it."""

    atoms: tuple[str, ...]
    """All atoms that some action changes, as ``(at car a)``."""
    operators: tuple[Operator, ...]
    axioms: tuple[Axiom, ...] = ()


@dataclass(frozen=True, eq=False)
class Network:
    """A world whose states and transitions are listed: streets."""

    states: tuple[str, ...]
    source: Ints
    target: Ints
    action: Ints
    """Of each transition; an action may have several transitions."""


World = Strips | Network


@dataclass(frozen=True)
class Task:
    """Where plans begin and what they are to reach.

    In a `Strips` world `initial` is the set of the true atoms. In a `Network` it has one state,
    and the goal is reached in each state of `goal_states`.
    """

    name: str
    world: int
    initial: frozenset[int]
    goal: Condition = ALWAYS
    goal_states: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Observation:
    """A plan that was seen, how often, and what is known of it besides."""

    name: str
    task: int
    actions: tuple[int, ...]
    count: int = 1
    total: int | None = None
    """What the whole plan is known to cost."""
    factor: Fraction | None = None
    """How many times the optimal cost this plan may cost; None: as the options say."""
    group: str | None = None
    time: str | None = None


@dataclass(frozen=True, eq=False)
class CostModel:
    """Costs of actions are ``matrix @ parameters``, and parameters are what is learned.

    The matrix has an entry of 1 in each row and column if every action has a cost of its own. All
    numbers in it are whole and at least 0. Parameters are whole numbers of at least 0, and of at
    least 1 where some action costs just that parameter.
    """

    parameters: tuple[str, ...]
    matrix: csr_array
    """Actions x parameters, int64."""
    least: Ints
    """Of the cost of each action, at least 1."""
    greatest: Ints
    """Of the cost of each action; `UNBOUNDED` if there is none."""
    initial: Ints | None = None
    """The approximately known costs C̄ of all actions, at least 0, if the case is refined."""

    def parts(self) -> list[tuple[tuple[int, int], ...]]:
        """Of each action the numbers of the parameters of its cost, and how often each is in it."""
        matrix = self.matrix.tocsr()
        return [
            tuple(zip(matrix.indices[a:b].tolist(), matrix.data[a:b].tolist(), strict=True))
            for a, b in pairwise(matrix.indptr.tolist())
        ]

    @property
    def is_plain(self) -> bool:
        """Whether every action has a cost of its own, and nothing bounds it from above."""
        count = len(self.least)
        own = self.matrix.shape == (count, count) and self.matrix.nnz == count
        return bool(own and (self.greatest == UNBOUNDED).all())


def plain_model(actions: Sequence[str]) -> CostModel:
    """Every action has a cost of its own, of at least 1."""
    return linear_model([[(action, 1)] for action in actions])


def linear_model(rows: Sequence[Sequence[Part]]) -> CostModel:
    """Of each action what its cost is made of."""
    number: dict[str, int] = {}
    parts = [(number.setdefault(name, len(number)), times) for row in rows for name, times in row]
    columns, times = np.array(parts, dtype=np.int64).reshape(-1, 2).T
    starts = np.cumsum([0, *map(len, rows)])
    matrix = csr_array((times, columns, starts), shape=(len(rows), len(number)))
    least, greatest = np.ones(len(rows), dtype=np.int64), np.full(len(rows), UNBOUNDED)
    return CostModel(tuple(number), matrix, least, greatest)


@dataclass(frozen=True)
class Schema:
    """An action schema of PDDL."""

    parameters: tuple[str, ...]
    """As ``?from``."""
    cost: tuple[str, ...] | None = None
    """What it adds to (total-cost): a number, a function and arguments, or () for what is more."""


@dataclass(frozen=True)
class PddlTexts:
    """The texts that a case came from (problems by the names of tasks), and what they cost."""

    domain: str
    problems: dict[str, str]
    schemas: dict[str, Schema] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of functions such as ``(road-length a b)``: each value, and the first problem to give it."""
    domain_place: str = "the domain"
    """What messages call the domain."""


@dataclass(frozen=True)
class StreetTable:
    """The rows of links.csv that a case came from, and where links are, if that is known."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """As text, in the order of the link actions, which come first in `Case.actions`."""
    shapes: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Of each link the points of its line; empty if coordinates are unknown."""
    turns: dict[tuple[int, int], str] = field(default_factory=dict)
    """The class of the turn from a link into a next one (numbers of links); empty if unknown."""
    source: str = "links"
    """What messages call it."""
    lines: tuple[int, ...] = ()
    """Where rows stand in their file, or their numbers."""

    def column(self, name: str) -> list[str]:
        """The texts of a column, one for each link."""
        place = self.columns.index(name)
        return [row[place] for row in self.rows]


@dataclass(frozen=True, eq=False)
class Case:
    """All that was seen.

    `actions` is A: every action of every task, in lower case with single spaces, sorted. For
    streets these are links (in the order of their table), then turns ``link>next`` if they cost.
    """

    name: str
    actions: tuple[str, ...]
    worlds: tuple[World, ...]
    tasks: tuple[Task, ...]
    observations: tuple[Observation, ...]
    costs: CostModel
    notes: tuple[str, ...] = ()
    pddl: PddlTexts | None = None
    streets: StreetTable | None = None

    def groups(self) -> tuple[str | None, ...]:
        """The groups that observations name, in the order in which they come."""
        return tuple(dict.fromkeys(observation.group for observation in self.observations))

    def key(self, observation: Observation) -> tuple[str, str]:
        """Problem (of streets none) and name, which tell observations apart."""
        problem = "" if self.streets is not None else self.tasks[observation.task].name
        return problem, observation.name

    def cost(self, actions: Iterable[int], costs: Sequence[int] | Ints) -> int:
        """What a plan costs."""
        return sum(int(costs[action]) for action in actions)

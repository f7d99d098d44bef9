"""What plancost knows of a PDDL domain and a PDDL problem.

The translator is the authority on what PDDL means. These records hold only what
costs, messages, the grouping of tasks and the writing of PDDL need. All names
are in lower case. Domains and problems are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from plancost.observations.pddl.typed_lists import TypeNames, with_supertypes
from plancost.observations.sexpr import SList

Term = tuple[str, ...]
"""A ground atom or function term: ``("at", "car", "a")``."""


@dataclass(frozen=True)
class Literal:
    """An atom over variables and constants, or its negation; ``=`` is a predicate too."""

    predicate: str
    arguments: tuple[str, ...]
    positive: bool


@dataclass(frozen=True)
class StripsSchema:
    """An action that is two conjunctions of literals.

    Deletes take place before adds: a ground atom among both is true afterwards.
    """

    preconditions: tuple[Literal, ...]
    effects: tuple[Literal, ...]


@dataclass(frozen=True)
class CostExpression:
    """``(increase (total-cost) X)``: X is the number `value` or a function term.

    `start` and `end` are where the whole effect stands in the domain's text.
    """

    value: Fraction | None
    function: str | None
    arguments: tuple[str, ...]
    start: int
    end: int
    line: int


@dataclass(frozen=True, eq=False)
class Schema:
    """An action of the domain."""

    name: str
    parameters: tuple[tuple[str, TypeNames], ...]
    parameter_list: SList | None
    """The parameters as they stand in the text."""
    precondition: SList | None
    effect: SList | None
    cost: CostExpression | None
    strips: StripsSchema | None
    """None if the action is more than two conjunctions of literals, or in doubt."""
    tree: SList


@dataclass(frozen=True, eq=False)
class Domain:
    """A domain; `path` is its file, or what messages call its text."""

    path: Path
    text: str
    tree: SList
    name: str
    requirements: tuple[str, ...]
    types: dict[str, TypeNames]
    """Each declared type with its parent (several after ``either``)."""
    constants: dict[str, TypeNames]
    predicates: dict[str, int]
    """Each predicate with the number of its arguments."""
    functions: dict[str, tuple[TypeNames, ...]]
    """Each function with the types of its arguments."""
    schemas: dict[str, Schema]
    derived: frozenset[str]
    """The predicates that ``:derived`` rules define."""
    file_name: str
    """What the file is called when it is written again."""

    @property
    def has_derived(self) -> bool:
        """Whether there are derived predicates (axioms)."""
        return bool(self.derived)

    @cached_property
    def has_cost_effects(self) -> bool:
        """Whether any action says what it costs."""
        return any(schema.cost is not None for schema in self.schemas.values())

    def fits(self, types: TypeNames, wanted: TypeNames) -> bool:
        """Whether an object of `types` may stand for a parameter of the `wanted` types."""
        return not with_supertypes(types, self.types).isdisjoint(wanted)


@dataclass(frozen=True, eq=False)
class Problem:
    """A problem; `path` is its file, or what messages call its text."""

    path: Path
    text: str
    tree: SList
    name: str
    domain_name: str
    objects: dict[str, TypeNames]
    """Its own objects; the domain's constants are not among them."""
    init: SList
    init_atoms: frozenset[Term]
    init_values: dict[Term, Fraction]
    goal: SList
    metric: SList | None
    file_name: str
    """What the file is called when it is written again."""

    @property
    def has_metric(self) -> bool:
        """Whether the problem says what to minimise."""
        return self.metric is not None

    @property
    def metric_span(self) -> tuple[int, int] | None:
        """Where ``(:metric ...)`` stands in the text."""
        return None if self.metric is None else (self.metric.start, self.metric.end)


def split_action(action_name: str) -> tuple[str, tuple[str, ...]]:
    """Take ``(drive van a b)`` apart into ``drive`` and its arguments."""
    schema, *arguments = action_name.lower().strip("() ").split() or [""]
    return schema, tuple(arguments)

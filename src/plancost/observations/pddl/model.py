"""What plancost knows of a PDDL domain and a PDDL problem.

The translator is the authority on what PDDL means. These records hold only what
costs, messages, the grouping of tasks and the writing of PDDL need. All names
are in lower case. Domains and problems are compared by identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """The `effect` ``(increase (total-cost) X)``: X is a number or a function term."""

    amount: Fraction | Term
    effect: SList


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

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(name for name, _ in self.parameters)

    def ground(self, term: Term, arguments: Sequence[str]) -> Term:
        """A term over the parameters, for these arguments."""
        binding = dict(zip(self.variables, arguments, strict=True))
        return tuple(binding.get(word, word) for word in term)


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


def split_action(action_name: str) -> tuple[str, tuple[str, ...]]:
    """Take ``(drive van a b)`` apart into ``drive`` and its arguments."""
    schema, *arguments = action_name.lower().strip("() ").split() or [""]
    return schema, tuple(arguments)


def term_text(words: Iterable[str]) -> str:
    """An atom, function term or action as PDDL has it: ``(at car a)``."""
    return f"({' '.join(words)})"

"""Tasks as bits: states are integers, actions are masks.

An operator can be applied where ``state & mask == value``, and each of its effects
whose condition holds turns the state into ``state & ~clear | put``. Two encodings
lead here.

* STRIPS: one bit for each ground atom. Tasks with the same objects and static facts
  share it, whatever their initial states and goals, and an action that the translator
  grounded for one of them may be tried in the states of all: static facts are the
  same, and the others are checked in each state.
* SAS+: one bit for each value of each variable. It can hold conditional effects and
  preconditions that the translator compiled away, but its variables belong to one
  task alone.

Atoms and variables that no condition reads are left out. They cannot tell two plans
apart, and without them there are fewer states.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from plancost.observations.case import Task
from plancost.observations.pddl import (
    Domain,
    Problem,
    Schema,
    Term,
    split_action,
    static_predicates,
)
from plancost.observations.pddl.actions import conjoined_literals
from plancost.observations.sas import Fact, Operator, SasTask


@dataclass(frozen=True)
class Condition:
    """Holds in the states with ``state & mask == value``."""

    mask: int
    value: int

    @property
    def is_possible(self) -> bool:
        """Whether any state can fulfil it."""
        return self.value & ~self.mask == 0


ALWAYS = Condition(0, 0)
NEVER = Condition(0, 1)


@dataclass(frozen=True)
class BitEffect:
    """Where the condition holds before the action, clear some bits, then put some."""

    condition: Condition
    clear: int
    put: int


@dataclass(frozen=True)
class BitOperator:
    """An operator; `action` is the position of its name in `BitSystem.action_names`.

    Effects take place in their order, and all conditions speak of the state before.
    """

    action: int
    condition: Condition
    effects: tuple[BitEffect, ...]


@dataclass(frozen=True)
class BitSystem:
    """Tasks that share their operators, each with an initial state and a goal."""

    action_names: tuple[str, ...]
    bit_count: int
    operators: tuple[BitOperator, ...]
    """In the order of their actions."""
    initial: tuple[int, ...]
    goals: tuple[Condition, ...]


def is_strips(domain: Domain | None, task: Task) -> bool:
    """Whether it is PDDL whose actions and goal are conjunctions of literals, without axioms."""
    if domain is None or task.problem is None:
        return False
    _, is_conjunction = conjoined_literals(task.problem.goal)
    used = {split_action(name)[0] for name in task.sas.operators_by_name}
    return (
        is_conjunction
        and not domain.derived
        and all(schema.strips is not None for schema in domain.schemas.values())
        and used <= domain.schemas.keys()
    )


def strips_system(
    domain: Domain, tasks: Sequence[Task], actions: Collection[str] | None
) -> BitSystem:
    """Encode tasks of one world, all of them `is_strips`, over their ground atoms."""
    static = static_predicates(domain)
    fluent = {name: _fluent_schema(schema, static) for name, schema in domain.schemas.items()}
    names = _selected((name for task in tasks for name in task.sas.operators_by_name), actions)
    bits: dict[Term, int] = {}
    problems = [task.problem for task in tasks if task.problem is not None]
    goals = [_ground_goal(problem, static, bits) for problem in problems]
    ground = []
    for name in names:
        schema_name, arguments = split_action(name)
        schema = fluent[schema_name]
        words = (*schema.words, *arguments)
        ground.append((_condition(_ground(schema.preconditions, words), bits), schema, words))
    operators = []
    for action, (condition, schema, words) in enumerate(ground):
        if condition.is_possible:
            put, clear = _masks(_ground(schema.effects, words), bits)
            operators.append(BitOperator(action, condition, (BitEffect(ALWAYS, clear, put),)))
    return BitSystem(
        names,
        len(bits),
        tuple(operators),
        tuple(_masks(((atom, True) for atom in p.init_atoms), bits)[0] for p in problems),
        tuple(goals),
    )


def sas_system(task: SasTask, actions: Collection[str] | None) -> BitSystem:
    """Encode one task without axioms over the values of its variables."""
    names = _selected(task.operators_by_name, actions)
    number = {name: position for position, name in enumerate(names)}
    operators = sorted(
        (operator for operator in task.operators if operator.name in number),
        key=lambda operator: operator.name,
    )
    read = {variable for variable, _ in task.goal}
    for operator in operators:
        read |= {variable for variable, _ in operator.preconditions}
        read |= {variable for effect in operator.effects for variable, _ in effect.conditions}
    first_bit = {}
    bit_count = 0
    for variable in sorted(read):
        first_bit[variable] = bit_count
        bit_count += len(task.variables[variable].values)
    return BitSystem(
        names,
        bit_count,
        tuple(_from_sas(o, number[o.name], first_bit, task) for o in operators),
        (sum(1 << (first_bit[variable] + task.initial[variable]) for variable in sorted(read)),),
        (_facts_condition(task.goal, first_bit),),
    )


def _selected(names: Iterable[str], actions: Collection[str] | None) -> tuple[str, ...]:
    wanted = None if actions is None else frozenset(actions)
    return tuple(sorted({name for name in names if wanted is None or name in wanted}))


_SignedAtom = tuple[Term, bool]
"""An atom, and whether it is wanted or unwanted."""
_Pattern = tuple[Callable[[tuple[str, ...]], Term], bool]
"""Picks the words of an atom out of a schema's words and an action's arguments."""


@dataclass(frozen=True)
class _FluentSchema:
    """An action schema without its static preconditions, quick to ground."""

    words: tuple[str, ...]
    """Predicates and constants; the arguments of an action go behind them."""
    preconditions: tuple[_Pattern, ...]
    effects: tuple[_Pattern, ...]


def _fluent_schema(schema: Schema, static: frozenset[str]) -> _FluentSchema:
    assert schema.strips is not None
    preconditions, effects = (
        [
            ((literal.predicate, *literal.arguments), literal.positive)
            for literal in literals
            if literal.predicate != "=" and literal.predicate not in static
        ]
        for literals in (schema.strips.preconditions, schema.strips.effects)
    )
    parameters = schema.variables
    fixed = {word for term, _ in (*preconditions, *effects) for word in term}.difference(parameters)
    position = {word: number for number, word in enumerate((*sorted(fixed), *parameters))}

    def pattern(term: Term, positive: bool) -> _Pattern:
        positions = [position[word] for word in term]
        if len(positions) == 1:
            (only,) = positions
            return (lambda words: (words[only],)), positive
        return itemgetter(*positions), positive

    return _FluentSchema(
        tuple(sorted(fixed)),
        tuple(pattern(*literal) for literal in preconditions),
        tuple(pattern(*literal) for literal in effects),
    )


def _ground(patterns: Iterable[_Pattern], words: tuple[str, ...]) -> list[_SignedAtom]:
    return [(atom_of(words), positive) for atom_of, positive in patterns]


def _ground_goal(problem: Problem, static: frozenset[str], bits: dict[Term, int]) -> Condition:
    literals, _ = conjoined_literals(problem.goal)
    fluent = []
    for literal in literals:
        atom = (literal.predicate, *literal.arguments)
        if literal.predicate == "=":
            holds = literal.arguments[0] == literal.arguments[1]
        elif literal.predicate in static:
            holds = atom in problem.init_atoms
        else:
            fluent.append((atom, literal.positive))
            continue
        if holds != literal.positive:
            return NEVER
    return _condition(fluent, bits)


def _condition(literals: Sequence[_SignedAtom], bits: dict[Term, int]) -> Condition:
    """A condition on atoms; those without a bit get one."""
    for atom, _ in literals:
        bits.setdefault(atom, len(bits))
    wanted, unwanted = _masks(literals, bits)
    return NEVER if wanted & unwanted else Condition(wanted | unwanted, wanted)


def _masks(literals: Iterable[_SignedAtom], bits: dict[Term, int]) -> tuple[int, int]:
    """The bits of the positive and of the negative atoms, as far as they have bits."""
    masks = [0, 0]
    for atom, positive in literals:
        bit = bits.get(atom)
        if bit is not None:
            masks[not positive] |= 1 << bit
    return masks[0], masks[1]


def _facts_condition(facts: Iterable[Fact], first_bit: dict[int, int]) -> Condition:
    """One bit of a variable is set in every state, so only the wanted one is tested."""
    mask = 0
    for variable, value in facts:
        mask |= 1 << (first_bit[variable] + value)
    return Condition(mask, mask)


def _from_sas(
    operator: Operator, action: int, first_bit: dict[int, int], task: SasTask
) -> BitOperator:
    effects: list[BitEffect] = []
    for effect in operator.effects:
        if effect.variable not in first_bit:
            continue
        first = first_bit[effect.variable]
        size = len(task.variables[effect.variable].values)
        condition = _facts_condition(effect.conditions, first_bit)
        clear, put = ((1 << size) - 1) << first, 1 << (first + effect.value)
        if effects and condition == ALWAYS == effects[-1].condition:
            last = effects.pop()
            clear, put = clear | last.clear, put | (last.put & ~clear)
        effects.append(BitEffect(condition, clear, put))
    return BitOperator(action, _facts_condition(operator.preconditions, first_bit), tuple(effects))

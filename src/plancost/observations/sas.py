"""Grounded tasks, as the translator writes them (SAS+, file format 3).

A state is a tuple with one value for each variable. Derived variables
(axioms) are recomputed in every state. Costs are not part of a `SasTask`:
they are what plancost learns, and are written in only when a planner is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from plancost.errors import PlannerError
from plancost.observations.planfile import action_name

State = tuple[int, ...]
Fact = tuple[int, int]
"""A variable and its value."""

_Part = TypeVar("_Part")
LARGEST_PLANNER_COST = 2**31 - 1
"""Both planners count in 32 bits."""


@dataclass(frozen=True)
class Variable:
    """A finite-domain variable; `layer` is the axiom layer or -1."""

    name: str
    layer: int
    values: tuple[str, ...]


@dataclass(frozen=True)
class Effect:
    """Under `conditions`, set `variable` to `value`: an effect of an action, or an axiom."""

    conditions: tuple[Fact, ...]
    variable: int
    value: int


@dataclass(frozen=True)
class Operator:
    """A ground action. Several operators may carry one name (disjunctions)."""

    name: str
    preconditions: tuple[Fact, ...]
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class SasTask:
    """A grounded planning task without costs."""

    variables: tuple[Variable, ...]
    mutexes: tuple[tuple[Fact, ...], ...]
    initial: State
    goal: tuple[Fact, ...]
    operators: tuple[Operator, ...]
    axioms: tuple[Effect, ...]

    @cached_property
    def operators_by_name(self) -> dict[str, tuple[Operator, ...]]:
        """The operators of each action name."""
        grouped: dict[str, list[Operator]] = {}
        for operator in self.operators:
            grouped.setdefault(operator.name, []).append(operator)
        return {name: tuple(group) for name, group in grouped.items()}

    @cached_property
    def action_names(self) -> frozenset[str]:
        """The names of all ground actions."""
        return frozenset(self.operators_by_name)

    def between(self, initial: State, goal: tuple[Fact, ...]) -> SasTask:
        """The task with the same operators from another state to another goal.

        It shares what is known of the operators, so that many such tasks cost little more
        than one.
        """
        other = replace(self, initial=initial, goal=goal)
        other.__dict__.update(
            operators_by_name=self.operators_by_name, action_names=self.action_names
        )
        return other

    @cached_property
    def initial_state(self) -> State:
        """The initial state with derived variables evaluated."""
        return self._derive(self.initial)

    def holds(self, facts: tuple[Fact, ...], state: Sequence[int]) -> bool:
        """Whether all facts are true in the state."""
        return all(state[variable] == value for variable, value in facts)

    def is_goal(self, state: State) -> bool:
        """Whether the goal is reached."""
        return self.holds(self.goal, state)

    def apply(self, operator: Operator, state: State) -> State:
        """The state after an applicable operator."""
        values = list(state)
        for effect in operator.effects:
            if self.holds(effect.conditions, state):
                values[effect.variable] = effect.value
        return self._derive(tuple(values))

    def fact_text(self, fact: Fact) -> str:
        """A fact as a PDDL literal, for messages."""
        variable, value = fact
        text = self.variables[variable].values[value]
        if text == "<none of those>":
            others = " ".join(
                _literal(other) for other in self.variables[variable].values if other != text
            )
            return f"(not (or {others}))"
        return _literal(text)

    def _derive(self, state: State) -> State:
        """Evaluate the axioms, lowest layer first, each layer to its fixed point."""
        if not self.axioms:
            return state
        values = list(state)
        for index, variable in enumerate(self.variables):
            if variable.layer >= 0:
                values[index] = self.initial[index]
        for layer in sorted({self.variables[axiom.variable].layer for axiom in self.axioms}):
            rules = [a for a in self.axioms if self.variables[a.variable].layer == layer]
            changed = True
            while changed:
                changed = False
                for rule in rules:
                    if values[rule.variable] != rule.value and self.holds(rule.conditions, values):
                        values[rule.variable] = rule.value
                        changed = True
        return tuple(values)


def _literal(text: str) -> str:
    """``Atom at(car, a)`` as ``(at car a)``."""
    negated = text.startswith("NegatedAtom ")
    atom = text.removeprefix("NegatedAtom ").removeprefix("Atom ")
    predicate, _, arguments = atom.partition("(")
    words = " ".join([predicate, *arguments.rstrip(")").split(", ")]).rstrip()
    return f"(not ({words}))" if negated else f"({words})"


def parse_sas(text: str) -> SasTask:
    """Read a SAS+ file; the costs in it are ignored."""
    try:
        return _parse(iter(text.splitlines()))
    except (StopIteration, RuntimeError, ValueError, IndexError) as error:
        # RuntimeError is what StopIteration becomes inside a generator.
        raise PlannerError("the translator wrote a SAS+ file that plancost cannot read") from error


def _block(lines: Iterator[str], word: str, read: Callable[[Iterator[str]], _Part]) -> _Part:
    """What stands between ``begin_WORD`` and ``end_WORD``."""
    _expect(lines, f"begin_{word}")
    part = read(lines)
    _expect(lines, f"end_{word}")
    return part


def _blocks(
    lines: Iterator[str], word: str, read: Callable[[Iterator[str]], _Part]
) -> tuple[_Part, ...]:
    return tuple(_block(lines, word, read) for _ in range(int(next(lines))))


def _expect(lines: Iterator[str], word: str) -> None:
    line = next(lines)
    if line != word:
        raise ValueError(f"expected {word}, found {line}")


def _parse(lines: Iterator[str]) -> SasTask:
    _block(lines, "version", lambda lines: _expect(lines, "3"))
    _block(lines, "metric", next)
    variables = _blocks(lines, "variable", _variable)
    mutexes = _blocks(lines, "mutex_group", _facts)
    initial = _block(lines, "state", lambda lines: tuple(int(next(lines)) for _ in variables))
    goal = _block(lines, "goal", _facts)
    operators = _blocks(lines, "operator", _operator)
    return SasTask(variables, mutexes, initial, goal, operators, _blocks(lines, "rule", _axiom))


def _variable(lines: Iterator[str]) -> Variable:
    name, layer = next(lines), int(next(lines))
    return Variable(name, layer, tuple(next(lines) for _ in range(int(next(lines)))))


def _facts(lines: Iterator[str]) -> tuple[Fact, ...]:
    facts = []
    for _ in range(int(next(lines))):
        variable, value = map(int, next(lines).split())
        facts.append((variable, value))
    return tuple(facts)


def _operator(lines: Iterator[str]) -> Operator:
    name = action_name(next(lines))
    preconditions = list(_facts(lines))
    effects = []
    for _ in range(int(next(lines))):
        count, *numbers = map(int, next(lines).split())
        pairs = numbers[: 2 * count]
        conditions = tuple(zip(pairs[::2], pairs[1::2], strict=True))
        variable, before, after = numbers[2 * count :]
        if before != -1:
            preconditions.append((variable, before))
        effects.append(Effect(conditions, variable, after))
    next(lines)  # the translator's cost
    return Operator(name, tuple(dict.fromkeys(preconditions)), tuple(effects))


def _axiom(lines: Iterator[str]) -> Effect:
    conditions = _facts(lines)
    variable, before, after = map(int, next(lines).split())
    return Effect((*conditions, (variable, before)), variable, after)


def sas_text(
    task: SasTask,
    costs: Mapping[str, int],
    keep: Callable[[str], bool] = lambda name: True,
) -> str:
    """The SAS+ file of a task under the given costs.

    `keep` restricts the operators by action name. Operators without an effect are left
    out: they are in no simple plan, and Fast Downward does not read them. Costs must fit
    the planners.
    """
    parts = ["begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n"]
    parts.append(f"{len(task.variables)}\n")
    for variable in task.variables:
        values = "\n".join(variable.values)
        parts.append(
            f"begin_variable\n{variable.name}\n{variable.layer}\n"
            f"{len(variable.values)}\n{values}\nend_variable\n"
        )
    parts.append(f"{len(task.mutexes)}\n")
    for mutex in task.mutexes:
        parts.append(f"begin_mutex_group\n{_facts_text(mutex)}end_mutex_group\n")
    state = "".join(f"{value}\n" for value in task.initial)
    parts.append(f"begin_state\n{state}end_state\nbegin_goal\n{_facts_text(task.goal)}end_goal\n")
    operators = [o for o in task.operators if o.effects and keep(o.name)]
    parts.append(f"{len(operators)}\n")
    for operator in operators:
        parts.append(_operator_text(operator, costs[operator.name]))
    parts.append(f"{len(task.axioms)}\n")
    for axiom in task.axioms:
        before = next(value for variable, value in axiom.conditions if variable == axiom.variable)
        conditions = tuple(fact for fact in axiom.conditions if fact[0] != axiom.variable)
        parts.append(
            f"begin_rule\n{_facts_text(conditions)}"
            f"{axiom.variable} {before} {axiom.value}\nend_rule\n"
        )
    return "".join(parts)


def _facts_text(facts: tuple[Fact, ...]) -> str:
    return f"{len(facts)}\n" + "".join(f"{variable} {value}\n" for variable, value in facts)


def _operator_text(operator: Operator, cost: int) -> str:
    if not 0 <= cost <= LARGEST_PLANNER_COST:
        raise ValueError(f"cost {cost} of {operator.name} does not fit the planners' 32 bits")
    changed = {effect.variable for effect in operator.effects}
    required = dict(operator.preconditions)
    prevail = tuple(fact for fact in operator.preconditions if fact[0] not in changed)
    lines = []
    for effect in operator.effects:
        conditions = "".join(f"{variable} {value} " for variable, value in effect.conditions)
        before = required.get(effect.variable, -1)
        lines.append(
            f"{len(effect.conditions)} {conditions}{effect.variable} {before} {effect.value}\n"
        )
    return (
        f"begin_operator\n{operator.name[1:-1]}\n{_facts_text(prevail)}"
        f"{len(lines)}\n{''.join(lines)}{cost}\nend_operator\n"
    )

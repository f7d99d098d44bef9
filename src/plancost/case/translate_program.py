# SPDX-License-Identifier: GPL-3.0-or-later
# Under the GNU General Public License, version 3 or later, because it imports Fast Downward's
# translator; it runs only in a process of its own, and plancost never imports it.
"""Ground many problems of one domain, in one process.

Problems with the same objects and the same facts that no action changes share a world. Such a
world is grounded once, for the union of the initial states: what is reachable from that (without
deletions) holds whatever any of its problems can reach. What each problem reaches alone is then
found on the ground operators, and is what the translator keeps for that problem alone.

Costs are taken out of the PDDL before, since an action without a defined cost would be dropped,
and are handed back as text.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fast_downward.translate import build_model, instantiate, normalize, options, pddl
from fast_downward.translate import pddl_to_prolog as datalog
from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions
from fast_downward.translate.pddl_parser.parse_error import ParseError

from .translate_costs import take_costs, take_values
from .translate_mutexes import Atoms, Axiom, Operator, Variables, find_invariants, instances

Json = dict[str, Any]
Nested = list[Any]
Patterns = frozenset[tuple[int, tuple[int, ...]]]

_LINE_END = re.compile(r"\r\n?|\n")


def main(request: str, answer: str) -> None:
    """Read a request (the domain's text, the problems' texts), write the answer, both as JSON."""
    gc.disable()
    asked = json.loads(Path(request).read_text(encoding="utf-8"))
    options.set_options(["--keep-no-ops", "domain", "problem"])
    found = _ground(asked["domain"], asked["problems"])
    Path(answer).write_text(json.dumps(found), encoding="utf-8")


def _ground(domain_text: str, problem_texts: list[str]) -> Json:
    try:
        domain = _nested(domain_text)
        schemas = take_costs(domain)
        read = _Domain(domain)
    except (Exception, SystemExit) as error:
        return {"error": _complaint(error)}
    answers: list[Json] = [{} for _ in problem_texts]
    groups: dict[object, list[_Problem]] = {}
    for text, answer in zip(problem_texts, answers, strict=True):
        try:
            problem = read.problem(text, answer)
            groups.setdefault(problem.key, []).append(problem)
        except (Exception, SystemExit) as error:
            answer["error"] = _complaint(error)
    worlds: list[Json] = []
    invariants: dict[Patterns, list[Any]] = {}
    for problems in groups.values():
        try:
            worlds.append(_World(domain, problems, invariants).answer(len(worlds)))
        except (Exception, SystemExit) as error:
            for problem in problems:
                problem.answer["error"] = _complaint(error)
    return {"schemas": schemas, "worlds": worlds, "problems": answers}


def _complaint(error: BaseException) -> Json:
    if isinstance(error, MemoryError):
        raise error
    is_expected = isinstance(error, ParseError | SystemExit)
    return {"text": str(error), "kind": "" if is_expected else type(error).__name__}


def _nested(text: str) -> Any:
    return lisp_parser.parse_nested_list(_LINE_END.split(text))


# Reading


@dataclass(frozen=True)
class _Problem:
    nested: Nested
    key: object
    """Of its world."""
    static: list[Any]
    dynamic: list[Any]
    goal: Any
    """None if normalisation changes it: then the world is for this goal only."""
    answer: Json


class _Domain:
    """A domain, read once for all its problems."""

    def __init__(self, nested: Nested) -> None:
        found = parsing_functions.parse_domain_pddl(parsing_functions.Context(), nested)
        self._name, _, _, self._types, constants, _, self._predicates, _, actions, axioms = found
        self._constants = {constant.name for constant in constants}
        self._changed = _changed(actions, axioms)

    def problem(self, text: str, answer: Json) -> _Problem:
        nested = _nested(text)
        answer["values"] = take_values(nested)
        _, domain_name, _, objects, init, goal, _ = parsing_functions.parse_problem_pddl(
            parsing_functions.Context(), nested, self._types, self._predicates, self._constants
        )
        if domain_name != self._name:
            raise ParseError(f"this is a problem of '{domain_name}', not of '{self._name}'")
        static = [fact for fact in init if fact.predicate not in self._changed]
        dynamic = [fact for fact in init if fact.predicate in self._changed]
        own_goal = None if _is_plain(goal) else goal
        kinds = frozenset((item.name, item.type_name) for item in objects)
        key = kinds, frozenset(static), own_goal
        return _Problem(nested, key, static, dynamic, None if own_goal else goal, answer)


def _changed(actions: Iterable[Any], axioms: Iterable[Any]) -> set[str]:
    predicates = {effect.literal.predicate for action in actions for effect in action.effects}
    return predicates | {axiom.name for axiom in axioms}


def _is_plain(goal: Any) -> bool:
    if isinstance(goal, pddl.Conjunction):
        return all(isinstance(part, pddl.Literal) for part in goal.parts)
    return isinstance(goal, pddl.Literal | pddl.Truth)


class _World:
    """The ground operators of problems that share their objects and static facts."""

    def __init__(
        self, domain: Nested, problems: list[_Problem], invariants: dict[Patterns, list[Any]]
    ) -> None:
        self._problems = problems
        self._invariants = invariants
        first = problems[0]
        self._task = task = parsing_functions.parse_task(domain, first.nested)
        equal = [fact for fact in task.init if fact.predicate == "="]
        dynamic = dict.fromkeys(fact for problem in problems for fact in problem.dynamic)
        task.init = [*equal, *first.static, *dynamic]
        if first.goal is not None:
            task.goal = pddl.Truth()
        normalize.normalize(task)
        self._changed = _changed(task.actions, task.axioms) | {fact.predicate for fact in dynamic}
        self._static = {fact for fact in task.init if fact.predicate not in self._changed}
        self._goals = [list(_literals(p.goal or task.goal)) for p in problems]
        self._rules: list[tuple[Atoms, int | None]] = []
        """Without deletions: once the atoms hold, so does the one behind them."""
        self._patterns: dict[int, tuple[int, tuple[int, ...]]] = {}
        """For the rule of an action the action's number, and which arguments are the same."""
        self._operators: set[Operator] = set()
        self._axioms: set[Axiom] = set()
        self._instantiate(build_model.compute_model(datalog.translate(task)))

    def answer(self, number: int) -> Json:
        """The world as plain values; the problems' own answers are filled in."""
        operators = sorted((_plain(operator), operator) for operator in self._operators)
        waiting = self._waiting()
        kept: set[int] = set()
        known: dict[Any, Variables] = {}
        for problem, literals in zip(self._problems, self._goals, strict=True):
            start = frozenset(self._number[fact] for fact in problem.dynamic)
            needs, forbids, holds = self._condition(literals)
            reached, patterns = self._reach(start, waiting)
            groups = self._groups(patterns, start, reached)
            key = groups, reached, forbids & reached
            if key not in known:
                own = [operator for _, operator in operators]
                known[key] = Variables(*key, own, self._axioms)
            possible = known[key].possible(start, needs, forbids) if holds else None
            if possible is not None:
                kept.update(possible)
            else:
                never = [_text(self._atoms[atom]) for atom in sorted(needs - reached)]
                problem.answer["unsolvable"] = never[0] if never else "its goal"
            problem.answer["world"] = number
            problem.answer["initial"] = sorted(start)
            problem.answer["goal"] = [sorted(needs), sorted(forbids)]
        return {
            "atoms": list(map(_text, self._atoms)),
            "operators": [operators[n][0] for n in sorted(kept)],
            "axioms": sorted([a, sorted(n), sorted(f)] for a, n, f in self._axioms),
        }

    def _instantiate(self, model: list[Any]) -> None:
        """As the translator does it, but forbidden static facts stay until all rules are made.

        For the translator an action can be reached even if its precondition forbids a static fact
        that holds; only afterwards is it left out. To reach the same, its rules are needed.
        """
        forbidden = {
            literal.predicate
            for proxy in normalize.all_conditions(self._task)
            for literal in _literals(proxy.condition)
            if literal.negated
        }
        known = {atom for atom in model if atom.predicate in self._changed | forbidden}
        named = {literal.positive() for literals in self._goals for literal in literals}
        changing = [atom for atom in known | named if atom.predicate in self._changed]
        self._atoms = sorted(changing, key=lambda atom: atom.key)
        self._number = {atom: number for number, atom in enumerate(self._atoms)}
        places = {action: place for place, action in enumerate(self._task.actions)}
        objects = instantiate.get_objects_by_type(self._task.objects, self._task.types)
        for atom in model:
            owner = atom.predicate
            if isinstance(owner, pddl.Action):
                pattern = tuple(map(atom.args.index, atom.args))
                self._patterns[len(self._rules)] = places[owner], pattern
                self._take_action(owner, _mapping(owner, atom), known, objects)
            elif isinstance(owner, pddl.Axiom):
                ground = owner.instantiate(_mapping(owner, atom), self._static, known)
                needs, forbids, is_possible = self._condition(ground.condition)
                head = self._number[ground.effect]
                self._rules.append((needs, head))
                if is_possible:
                    self._axioms.add((head, needs, forbids))

    def _take_action(self, action: Any, mapping: dict[str, str], known: Any, objects: Any) -> None:
        condition: list[Any] = []
        action.precondition.instantiate(mapping, self._static, known, condition)
        found: list[tuple[list[Any], Any]] = []
        for effect in action.effects:
            effect.instantiate(mapping, self._static, known, objects, found)
        needs, forbids, is_possible = self._condition(condition)
        self._rules.append((needs, None))
        effects = set()
        for when, literal in found:
            own_needs, own_forbids, can_happen = self._condition(when)
            atom = self._number[literal.positive()]
            if not literal.negated:
                self._rules.append((needs | own_needs, atom))
            if can_happen:
                effects.add((atom, not literal.negated, own_needs, own_forbids))
        if is_possible:
            shown = [mapping[p.name] for p in action.parameters[: action.num_external_parameters]]
            name = f"({' '.join((action.name, *shown))})"
            self._operators.add((name, needs, forbids, frozenset(effects)))

    def _condition(self, literals: Iterable[Any]) -> tuple[Atoms, Atoms, bool]:
        """The atoms that change, needed and forbidden, and whether the static literals hold."""
        needs, forbids, holds = set(), set(), True
        for literal in literals:
            if literal.predicate not in self._changed:
                holds &= (literal.positive() in self._static) != literal.negated
            elif literal.negated:
                forbids.add(self._number[literal.positive()])
            else:
                needs.add(self._number[literal])
        return frozenset(needs), frozenset(forbids), holds

    def _groups(
        self, patterns: Patterns, start: Atoms, reached: Atoms
    ) -> tuple[tuple[int, ...], ...]:
        """The mutex groups: of each just one atom holds in the beginning."""
        if patterns not in self._invariants:
            self._invariants[patterns] = find_invariants(self._task, patterns)
        found = instances(self._invariants[patterns], self._atoms)
        useful = (group & reached for group in found if len(group & start) == 1)
        return tuple(sorted(tuple(sorted(group)) for group in useful))

    def _waiting(self) -> list[list[int]]:
        """For each atom the rules that need it."""
        waiting: list[list[int]] = [[] for _ in self._atoms]
        for rule, (body, _) in enumerate(self._rules):
            for atom in body:
                waiting[atom].append(rule)
        return waiting

    def _reach(self, start: Atoms, waiting: list[list[int]]) -> tuple[Atoms, Patterns]:
        """The atoms that can hold, and the patterns of actions that are reached."""
        missing = [len(body) for body, _ in self._rules]
        reached = {*start, *(head for body, head in self._rules if head is not None and not body)}
        open_atoms = list(reached)
        while open_atoms:
            for rule in waiting[open_atoms.pop()]:
                missing[rule] -= 1
                head = self._rules[rule][1]
                if not missing[rule] and head is not None and head not in reached:
                    reached.add(head)
                    open_atoms.append(head)
        patterns = frozenset(p for rule, p in self._patterns.items() if not missing[rule])
        return frozenset(reached), patterns


def _plain(operator: Operator) -> list[Any]:
    name, needs, forbids, effects = operator
    own = sorted([atom, adds, sorted(n), sorted(f)] for atom, adds, n, f in effects)
    return [name, sorted(needs), sorted(forbids), own]


def _mapping(owner: Any, atom: Any) -> dict[str, str]:
    return {p.name: value for p, value in zip(owner.parameters, atom.args, strict=True)}


def _literals(condition: Any) -> Iterable[Any]:
    if isinstance(condition, pddl.Literal):
        return [condition]
    return [literal for part in condition.parts for literal in _literals(part)]


def _text(atom: Any) -> str:
    return f"({' '.join((atom.predicate, *atom.args))})"

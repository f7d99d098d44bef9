# SPDX-License-Identifier: GPL-3.0-or-later
# Under the GNU General Public License, version 3 or later, because it imports Fast Downward's
# translator; it runs only in a process of its own, and plancost never imports it.
"""Ground many problems of one domain, in one process.

Problems with the same objects and the same facts that no action changes share a world. Such a
world is grounded once, for the union of the initial states: what is reachable from that (without
deletions) holds whatever any of its problems can reach. What each problem reaches alone is then
found on the ground operators, and is what the translator finds for that problem alone.

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

Json = dict[str, Any]
Nested = list[Any]
Atoms = frozenset[int]

_LINE_END = re.compile(r"\r\n?|\n")
_NUMBER = re.compile(r"[+-]?\.?\d.*")


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
        schemas = _take_costs(domain)
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
    for problems in groups.values():
        try:
            world = _World(domain, problems).answer(len(worlds))
        except (Exception, SystemExit) as error:
            for problem in problems:
                problem.answer["error"] = _complaint(error)
        else:
            worlds.append(world)
    return {"schemas": schemas, "worlds": worlds, "problems": answers}


def _complaint(error: BaseException) -> Json:
    if isinstance(error, MemoryError):
        raise error
    is_expected = isinstance(error, ParseError | SystemExit)
    return {"text": str(error), "kind": "" if is_expected else type(error).__name__}


def _nested(text: str) -> Any:
    return lisp_parser.parse_nested_list(_LINE_END.split(text))


def _take_costs(domain: Nested) -> Json:
    """Take cost effects out; for each schema its parameters and the amounts that it adds."""
    schemas: Json = {}
    for section in domain:
        if not isinstance(section, list) or section[:1] != [":action"] or len(section) < 2:
            continue
        name = str(section[1])
        if name in schemas:
            raise ParseError(f"two actions are called '{name}'")
        if ":effect" not in section:
            section += [":effect", ["and"]]
        place = section.index(":effect") + 1
        amounts: list[Json] = []
        if place < len(section):
            section[place] = _without_costs(section[place], amounts, False) or ["and"]
        parameters = section[section.index(":parameters") + 1] if ":parameters" in section else ()
        names = [word for word in parameters if isinstance(word, str) and word.startswith("?")]
        schemas[name] = {"parameters": names, "amounts": amounts}
    return schemas


def _without_costs(effect: Any, amounts: list[Json], conditional: bool) -> Any:
    if not isinstance(effect, list) or not effect:
        return effect
    if effect[0] == "increase" and effect[1:2] in ([["total-cost"]], ["total-cost"]):
        amounts.append({"amount": effect[2:], "conditional": conditional})
        return ["and"]
    if effect[0] == "and":
        return ["and", *(_without_costs(part, amounts, conditional) for part in effect[1:])]
    if effect[0] in ("when", "forall"):
        return [*effect[:-1], _without_costs(effect[-1], amounts, True)]
    return effect


def _take_values(problem: Nested) -> list[list[str]]:
    """Take values of functions and the metric out of a problem; the values, as term and text."""
    values = []
    problem[:] = [part for part in problem if part[:1] != [":metric"]]
    for part in problem:
        if part[:1] == [":init"]:
            kept = []
            for fact in filter(None, part):
                if fact[0] == "=" and len(fact) == 3 and _NUMBER.fullmatch(str(fact[2])):
                    term = fact[1] if isinstance(fact[1], list) else [fact[1]]
                    values.append([f"({' '.join(map(str, term))})", fact[2]])
                else:
                    kept.append(fact)
            part[:] = kept
    return values


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
        answer["values"] = _take_values(nested)
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

    def __init__(self, domain: Nested, problems: list[_Problem]) -> None:
        self._problems = problems
        first = problems[0]
        self._task = task = parsing_functions.parse_task(domain, first.nested)
        equal = [fact for fact in task.init if fact.predicate == "="]
        dynamic = dict.fromkeys(fact for problem in problems for fact in problem.dynamic)
        task.init = [*equal, *first.static, *dynamic]
        if first.goal is not None:
            task.goal = pddl.Truth()
        normalize.normalize(task)
        self._changed = _changed(task.actions, task.axioms)
        self._static = {fact for fact in task.init if fact.predicate not in self._changed}
        self._number: dict[Any, int] = {}
        self._rules: list[tuple[Atoms, int | None]] = []
        """Without deletions: once the atoms hold, so does the one behind them."""
        self._operators: dict[tuple[Any, ...], int] = {}
        """By name, needs, forbids and effects the rule that fires where they can be applied."""
        self._axioms: set[tuple[int, Atoms, Atoms]] = set()
        self._instantiate(build_model.compute_model(datalog.translate(task)))

    def answer(self, number: int) -> Json:
        """The world as plain values; the problems' own answers are filled in."""
        goals = [
            self._condition(_literals(self._task.goal if p.goal is None else p.goal))
            for p in self._problems
        ]
        starts = [[self._numbered(fact) for fact in problem.dynamic] for problem in self._problems]
        texts = {place: _text(atom) for atom, place in self._number.items()}
        order = sorted(texts, key=texts.__getitem__)
        new = {atom: place for place, atom in enumerate(order)}

        def numbers(*sets: Iterable[int]) -> list[list[int]]:
            return [sorted(map(new.__getitem__, atoms)) for atoms in sets]

        rows = sorted(
            [
                name,
                *numbers(needs, forbids),
                sorted([new[a], adds, *numbers(n, f)] for a, adds, n, f in effects),
                rule,
            ]
            for (name, needs, forbids, effects), rule in self._operators.items()
        )
        waiting = self._waiting()
        for problem, (needs, forbids, holds), start in zip(
            self._problems, goals, starts, strict=True
        ):
            reached, fires = self._reach(start, waiting)
            never = sorted(texts[atom] for atom in needs - reached)
            if never or not holds:
                problem.answer["unsolvable"] = never[0] if never else "its goal contradicts :init"
            problem.answer["world"] = number
            problem.answer["missed"] = [n for n, row in enumerate(rows) if not fires[row[-1]]]
            problem.answer["initial"], *problem.answer["goal"] = numbers(start, needs, forbids)
        return {
            "atoms": [texts[atom] for atom in order],
            "operators": [row[:-1] for row in rows],
            "axioms": sorted([new[a], *numbers(n, f)] for a, n, f in self._axioms),
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
        objects = instantiate.get_objects_by_type(self._task.objects, self._task.types)
        for atom in model:
            owner = atom.predicate
            if isinstance(owner, pddl.Action):
                self._take_action(owner, _mapping(owner, atom), known, objects)
            elif isinstance(owner, pddl.Axiom):
                ground = owner.instantiate(_mapping(owner, atom), self._static, known)
                needs, forbids, is_possible = self._condition(ground.condition)
                head = self._numbered(ground.effect)
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
        rule = len(self._rules)
        self._rules.append((needs, None))
        effects = set()
        for when, literal in found:
            own_needs, own_forbids, can_happen = self._condition(when)
            atom = self._numbered(literal.positive())
            if not literal.negated:
                self._rules.append((needs | own_needs, atom))
            if can_happen:
                effects.add((atom, not literal.negated, own_needs, own_forbids))
        if is_possible:
            shown = [mapping[p.name] for p in action.parameters[: action.num_external_parameters]]
            name = f"({' '.join((action.name, *shown))})"
            self._operators.setdefault((name, needs, forbids, frozenset(effects)), rule)

    def _condition(self, literals: Iterable[Any]) -> tuple[Atoms, Atoms, bool]:
        """The atoms that change, needed and forbidden, and whether the static literals hold."""
        needs, forbids, holds = set(), set(), True
        for literal in literals:
            if literal.predicate not in self._changed:
                holds &= (literal.positive() in self._static) != literal.negated
            elif literal.negated:
                forbids.add(self._numbered(literal.positive()))
            else:
                needs.add(self._numbered(literal))
        return frozenset(needs), frozenset(forbids), holds

    def _numbered(self, atom: Any) -> int:
        return self._number.setdefault(atom, len(self._number))

    def _waiting(self) -> list[list[int]]:
        """For each atom the rules that need it."""
        waiting: list[list[int]] = [[] for _ in self._number]
        for rule, (body, _) in enumerate(self._rules):
            for atom in body:
                waiting[atom].append(rule)
        return waiting

    def _reach(self, start: Iterable[int], waiting: list[list[int]]) -> tuple[set[int], list[bool]]:
        """The atoms that can hold, and whether each rule fires."""
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
        return reached, [not count for count in missing]


def _mapping(owner: Any, atom: Any) -> dict[str, str]:
    return {p.name: value for p, value in zip(owner.parameters, atom.args, strict=True)}


def _literals(condition: Any) -> Iterable[Any]:
    if isinstance(condition, pddl.Literal):
        return [condition]
    return [literal for part in condition.parts for literal in _literals(part)]


def _text(atom: Any) -> str:
    return f"({' '.join((atom.predicate, *atom.args))})"

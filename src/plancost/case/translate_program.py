# SPDX-License-Identifier: GPL-3.0-or-later
# Under the GNU General Public License, version 3 or later, because it imports Fast Downward's
# translator; it runs only in a process of its own, and plancost never imports it.
"""Ground many problems of one domain, in one process; or write one in SAS+ for planners.

Problems with the same objects and the same facts that no action changes share a world. Such a
world is grounded once, for the union of the initial states. Of its operators those are kept that
some problem may be able to apply: each literal of their conditions can be reached if each is
looked at alone (what was once reached stays), and no two of them are mutually exclusive.

Costs are taken out of the PDDL before, since an action without a defined cost would be dropped,
and are handed back as text.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fast_downward.translate import (
    axiom_rules,
    fact_groups,
    instantiate,
    invariant_finder,
    normalize,
    options,
    pddl,
)
from fast_downward.translate import main as translator
from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions
from fast_downward.translate.pddl_parser.parse_error import ParseError

Json = dict[str, Any]
Literals = tuple[int, ...]
"""Sorted; the atom with the number n is the literal n, its negation ~n."""
Operator = tuple[str, Literals, tuple[tuple[int, Literals], ...]]
"""A name, a condition, and literals that come true, each where its own condition holds."""

_LINE_END = re.compile(r"\r\n?|\n")
_NUMBER = re.compile(r"[+-]?\.?\d.*")


def main(request: str, answer: str) -> None:
    """Read a request (texts of the domain and of problems), write the answer, both as JSON."""
    gc.disable()
    asked = json.loads(Path(request).read_text(encoding="utf-8"))
    options.set_options(["--keep-no-ops", "--keep-unimportant-variables", "domain", "problem"])
    make = _sas if asked["sas"] else _ground
    found = make(asked["domain"], asked["problems"])
    Path(answer).write_text(json.dumps(found), encoding="utf-8")


def _sas(domain_text: str, problem_texts: list[str]) -> Json:
    """A problem in SAS+, taken apart between its operators and at the cost of each."""
    domain, problem = _nested(domain_text), _nested(problem_texts[0])
    _take_costs(domain)
    _take_values(problem)
    task = parsing_functions.parse_task(domain, problem)
    normalize.normalize(task)
    found = translator.pddl_to_sas(task)
    found.metric = True
    operators, found.operators = found.operators, []
    head, end, tail = _output(found).partition("end_goal\n")
    conditional = any(when for operator in operators for *_, when in operator.pre_post)
    return {
        "head": head + end,
        "operators": [
            # Without effects no planner reads it.
            (_name(operator), "".join(_output(operator).splitlines(keepends=True)[2:-2]))
            for operator in operators
            if operator.pre_post
        ],
        "tail": tail.removeprefix("0\n"),
        "is_simple": not conditional and not found.axioms,
    }


def _output(part: Any) -> str:
    text = io.StringIO()
    part.output(text)
    return text.getvalue()


def _name(operator: Any) -> str:
    return str(operator.name).replace(" )", ")")


def _ground(domain_text: str, problem_texts: list[str]) -> Json:
    answers: list[Json] = [{} for _ in problem_texts]
    found: Json = {"worlds": [], "problems": answers}
    with _complaints_in(found):
        domain = _nested(domain_text)
        found["schemas"] = _take_costs(domain)
        list(parsing_functions.parse_domain_pddl(parsing_functions.Context(), domain))
    if "error" in found:
        return found
    groups: dict[object, list[_Problem]] = defaultdict(list)
    for text, answer in zip(problem_texts, answers, strict=True):
        with _complaints_in(answer):
            problem = _read(domain, text, answer)
            groups[problem.key].append(problem)
    for problems in groups.values():
        with _complaints_in(*(problem.answer for problem in problems)):
            found["worlds"].append(_World(problems).answer(len(found["worlds"])))
    return found


@contextlib.contextmanager
def _complaints_in(*answers: Json) -> Iterator[None]:
    """What the translator says is wrong within a block becomes the error of these answers."""
    try:
        yield
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        kind = "" if isinstance(error, ParseError | SystemExit) else type(error).__name__
        for answer in answers:
            answer["error"] = {"text": str(error), "kind": kind}


def _nested(text: str) -> Any:
    return lisp_parser.parse_nested_list(_LINE_END.split(text))


# Reading


@dataclass(frozen=True)
class _Problem:
    task: Any
    key: object
    """Of its world."""
    static: list[Any]
    dynamic: list[Any]
    goal: Any
    """None if normalisation changes it: then the world is for this goal only."""
    answer: Json


def _read(domain: list[Any], text: str, answer: Json) -> _Problem:
    nested = _nested(text)
    answer["values"] = _take_values(nested)
    task = parsing_functions.parse_task(domain, nested)
    changed = {effect.literal.predicate for action in task.actions for effect in action.effects}
    changed |= {axiom.name for axiom in task.axioms}
    static = [fact for fact in task.init if fact.predicate not in changed]
    dynamic = [fact for fact in task.init if fact.predicate in changed]
    goal, own_goal = (task.goal, None) if _is_plain(task.goal) else (None, task.goal)
    kinds = frozenset((item.name, item.type_name) for item in task.objects)
    key = kinds, frozenset(static), own_goal
    return _Problem(task, key, static, dynamic, goal, answer)


def _is_plain(goal: Any) -> bool:
    parts = goal.parts if isinstance(goal, pddl.Conjunction) else [goal]
    return all(isinstance(part, pddl.Literal | pddl.Truth) for part in parts)


# Grounding


class _World:
    """The ground operators of problems that share their objects and static facts."""

    def __init__(self, problems: list[_Problem]) -> None:
        self._task = task = problems[0].task
        self._static = set(problems[0].static)
        dynamic = dict.fromkeys(fact for problem in problems for fact in problem.dynamic)
        task.init = [*problems[0].static, *dynamic]
        if problems[0].goal is not None:
            task.goal = pddl.Truth()
        normalize.normalize(task)
        self._problems = [(problem, _literals(problem.goal or task.goal)) for problem in problems]
        _, self._facts, actions, _, rules, parameters = instantiate.explore(task)
        goals = [literal for _, goal in self._problems for literal in goal]
        rules, layers = axiom_rules.handle_axioms(actions, rules, goals, "min")
        self._atoms = sorted(self._facts, key=lambda atom: atom.key)
        self._number = {atom: number for number, atom in enumerate(self._atoms)}
        self._operators = sorted({self._operator(action) for action in actions})
        heads = [(layers[rule.effect], self._number[rule.effect]) for rule in rules]
        bodies = [self._literals(rule.condition) for rule in rules]
        self._axioms = [(*head, body) for head, body in zip(heads, bodies, strict=True)]
        self._invariants = list(invariant_finder.find_invariants(task, parameters))
        self._rules: dict[frozenset[Literals], _Rules] = {}

    def answer(self, number: int) -> Json:
        """The world as plain values; the problems' own answers are filled in."""
        kept: set[int] = set()
        for problem, goal in self._problems:
            kept |= self._solve(problem, goal)
            problem.answer["world"] = number
        return {
            "atoms": list(map(_text, self._atoms)),
            "operators": [self._operators[place] for place in sorted(kept)],
            "axioms": self._axioms,
        }

    def _solve(self, problem: _Problem, goal: Iterable[Any]) -> set[int]:
        """Answer a problem; the operators that it may be able to apply."""
        start = self._literals(problem.dynamic)
        wanted = self._literals(literal for literal in goal if literal.positive() in self._number)
        problem.answer["initial"], problem.answer["goal"] = start, wanted
        mutexes = self._mutexes(problem)
        if mutexes not in self._rules:
            self._rules[mutexes] = _Rules(mutexes, self._operators, self._axioms)
        rules = self._rules[mutexes]
        reached, conditions = rules.reach(start, len(self._atoms))
        never = [fact for fact in goal if not self._can_hold(fact, reached)]
        if never or not rules.are_compatible(wanted):
            problem.answer["unsolvable"] = _text(never[0]) if never else "its goal"
            return set()
        return {n for n, (_, body, _) in enumerate(self._operators) if body in conditions}

    def _can_hold(self, literal: Any, reached: set[int]) -> bool:
        atom = literal.positive()
        if atom not in self._number:
            return bool((atom in self._static) != literal.negated)
        number = self._number[atom]
        return (~number if literal.negated else number) in reached

    def _mutexes(self, problem: _Problem) -> frozenset[Literals]:
        """Sets of atoms of which one holds at the start and never more than one later."""
        groups = invariant_finder.useful_groups(self._invariants, problem.dynamic)
        found = fact_groups.instantiate_groups(list(groups), self._task, self._facts)
        return frozenset(self._literals(group) for group in found)

    def _operator(self, action: Any) -> Operator:
        added = {(self._number[atom], self._literals(when)) for when, atom in action.add_effects}
        deleted = {(~self._number[atom], self._literals(when)) for when, atom in action.del_effects}
        body = self._literals(action.precondition)
        return _name(action), body, tuple(sorted(added | deleted))

    def _literals(self, literals: Iterable[Any]) -> Literals:
        numbers = {
            ~self._number[literal.positive()] if literal.negated else self._number[literal]
            for literal in literals
        }
        return tuple(sorted(numbers))


class _Rules:
    """What operators and axioms bring about, if what has come true once stays true."""

    def __init__(
        self,
        mutexes: Iterable[Literals],
        operators: Iterable[Operator],
        axioms: Iterable[tuple[int, int, Literals]],
    ) -> None:
        self._mutexes: dict[int, list[int]] = defaultdict(list)
        for number, mutex in enumerate(mutexes):
            for atom in mutex:
                self._mutexes[atom].append(number)
        self._heads: dict[Literals, set[int]] = {}
        for _, body, effects in operators:
            self._add(body, ())
            for literal, when in effects:
                self._add(tuple(sorted({*body, *when})) if when else body, (literal,))
        for _, atom, body in axioms:
            self._add(body, (atom,))

    def are_compatible(self, literals: Literals) -> bool:
        """Whether no two of them exclude each other."""
        groups = [group for literal in literals for group in self._mutexes.get(literal, ())]
        return len(groups) == len(set(groups)) and not any(~one in literals for one in literals)

    def reach(self, start: Literals, atoms: int) -> tuple[set[int], set[Literals]]:
        """The literals that can come true from a state on, and the conditions made of them."""
        reached = {*start, *(~number for number in {*range(atoms)} - {*start})}
        waiting = dict(self._heads)
        while met := [body for body in waiting if reached.issuperset(body)]:
            for body in met:
                reached |= waiting.pop(body)
        return reached, self._heads.keys() - waiting.keys()

    def _add(self, body: Literals, heads: Iterable[int]) -> None:
        if body in self._heads or self.are_compatible(body):
            self._heads.setdefault(body, set()).update(heads)


def _literals(condition: Any) -> list[Any]:
    if isinstance(condition, pddl.Literal):
        return [condition]
    return [literal for part in condition.parts for literal in _literals(part)]


def _text(literal: Any) -> str:
    words = f"({' '.join((literal.predicate, *literal.args))})"
    return f"(not {words})" if literal.negated else words


# Costs


def _take_costs(domain: list[Any]) -> Json:
    """Take cost effects out; for each schema its parameters and its cost as in `Schema`."""
    schemas: Json = {}
    for section in domain:
        if section[:1] != [":action"] or len(section) < 2:
            continue
        name = str(section[1])
        if name in schemas:
            raise ParseError(f"two actions are called '{name}'")
        if ":effect" not in section:
            section += [":effect", ["and"]]
        place = section.index(":effect") + 1
        costs: list[Any] = []
        section[place] = _without_costs(section[place], costs, True) or ["and"]
        parameters = section[section.index(":parameters") + 1] if ":parameters" in section else ()
        names = [word for word in parameters if isinstance(word, str) and word.startswith("?")]
        cost = costs[0] if len(costs) == 1 else []
        schemas[name] = [names, cost if costs else None]
    return schemas


def _without_costs(effect: Any, costs: list[Any], always: bool) -> Any:
    """The rest of an effect; each cost is a number, a function with arguments, or [] if other."""
    if not isinstance(effect, list):
        return effect
    if effect[:2] in (["increase", ["total-cost"]], ["increase", "total-cost"]):
        amount = effect[2:]
        words = amount[0] if amount and isinstance(amount[0], list) else amount
        is_plain = always and len(amount) == 1 and all(isinstance(word, str) for word in words)
        costs.append(words if is_plain and words and words[0] not in "+-*/" else [])
        return ["and"]
    always = always and effect[:1] == ["and"]
    return [_without_costs(part, costs, always) for part in effect]


def _take_values(problem: list[Any]) -> list[list[str]]:
    """Take values of functions and the metric out of a problem; the values, as term and text."""
    values = []
    problem[:] = [part for part in problem if part[:1] != [":metric"]]
    for init in (part for part in problem if part[:1] == [":init"]):
        for fact in filter(_is_value, init):
            term = fact[1] if isinstance(fact[1], list) else [fact[1]]
            values.append([f"({' '.join(map(str, term))})", fact[2]])
        init[:] = [fact for fact in init if fact and not _is_value(fact)]
    return values


def _is_value(fact: Any) -> bool:
    return fact[:1] == ["="] and len(fact) == 3 and bool(_NUMBER.fullmatch(str(fact[2])))

"""Reading domain and problem files.

Lenient where the translator decides anyway (undeclared names, the order of
sections), strict where a wrong guess would change costs: numeric planning,
durative actions, two values for one function term, two actions of one name.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

from plancost.errors import InputError
from plancost.files.input_files import read_text
from plancost.observations.pddl.actions import (
    read_action,
    read_number,
    reject_numeric_conditions,
)
from plancost.observations.pddl.model import Domain, Problem, Schema, Term, term_text
from plancost.observations.pddl.typed_lists import TypeNames, read_names, read_typed_list
from plancost.observations.sexpr import (
    Atom,
    Node,
    PddlError,
    SList,
    errors_in,
    head,
    read,
    render,
    sections,
    words,
)

_REPEATABLE = frozenset({":action", ":derived"})
_UNSUPPORTED = {
    ":durative-action": "durative actions are",
    ":process": "processes are",
    ":event": "events are",
}


def read_domain(path: Path) -> Domain:
    """Read a domain file."""
    return parse_domain(read_text(path), path)


def read_problem(path: Path) -> Problem:
    """Read a problem file."""
    return parse_problem(read_text(path), path)


def parse_domain(
    text: str, path: Path = Path("domain.pddl"), file_name: str | None = None
) -> Domain:
    """Read a domain from its text; `path` is what messages call it.

    `file_name` is for writing it again, if that is not the name of the path.
    """
    text = text.removeprefix("\ufeff")
    tree = read(text, path)
    with errors_in(path):
        name = _definition_name(tree, "domain")
        types: dict[str, TypeNames] = {}
        for child, parents in read_names(_entries(tree, ":types")):
            types[child] = tuple(dict.fromkeys(types.get(child, ()) + parents))
        constants = dict(read_names(_entries(tree, ":constants")))
        predicates = dict(_predicate(entry) for entry in _entries(tree, ":predicates"))
        derived = frozenset(
            head(rule.items[1]) for rule in sections(tree, ":derived") if len(rule.items) > 1
        )
        schemas: dict[str, Schema] = {}
        for action in sections(tree, ":action"):
            schema = read_action(action, predicates, derived, constants)
            if schema.name in schemas:
                raise PddlError(f"action '{schema.name}' is defined twice", action)
            schemas[schema.name] = schema
        return Domain(
            path=path,
            text=text,
            tree=tree,
            name=name,
            requirements=tuple(render(entry) for entry in _entries(tree, ":requirements")),
            types=types,
            constants=constants,
            predicates=predicates,
            functions=_functions(tree),
            schemas=schemas,
            derived=derived,
            file_name=file_name or path.name,
        )


def parse_problem(
    text: str, path: Path = Path("problem.pddl"), file_name: str | None = None
) -> Problem:
    """Read a problem from its text; `path` is what messages call it.

    `file_name` is for writing it again, if that is not the name of the path.
    """
    text = text.removeprefix("\ufeff")
    tree = read(text, path)
    with errors_in(path):
        name = _definition_name(tree, "problem")
        init = _required(tree, ":init")
        goal = _required(tree, ":goal")
        if len(goal.items) != 2 or not isinstance(goal.items[1], SList):
            raise PddlError("expected one condition in '(:goal ...)'", goal)
        reject_numeric_conditions(goal.items[1], "the goal")
        atoms, values = _initial_state(init)
        metrics = sections(tree, ":metric")
        return Problem(
            path=path,
            text=text,
            tree=tree,
            name=name,
            domain_name=_single_word(_required(tree, ":domain")),
            objects=dict(read_names(_entries(tree, ":objects"))),
            init=init,
            init_atoms=atoms,
            init_values=values,
            goal=goal.items[1],
            metric=metrics[0] if metrics else None,
            file_name=file_name or path.name,
        )


def check_same_domain(domain: Domain, problem: Problem) -> None:
    """Raise if the problem says that it belongs to another domain."""
    if domain.name != problem.domain_name:
        raise InputError(
            f"this problem belongs to the domain '{problem.domain_name}', "
            f"but {domain.path} defines '{domain.name}'",
            problem.path,
            _required(problem.tree, ":domain").line,
        )


def _definition_name(tree: SList, kind: str) -> str:
    """The name of a domain or problem, once its sections are checked."""
    found = tree.items[1] if len(tree.items) > 1 else tree
    if head(found) != kind or not isinstance(found, SList):
        other = {"domain": "problem", "problem": "domain"}[kind]
        what = f"this is a {other}, not a {kind}" if head(found) == other else f"not a PDDL {kind}"
        raise PddlError(f"{what}: expected '(define ({kind} NAME) ...)'", found)
    name = _single_word(found)
    _check_sections(tree)
    return name


def _single_word(node: SList) -> str:
    texts = words(node)
    if texts is None or len(texts) != 2:
        raise PddlError(f"expected '({head(node)} NAME)'", node)
    return texts[1]


def _check_sections(tree: SList) -> None:
    seen: Counter[str] = Counter()
    for section in tree.items[2:]:
        keyword = head(section)
        if not keyword.startswith(":"):
            raise PddlError(
                f"expected a section such as (:init ...), found '{render(section)[:40]}'", section
            )
        if keyword in _UNSUPPORTED:
            raise PddlError(
                f"{_UNSUPPORTED[keyword]} not supported; plancost learns the costs of "
                "classical actions",
                section,
            )
        seen[keyword] += 1
        if seen[keyword] > 1 and keyword not in _REPEATABLE:
            raise PddlError(f"there are two ({keyword} ...) sections", section)


def _required(tree: SList, keyword: str) -> SList:
    found = sections(tree, keyword)
    if not found:
        raise PddlError(f"({keyword} ...) is missing", tree)
    return found[0]


def _entries(tree: SList, keyword: str) -> tuple[Node, ...]:
    found = sections(tree, keyword)
    return found[0].items[1:] if found else ()


def _predicate(entry: Node) -> tuple[str, int]:
    if not isinstance(entry, SList) or not head(entry):
        raise PddlError(
            f"expected a predicate such as (at ?x), found '{render(entry)[:40]}'", entry
        )
    return head(entry), len(read_names(entry.items[1:]))


def _functions(tree: SList) -> dict[str, tuple[TypeNames, ...]]:
    functions: dict[str, tuple[TypeNames, ...]] = {}
    for entry, _ in read_typed_list(_entries(tree, ":functions")):
        if isinstance(entry, Atom):
            functions[entry.text] = ()
        elif not head(entry):
            raise PddlError("expected a function such as (distance ?a ?b)", entry)
        else:
            arguments = read_names(entry.items[1:])
            functions[head(entry)] = tuple(types for _, types in arguments)
    return functions


def _initial_state(init: SList) -> tuple[frozenset[Term], dict[Term, Fraction]]:
    atoms: set[Term] = set()
    values: dict[Term, Fraction] = {}
    for entry in init.items[1:]:
        if head(entry) == "=" and isinstance(entry, SList):
            term, value = read_assignment(entry)
            if values.setdefault(term, value) != value:
                raise PddlError(f"{term_text(term)} has two values in :init", entry)
        elif head(entry) != "not":  # what is not listed is false anyway
            atom = words(entry)
            if not atom:
                raise PddlError(
                    f"expected a fact such as (at car a), found '{render(entry)[:40]}'; "
                    "timed initial literals are not supported",
                    entry,
                )
            atoms.add(atom)
    return frozenset(atoms), values


def read_assignment(entry: SList) -> tuple[Term, Fraction]:
    """Read ``(= (distance a b) 3)``."""
    if len(entry.items) == 3:
        left, right = entry.items[1:]
        term = (left.text,) if isinstance(left, Atom) else words(left)
        value = read_number(right.text) if isinstance(right, Atom) else None
        if term and value is not None:
            return term, value
    raise PddlError(
        f"expected '(= (FUNCTION OBJECT ...) NUMBER)', found '{render(entry)[:60]}'", entry
    )

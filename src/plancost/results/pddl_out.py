"""PDDL out: the user's domain and problems with the learned costs written in.

The user's text is kept; only what costs need is spliced into it. Each action
schema gets a cost function over its parameters, ``(cost-drive ?v ?a ?b)``, and
each problem a value for every one of its ground actions (where actions share costs, the
function has only the parameters that matter). Every one matters: an
action whose cost function has no value is silently dropped by the translator.

Old function values stay, unless Fast Downward would refuse the file because of
them (it reads only whole numbers of at least 0).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from plancost.errors import InputError
from plancost.files.atomic import write_atomically
from plancost.files.output_files import make_folder
from plancost.files.overwriting import check_no_input_in
from plancost.observations.pddl import Domain, Problem, Schema, split_action
from plancost.observations.pddl.reading import read_assignment
from plancost.observations.pddl.typed_lists import OBJECT, read_typed_list
from plancost.observations.sexpr import Atom, Node, SList, head, render, sections
from plancost.observations.shares import Kept
from plancost.observations.text_edits import Edit, append_to, apply_edits, insert_after

_HEADER_SECTIONS = (":requirements", ":types", ":constants", ":predicates")
_METRIC = "(:metric minimize (total-cost))"
_TOTAL_COST = ("total-cost",)
_LONGEST_NAME = 60
"""Letters; a file system takes 255 bytes, and a letter may have four."""
_PLAIN_NUMBER = re.compile(r"\d+")


def write_pddl(
    domain: Domain,
    problems: Sequence[tuple[Problem, Collection[str]]],
    costs: Mapping[str, int],
    directory: Path,
    kept: Kept | None = None,
) -> list[Path]:
    """Write the domain and the problems, each with the names of its ground actions.

    Files keep their names; problems of one name from different folders get the
    folder's name in front. Nothing is written before all texts are made. `kept` says of
    some schemas which parameters their costs depend on; those of others, on all.
    """
    kept = kept or {}
    _check_directory(directory, [domain.path, *(problem.path for problem, _ in problems)])
    domain_text, functions = domain_with_costs(domain, kept)
    texts = {domain.file_name: domain_text}
    names = _file_names([problem for problem, _ in problems], domain.file_name)
    for name, (problem, actions) in zip(names, problems, strict=True):
        texts[name] = problem_with_costs(domain, problem, actions, costs, functions, kept)
    make_directory(directory)
    try:
        for name, text in texts.items():
            write_atomically(directory / name, text.encode("utf-8"))
    except OSError as error:
        raise InputError(f"cannot write PDDL here ({error.strerror})", directory) from error
    return [directory / name for name in texts]


def make_directory(directory: Path) -> None:
    """Make the folder for PDDL, unless it is there."""
    make_folder(directory, "PDDL here")


def folder_names(names: Sequence[str]) -> list[str]:
    """A folder for each name: what a file system may not like is replaced, no two are alike."""
    found: list[str] = []
    for name in names:
        plain = re.sub(r"[^\w.-]+", "_", name).lstrip(".-")[:_LONGEST_NAME] or "_"
        folder, number = plain, 2
        while folder.lower() in map(str.lower, found):
            folder, number = f"{plain}-{number}", number + 1
        found.append(folder)
    return found


def domain_with_costs(domain: Domain, kept: Kept | None = None) -> tuple[str, dict[str, str]]:
    """The domain's text with cost functions, and the function of each action schema."""
    kept = kept or {}
    functions = _function_names(domain)
    edits = [*_requirements(domain), *_declarations(domain, functions, kept)]
    for schema in domain.schemas.values():
        parameters = read_typed_list(_parameter_items(schema))
        variables = [_source(domain.text, variable) for variable, _ in parameters]
        variables = _selected(variables, schema.name, kept)
        term = f"({' '.join([functions[schema.name], *variables])})"
        edits += _effect(domain.text, schema, f"(increase (total-cost) {term})")
    return apply_edits(domain.text, edits), functions


def problem_with_costs(
    domain: Domain,
    problem: Problem,
    actions: Iterable[str],
    costs: Mapping[str, int],
    functions: Mapping[str, str],
    kept: Kept | None = None,
) -> str:
    """The problem's text with the cost of each of its actions and the metric."""
    edits = []
    has_zero = False
    for entry in problem.init.items[1:]:
        if not isinstance(entry, SList) or head(entry) != "=":
            continue
        term, value = read_assignment(entry)
        if term == _TOTAL_COST and value == 0 and not has_zero and _is_readable(entry):
            has_zero = True
        elif term == _TOTAL_COST or term[0] in functions.values() or not _is_readable(entry):
            edits.append(Edit(entry.start, entry.end, ""))
    values = [] if has_zero else ["(= (total-cost) 0)"]
    values += _values(domain, problem, actions, costs, functions, kept or {})
    if values:
        edits.append(append_to(problem.text, problem.init, values))
    return apply_edits(problem.text, [*edits, *_metric(problem)])


def _function_names(domain: Domain) -> dict[str, str]:
    """``cost-drive`` for the action ``drive``, or ``cost-drive-2`` where that is taken."""
    taken = {"total-cost", *domain.functions, *domain.predicates}
    names = {}
    for schema in domain.schemas:
        name = f"cost-{schema}"
        number = 1
        while name in taken:
            number += 1
            name = f"cost-{schema}-{number}"
        taken.add(name)
        names[schema] = name
    return names


def _requirements(domain: Domain) -> list[Edit]:
    if ":action-costs" in domain.requirements:
        return []
    found = sections(domain.tree, ":requirements")
    if found:
        return [append_to(domain.text, found[0], [":action-costs"])]
    typing = " :typing" if sections(domain.tree, ":types") else ""
    section = f"(:requirements :strips{typing} :action-costs)"
    return [insert_after(domain.text, _header(domain, ()), [section])]


def _declarations(domain: Domain, functions: Mapping[str, str], kept: Kept) -> list[Edit]:
    new = [] if "total-cost" in domain.functions else ["(total-cost)"]
    for schema in domain.schemas.values():
        signature = [_source(domain.text, item) for item in _parameter_items(schema)]
        if schema.name in kept:
            signature = _selected(_typed(domain, schema), schema.name, kept)
        new.append(f"({' '.join([functions[schema.name], *signature])})")
    found = sections(domain.tree, ":functions")
    if not found:
        section = ["(:functions", *(f"  {entry} - number" for entry in new), ")"]
        return [insert_after(domain.text, _header(domain, _HEADER_SECTIONS), section)]
    if any(isinstance(item, Atom) and item.text == "-" for item in found[0].items):
        new = [f"{entry} - number" for entry in new]
    return [append_to(domain.text, found[0], new)] if new else []


def _header(domain: Domain, keywords: Collection[str]) -> SList:
    """The last of the sections named, or ``(domain NAME)``."""
    before = [item for item in domain.tree.items if isinstance(item, SList)]
    return [item for item in before if item is before[0] or head(item) in keywords][-1]


def _effect(text: str, schema: Schema, increase: str) -> list[Edit]:
    effect = schema.effect
    if schema.cost is not None:
        return [Edit(schema.cost.effect.start, schema.cost.effect.end, increase)]
    if effect is None:
        return [append_to(text, schema.tree, [f":effect (and {increase})"])]
    if not effect.items:
        return [Edit(effect.start, effect.end, f"(and {increase})")]
    if head(effect) == "and":
        return [append_to(text, effect, [increase])]
    return [
        Edit(effect.start, effect.start, "(and "),
        Edit(effect.end, effect.end, f" {increase})"),
    ]


def _metric(problem: Problem) -> list[Edit]:
    """Make the metric ours, and the last section."""
    old = problem.metric
    if old is not None and old is problem.tree.items[-1]:
        return [] if render(old) == _METRIC else [Edit(old.start, old.end, _METRIC)]
    removed = [] if old is None else [Edit(old.start, old.end, "")]
    return [*removed, append_to(problem.text, problem.tree, [_METRIC])]


def _values(
    domain: Domain,
    problem: Problem,
    actions: Iterable[str],
    costs: Mapping[str, int],
    functions: Mapping[str, str],
    kept: Kept,
) -> list[str]:
    spelling = _spelling(domain.text, domain.tree, ":constants")
    spelling |= _spelling(problem.text, problem.tree, ":objects")
    lines: dict[str, int] = {}
    for action in sorted(actions):
        name, arguments = split_action(action)
        if action not in costs or costs[action] < 0:
            raise ValueError(f"no cost was learned for {action} of {problem.path}")
        words = [spelling.get(word, word) for word in arguments]
        term = f"({' '.join([functions[name], *_selected(words, name, kept)])})"
        if lines.setdefault(term, costs[action]) != costs[action]:
            raise ValueError(f"{action} of {problem.path} does not have the cost of its class")
    return [f"(= {term} {cost})" for term, cost in lines.items()]


def _selected(words: Sequence[str], schema: str, kept: Kept) -> list[str]:
    """Those of the words that stand for parameters on which the cost depends."""
    return [word for n, word in enumerate(words) if n in kept.get(schema, range(len(words)))]


def _typed(domain: Domain, schema: Schema) -> list[str]:
    """Each parameter with its type, as ``?a - place``; without, if the schema has no types."""
    found = read_typed_list(_parameter_items(schema))
    names = [_source(domain.text, variable) for variable, _ in found]
    if all(types == OBJECT for _, types in found):
        return names
    kinds = [t[0] if len(t) == 1 else f"(either {' '.join(t)})" for _, t in found]
    return [f"{name} - {kind}" for name, kind in zip(names, kinds, strict=True)]


def _spelling(text: str, tree: SList, keyword: str) -> dict[str, str]:
    """How the user writes each name of a typed list."""
    return {
        name.text: _source(text, name)
        for section in sections(tree, keyword)
        for name, _ in read_typed_list(section.items[1:])
        if isinstance(name, Atom)
    }


def _parameter_items(schema: Schema) -> tuple[Node, ...]:
    return () if schema.parameter_list is None else schema.parameter_list.items


def _source(text: str, node: Node) -> str:
    """The node as the user spells it, on one line and without comments."""
    if isinstance(node, Atom):
        return text[node.start : node.end]
    return "(" + " ".join(_source(text, item) for item in node.items) + ")"


def _is_readable(assignment: SList) -> bool:
    return _PLAIN_NUMBER.fullmatch(render(assignment.items[-1])) is not None


def _file_names(problems: Sequence[Problem], domain_name: str) -> list[str]:
    """A name for each problem file, none twice (also where case does not count)."""
    uses = Counter(problem.file_name.casefold() for problem in problems)
    taken = {domain_name.casefold()}
    names = []
    for problem in problems:
        own = problem.file_name
        clashes = uses[own.casefold()] > 1 or own.casefold() in taken
        is_file = own == problem.path.name
        wanted = f"{problem.path.resolve().parent.name}-{own}" if clashes and is_file else own
        name, number = wanted, 1
        while name.casefold() in taken:
            number += 1
            name = f"{Path(wanted).stem}-{number}{Path(own).suffix}"
        taken.add(name.casefold())
        names.append(name)
    return names


def _check_directory(directory: Path, inputs: Iterable[Path]) -> None:
    """Never write where the user's own files are."""
    if directory.exists() and not directory.is_dir():
        raise InputError("this is a file; PDDL is written to a directory", directory)
    check_no_input_in(directory, inputs)

"""PDDL out: the user's own text with learned costs written in.

Each action schema gets a cost function over its parameters, ``(cost-drive ?v ?a ?b)``, and each
problem its value for every action of the problem's world. Every one matters: the translator
silently drops an action whose cost has no value. Old values of functions stay, unless Fast Downward
would refuse the file because of them (it reads only whole numbers of at least 0).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plancost.case.model import Case, PddlTexts, Strips
from plancost.case.read import other_problems
from plancost.clock import Clock
from plancost.errors import InputError
from plancost.files import make_folder, read_text, write_atomically
from plancost.pddl import Block, Word, read, render
from plancost.values import distinct

_HEADER = (":requirements", ":types", ":constants", ":predicates")
_METRIC = "(:metric minimize (total-cost))"
_ZERO = "(= (total-cost) 0)"
_PLAIN_NUMBER = re.compile(r"\d+")
_UNKNOWN = 1
"""The cost of an action that was not learned."""


def export_pddl(
    case: Case,
    costs: Sequence[int],
    folder: Path,
    *,
    tasks: Path | None = None,
    clock: Clock | None = None,
) -> list[Path]:
    """Write the domain and all problems of a case with these costs of its actions.

    `tasks`, a problem file or a folder of them, are written too; an action there that the case
    does not have costs 1. Returns the files.
    """
    assert case.pddl is not None
    known = dict(zip(case.actions, map(int, costs), strict=True))
    domain = _Domain(case.pddl.domain)
    problems = _problems(case)
    if tasks is not None:
        others = other_problems(case, tasks, clock or Clock())
        for unsolvable in others.notes:
            raise InputError(unsolvable)
        problems += _problems(others)
    names = _file_names([name for name, _, _ in problems])
    texts = {"domain.pddl": domain.with_costs()}
    for name, (place, text, actions) in zip(names, problems, strict=True):
        own = {action: known.get(action, _UNKNOWN) for action in actions}
        texts[name] = _problem_with_costs(text, place, own, domain.functions)
    return _written(folder, texts, case.pddl)


def _problems(case: Case) -> list[tuple[str, str, list[str]]]:
    """The name of each problem, its text and its actions."""
    assert case.pddl is not None
    found = []
    for task in case.tasks:
        world = case.worlds[task.world]
        assert isinstance(world, Strips)
        actions = sorted({case.actions[operator.action] for operator in world.operators})
        found.append((task.name, case.pddl.problems[task.name], actions))
    return found


def _file_names(places: Sequence[str]) -> list[str]:
    """A name for each problem file, none twice (also where upper and lower case are alike)."""
    stems = [re.sub(r"\.pddl$", "", Path(place).name, flags=re.IGNORECASE) for place in places]
    plain = [re.sub(r"[^\w.-]+", "_", stem) or "problem" for stem in stems]
    return [f"{name}.pddl" for name in distinct(plain, ["domain"], "-", str.casefold)]


def _written(folder: Path, texts: Mapping[str, str], inputs: PddlTexts) -> list[Path]:
    """Write the files, unless one of them is what the case was read from."""
    paths = {folder / name: text for name, text in texts.items()}
    originals = {inputs.domain, *inputs.problems.values()}
    make_folder(folder)
    for path in paths:
        if path.exists() and read_text(path) in originals:
            raise InputError(
                "this file of the case would be overwritten: name another folder", path
            )
    for path, text in paths.items():
        write_atomically(path, text)
    return list(paths)


# Domain


class _Domain:
    """The domain's text, and the cost function of each of its schemas."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tree = read(text, "domain.pddl")
        self._schemas = {render(block.items[1]): block for block in self._tree.blocks(":action")}
        self._declared = {
            block.head
            for section in (":functions", ":predicates")
            for own in self._tree.blocks(section)
            for block in own.blocks()
        }
        names = [f"cost-{schema}" for schema in self._schemas]  # with a number where taken
        taken = ("total-cost", *self._declared)
        self.functions = dict(zip(self._schemas, distinct(names, taken, "-"), strict=True))

    def with_costs(self) -> str:
        """The text with cost functions and effects on (total-cost)."""
        edits = [*self._requirements(), self._declarations()]
        for name, schema in self._schemas.items():
            variables = [w.text for w in _parameters(schema) if isinstance(w, Word)]
            variables = [word for word in variables if word.startswith("?")]
            term = f"({' '.join((self.functions[name], *variables))})"
            edits += self._effect(schema, f"(increase (total-cost) {term})")
        return apply_edits(self._text, edits)

    def _requirements(self) -> list[Edit]:
        found = self._tree.blocks(":requirements")
        if found and ":action-costs" in map(render, found[0].items):
            return []
        if found:
            return [append_to(self._text, found[0], [":action-costs"])]
        typing = " :typing" if self._tree.blocks(":types") else ""
        section = f"(:requirements :strips{typing} :action-costs)"
        return [insert_after(self._text, self._tree.blocks()[0], [section])]

    def _declarations(self) -> Edit:
        new = [] if "total-cost" in self._declared else ["(total-cost)"]
        new += [
            f"({' '.join((self.functions[name], *map(render, _parameters(schema))))})"
            for name, schema in self._schemas.items()
        ]
        found = self._tree.blocks(":functions")
        if found:
            is_typed = "-" in map(render, found[0].items)
            entries = [f"{entry} - number" for entry in new] if is_typed else new
            return append_to(self._text, found[0], entries)
        first, *others = self._tree.blocks()
        header = [first, *(block for block in others if block.head in _HEADER)][-1]
        section = ["(:functions", *(f"  {entry} - number" for entry in new), ")"]
        return insert_after(self._text, header, section)

    def _effect(self, schema: Block, increase: str) -> list[Edit]:
        effect = schema.after(":effect")
        if not isinstance(effect, Block):
            return [append_to(self._text, schema, [f":effect (and {increase})"])]
        if not effect.items or _is_cost(effect):
            return [Edit(effect.start, effect.end, f"(and {increase})")]
        old = [block for block in effect.all_blocks() if _is_cost(block)]
        if effect.head != "and":
            return [
                Edit(effect.start, effect.start, "(and "),
                *(Edit(block.start, block.end, "(and)") for block in old),
                Edit(effect.end, effect.end, f" {increase})"),
            ]
        own = next((block for block in old if block in effect.items), None)
        edits = [Edit(b.start, b.end, increase if b is own else "(and)") for b in old]
        return edits if own is not None else [*edits, append_to(self._text, effect, [increase])]


def _parameters(schema: Block) -> tuple[Word | Block, ...]:
    found = schema.after(":parameters")
    return found.items if isinstance(found, Block) else ()


def _is_cost(block: Block) -> bool:
    is_increase = block.head == "increase" and len(block.items) > 1
    return is_increase and render(block.items[1]) in ("(total-cost)", "total-cost")


# Problem


def _problem_with_costs(
    text: str, place: str, costs: Mapping[str, int], functions: Mapping[str, str]
) -> str:
    """The problem's text with the cost of each of its actions and the metric."""
    tree = read(text, place)
    init = tree.blocks(":init")[0]
    edits = []
    has_zero = False
    for entry in init.blocks("="):
        term = render(entry.items[1]).strip("()").split()
        if render(entry) == _ZERO and not has_zero:
            has_zero = True
        elif term[0] == "total-cost" or not _PLAIN_NUMBER.fullmatch(render(entry.items[-1])):
            edits.append(Edit(entry.start, entry.end, ""))
    values = [] if has_zero else [_ZERO]
    values += _values(costs, functions)
    if values:
        edits.append(append_to(text, init, values))
    return apply_edits(text, [*edits, *_metric(text, tree)])


def _values(costs: Mapping[str, int], functions: Mapping[str, str]) -> Iterable[str]:
    for action, cost in costs.items():
        name, *arguments = action.strip("()").split()
        yield f"(= ({' '.join((functions[name], *arguments))}) {cost})"


def _metric(text: str, tree: Block) -> list[Edit]:
    """Make the metric ours."""
    old = tree.blocks(":metric")
    if not old:
        return [append_to(text, tree, [_METRIC])]
    *others, last = old
    removed = [Edit(block.start, block.end, "") for block in others]
    return [*removed, Edit(last.start, last.end, _METRIC)]


# Changes of a text that leave the rest of it as it is


@dataclass(frozen=True)
class Edit:
    """Put `replacement` in place of the characters from `start` to `end`."""

    start: int
    end: int
    replacement: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits; insertions at one place keep their order."""
    parts = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[position : edit.start], edit.replacement]
        position = edit.end
    return "".join([*parts, text[position:]])


def append_to(text: str, block: Block, entries: Sequence[str]) -> Edit:
    """Add entries at the end of a list that is not empty, below its last one or beside it."""
    last = block.items[-1]
    before_last = text[_line_start(text, last.start) : last.start]
    separator = " "
    if not before_last.strip():
        separator = _line_end(text) + before_last
    elif len(entries) > 1:
        separator = _line_end(text) + _indent(text, block) + "  "
    return Edit(last.end, last.end, "".join(separator + entry for entry in entries))


def insert_after(text: str, block: Block, lines: Sequence[str]) -> Edit:
    """Add lines below a list, and below a comment beside it."""
    beside = re.compile(r"[ \t]*;[^\r\n]*").match(text, block.end)
    position = beside.end() if beside else block.end
    separator = _line_end(text) + _indent(text, block)
    return Edit(position, position, "".join(separator + line for line in lines))


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_start(text: str, position: int) -> int:
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def _indent(text: str, block: Block) -> str:
    """The blanks that the line of a list begins with."""
    line = text[_line_start(text, block.start) : block.start]
    return line[: len(line) - len(line.lstrip())]

"""Plans: reading their files, and replaying them step by step.

One ``(action argument ...)`` a line, ``;`` begins a comment, upper and lower case are the same;
``action argument ... (cost)``, as Fast Downward prints plans, is a step too. Outside of comments
only ASCII may stand, so that no other sign ends a line or looks like a letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from plancost.case.model import Condition, Operator, PddlTexts, Strips, Task
from plancost.errors import InputError
from plancost.files import read_text
from plancost.values import shown

State = frozenset[int]

_LINE_END = re.compile(r"\r\n?|\n")
_BLANKS = " \t\v\f\x1c\x1d\x1e\x1f"
_STEP = re.compile(r"\(\s*([^\s()]+(?:\s+[^\s()]+)*)\s*\)")
_PRINTED_STEP = re.compile(r"([^\s()]+(?:\s+[^\s()]+)*)\s*\(\d+\)")
_TEMPORAL_STEP = re.compile(r"\d+(?:\.\d+)?\s*:")
_WORD = re.compile(r"[^\s()]+")


def is_path(given: object) -> bool:
    """Whether this is a path; a text is told from one by its first bracket or second line."""
    if isinstance(given, str):
        return "(" not in given and len(given.strip().splitlines()) == 1
    return isinstance(given, Path)


def text_of_pddl(given: Path | str) -> str:
    """A text, or that of a file."""
    return read_text(Path(given)) if is_path(given) else str(given)


def steps_of(plan: Path | str | Sequence[str], place: Path | str) -> tuple[str, ...]:
    """The names of the actions of a plan: a file, its text, or names; `place` is for messages."""
    if not isinstance(plan, Iterable | Path):
        raise InputError(
            f"a plan must be a file, a text or names of actions, not {shown(plan)}", place
        )
    if not isinstance(plan, Path | str):
        return tuple(_name(re.sub(r"[()]", " ", str(step))) for step in plan)
    steps = []
    for number, line in enumerate(_LINE_END.split(text_of_pddl(plan)), start=1):
        content = line.partition(";")[0].strip(_BLANKS)
        if not content:
            continue
        match = _STEP.fullmatch(content) or _PRINTED_STEP.fullmatch(content)
        if _TEMPORAL_STEP.match(content):
            words = "is a step of a temporal plan; only sequential plans can be read"
            raise InputError(f"{shown(content)} {words}", place, number)
        if match is None or not content.isascii():
            words = "expected one '(action argument ...)' in ASCII on this line, found"
            raise InputError(f"{words} {shown(content)}", place, number)
        steps.append(_name(match[1]))
    return tuple(steps)


def _name(words: str) -> str:
    return f"({' '.join(words.lower().split())})"


class Simulator:
    """Applies the actions of a `Strips` world; states are the sets of their true atoms."""

    def __init__(self, world: Strips) -> None:
        self._world = world
        self._operators: dict[int, list[Operator]] = {}
        for operator in world.operators:
            self._operators.setdefault(operator.action, []).append(operator)
        layers = sorted({axiom.layer for axiom in world.axioms})
        self._layers = [[a for a in world.axioms if a.layer == layer] for layer in layers]
        self._derived = frozenset(axiom.atom for axiom in world.axioms)

    def initial(self, task: Task) -> State:
        """The state that a task begins in, with its derived atoms."""
        return self._completed(task.initial)

    def apply(self, state: State, action: int) -> State | None:
        """The state after an action; None if it cannot be applied.

        Operators of one action differ in their conditions only, so that the first one that can
        be applied is as good as any.
        """
        for operator in self._operators.get(action, ()):
            if operator.condition.holds(state):
                happening = [e for e in operator.effects if e.condition.holds(state)]
                deleted = {effect.atom for effect in happening if not effect.adds}
                added = {effect.atom for effect in happening if effect.adds}
                return self._completed((state - deleted) | added)
        return None

    def failure(
        self, task: Task, steps: Sequence[str], actions: Sequence[int], pddl: PddlTexts
    ) -> str | None:
        """Why steps, with the numbers of their actions, are no plan of a task; None: they are."""
        state = self.initial(task)
        for number, (step, action) in enumerate(zip(steps, actions, strict=True), start=1):
            after = self.apply(state, action)
            if after is None:
                unmet = [self._unmet(o.condition, state) for o in self._operators.get(action, ())]
                if not unmet:
                    why = _why_unknown(step, pddl, task.name)
                    return f"step {number} {step} is unknown: {why}"
                return f"step {number} {step} cannot be applied: {min(unmet, key=len)} before it"
            state = after
        if task.goal.holds(state):
            return None
        return f"the plan ends outside the goal: {self._unmet(task.goal, state)} at its end"

    def _unmet(self, condition: Condition, state: State) -> str:
        """The part of a condition that does not hold, in words."""
        atoms = self._world.atoms
        found = [atoms[atom] for atom in sorted(condition.needs - state)]
        found += [f"(not {atoms[atom]})" for atom in sorted(condition.forbids & state)]
        named = [text for text in found if "@" not in text]  # else the translator's own
        if not named:
            return "its condition does not hold"
        return f"{', '.join(named)} {'does' if len(named) == 1 else 'do'} not hold"

    def _completed(self, state: State) -> State:
        """The state with the derived atoms that hold in it."""
        found = state - self._derived
        for layer in self._layers:
            # Forbidden atoms are of lower layers, so that nothing is taken back.
            while more := {axiom.atom for axiom in layer if axiom.condition.holds(found)} - found:
                found |= more
        return found


def _why_unknown(name: str, pddl: PddlTexts, problem: str) -> str:
    """Why a step is no action of its problem, as far as it is easily told."""
    schemas = pddl.schemas
    head, _, arguments = name.strip("()").partition(" ")
    if head not in schemas:
        return f"the domain has no action '{head}'"
    count = len(schemas[head].parameters)
    if len(arguments.split()) != count:
        return f"'{head}' takes {count} arguments, not {len(arguments.split())}"
    declared = set(_WORD.findall(f"{pddl.domain} {pddl.problems[problem]}".lower()))
    for argument in arguments.split():
        if argument not in declared:
            return f"{problem} declares no object {shown(argument)}"
    return f"it can never be applied in {problem}, or an object is of another type"

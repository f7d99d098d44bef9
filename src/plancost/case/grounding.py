"""Grounding: from PDDL texts to worlds and tasks, by Fast Downward's translator.

The translator is a GPL program, and `translate_program` runs it in a process of its own, one for
all problems: starting it costs more than grounding a problem.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plancost import pddl
from plancost.case.model import (
    Axiom,
    Case,
    Condition,
    Effect,
    Operator,
    PddlTexts,
    Schema,
    Strips,
    Task,
    plain_model,
)
from plancost.clock import Clock
from plancost.errors import InputError, LimitError, PlannerError, UnsolvableError
from plancost.processes import Ending, Limits, private_directory, run

_START = (
    "import sys; sys.path += sys.argv[1:3]; from case import translate_program; "
    "translate_program.main(*sys.argv[3:])"
)
_OWN_FOLDER = str(Path(__file__).parents[1])


@dataclass(frozen=True)
class Request:
    """PDDL to be grounded: the domain, its problems by their names, and limits."""

    domain: str
    problems: Mapping[str, str]
    domain_place: Path | str
    root: Path | None = None
    """If problems are files: the folder from which on they are called by their paths."""
    clock: Clock = field(default_factory=Clock)
    memory_limit: int | None = None


def ground(request: Request) -> tuple[Case, dict[str, UnsolvableError]]:
    """The case of all problems, without plans, and those that are no tasks as they have no plan."""
    limits = Limits(request.clock.remaining, request.memory_limit)
    wanted = list(request.problems.values())
    found = _translated(request.domain, wanted, limits, str(request.domain_place))
    if "error" in found:
        pddl.read(request.domain, request.domain_place)
        raise _complaint(found["error"], request.domain_place)
    problems: dict[str, Any] = dict(zip(request.problems, found["problems"], strict=True))
    values: dict[str, dict[str, str]] = {}
    tasks, unsolvable = [], {}
    for name, own in problems.items():
        place = request.root / name if request.root else name
        if "error" in own:
            pddl.read(request.problems[name], place)
            raise _complaint(own["error"], place)
        if "unsolvable" in own:
            why = f"this problem has no plan: {own['unsolvable']} can never hold"
            unsolvable[name] = UnsolvableError(why, place)
        else:
            initial, goal = frozenset(own["initial"]), _condition(own["goal"])
            tasks.append(Task(name, own["world"], initial, goal))
        for term, text in own["values"]:
            values.setdefault(term, {}).setdefault(text, str(place))
    schemas = {
        name: Schema(tuple(parameters), None if cost is None else tuple(cost))
        for name, (parameters, cost) in found["schemas"].items()
    }
    actions = sorted({operator[0] for world in found["worlds"] for operator in world["operators"]})
    number = {action: n for n, action in enumerate(actions)}
    worlds = tuple(_strips(world, number) for world in found["worlds"])
    place = str(request.domain_place)
    texts = PddlTexts(request.domain, dict(request.problems), schemas, values, place)
    costs = plain_model(actions)
    return Case("", tuple(actions), worlds, tuple(tasks), (), costs, pddl=texts), unsolvable


def in_sas(texts: PddlTexts, problem: str, limits: Limits) -> dict[str, Any]:
    """A problem in the language of planners, without its costs; see `translate_program`."""
    return _translated(texts.domain, [texts.problems[problem]], limits, problem, sas=True)


def _translated(
    domain: str, problems: Sequence[str], limits: Limits, place: str, *, sas: bool = False
) -> dict[str, Any]:
    """The answer of the translator's process."""
    with private_directory() as directory:
        question, answer = directory / "request.json", directory / "answer.json"
        asked = {"domain": domain, "problems": problems, "sas": sas}
        question.write_text(json.dumps(asked), encoding="utf-8")
        command = [sys.executable, "-I", "-S", "-c", _START, _library(), _OWN_FOLDER]
        command += [str(question), str(answer)]
        finished = run(command, directory=directory, limits=limits)
        if finished.ending is Ending.OUT_OF_TIME:
            raise LimitError(f"{place}: grounding did not end within the time limit; raise it")
        if "MemoryError" in finished.output or finished.ending is Ending.KILLED:
            raise LimitError(f"{place}: grounding needs more memory than it may use; raise it")
        if finished.exit_code != 0:
            said = f"exit code {finished.exit_code}: {finished.output.strip()[-200:]}"
            raise PlannerError(f"{place}: the translator ended with {said}")
        try:
            found: dict[str, Any] = json.loads(answer.read_bytes())
        except (OSError, ValueError) as error:
            words = f"{place}: the translator wrote no answer that can be read"
            raise PlannerError(words) from error
        return found


def _library() -> str:
    """The folder that the translator is installed in."""
    found = importlib.util.find_spec("fast_downward")
    for place in (found.submodule_search_locations or []) if found else []:
        if (Path(place) / "translate").is_dir():
            return str(Path(place).parent)
    raise PlannerError("the translator is not installed: run 'pip install fast-downward.translate'")


def _complaint(error: dict[str, str], place: Path | str) -> InputError:
    """What the translator says is wrong, with the innermost place that it gives a name."""
    lines = [line.strip() for line in error["text"].splitlines() if line.strip()]
    if error["kind"]:
        reason = f"the translator cannot read this ({error['kind']}: {' '.join(lines)})"
        return InputError(f"{reason}; check that all types and predicates are declared", place)
    said = [line for line in lines if not line.startswith(("->", "Parsing "))]
    reason = " ".join(said).removeprefix("error:").strip().replace(" Got: ", " Found: ")
    trail = [line.removeprefix("->Parsing ") for line in lines if line.startswith("->")]
    named = [part for part in trail if "'" in part or "#" in part]
    return InputError(f"{reason} (in {named[-1]})" if named else reason, place)


def _strips(world: Mapping[str, Any], number: Mapping[str, int]) -> Strips:
    def effect(literal: int, when: Sequence[int]) -> Effect:
        return Effect(max(literal, ~literal), literal >= 0, _condition(when))

    operators = tuple(
        Operator(number[name], _condition(body), tuple(effect(*own) for own in effects))
        for name, body, effects in world["operators"]
    )
    axioms = tuple(Axiom(layer, atom, _condition(body)) for layer, atom, body in world["axioms"])
    return Strips(tuple(world["atoms"]), operators, axioms)


def _condition(literals: Sequence[int]) -> Condition:
    """A number n is the atom n, ~n that it is false."""
    needs, forbids = [n for n in literals if n >= 0], [~n for n in literals if n < 0]
    return Condition(frozenset(needs), frozenset(forbids))

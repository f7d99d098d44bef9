"""Grounding: from PDDL texts to worlds and tasks, by Fast Downward's translator.

The translator is a GPL program, and `translate_program` runs it in processes of its own. One
process grounds many problems: starting it costs more than grounding a problem. Problems with the
same static facts go to the same process, so that they share one world.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from plancost.case import pddl
from plancost.case.axioms import layered
from plancost.case.model import ALWAYS, Condition, Effect, Operator, Strips, Task
from plancost.clock import Clock
from plancost.errors import InputError, LimitError, PlannerError, UnsolvableError
from plancost.processes import Ending, Limits, private_directory, run, usable_cores

_START = (
    "import sys; sys.path += sys.argv[1:3]; import translate_program; "
    "translate_program.main(*sys.argv[3:])"
)
_OWN_FOLDER = str(Path(__file__).parent)
_INNERMOST = re.compile(r"\(\s*([^\s()]+)([^()]*)\)")
_COMMENT = re.compile(r";[^\r\n]*")


@dataclass(frozen=True)
class Cost:
    """What an action schema adds to (total-cost): `amounts` as they stand in its effect."""

    parameters: tuple[str, ...]
    amounts: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class GroundProblem:
    """A problem in numbers of its world, as the translator's process found it."""

    world: int
    missed: frozenset[int]
    """The operators of the world that this problem never reaches."""
    initial: frozenset[int]
    goal: Condition


@dataclass(frozen=True)
class Assembled:
    """All actions of some problems, and the problems as tasks in their worlds."""

    actions: tuple[str, ...]
    worlds: tuple[Strips, ...]
    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Grounding:
    """All worlds of some problems of one domain, and what the problems say of costs."""

    worlds: tuple[dict[str, Any], ...]
    """With ``atoms``, ``operators`` and ``axioms``, as plain values."""
    problems: dict[str, GroundProblem]
    unsolvable: dict[str, UnsolvableError]
    schemas: dict[str, Cost]
    values: dict[str, tuple[tuple[str, str], ...]]
    """For each problem the functions with the values that its ``:init`` gives them."""

    def assembled(self, names: Iterable[str]) -> Assembled:
        """What some of the problems can do, and nothing that only others can."""
        chosen = [(name, self.problems[name]) for name in names]
        missed: dict[int, frozenset[int]] = {}
        for _, problem in chosen:
            missed[problem.world] = problem.missed & missed.get(problem.world, problem.missed)
        operators = {
            world: [o for n, o in enumerate(self.worlds[world]["operators"]) if n not in nobody]
            for world, nobody in missed.items()
        }
        actions = sorted({operator[0] for own in operators.values() for operator in own})
        number = {action: place for place, action in enumerate(actions)}
        goals: dict[int, list[Condition]] = {}
        for _, problem in chosen:
            goals.setdefault(problem.world, []).append(problem.goal)
        worlds = tuple(
            _strips(self.worlds[w], own, number, goals[w]) for w, own in operators.items()
        )
        place = {world: n for n, world in enumerate(operators)}
        tasks = tuple(
            Task(name, place[problem.world], problem.initial, problem.goal)
            for name, problem in chosen
        )
        return Assembled(tuple(actions), worlds, tasks)


@dataclass(frozen=True)
class Request:
    """PDDL to be grounded: the domain, its problems by their names, and limits."""

    domain: str
    problems: Mapping[str, str]
    domain_place: Path | str
    problem_places: Mapping[str, Path | str] = field(default_factory=dict)
    """What messages call a problem, if not its name."""
    clock: Clock = field(default_factory=Clock)
    memory_limit: int | None = None
    jobs: int | None = None

    def place(self, name: str) -> Path | str:
        """What messages call a problem."""
        return self.problem_places.get(name, name)


def ground(request: Request) -> Grounding:
    """Ground all problems, in as many processes as are worth it."""
    shares = _shares(request)
    start = partial(_translated, request, _library(), stop := Event())
    with ThreadPoolExecutor(len(shares)) as pool:
        try:
            answers = list(pool.map(start, shares))
        except BaseException:  # also Ctrl-C: leaving the pool waits for its processes
            stop.set()
            raise
    return _joined(request, shares, answers)


# Processes


def _shares(request: Request) -> list[list[str]]:
    """The names of the problems for each process."""
    jobs = min(request.jobs or usable_cores(), len(request.problems))
    if jobs < 2:
        return [list(request.problems)]
    static = _static_predicates(request.domain)
    alike: dict[frozenset[str], list[str]] = {}
    for name, text in request.problems.items():
        alike.setdefault(_static_facts(text, static), []).append(name)
    shares: list[list[str]] = [[] for _ in range(min(jobs, len(alike)))]
    weights = [0] * len(shares)
    for names in sorted(alike.values(), key=len, reverse=True):
        lightest = weights.index(min(weights))
        shares[lightest] += names
        weights[lightest] += len(names) + _WORLD_WEIGHT
    return shares


_WORLD_WEIGHT = 8
"""Grounding a world takes about as long as reading so many problems."""


def _static_predicates(domain: str) -> set[str]:
    """Predicates that no effect and no axiom changes, as far as a glance tells."""
    text = _COMMENT.sub("", domain).lower()
    declared = text.partition("(:predicates")[2].partition("(:")[0]
    predicates = {match[1] for match in _INNERMOST.finditer(declared)}
    for part in text.split(":effect")[1:]:
        predicates -= {m[1] for m in _INNERMOST.finditer(part.partition("(:action")[0])}
    for part in text.split("(:derived")[1:]:
        match = _INNERMOST.search(part)
        predicates -= {match[1]} if match else set()
    return predicates


def _static_facts(problem: str, static: set[str]) -> frozenset[str]:
    text = _COMMENT.sub("", problem).lower()
    return frozenset(
        f"{match[1]} {' '.join(match[2].split())}"
        for match in _INNERMOST.finditer(text)
        if match[1] in static
    )


def _library() -> str:
    """The folder that the translator is installed in."""
    try:
        found = importlib.util.find_spec("fast_downward.translate")
    except ModuleNotFoundError:
        found = None
    if found is None or found.origin is None:
        raise PlannerError(
            "the translator is not installed: run 'pip install fast-downward.translate'"
        )
    return str(Path(found.origin).parents[2])


def _translated(
    request: Request, library: str, stop: Event, names: Sequence[str]
) -> dict[str, Any]:
    limits = Limits(_seconds(request.clock), request.memory_limit)
    asked = {"domain": request.domain, "problems": [request.problems[name] for name in names]}
    with private_directory() as directory:
        question, answer = directory / "request.json", directory / "answer.json"
        question.write_text(json.dumps(asked), encoding="utf-8")
        command = [sys.executable, "-I", "-S", "-c", _START, library, _OWN_FOLDER]
        command += [str(question), str(answer)]
        finished = run(command, directory=directory, limits=limits, stop=stop)
        if finished.ending is Ending.OUT_OF_TIME:
            raise LimitError(
                f"{request.domain_place}: grounding did not end within the time limit; raise it"
            )
        if "MemoryError" in finished.output or finished.ending is Ending.KILLED:
            raise LimitError(
                f"{request.domain_place}: grounding needs more memory than it may use; raise the "
                "limit, or leave out problems with many objects"
            )
        if finished.exit_code != 0:
            raise PlannerError(
                f"{request.domain_place}: the translator ended with exit code "
                f"{finished.exit_code}: {finished.output.strip()[-200:]}"
            )
        found: dict[str, Any] = json.loads(answer.read_bytes())
        return found


def _seconds(clock: Clock) -> float | None:
    return None if clock.remaining == float("inf") else clock.remaining


# Answers


def _joined(
    request: Request, shares: Sequence[Sequence[str]], answers: Sequence[dict[str, Any]]
) -> Grounding:
    worlds: list[dict[str, Any]] = []
    found: dict[str, dict[str, Any]] = {}
    for names, answer in zip(shares, answers, strict=True):
        if "error" in answer:
            pddl.read(request.domain, request.domain_place)
            raise _complaint(answer["error"], request.domain_place)
        for name, problem in zip(names, answer["problems"], strict=True):
            found[name] = {**problem, "world": problem.get("world", 0) + len(worlds)}
        worlds += answer["worlds"]
    problems, unsolvable = {}, {}
    for name in request.problems:
        place, problem = request.place(name), found[name]
        if "error" in problem:
            pddl.read(request.problems[name], place)
            raise _complaint(problem["error"], place, request.domain_place)
        if "unsolvable" in problem:
            why = problem["unsolvable"]
            why = f"{why} can never hold" if why.startswith("(") else why
            unsolvable[name] = UnsolvableError(f"this problem has no plan: {why}", place)
            continue
        problems[name] = GroundProblem(
            problem["world"],
            frozenset(problem["missed"]),
            frozenset(problem["initial"]),
            _condition(*problem["goal"]),
        )
    schemas = {
        name: Cost(tuple(schema["parameters"]), tuple(schema["amounts"]))
        for name, schema in answers[0]["schemas"].items()
    }
    values = {
        name: tuple((term, text) for term, text in found[name]["values"])
        for name in request.problems
    }
    return Grounding(tuple(worlds), problems, unsolvable, schemas, values)


def _complaint(
    error: dict[str, str], place: Path | str, domain: Path | str | None = None
) -> InputError:
    """What the translator says is wrong, with the innermost place that it gives a name."""
    if error["kind"] == "RecursionError":
        return InputError("the brackets of this file are nested too deeply", place)
    if error["kind"]:
        reason = f"{error['kind']}: {error['text']}"
        beside = "" if domain is None else f" together with {domain}"
        return InputError(
            f"the translator cannot read this{beside} ({' '.join(reason.split())}); check that "
            "every type, object and predicate is declared",
            place,
        )
    lines = [line.strip() for line in error["text"].splitlines() if line.strip()]
    if domain is not None and "Parsing domain" in lines:
        place = domain
    said = [line for line in lines if not line.startswith(("->", "Parsing "))]
    reason = " ".join(said).removeprefix("error:").strip() or "it does not say why"
    reason = reason.replace(". Got: ", "; found ").replace(" Got: ", "; found ")
    trail = [line.removeprefix("->").removeprefix("Parsing ") for line in lines]
    named = [
        p for p, line in zip(trail, lines, strict=True) if line != p and ("'" in p or "#" in p)
    ]
    return InputError(f"{reason} (in {named[-1]})" if named else reason, place)


def _strips(
    world: dict[str, Any],
    operators: Sequence[Sequence[Any]],
    number: Mapping[str, int],
    goals: Iterable[Condition],
) -> Strips:
    plain = {
        (atom, adds): Effect(atom, adds)
        for atom in range(len(world["atoms"]))
        for adds in (True, False)
    }
    made = tuple(
        Operator(
            number[name],
            _condition(needs, forbids),
            tuple(
                Effect(atom, adds, _condition(*when)) if any(when) else plain[atom, adds]
                for atom, adds, *when in effects
            ),
        )
        for name, needs, forbids, effects in operators
    )
    rules = [(atom, _condition(*when)) for atom, *when in world["axioms"]]
    return Strips(tuple(world["atoms"]), made, layered(rules, made, goals))


def _condition(needs: Sequence[int], forbids: Sequence[int]) -> Condition:
    if not needs and not forbids:
        return ALWAYS
    return Condition(frozenset(needs), frozenset(forbids))

"""What a generator of planning problems is, and what its problems have in common.

A *world* is a domain with sizes. One seed fixes its facts and ground actions (objects,
roads, recipes); each *draw* is one problem of it, with an initial state and a goal of its
own. Draw n of a seed is the same text everywhere, whatever else is drawn.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib.resources import files
from itertools import count
from typing import Any, ClassVar

from plancost.errors import UsageError
from plancost.observations.pddl import parse_domain, parse_problem, task_key
from plancost.system.values import shown, whole_number

_MOST_REPETITIONS = 2000
"""After so many draws in a row that are known already, there are taken to be no others."""

_LARGEST_SIZE = 1000
"""A problem of such a size is already larger than the translator can ground in hours."""


def size(default: int, least: int, meaning: str) -> Any:  # noqa: ANN401 (as dataclasses.field)
    """A size of a world: a field of its dataclass, and an option of the command."""
    return field(default=default, metadata={"least": least, "meaning": meaning})


@dataclass(frozen=True)
class Scenario:
    """What a problem says: objects by type, facts that the seed fixes, facts that vary, a goal."""

    objects: Mapping[str, Iterable[str]]
    fixed: Iterable[str]
    varied: Iterable[str]
    goal: Iterable[str]


@dataclass(frozen=True)
class World(ABC):
    """A domain with sizes. The fields of a subclass are its sizes."""

    name: ClassVar[str]
    summary: ClassVar[str]

    def __post_init__(self) -> None:
        for item in fields(self):
            least, given = item.metadata["least"], getattr(self, item.name)
            number = whole_number(given)
            if number is None or not least <= number <= _LARGEST_SIZE:
                kind = "a whole number " if number is None else ""
                raise UsageError(
                    f"{self.name}: the number of {item.metadata['meaning']} must be {kind}"
                    f"from {least} to {_LARGEST_SIZE}, not {shown(given)}"
                )
            object.__setattr__(self, item.name, number)

    @property
    def usual_problems(self) -> int:
        """How many problems a pool has unless another number is asked for."""
        return 50

    def sizes(self) -> dict[str, int]:
        """The sizes by name."""
        return asdict(self)

    def domain(self, seed: int) -> str:
        """The text of the domain: a file in ``domains``, unless it depends on the seed."""
        file = files("plancost.generators") / "domains" / f"{self.name}.pddl"
        return file.read_text(encoding="utf-8")

    @abstractmethod
    def scenario(self, seed: int, draw: int) -> Scenario:
        """What one problem says."""

    def problem(self, seed: int, draw: int) -> str:
        """The text of one problem."""
        return self.problem_text(self.scenario(seed, draw), f"{seed}-{draw}")

    def problem_text(self, scenario: Scenario, number: str) -> str:
        """A problem file."""
        objects = "".join(f"\n    {' '.join(o)} - {kind}" for kind, o in scenario.objects.items())
        return (
            f"(define (problem {self.name}-{number})\n"
            f"  (:domain {self.name})\n"
            f"  (:objects{objects})\n"
            f"  (:init\n    (= (total-cost) 0)\n{_lines(scenario.fixed)}"
            f"    ; varies\n{_lines(scenario.varied)}  )\n"
            f"  (:goal (and\n{_lines(scenario.goal)}  ))\n"
            f"  (:metric minimize (total-cost)))\n"
        )

    def generator(self, *numbers: int) -> random.Random:
        """Where what a seed fixes is drawn from; with the draw too, what varies."""
        return random.Random("-".join(map(str, (self.name, *self.sizes().values(), *numbers))))


def as_world(value: object) -> World:
    """The world that a caller gives."""
    if not isinstance(value, World):
        raise UsageError(f"world must be a world such as Grid(5), not {shown(value)}")
    return value


def different_problems(world: World, seed: int) -> Iterator[str]:
    """The problems in the order of their draws, each once; it ends when there are no more."""
    domain = parse_domain(world.domain(seed))
    seen: set[str] = set()
    last = 0
    for draw in count():
        text = world.problem(seed, draw)
        key = task_key(domain, parse_problem(text))
        if key not in seen:
            seen.add(key)
            last = draw
            yield text
        elif draw - last > _MOST_REPETITIONS:
            return


def numbered(word: str, how_many: int) -> list[str]:
    """``shot1 shot2 ...``."""
    return [f"{word}{number}" for number in range(1, how_many + 1)]


def _lines(facts: Iterable[str]) -> str:
    return "".join(f"    {fact}\n" for fact in facts)

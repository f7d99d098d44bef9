"""What a generator of problems is.

A *world* is a domain with sizes. A seed fixes its objects and static facts (roads, recipes), and
so its ground actions; each *draw* is a problem with an initial state and a goal of its own. Draw n
of a seed is the same text everywhere, whatever else is drawn.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import ClassVar

_MOST_REPETITIONS = 2000
"""After so many known draws in a row there are taken to be no others."""


@dataclass(frozen=True)
class Scenario:
    """What a problem says: objects by type, facts that the seed fixes, facts that vary, a goal."""

    objects: Mapping[str, Iterable[str]]
    fixed: tuple[str, ...]
    varied: tuple[str, ...]
    goal: tuple[str, ...]


@dataclass(frozen=True)
class World(ABC):
    """A domain with sizes, which are the fields of a subclass."""

    name: ClassVar[str]

    def domain(self, seed: int) -> str:
        """The text of the domain: the file beside this one, unless it depends on the seed."""
        return Path(__file__).with_name(f"{self.name}.pddl").read_text(encoding="utf-8")

    @abstractmethod
    def scenario(self, seed: int, draw: int) -> Scenario:
        """What one problem says."""

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes by name."""
        return asdict(self)

    def problems(self, seed: int) -> Iterator[str]:
        """Texts of the problems in the order of their draws, each once, until there are no more."""
        seen = set()
        last = 0
        for draw in count():
            scenario = self.scenario(seed, draw)
            key = (frozenset(scenario.varied), frozenset(scenario.goal))
            if key not in seen:
                seen.add(key)
                last = draw
                yield self.text(scenario, f"{seed}-{draw}")
            elif draw - last > _MOST_REPETITIONS:
                return

    def text(self, scenario: Scenario, number: str) -> str:
        """A problem file."""
        objects = "".join(
            f"\n    {' '.join(names)} - {kind}" for kind, names in scenario.objects.items()
        )
        return (
            f"(define (problem {self.name}-{number})\n"
            f"  (:domain {self.name})\n"
            f"  (:objects{objects})\n"
            f"  (:init\n    (= (total-cost) 0)\n{_lines(scenario.fixed)}"
            f"    ; varies\n{_lines(scenario.varied)}  )\n"
            f"  (:goal (and\n{_lines(scenario.goal)}  ))\n"
            f"  (:metric minimize (total-cost)))\n"
        )

    def random(self, *numbers: int) -> random.Random:
        """Where what a seed fixes is drawn from; with the draw too, what varies."""
        return random.Random("-".join(map(str, (self.name, *self.sizes.values(), *numbers))))


def numbered(word: str, how_many: int) -> list[str]:
    """``shot1 shot2 ...``."""
    return [f"{word}{number}" for number in range(1, how_many + 1)]


def _lines(facts: Iterable[str]) -> str:
    return "".join(f"    {fact}\n" for fact in facts)

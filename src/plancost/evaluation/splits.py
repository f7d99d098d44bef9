"""Which observations are learned from and which are held out.

Observations are held out one by one, or all observations of a task together. The first asks
whether costs carry over to other plans, the second whether they carry over to other tasks.
Which unit is held out when depends on the seed and on nothing else.
"""

from __future__ import annotations

import enum
import random
from dataclasses import dataclass

from plancost.errors import UsageError
from plancost.observations.case import Case


class SplitBy(enum.StrEnum):
    """What is held out as a whole."""

    OBSERVATIONS = "observations"
    TASKS = "tasks"


@dataclass(frozen=True)
class Split:
    """Observations by their numbers: learned from, and held out."""

    name: str
    train: tuple[int, ...]
    test: tuple[int, ...]


def folds(case: Case, count: int, by: SplitBy, seed: int) -> list[Split]:
    """So many splits; every observation is held out in exactly one of them."""
    units = _shuffled_units(case, by, seed)
    if not 2 <= count <= len(units):
        raise UsageError(
            f"--folds takes a number from 2 to {len(units)}, as many as there are {by}, not {count}"
        )
    return [
        _split(f"fold {number + 1}", units, set(range(number, len(units), count)))
        for number in range(count)
    ]


def held_out(case: Case, share: float, by: SplitBy, seed: int) -> Split:
    """One split with about this share held out, but at least one unit on each side."""
    if not 0 < share < 1:
        raise UsageError(f"--test-share takes a number between 0 and 1, not {share}")
    units = _shuffled_units(case, by, seed)
    count = min(max(1, round(share * len(units))), len(units) - 1)
    return _split("held out", units, set(range(count)))


def _shuffled_units(case: Case, by: SplitBy, seed: int) -> list[tuple[int, ...]]:
    units: list[tuple[int, ...]] = [(number,) for number in range(len(case.observations))]
    if by is SplitBy.TASKS:
        units = [numbers for numbers in case.observations_of_task if numbers]
    if len(units) < 2:
        raise UsageError(f"there is only one of the {by}, so none can be held out")
    random.Random(f"split-{seed}").shuffle(units)
    return units


def _split(name: str, units: list[tuple[int, ...]], test: set[int]) -> Split:
    sides: dict[bool, list[int]] = {False: [], True: []}
    for unit, numbers in enumerate(units):
        sides[unit in test] += numbers
    return Split(name, tuple(sorted(sides[False])), tuple(sorted(sides[True])))

"""Checks of the options of evaluating and monitoring that a caller gives."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import TypeVar

from plancost.errors import UsageError
from plancost.learning.problem.declaration import one_of
from plancost.system.values import real_number, shown, whole_number

_Choice = TypeVar("_Choice", bound=enum.StrEnum)


def whole(option: str, value: object, least: int | None = None, why: str = "") -> int:
    """The whole number that an option was given; `why` it must be at least so much."""
    number = whole_number(value)
    if number is None:
        raise UsageError(f"{option} takes a whole number, not {shown(value)}")
    if least is not None and number < least:
        raise UsageError(f"{option} takes a number of at least {least}{why}")
    return number


def default_cost(value: object) -> int:
    """The cost of actions that nothing was learned of."""
    return whole("--default-cost", value, 1, " here: no action is free")


def share(option: str, value: object) -> float:
    """A number between 0 and 1."""
    number = real_number(value)
    if number is None or not 0 < number < 1:
        raise UsageError(f"{option} takes a number between 0 and 1, not {shown(value)}")
    return number


def some_of(kind: type[_Choice], name: str, value: object) -> tuple[_Choice, ...]:
    """The choices that one or several words name, each once; `name` is for the message."""
    words = (value,) if isinstance(value, str) else value
    if not isinstance(words, Iterable):
        raise UsageError(f"{name}s are texts, not {shown(value)}")
    found = tuple(dict.fromkeys(one_of(kind, f"a {name}", word) for word in words))
    if not found:
        raise UsageError(f"there is no {name} to evaluate")
    return found


def put(options: object, values: Mapping[str, object]) -> None:
    """Let the fields of frozen options be these values, which were checked."""
    for name, value in values.items():
        object.__setattr__(options, name, value)

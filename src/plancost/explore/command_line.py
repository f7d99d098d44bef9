"""A question as a command line that gives the same result."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING

from plancost.learning.problem.concept import Concept
from plancost.learning.problem.declaration import Option, declared_in
from plancost.learning.problem.options import LearnOptions

_NOT_SAVED = frozenset({"time_limit_s", "bounds", "initial_costs"})
"""The first is of one answer only; the others are written otherwise."""


def command_line(
    command: Sequence[str],
    options: LearnOptions,
    number: Callable[[int], str] = str,
) -> str:
    """The words of a command and the options of a question, for a shell.

    `number` writes a cost in the unit of the command.
    """
    words = [*command, *_flags(options.concept), *_flags(options)]
    for bound in options.bounds:
        low = number(bound.least)
        high = "" if bound.greatest is None else number(bound.greatest)
        cost = low if low == high else f"{low if bound.least > 1 else ''}..{high}"
        words.append(f"--fix={bound.pattern}={cost}")
    return shlex.join(words)


def _flags(options: LearnOptions | Concept) -> Iterator[str]:
    """Options that change the meaning of the answer and are not at their defaults."""
    for item, option in declared_in(type(options)):
        value = getattr(options, item.name)
        is_asked = isinstance(options, Concept) or option.recorded is not None
        if (item.default is not MISSING and value == item.default) or not is_asked:
            continue
        if item.name not in _NOT_SAVED:
            yield from _flag(option, value)


def _flag(option: Option, value: object) -> Iterator[str]:
    name = option.flags[0].names[0]
    written = value if option.recorded is None else option.recorded.write(value)
    if option.kinds[0] is bool:
        yield name
    elif isinstance(written, list | tuple):
        yield from (f"{name}={word}" for word in written)
    else:
        yield f"{name}={written}"

"""How an option is declared: once, with the field that holds its value.

    max_cost: int | None = option(None, "--max-cost M: no action costs more than M", ...)

Everything else follows: the flags of the command line and their help, the check of a value, the
entry in RESULT.json and how it is read back, and what the option cannot be combined with. A new
option is one field in `cost_options`, `run_options` or `options`, and its meaning.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from plancost.errors import UsageError, name_parameters
from plancost.system.values import as_path, real_number, shown, whole_number

MOST = 10**12
"""The largest number that any option takes; costs are counted exactly up to it."""
_Choice = TypeVar("_Choice", bound=enum.StrEnum)


class Topic(enum.Enum):
    """Where the help lists an option. A command takes all options of a topic, or none."""

    OPTIMALITY = "which plans count as optimal"
    COSTS = "what is known about costs"
    METHOD = "how costs are learned"
    ANSWER = "what else to find"
    CHECKPOINTS = "checkpoints"
    SEARCH = "search and limits"


@dataclass(frozen=True)
class Flag:
    """An argument of the command line, as its help has it."""

    names: tuple[str, ...]
    """The present name first, then older ones."""
    metavar: str | None
    help: str

    @classmethod
    def of(cls, text: str) -> Flag:
        """Read ``--name METAVAR: help``, with older names as in ``--name, --old METAVAR: help``."""
        head, _, meaning = text.partition(": ")
        *names, last = head.split(", ")
        name, _, metavar = last.partition(" ")
        return cls((*names, name), metavar or None, meaning)

    @property
    def argument(self) -> str:
        """The name of its value among parsed arguments."""
        return self.names[0].removeprefix("--").replace("-", "_")


def _as_it_is(value: Any, *_: object) -> Any:  # noqa: ANN401 (of any option)
    return value


@dataclass(frozen=True)
class Recorded:
    """How an option stands among the `options` of RESULT.json."""

    always: bool = False
    """Also where it was not used."""
    key: str | None = None
    """Unless it is the name of the field."""
    write: Callable[[Any], Any] = _as_it_is
    read: Callable[[Any, Path | None], Any] = _as_it_is
    """From the entry and the path of the file."""


@dataclass(frozen=True)
class Option:
    """All that is declared of one option."""

    flags: tuple[Flag, ...]
    topic: Topic
    kinds: tuple[type, ...] = (bool,)
    """Of each flag; bool: a switch; list: words, as the flag can be repeated."""
    choices: tuple[str, ...] | None = None
    least: int | None = None
    most: int = MOST
    above: int | None = None
    value: Callable[..., Any] = _as_it_is
    """From the arguments of its flags (None: not given) to the value of the field."""
    plain: Callable[[Any], Any] | None = None
    """From what a caller of the library may give instead to the value of the field."""
    recorded: Recorded | None = None
    exact_only: bool = False
    """Whether only ``--alternatives exact`` understands it."""
    constrains: str | None = None
    """What it tells learning beyond plans and initial costs; this does not go with groups."""

    @property
    def name(self) -> str:
        """As the user calls it."""
        return " and ".join(flag.names[0] for flag in self.flags)

    def checked(self, value: Any, default: Any) -> Any:  # noqa: ANN401 (of any option)
        """The value of the field that a caller means; a `UsageError` if it is wrong."""
        if self.plain is not None:
            return self.plain(value)
        if value is None and default is None:
            return None
        if isinstance(default, bool):
            return self._is(value, bool, "True or False")
        if int in self.kinds or float in self.kinds:
            return self._number(value)
        if list in self.kinds:
            words = (value,) if isinstance(value, str) else value
            is_some = isinstance(words, Iterable) and all(isinstance(word, str) for word in words)
            if not is_some:
                raise UsageError(f"{self.name} takes texts, not {shown(value)}")
            return tuple(words)
        if Path in self.kinds:
            return as_path(value, self.flags[0].names[0])
        return self._is(value, str, "a text")

    def _number(self, value: Any) -> Any:  # noqa: ANN401
        is_whole = int in self.kinds
        unit = "whole number" if is_whole else "number of seconds"
        found = whole_number(value) if is_whole else real_number(value)
        if found is None:
            raise UsageError(f"{self.name} takes a {unit}, not {shown(value)}")
        if self.least is not None and found < self.least:
            raise UsageError(f"{self.name} takes a {unit} of at least {self.least}")
        if self.above is not None and found <= self.above:
            raise UsageError(f"{self.name} takes a {unit} above {self.above}")
        if is_whole and found > self.most:
            raise UsageError(f"{self.name} takes a {unit} of at most {self.most}")
        return found

    def _is(self, value: Any, kind: type, words: str) -> Any:  # noqa: ANN401
        if not isinstance(value, kind):
            raise UsageError(f"{self.name} takes {words}, not {shown(value)}")
        return value


def option(default: Any, *flags: str, **declared: Any) -> Any:  # noqa: ANN401 (as dataclasses.field)
    """A field with its flags, such as ``--max-cost M: help``, and other attributes of `Option`."""
    if isinstance(default, enum.StrEnum):
        declared |= {"kinds": (str,), "choices": choices(type(default))}
    found = Option(tuple(map(Flag.of, flags)), **declared)
    return field(default=default, metadata={"option": found})


def choices(kind: type[enum.StrEnum]) -> tuple[str, ...]:
    """The words of an enumeration."""
    return tuple(choice.value for choice in kind)


def declared_in(kind: type) -> Iterator[tuple[Field[Any], Option]]:
    """The options of a data class with their fields, in order."""
    for item in fields(kind):
        if "option" in item.metadata:
            yield item, item.metadata["option"]


def used_in(options: Any) -> Iterator[tuple[Field[Any], Option]]:  # noqa: ANN401 (a data class)
    """The options that are not left at their defaults."""
    for item, found in declared_in(type(options)):
        value = getattr(options, item.name)
        if value and value != item.default:
            yield item, found


def check_values(options: Any) -> None:  # noqa: ANN401 (a data class)
    """Turn plain values into those that they mean; a `UsageError` if a value is wrong."""
    for item, found in declared_in(type(options)):
        value = getattr(options, item.name)
        if isinstance(item.default, enum.StrEnum):
            value = one_of(type(item.default), item.name, value)
        else:
            value = found.checked(value, item.default)
        object.__setattr__(options, item.name, value)


def name_options(*kinds: type) -> None:
    """Let errors call the options of these data classes by their fields, see `plancost.errors`."""
    for kind in kinds:
        for item, found in declared_in(kind):
            for flag in found.flags:
                name = flag.names[0]
                name_parameters({name: item.name})
                for word in found.choices or ():
                    name_parameters({f"{name} {word}": f"{item.name}={found.value(word)!r}"})


def one_of(kind: type[_Choice], name: str, value: object) -> _Choice:
    """The choice that a value or a plain string names; `name` is for the message."""
    try:
        return kind(value)  # type: ignore[arg-type]  # whatever it is, it is refused here
    except ValueError as error:
        raise UsageError(f"{name} is one of {', '.join(choices(kind))}, not '{value}'") from error

"""All exceptions that plancost raises on purpose.

An exception means wrong input or a broken environment. Its text is one sentence that
names the file, the line or step, and what to do. Expected outcomes (a planner ran out
of time, no cheaper plan exists) are values, not exceptions.

Messages are written with the options of the command line (``--time-limit``). To a caller of the
library they name the parameter instead (``time_limit_s``).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_LONG_WORD = re.compile(r"\S{300,}")
_LONGEST = 800
_MOST_LISTED = 5
_FLAG = re.compile(r"(?<![\w'\"-])--([a-z][a-z-]*[a-z])(?: ([A-Z]+\b|\d+|[a-z]+))?")
"""An option, with a number, a choice, or a word such as FILE that stands for its value."""
_TWICE = re.compile(r"\b(\w+) and \1\b")
_parameters: dict[str, str] = {}
"""What the library calls an option, or an option with one of its choices."""
_command_line = False


def name_parameters(names: Mapping[str, str]) -> None:
    """Say what the library calls an option (``--time-limit``), or a choice (``--solution scf``)."""
    _parameters.update(names)


@contextlib.contextmanager
def on_command_line() -> Iterator[None]:
    """A block whose errors name options and not parameters."""
    global _command_line
    before, _command_line = _command_line, True
    try:
        yield
    finally:
        _command_line = before


def in_words_of_caller(message: str) -> str:
    """A message about options, as whoever is to read it calls them."""
    if _command_line:
        return message
    # An option of two flags is one parameter.
    return _TWICE.sub(r"\1", _FLAG.sub(_parameter, message))


def _parameter(flag: re.Match[str]) -> str:
    name, value = flag.groups()
    found = _parameters.get(f"--{name}", name.replace("-", "_"))
    if value is None:
        return found
    between = " " if value.islower() else "="
    return _parameters.get(flag.group(), f"{found}{between}{value}")


def _shortened(message: str) -> str:
    """Truncate very long words, and a very long message."""
    short = _LONG_WORD.sub(lambda word: f"{word.group()[:60]}...", message)
    return short if len(short) <= _LONGEST else f"{short[:_LONGEST]}..."


class PlancostError(Exception):
    """The root of all errors that plancost raises on purpose."""


class InputError(PlancostError):
    """A file of the user is wrong."""

    def __init__(self, message: str, path: Path | None = None, line: int | None = None) -> None:
        self.path = path
        self.line = line
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(place + in_words_of_caller(_shortened(message)))


class InvalidPlanError(InputError):
    """An observed plan does not solve its problem."""


class UnsolvableError(InputError):
    """A problem is proven to have no plan."""


class UsageError(PlancostError):
    """The options are wrong, or contradict each other."""

    def __init__(self, message: str) -> None:
        super().__init__(in_words_of_caller(message))


class LimitError(PlancostError):
    """A limit on time or memory was reached before there was any answer."""


class CalledOffError(PlancostError):
    """The work was cancelled from outside, as by Ctrl-C; its outcome is not known."""


class PlannerError(PlancostError):
    """A planner or the translator is missing, or behaved in an undocumented way."""


class SolverError(PlancostError):
    """The LP or MILP solver is missing or failed."""


class ClusterError(PlancostError):
    """A cluster cannot be used, or the connection to it was lost."""


def all_of(wrong: Sequence[InputError], mend: str = "") -> InputError:
    """One error about every plan that is wrong, by file; of many the first ones."""
    said = list(dict.fromkeys(map(str, wrong)))
    if len(said) == 1:
        return wrong[0]
    more = len(said) - _MOST_LISTED
    rest = f"; and {more} more" if more > 0 else ""
    kind = InvalidPlanError if isinstance(wrong[0], InvalidPlanError) else InputError
    return kind(f"{len(said)} plans are wrong{mend}: {'; '.join(said[:_MOST_LISTED])}{rest}")

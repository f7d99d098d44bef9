"""The result of a check, and a decorator that turns a test function into a check."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plancost.errors import PlancostError


class State(enum.StrEnum):
    """The state of the thing that was checked."""

    OK = "ok"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True)
class Finding:
    """One thing that was checked. `mend` says what to do about it."""

    name: str
    state: State
    said: str
    mend: str = ""
    required: bool = True


class CheckError(PlancostError):
    """Something does not work; if it has no `mend`, that of the check applies."""

    def __init__(self, said: str, mend: str | None = None, state: State = State.BROKEN) -> None:
        super().__init__(said)
        self.mend = mend
        self.state = state


def check(
    name: str, mend: str = "", *, required: bool = True
) -> Callable[[Callable[[], str]], Callable[[], Finding]]:
    """Make a check from a function that describes what works, and raises if it does not.

    An unexpected exception is a finding too, and always counts as required.
    """

    def decorate(tried: Callable[[], str]) -> Callable[[], Finding]:
        def checked() -> Finding:
            try:
                return Finding(name, State.OK, tried(), required=required)
            except CheckError as error:
                found = mend if error.mend is None else error.mend
                return Finding(name, error.state, str(error), found, required)
            except (PlancostError, OSError) as error:
                return Finding(name, State.BROKEN, one_line(error), mend, required)
            except Exception as error:
                said = f"{type(error).__name__}: {one_line(error)}"
                return Finding(name, State.BROKEN, said, "install plancost again, and report this")

        return checked

    return decorate


@contextmanager
def failing(mend: str | None = None, state: State = State.BROKEN) -> Iterator[None]:
    """Give failures in this block this `mend` or this state."""
    try:
        yield
    except (PlancostError, ImportError) as error:
        raise CheckError(one_line(error), mend, state) from error


def one_line(error: BaseException) -> str:
    """What an exception says, on one line."""
    return " ".join(str(error).split()) or type(error).__name__

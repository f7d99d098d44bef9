"""What a check finds, and how a function that tries something becomes a check."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plancost.errors import PlancostError


class State(enum.StrEnum):
    """How something is."""

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
    """Something does not work; without a `mend` of its own the check's applies."""

    def __init__(self, said: str, mend: str | None = None, state: State = State.BROKEN) -> None:
        super().__init__(said)
        self.mend = mend
        self.state = state


def check(
    name: str, mend: str = "", *, required: bool = True
) -> Callable[[Callable[[], str]], Callable[[], Finding]]:
    """Make a check of a function that returns what works, and raises if it does not.

    An exception that nobody thought of is a finding too, and always counts.
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
    """What fails in this block is mended so, or is in this state."""
    try:
        yield
    except (PlancostError, ImportError) as error:
        raise CheckError(one_line(error), mend, state) from error


def one_line(error: BaseException) -> str:
    """What an exception says, on one line."""
    return " ".join(str(error).split()) or type(error).__name__

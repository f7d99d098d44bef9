"""A program that stands in for the translator, Fast Downward or SymK, and fails on purpose.

It is started as ``fake_planner.py SETTINGS WORDS...`` with the words that the real program
would get. SETTINGS is a JSON file (written by `support.faults`):

* ``fault``: one of the names in `FAULTS`, or ``exit N`` for an exit code.
* ``real``: the words that start the real program, to which it turns where there is no fault.
* ``calls``: on which calls to fail (counted from 1); null: on all.
* ``rate`` and ``seed``: otherwise, at which share of the calls, drawn by seed and call.
* ``journal``: a directory where it leaves the number of its calls, and its process ids.

Faults that spoil an answer let the real program answer first and change what it wrote.
It imports nothing but the standard library, and as little of that as it can: it starts in
milliseconds.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

FLOOD_BYTES = 200 * 2**20
HUGE_BYTES = 2**36
"""Of a file with a hole: it takes no room on the disk, but in the memory of who reads it."""
_LONG_S = 600.0
_MOST_MEMORY_BYTES = 2 * 2**30
"""Where nobody sets a limit it stops by itself, for the sake of the machine."""


class Fake:
    """One call of the program."""

    def __init__(self, settings: dict[str, Any], words: Sequence[str]) -> None:
        self.settings = settings
        self.words = list(words)
        self.is_translator = "--sas-file" in words
        self.journal = Path(settings["journal"])
        self.note(os.getpid())

    def note(self, process: int) -> None:
        """Leave a process id for whoever looks for leftovers."""
        with (self.journal / "processes").open("a", encoding="ascii") as file:
            file.write(f"{process}\n")

    @property
    def answer(self) -> Path:
        """The file that the program answers with."""
        if self.is_translator:
            return Path(self.words[self.words.index("--sas-file") + 1])
        return next(iter(sorted(Path().glob("sas_plan*"))), Path("sas_plan"))

    def become_real(self) -> None:
        """Go on as the real program; does not come back."""
        words = [*self.settings["real"], *self.words]
        os.execv(words[0], words)

    def really(self) -> int:
        """Let the real program answer, and come back with its exit code."""
        return subprocess.run([*self.settings["real"], *self.words], check=False).returncode

    def lines(self) -> list[str]:
        """What the real program answered."""
        return self.answer.read_text(encoding="utf-8").splitlines(keepends=True)


def _say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def _crash(number: int) -> Callable[[Fake], None]:
    def crash(fake: Fake) -> None:
        signal.signal(signal.SIGABRT, signal.SIG_DFL)
        _say("about to end")
        os.kill(os.getpid(), number)
        time.sleep(_LONG_S)

    return crash


def _hang(fake: Fake) -> None:
    time.sleep(_LONG_S)


def _ignore_sigterm(fake: Fake) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(_LONG_S)


def _leave_a_child(*, stubborn: bool = False, escaped: bool = False) -> Callable[[Fake], None]:
    """Answer rightly, but leave a child that would live for minutes."""

    def leave(fake: Fake) -> None:
        ready, told = os.pipe()
        child = os.fork()
        if child == 0:
            if stubborn:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if escaped:
                os.setsid()
            os.write(told, b"!")
            time.sleep(_LONG_S)
            os._exit(0)
        os.read(ready, 1)
        fake.note(child)
        fake.become_real()

    return leave


def _eat_memory(fake: Fake) -> None:
    """Take memory until there is no more, and end as a C++ or Python program does then."""
    eaten: list[bytes] = []
    try:
        while len(eaten) * 2**24 < _MOST_MEMORY_BYTES:
            eaten.append(b"x" * 2**24)
    except MemoryError:
        eaten.clear()
    if fake.is_translator:
        raise MemoryError
    _say("terminate called after throwing an instance of 'std::bad_alloc'")
    os.kill(os.getpid(), signal.SIGABRT)


def _write(content: bytes) -> Callable[[Fake], None]:
    """Say that all went well, with this as the answer."""

    def write(fake: Fake) -> None:
        fake.answer.write_bytes(content)
        _say("Solution found.\nNumber of plans: 1")

    return write


def _binary(fake: Fake) -> None:
    noise = bytes(range(256)) * 16
    os.write(1, noise)
    os.write(2, noise)
    fake.answer.write_bytes(noise)


def _huge_answer(fake: Fake) -> None:
    with fake.answer.open("wb") as file:
        file.truncate(HUGE_BYTES)


def _flood(fake: Fake) -> None:
    """Print hundreds of megabytes on both outputs, and then answer rightly."""
    part = b"flood " * 2**15
    for _ in range(FLOOD_BYTES // len(part) // 2):
        os.write(1, part)
        os.write(2, part)
    fake.become_real()


def _silent_success(fake: Fake) -> None:
    """Exit code 0, and nothing else."""


def _spoilt(change: Callable[[Fake, list[str]], list[str]]) -> Callable[[Fake], None]:
    """The answer of the real program, changed."""

    def spoil(fake: Fake) -> None:
        code = fake.really()
        if fake.answer.exists():
            fake.answer.write_text("".join(change(fake, fake.lines())), encoding="utf-8")
        sys.exit(code)

    return spoil


def _half(fake: Fake, lines: list[str]) -> list[str]:
    text = "".join(lines)
    return [text[: len(text) // 3]]


def _not_applicable(fake: Fake, lines: list[str]) -> list[str]:
    *steps, comment = lines
    return [*steps, steps[-1], comment]


def _not_at_the_goal(fake: Fake, lines: list[str]) -> list[str]:
    *steps, comment = lines
    return [*steps[:-1], comment]


def _with_cost(change: Callable[[int], int]) -> Callable[[Fake, list[str]], list[str]]:
    def with_cost(fake: Fake, lines: list[str]) -> list[str]:
        *steps, comment = lines
        return [*steps, f"; cost = {change(int(comment.split()[3]))} (general cost)\n"]

    return with_cost


def _without_an_operator(fake: Fake, lines: list[str]) -> list[str]:
    """The grounded task without one of its actions, and still well formed."""
    start, end = lines.index("begin_operator\n"), lines.index("end_operator\n")
    count = int(lines[start - 1])
    return [*lines[: start - 1], f"{count - 1}\n", *lines[end + 1 :]]


def _foreign_action(fake: Fake, lines: list[str]) -> list[str]:
    return ["(teleport home)\n", *lines]


def _answer_then_crash(fake: Fake) -> None:
    fake.really()
    _crash(signal.SIGSEGV)(fake)


def _answer_but_deny(fake: Fake) -> None:
    """Write a plan, and say that there is none."""
    fake.really()
    sys.exit(11)


def _exit(code: int) -> Callable[[Fake], None]:
    def leave(fake: Fake) -> None:
        sys.exit(code)

    return leave


PLANNERS = ("fast-downward", "symk")
TRANSLATOR = ("translator",)
PROGRAMS = (*PLANNERS, *TRANSLATOR)

FAULTS: dict[str, tuple[tuple[str, ...], Callable[[Fake], None]]] = {
    "segmentation fault": (PROGRAMS, _crash(signal.SIGSEGV)),
    "abort": (PROGRAMS, _crash(signal.SIGABRT)),
    "killed": (PROGRAMS, _crash(signal.SIGKILL)),
    "hang": (PROGRAMS, _hang),
    "ignore SIGTERM": (PROGRAMS, _ignore_sigterm),
    "leave a child": (PROGRAMS, _leave_a_child()),
    "leave a stubborn child": (PROGRAMS, _leave_a_child(stubborn=True)),
    "leave a child in a session of its own": (PROGRAMS, _leave_a_child(escaped=True)),
    "eat memory": (PROGRAMS, _eat_memory),
    "flood the output": (PROGRAMS, _flood),
    "silent success": (PROGRAMS, _silent_success),
    "garbage": (PROGRAMS, _write(b"Lorem ipsum (dolor\n; sit amet\n")),
    "garbage with a cost": (PLANNERS, _write(b"Lorem ipsum\n; cost = 1\n")),
    "empty answer": (PROGRAMS, _write(b"")),
    "binary": (PROGRAMS, _binary),
    "huge answer": (PROGRAMS, _huge_answer),
    "half an answer": (PROGRAMS, _spoilt(_half)),
    "plan that is not applicable": (PLANNERS, _spoilt(_not_applicable)),
    "plan that misses the goal": (PLANNERS, _spoilt(_not_at_the_goal)),
    "plan with a foreign action": (PLANNERS, _spoilt(_foreign_action)),
    "cost too high": (PLANNERS, _spoilt(_with_cost(lambda cost: cost + 1000))),
    "cost too low": (PLANNERS, _spoilt(_with_cost(lambda cost: cost - 1))),
    "answer, then crash": (PROGRAMS, _answer_then_crash),
    "plan, but denied": (PLANNERS, _answer_but_deny),
    "action left out": (TRANSLATOR, _spoilt(_without_an_operator)),
}
"""Every fault by its name: which programs can have it, and what is done."""


def fault_named(name: str) -> Callable[[Fake], None]:
    """What to do; ``exit N`` is a fault for every N."""
    if name.startswith("exit "):
        return _exit(int(name.removeprefix("exit ")))
    return FAULTS[name][1]


def _number_of_call(journal: Path) -> int:
    """1 for the first call, also when several begin at once."""
    with (journal / "calls").open("a+", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        number = len(file.read()) + 1
        file.write("x")
        return number


def fails(settings: dict[str, Any], number: int) -> bool:
    """Whether this call is one that fails."""
    calls, rate = settings.get("calls"), settings.get("rate")
    if calls is not None:
        return number in list(calls)
    if rate is None:
        return True
    import random  # not needed by most

    return random.Random(f"{settings.get('seed', 0)} {number}").random() < float(rate)


def main() -> None:
    """Fail, or be the real program."""
    settings = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    fake = Fake(settings, sys.argv[2:])
    if fails(settings, _number_of_call(fake.journal)):
        fault_named(settings["fault"])(fake)
    else:
        fake.become_real()


if __name__ == "__main__":
    main()

"""Faults that are injected into a run of ``plancost learn``.

Each says what it changes: the environment, the words, the files, or the moment of a signal. With
any of them the answer may be weaker than it could be, but never wrong.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from benchmarks.soak.commands import Sandbox, Stop
from benchmarks.soak.questions import Question
from plancost.cli import exit_codes
from support.fake_planner import FAULTS
from support.faults import FakeProgram, fake_program

_UNDETECTABLE = ("action left out", "leave a child in a session of its own")
"""A grounded task that is well formed but not that of the PDDL, and a child that escaped from all
that a program's parent can see: what they do is documented, and not what is asked here."""
_ENDLESS = ("hang", "ignore SIGTERM")
_GOOD_ENDS = (exit_codes.OK, exit_codes.NO_IDEAL, exit_codes.UNDECIDED)
_ANY_END = (*_GOOD_ENDS, exit_codes.BAD_INPUT, exit_codes.FAILED)


@dataclass
class Injection:
    """What is done to one run."""

    name: str = "none"
    statuses: Collection[int] = _GOOD_ENDS
    """What the command may end with."""
    words: list[str] = field(default_factory=list)
    ulimit: str = ""
    stop: Stop | None = None
    fake: FakeProgram | None = None
    first_fault: int = 1
    """At which call of the fake program it fails first."""
    damaged: bool = False
    """The input is not the case any more."""
    unwritable: Path | None = None
    """Where the result is to go instead."""

    @property
    def happened(self) -> bool:
        """Whether the fault came about: a fake planner may not be called often enough."""
        return self.fake is None or self.fake.calls >= self.first_fault


def slowed(injection: Injection, question: Question, pace: float) -> Injection:
    """The same for a machine that takes so many times as long; short limits stay short."""
    if injection.name != "short time limit" and question.limit_s is not None:
        question.limit_s *= pace
    if injection.stop is None:
        return injection
    stop = replace(injection.stop, after_s=pace * injection.stop.after_s)
    return replace(injection, stop=stop)


def draw_injection(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    """A fault, or none in more than a third of the runs."""
    kinds: list[tuple[int, Callable[[Random, Question, Sandbox, Path], Injection]]] = [
        (36, lambda *_: Injection()),
        (20, _faulty_program),
        (20, _signal),
        (7, _time_limit),
        (4, _memory_limit),
        (6, _damage),
        (2, _no_file),
        (3, _unwritable),
        (2, _full_disk),
        (2, _few_files),
    ]
    (draw,) = random.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])
    return draw(random, question, sandbox, case)


def _faulty_program(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    """A planner or the translator fails: always, on one call, or on some."""
    (program,) = random.choices(["fast-downward", "symk", "translator"], [5, 3, 3])
    names = [n for n, (who, _) in FAULTS.items() if program in who and n not in _UNDETECTABLE]
    fault = random.choice([*names, f"exit {random.choice([10, 37, 99, 250])}"])
    calls = random.choice([None, [1], [random.randint(2, 6)], list(range(2, 40, 3))])
    fake = fake_program(sandbox.folder / "fakes", program, fault, calls=calls)
    sandbox.environment[fake.variable] = str(fake.path)
    if program != "translator" and question.oracle in ("auto", "graph"):
        # Otherwise nobody would ask a planner.
        question.words = [word for word in question.words if word not in ("--oracle", "graph")]
        question.words += ["--oracle", program]
        question.oracle = program
    question.limit_s = 8.0 if fault in _ENDLESS else question.limit_s or 20.0
    words = ["--memory-limit", "700"] if fault == "eat memory" else []
    first = 1 if calls is None else calls[0]
    return Injection(f"{program}: {fault}", _ANY_END, words, fake=fake, first_fault=first)


def _signal(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    number = random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    status = {
        signal.SIGINT: exit_codes.INTERRUPTED,
        signal.SIGTERM: exit_codes.TERMINATED,
        signal.SIGKILL: -signal.SIGKILL,
    }[number]
    stop = Stop(number, random.uniform(0, random.choice([0.2, 1.0, 3.0])))
    words = (
        ["--checkpoint-every", random.choice(["0.001", "0.05"])] if random.random() < 0.7 else []
    )
    return Injection(number.name, (*_ANY_END, status), words, stop=stop)


def _time_limit(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    question.limit_s = random.choice([0.01, 0.3, 1.0, random.uniform(0.5, 4)])
    return Injection("short time limit", _ANY_END)


def _memory_limit(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    limit = random.choice([1, 20, 100, 400])
    if question.limit_s is None:
        question.limit_s = 15.0
    return Injection("small memory limit", _ANY_END, ["--memory-limit", str(limit)])


def _damage(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    """A file of the case is cut off, spoilt, emptied or taken away."""
    path = random.choice([path for path in sorted(case.iterdir()) if path.is_file()])
    content = path.read_bytes()
    how = random.choice(["cut off", "spoilt", "emptied", "taken away", "doubled"])
    place = random.randrange(len(content))
    if how == "taken away":
        path.unlink()
    else:
        noise = random.randbytes(random.choice([1, 3, 50]))
        path.write_bytes(
            {
                "cut off": content[:place],
                "spoilt": content[:place] + noise + content[place + 1 :],
                "emptied": b"",
                "doubled": content + content,
            }[how]
        )
    if question.limit_s is None:
        question.limit_s = 30.0
    statuses = (*_ANY_END, exit_codes.USAGE)  # --share may name what is not there any more
    return Injection(f"input file {how}", statuses, damaged=True)


def _no_file(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    """Something in a case folder is called like a plan but is no file."""
    name = f"p{question.case.seen[0].problem}.more.{random.choice(['plan', 'PLAN'])}"
    if random.random() < 0.5:
        (case / name).mkdir()
    else:
        (case / name).symlink_to(case / "nothing")
    found = (exit_codes.BAD_INPUT, exit_codes.UNDECIDED)  # a manifest does not name it
    return Injection("plan that is no file", _ANY_END if question.columns else found)


def _unwritable(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    """The result is to go below a file, into a folder's or an input's place, or nowhere."""
    file = sandbox.out / "file"
    file.write_text("in the way\n")
    places = [file / "RESULT.json", sandbox.out, Path("/proc/none/RESULT.json")]
    inputs = sorted(path for path in case.iterdir() if path.suffix in (".pddl", ".plan", ".soln"))
    places += [sandbox.out / "no" / "such" / "RESULT.json", *random.sample(inputs, 1)]
    return Injection(
        "unwritable output",
        (exit_codes.BAD_INPUT, exit_codes.UNDECIDED),
        unwritable=random.choice(places),
    )


def _full_disk(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    """No file may be larger than a few blocks, as if the disk were full."""
    if question.limit_s is None:
        question.limit_s = 15.0
    return Injection("no room for files", _ANY_END, ulimit=f"-f {random.choice([0, 1, 4])}")


def _few_files(random: Random, question: Question, sandbox: Sandbox, case: Path) -> Injection:
    if question.limit_s is None:
        question.limit_s = 15.0
    return Injection("few open files", _ANY_END, ulimit=f"-n {random.choice([16, 24, 40])}")

"""Two versions beside each other: the same cases, in turns, as their users run them.

    python -m benchmarks.beside FIRST CASE... --runs 3 --time-limit 60 --ask="--solution scf"

FIRST is the program of the first version, or a folder that has it as .venv/bin/plancost. A case
is a folder of PDDL, or one with links.csv and trips.csv. Prints a table in Markdown: medians of
seconds, seconds until as many plans were proven optimal as can be, the most memory that any process
took, and what was found and proven. With `--together` both run at the same time, each on one core
of its own: that is for runs that take all of their time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Run:
    """One run of one version: what it took, and RESULT.json if there is one."""

    seconds: float
    megabytes: float
    status: int
    result: dict[str, Any] | None
    complaint: str = ""


@dataclass(frozen=True)
class Version:
    """How a version is called."""

    name: str
    program: tuple[str, ...]
    is_first: bool

    def command(self, case: Path, output: Path, asked: Sequence[str]) -> list[str]:
        """The command that learns from a case."""
        inputs = [str(case)]
        verb = ["learn"]
        if self.is_first and (case / "links.csv").exists():
            verb = ["routes", "learn"]
            inputs = [str(case / "links.csv"), str(case / "trips.csv")]
        first_only = ["--no-checkpoint"] if self.is_first else []
        return [
            *self.program,
            *verb,
            *inputs,
            "--output",
            str(output),
            "--quiet",
            *first_only,
            *asked,
        ]

    def run(self, case: Path, asked: Sequence[str], core: int | None = None) -> Run:
        """Learn once, in an empty folder, on all cores or on one."""
        command = self.command(case.resolve(), Path("RESULT.json"), asked)
        if core is not None:
            command = ["taskset", "--cpu-list", str(core), *command]
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "RESULT.json"
            complaints = Path(folder) / "complaints"
            began = time.perf_counter()
            with complaints.open("wb") as errors:
                # The first version would find this one there.
                hidden = "PYTHONPATH" if self.is_first else ""
                process = subprocess.Popen(
                    command, cwd=folder,
                    env={name: value for name, value in os.environ.items() if name != hidden},
                    stdout=subprocess.DEVNULL, stderr=errors,
                )  # fmt: skip
                _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            text = complaints.read_text(encoding="utf-8", errors="replace").strip()
            last = text.splitlines()[-1] if text else ""
            found = json.loads(output.read_text(encoding="utf-8")) if output.exists() else None
        return Run(seconds, _megabytes(usage), process.returncode, found, last)


@dataclass(frozen=True)
class Comparison:
    """Which versions are compared, and how."""

    versions: Sequence[Version]
    runs: int
    asked: Sequence[str]
    together: bool

    def times(self, case: Path) -> Iterator[tuple[str, Run]]:
        """All runs of a case."""
        for number in range(self.runs):
            # Whoever comes second finds warm disks: take turns.
            turn = self.versions if number % 2 == 0 else self.versions[::-1]
            if self.together:
                with ThreadPoolExecutor(len(turn)) as pool:
                    runs = pool.map(lambda v, n: v.run(case, self.asked, n), turn, range(len(turn)))
                    yield from zip((version.name for version in turn), runs, strict=True)
            else:
                yield from ((version.name, version.run(case, self.asked)) for version in turn)


def compare(comparison: Comparison, cases: Sequence[Path]) -> Iterator[str]:
    """The lines of the table as they come, and below it whatever the versions disagree about."""
    yield (
        "| case | version | s | most plans s | MB | plans | optimal | at most | second | at least "
        "| proven |"
    )
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    remarks = []
    for case in cases:
        done: dict[str, list[Run]] = {version.name: [] for version in comparison.versions}
        for name, run in comparison.times(case):
            done[name].append(run)
            print(f"{case.name}: {name}", file=sys.stderr)
        yield from (_row(case.name, name, found) for name, found in done.items())
        remarks += _remarks(case.name, done)
    yield from ["", *remarks] if remarks else []


def _row(case: str, version: str, runs: list[Run]) -> str:
    seconds = statistics.median(run.seconds for run in runs)
    memory = max(run.megabytes for run in runs)
    result = _typical(runs).result
    first = None if result is None else _first_proven(result)
    shown = [case, version, f"{seconds:.2f}", "" if first is None else f"{first:.2f}"]
    shown.append(f"{memory:.0f}")
    if result is None:
        return f"| {' | '.join([*shown, '', '', '', '', '', 'no answer'])} |"
    second = result.get("secondary") or {}
    keys = ("plans", "optimal_plans", "upper_bound")
    shown += [str(result.get(key)) for key in keys]
    shown += [str(second.get(key, "")) for key in ("value", "lower_bound")]
    proven = [bool(result.get("proved")), bool(second.get("proved"))]
    words = {(True, True): "both", (True, False): "first", (False, False): "no"}
    shown.append(words.get((proven[0], proven[1]), "second only"))
    return f"| {' | '.join(shown)} |"


def _first_proven(result: dict[str, Any]) -> float | None:
    """When bound and answer met, in the run's own history; None if they did not."""
    history = result.get("history") or []
    met = (float(one["seconds"]) for one in history if one["optimal"] == one["bound"])
    return next(met, None) if result.get("proved") else None


def _remarks(case: str, done: dict[str, list[Run]]) -> list[str]:
    """Proven values that differ, answers above somebody's bound, and runs that failed."""
    found = []
    everything = [(name, run) for name, runs in done.items() for run in runs]
    answers = [(name, run.result) for name, run in everything if run.result is not None]
    most = max((int(a["optimal_plans"] or 0) for _, a in answers), default=0)
    for name, answer in answers:
        if int(answer["upper_bound"]) < most:
            found.append(f"- {case}: WRONG, {name} says at most {answer['upper_bound']} of {most}")
    seconds = {
        (answer["optimal_plans"], (answer.get("secondary") or {}).get("value"))
        for _, answer in answers
        if answer.get("proved") and (answer.get("secondary") or {}).get("proved")
    }
    if len(seconds) > 1:
        found.append(f"- {case}: WRONG, proven answers differ: {sorted(seconds)}")
    for name, run in everything:
        if run.status != 0 or run.result is None:
            found.append(f"- {case}: {name} ended with {run.status}: {run.complaint}")
    return list(dict.fromkeys(found))


def _typical(runs: list[Run]) -> Run:
    """The run of median time, which has an answer if any has."""
    answered = [run for run in runs if run.result is not None] or runs
    return sorted(answered, key=lambda run: run.seconds)[len(answered) // 2]


def _megabytes(usage: resource.struct_rusage) -> float:
    """Of the largest process; the unit of `ru_maxrss` depends on the system."""
    return usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=Path, help="the first version: its program or its folder")
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--time-limit", default="60")
    parser.add_argument("--ask", default="", help="options for both versions")
    parser.add_argument("--together", action="store_true", help="at once, each on one core")
    asked = parser.parse_args()
    program = asked.first / ".venv/bin/plancost" if asked.first.is_dir() else asked.first
    versions = [
        Version("first", (str(program.absolute()),), True),
        Version("this", (sys.executable, "-m", "plancost"), False),
    ]
    options = ["--time-limit", asked.time_limit, *shlex.split(asked.ask)]
    is_wrong = False
    comparison = Comparison(versions, asked.runs, options, asked.together)
    for line in compare(comparison, asked.cases):
        print(line, flush=True)
        is_wrong |= "WRONG" in line
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())

"""What Fast Downward and SymK (a fork of it) share: binary, plan files, exit codes.

The binaries come in the wheels ``up-fast-downward`` and ``up-symk``. The wheels are not
imported (they are GPL, and would pull in unified-planning); only the binary is run.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from plancost.errors import PlannerError
from plancost.observations.planfile import Plan, parse_plan
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.processes import Ending, Finished, Limits, private_directory, run

_OUT_OF_MEMORY = {1: "plan found", 3: "plan found", 22: "", 24: ""}
_OUT_OF_TIME = {2: "plan found", 23: ""}
_SHOWN_LINES = 4


@dataclass(frozen=True)
class Planner:
    """A planner binary of the family, and how it spells its answers.

    `exit_codes` says what the codes mean that the two planners use differently.
    """

    name: str
    package: str
    binary_path: str
    distribution: str
    exit_codes: Mapping[int, Verdict]

    def binary(self) -> Path:
        """The installed binary."""
        try:
            found = importlib.util.find_spec(self.package)
        except (ImportError, ValueError):
            found = None
        for place in (found.submodule_search_locations or []) if found else []:
            path = Path(place) / self.binary_path
            if path.is_file():
                return path
        raise PlannerError(f"{self.name} is not installed: run 'pip install {self.distribution}'")

    def search(
        self,
        sas: str,
        search: str,
        *,
        limits: Limits,
        stop: Event | None = None,
        binary: Path | None = None,
    ) -> SearchOutcome:
        """Run one search on a SAS+ text; the plans are in the order of their files."""
        with private_directory() as directory:
            task = directory / "task.sas"
            task.write_text(sas, encoding="utf-8")
            command = [str(binary or self.binary()), "--search", search]
            finished = run(command, directory=directory, stdin=task, limits=limits, stop=stop)
            plans = _read_plans(directory, self.name)
        verdict = self._verdict(finished)
        if verdict is Verdict.FOUND and not plans:
            raise PlannerError(f"{self.name} says that it found a plan but wrote none")
        return SearchOutcome(verdict, plans, finished.seconds, self.name)

    def _verdict(self, finished: Finished) -> Verdict:
        if finished.ending is Ending.OUT_OF_TIME:
            return Verdict.OUT_OF_TIME
        if finished.ending is Ending.STOPPED:
            return Verdict.STOPPED
        code = finished.exit_code
        if code is not None:
            if code in self.exit_codes:
                return self.exit_codes[code]
            if code in _OUT_OF_MEMORY:
                return Verdict.OUT_OF_MEMORY
            if code in _OUT_OF_TIME:
                return Verdict.OUT_OF_TIME
        if finished.ending is Ending.KILLED and _ran_out_of_memory(finished):
            return Verdict.OUT_OF_MEMORY
        how = f"signal {finished.signal}" if code is None else f"exit code {code}"
        lines = [line for line in finished.output.splitlines() if line.strip()]
        raise PlannerError(
            f"{self.name} ended in a way that is no answer ({how}): "
            + " / ".join(lines[-_SHOWN_LINES:])
        )


_SIGKILL = 9
_SIGABRT = 6


def _ran_out_of_memory(finished: Finished) -> bool:
    """Whether the system's memory killer, or a failed allocation, ended the process."""
    if finished.signal == _SIGKILL:
        return True
    return finished.signal == _SIGABRT and "bad_alloc" in finished.output


def _read_plans(directory: Path, planner: str) -> tuple[Plan, ...]:
    """The plans in ``sas_plan``, ``sas_plan.1``, ...; a file cut off in the middle is skipped."""
    found = []
    for path in directory.glob("sas_plan*"):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "; cost" not in text:
            continue  # written last, so without it the plan may be half of one
        suffix = path.name.removeprefix("sas_plan").lstrip(".")
        found.append((int(suffix) if suffix.isdigit() else 0, parse_plan(text, Path(planner))))
    return tuple(dict.fromkeys(plan for _, plan in sorted(found)))

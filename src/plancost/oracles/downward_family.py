"""What Fast Downward and SymK (a fork of it) share: binary, plan files, exit codes.

The binaries come in the wheels ``up-fast-downward`` and ``up-symk``. The wheels are not
imported (they are GPL, and would pull in unified-planning); only the binary is run. An
environment variable may name another build (`binaries`).

An exit code is read as an answer only if it is known to be one; everything else is a
`PlannerError`, and so is a plan that does not cost what its file says. Both planners count
in 32 bits and say nothing when that overflows: an answer whose costs come near the edge is an
error too.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from plancost.errors import InputError, PlancostError, PlannerError
from plancost.observations.planfile import Plan, parse_plan
from plancost.observations.sas import LARGEST_PLANNER_COST
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.system.binaries import binary_version, installed_version, named_binary
from plancost.system.processes import Ending, Finished, Limits, run
from plancost.system.temporary import private_directory

_log = logging.getLogger(__name__)

_LIMITS = {
    1: Verdict.OUT_OF_MEMORY,  # 1 to 3: after a plan was found
    2: Verdict.OUT_OF_TIME,
    3: Verdict.OUT_OF_MEMORY,
    22: Verdict.OUT_OF_MEMORY,
    23: Verdict.OUT_OF_TIME,
    24: Verdict.OUT_OF_MEMORY,
}
_FAILURES = {
    32: "failed in itself (critical error)",
    33: "rejects the task or the search that it was asked for",
    34: "does not support a feature of the task",
    35: "failed in itself (critical error)",
    36: "rejects its arguments",
    37: "does not support what it was asked for",
}
_AFTER_A_PLAN = (1, 2, 3)
"""A limit was reached after a plan was found; without one, 1 is how any program says it failed."""
_UNSOLVABLE = 11
_SHOWN_LINES = 4
_LARGEST_PLAN_BYTES = 100_000_000
"""A planner that has gone wild may write without end; this is a million actions."""
_NO_COSTS = "begin_metric\n0\nend_metric\n"
_HEADER = 100
"""Characters; `_NO_COSTS` is among the first of a SAS+ text."""
_PLAN_COST = re.compile(r"^; cost = (\d+)", re.MULTILINE)
"""The last line of a plan file: without it the plan may be half of one."""
_OPERATOR_COST = re.compile(r"\n(\d+)\nend_operator\n")


@dataclass(frozen=True)
class SearchRun:
    """An outcome with what only the caller who knows the search can interpret.

    `plan_files` counts plans as the planner does, by operators; `outcome.plans` are
    without repetition by name, and `plan_costs` are theirs.
    """

    outcome: SearchOutcome
    plan_costs: tuple[int, ...]
    plan_files: int
    output: str


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
    variable: str
    """The environment variable that may name another build."""

    def binary(self) -> Path:
        """The binary: the user's own build, or else the installed one."""
        own = named_binary(self.variable)
        if own is not None:
            return own
        try:
            found = importlib.util.find_spec(self.package)
        except (ImportError, ValueError):
            found = None
        for place in (found.submodule_search_locations or []) if found else []:
            path = Path(place) / self.binary_path
            if os.access(path, os.X_OK):
                return path
        raise PlannerError(
            f"{self.name} is not installed: run 'pip install {self.distribution}', or name a build "
            f"of your own in {self.variable}"
        )

    def version(self) -> str | None:
        """The version of the installed wheel; of a user's own build, which file it is."""
        own = named_binary(self.variable)
        return installed_version(self.distribution) if own is None else binary_version(own)

    def search(
        self, sas: str, search: str, *, limits: Limits, stop: Event | None = None
    ) -> SearchRun:
        """Run one search on a SAS+ text; the plans are in the order of their files."""
        with private_directory() as directory:
            task = directory / "task.sas"
            task.write_text(sas, encoding="utf-8")
            command = [str(self.binary()), "--search", search]
            try:
                finished = run(command, directory=directory, stdin=task, limits=limits, stop=stop)
            except PlancostError as error:  # it could not even be started
                raise PlannerError(f"{self.name}: {error}") from error
            files = self._plan_files(directory)
        verdict = self._verdict(finished)
        found_one = verdict is Verdict.FOUND or finished.exit_code in _AFTER_A_PLAN
        if found_one and not files:
            raise self.error("says that it found a plan but wrote none", finished.output)
        if verdict is Verdict.NONE and files:
            raise self.error("wrote a plan but says that there is none", finished.output)
        plans = dict(files)
        costs = f", cost {min(plans.values())} to {max(plans.values())}" if plans else ""
        words = (self.name, verdict.value, len(plans), costs, finished.seconds)
        _log.debug("%s: %s, %d plans%s, %.3f s", *words)
        self._require_safe(sas, plans)
        self._require_right_costs(sas, plans)
        denied = finished.exit_code == _UNSOLVABLE
        found = tuple(plans)
        outcome = SearchOutcome(verdict, found, finished.seconds, self.name, unsolvable=denied)
        return SearchRun(outcome, tuple(plans.values()), len(files), finished.output)

    def error(self, complaint: str, output: str) -> PlannerError:
        """An error in one sentence, with the last lines of what the planner printed."""
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        tail = " / ".join(lines[-_SHOWN_LINES:]) or "it printed nothing"
        return PlannerError(f"{self.name} {complaint}: {tail}")

    def _verdict(self, finished: Finished) -> Verdict:
        if finished.ending is Ending.OUT_OF_TIME:
            return Verdict.OUT_OF_TIME
        if finished.ending is Ending.STOPPED:
            return Verdict.STOPPED
        code = finished.exit_code
        if code is None:
            if _ran_out_of_memory(finished):
                return Verdict.OUT_OF_MEMORY
            raise self.error(f"was killed by signal {finished.signal}", finished.output)
        verdict = self.exit_codes.get(code, _LIMITS.get(code))
        if verdict is not None:
            return verdict
        meaning = _FAILURES.get(code, "ended in a way that is no answer")
        raise self.error(f"{meaning} (exit code {code})", finished.output)

    def _plan_files(self, directory: Path) -> list[tuple[Plan, int]]:
        """The plans in ``sas_plan``, ``sas_plan.1``, ... and their costs."""
        found = []
        for path in directory.glob("sas_plan*"):
            if path.stat().st_size > _LARGEST_PLAN_BYTES:
                raise PlannerError(f"{self.name} wrote {path.stat().st_size} bytes as one plan")
            text = path.read_text(encoding="utf-8", errors="replace")
            cost = _PLAN_COST.search(text)
            if cost is None:
                continue  # it was stopped while it wrote this one
            suffix = path.name.removeprefix("sas_plan").lstrip(".")
            try:
                plan = parse_plan(text, path, any_letters=True)
            except InputError as error:
                raise PlannerError(f"{self.name} wrote something that is no plan") from error
            found.append((int(suffix or 0), plan, int(cost[1])))
        return [(plan, cost) for _, plan, cost in sorted(found)]

    def _require_safe(self, sas: str, plans: Mapping[Plan, int]) -> None:
        """An error if the search that found these plans may have left the 32 bits.

        It looks one action beyond the plans it returns, and adds an estimate.
        """
        greatest = max(plans.values(), default=0)
        if greatest + 2 * largest_cost(sas) > LARGEST_PLANNER_COST:
            raise PlannerError(
                f"{self.name} counts in 32 bits, and with a plan that costs {greatest} and an "
                f"action that costs {largest_cost(sas)} it may miscount: use smaller costs"
            )

    def _require_right_costs(self, sas: str, plans: Mapping[Plan, int]) -> None:
        """An error if a plan does not cost what the planner says: then it counts wrongly."""
        costs: dict[str, int | None] = {}
        for plan, said in plans.items():
            for step in set(plan).difference(costs):
                costs[step] = _cost_in(sas, step)
                if costs[step] is None:
                    raise PlannerError(f"{self.name} wrote a plan with {step}, which is no action")
            cost = sum(costs[step] or 0 for step in plan)
            if cost != said:
                raise PlannerError(f"{self.name} says that a plan costs {said}; it costs {cost}")


def _cost_in(sas: str, action: str) -> int | None:
    """What an action costs in a SAS+ text; None if there is no such action."""
    start = sas.find(f"\nbegin_operator\n{action[1:-1]}\n")
    if start < 0:
        return None
    if _NO_COSTS in sas[:_HEADER]:
        return 1
    end = sas.index("\nend_operator\n", start)
    return int(sas[sas.rindex("\n", start, end) + 1 : end])


def largest_cost(sas: str) -> int:
    """The cost of the most expensive action in a SAS+ text."""
    return max(map(int, _OPERATOR_COST.findall(sas)), default=0)


def _ran_out_of_memory(finished: Finished) -> bool:
    """Whether the system's memory killer, or a failed allocation, ended the process."""
    if finished.signal == signal.SIGKILL:
        return True
    return finished.signal == signal.SIGABRT and "bad_alloc" in finished.output

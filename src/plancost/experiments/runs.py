"""One run: one algorithm on one learning task, as a process of its own.

So a crash, or running out of time or memory, is a record with a reason and touches no other
run. The planner's seconds of LACFIP^k are those of the listings of its problems, added up:
what the run would have spent on SymK, one problem after the other, had it not found the
plans in the cache. They count against its time limit like all others, as in the paper; only
what checks the answer does not. The exact learner has the limit for everything, its check too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plancost.experiments.inference import PLANNER_OUT_OF_TIME
from plancost.experiments.layout import Layout
from plancost.experiments.plan import EXACT, Run, is_lacfip
from plancost.experiments.records import Content
from plancost.system.processes import Ending, Finished, Limits
from plancost.system.processes import run as run_program
from plancost.system.schedule import SCHEDULE
from plancost.system.temporary import private_directory

_NO_MEMORY = (
    *("MemoryError", "memory ran out", "bad_alloc", "Cannot allocate memory"),
    "more memory than it may use",
)
_SIGKILL = 9
_GAVE_UP = 0.7
"""A solver that has proven nothing in this part of the time limit, and has ended, has given up."""


def do_run(run: Run, layout: Layout, listings: Sequence[Content]) -> Content | None:
    """The content of a run's record; None if it was called off.

    `listings` are the records of its problems' alternatives at its k.
    """
    seconds = {
        "planner": sum(content["seconds"] for content in listings),
        "grounding": sum(content["grounding_seconds"] for content in listings),
    }
    if has_failed(run, listings):
        reasons = [content["reason"] for content in listings if content["status"] == "failed"]
        return _failed(reasons[0] if reasons else PLANNER_OUT_OF_TIME, "", seconds)
    limit_s = run.study.bounds.time_s
    child_s = limit_s
    if run.row != EXACT:
        # Learning gets at least what is left, checking a quarter of the limit and more.
        child_s += limit_s * (1 / SCHEDULE.learning - 1) - seconds["planner"]
    margin_s = max(SCHEDULE.run_margin_s, child_s * SCHEDULE.run_margin)
    arguments = [
        *(str(layout.manifest(run).resolve()), "--time-limit", f"{child_s:.3f}"),
        *("--domain", str((layout.pool(run.pool) / "domain.pddl").resolve())),
        *("--solution", run.study.solution, "--alternatives", run.row),
        *(("--refine",) if run.study.refine else ()),
    ]
    limits = Limits(child_s + margin_s, run.study.bounds.memory_mb)
    finished, result = learn(arguments, limits, cache=layout.cache)
    if finished.ending is Ending.STOPPED:
        return None
    if result is None:
        return _failed(*_why(finished), {**seconds, "run": finished.seconds})
    return outcome(run, result, seconds["planner"])


def has_failed(run: Run, listings: Sequence[Content | None]) -> bool:
    """Whether the listings known so far leave a run nothing to do but fail."""
    known = [content for content in listings if content is not None]
    return (
        any(content["status"] == "failed" for content in known)
        or sum(content["seconds"] for content in known) >= run.study.bounds.time_s
    )


def learn(
    arguments: Sequence[str], limits: Limits, *, cache: Path | None = None
) -> tuple[Finished, dict[str, Any] | None]:
    """How ``plancost learn`` ended as a process of its own, and its RESULT.json if it left one."""
    with private_directory() as directory:
        path = directory / "RESULT.json"
        command = [
            *(() if cache is None else ("env", f"PLANCOST_CACHE={cache.resolve()}")),
            *(sys.executable, "-P", "-m", "plancost.cli.main", "learn", *arguments),
            *("--jobs", "1", "--output", str(path), "--quiet"),
        ]
        finished = run_program(command, directory=directory, limits=limits)
        try:
            return finished, json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return finished, None


def outcome(run: Run, result: dict[str, Any], planner_s: float) -> Content:
    """A record out of a RESULT.json and the seconds of the listings."""
    stages = result["seconds"]
    seconds = {
        "grounding": stages.get("grounding", 0.0),
        "planner": planner_s + stages.get("planner", 0.0),
        "milp": stages.get("milp", 0.0),
        "exact": stages.get("first objective", 0.0) + stages.get("second objective", 0.0),
    }
    finished = result["options"].get("milp_finished")
    in_time = finished and sum(seconds.values()) <= run.study.bounds.time_s
    reason = None
    if is_lacfip(run.row) and not in_time:
        early = not finished and sum(seconds.values()) < _GAVE_UP * run.study.bounds.time_s
        reason = "solver gave up" if early else "solver out of time"
    elif not _is_checked(run, result):
        no_memory = any("memory ran out" in note for note in result.get("notes", ()))
        reason = "out of memory" if no_memory else "verification out of time"
    copied = ("plans", "optimal_plans", "believed_optimal", "upper_bound", "proved", "secondary")
    return {
        "status": "solved" if reason is None else "failed",
        "reason": reason,
        **{name: result[name] for name in copied},
        "seconds": {**_with_total(seconds), "verification": stages.get("verification", 0.0)},
        "stages": stages,
        "alternatives_complete": result["options"].get("alternatives_complete"),
    }


def _is_checked(run: Run, result: dict[str, Any]) -> bool:
    """Whether the check has said all that the record needs.

    If it has confirmed as many plans as any costs make optimal, the others need no check.
    """
    return bool(result["verified"] or (run.row == EXACT and result["proved"]))


def _why(finished: Finished) -> tuple[str, str]:
    """The reason that a run left no result, and the last words it printed."""
    words = finished.output.strip().splitlines()[-1:] or [""]
    if finished.ending is Ending.OUT_OF_TIME:
        return "out of time", words[0]
    if finished.signal == _SIGKILL or any(sign in finished.output for sign in _NO_MEMORY):
        return "out of memory", words[0]
    if "within the time limit" in finished.output:
        return "grounding out of time", words[0]
    if finished.ending is Ending.KILLED:
        return f"crashed by signal {finished.signal}", words[0]
    return f"failed with exit status {finished.exit_code}", words[0]


def _failed(reason: str, detail: str, seconds: dict[str, float]) -> Content:
    return {
        "status": "failed",
        "reason": reason,
        "detail": detail[-300:],
        "seconds": _with_total(seconds),
    }


def _with_total(seconds: dict[str, float]) -> dict[str, float]:
    everything = {"total": sum(seconds.values()), **seconds}
    return {name: round(value, 3) for name, value in everything.items()}

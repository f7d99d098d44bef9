"""One run: one algorithm on one learning task, as a process of its own.

So a crash, or running out of time or memory, is a record with a reason and touches no other
run. The planner's seconds of LACFIP^k are those of the listings of its problems, added up:
what the run would have spent on SymK, one problem after the other, had it not found the
plans in the cache. They count against its time limit like all others, as in the paper; only
what checks the answer does not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plancost.experiments.layout import Layout
from plancost.experiments.plan import Run
from plancost.experiments.record_content import Content
from plancost.system.processes import Ending, Finished, Limits
from plancost.system.processes import run as run_program
from plancost.system.schedule import SCHEDULE
from plancost.system.temporary import private_directory

_NO_MEMORY = (
    *("MemoryError", "memory ran out", "bad_alloc", "Cannot allocate memory"),
    "more memory than it may use",
)
_SIGKILL = 9


def do_run(run: Run, layout: Layout, listings: Sequence[Content]) -> Content | None:
    """The content of a run's record; None if it was called off.

    `listings` are the records of its problems' alternatives at its k.
    """
    planner_s = sum(content["seconds"] for content in listings)
    grounding_s = sum(content["grounding_seconds"] for content in listings)
    if has_failed(run, listings):
        reasons = [content["reason"] for content in listings if content["status"] == "failed"]
        reason = reasons[0] if reasons else "planner out of time"
        return _failed(reason, planner=planner_s, grounding=grounding_s)
    limit_s = run.study.bounds.time_s
    # Learning gets at least what is left, checking a quarter of the limit and more.
    child_s = (limit_s - planner_s) + limit_s * (1 / SCHEDULE.learning - 1)
    margin_s = max(SCHEDULE.run_margin_s, child_s * SCHEDULE.run_margin)
    with private_directory() as directory:
        result_file = directory / "RESULT.json"
        finished = run_program(
            _command(run, layout, child_s, result_file),
            directory=directory,
            limits=Limits(child_s + margin_s, run.study.bounds.memory_mb),
        )
        if finished.ending is Ending.STOPPED:
            return None
        result = _read(result_file)
    if result is None:
        return _failed(
            *_why(finished), planner=planner_s, grounding=grounding_s, run=finished.seconds
        )
    return outcome(run, result, planner_s)


def has_failed(run: Run, listings: Sequence[Content | None]) -> bool:
    """Whether the listings known so far leave a run nothing to do but fail."""
    known = [content for content in listings if content is not None]
    return (
        any(content["status"] == "failed" for content in known)
        or sum(content["seconds"] for content in known) >= run.study.bounds.time_s
    )


def _command(run: Run, layout: Layout, time_s: float, result: Path) -> list[str]:
    study = run.study
    return [
        "env",
        f"PLANCOST_CACHE={layout.cache.resolve()}",
        sys.executable,
        *("-P", "-m", "plancost.cli.main", "learn", str(layout.manifest(run).resolve())),
        *("--domain", str((layout.pool(run.pool) / "domain.pddl").resolve())),
        *("--solution", study.solution, "--alternatives", run.row),
        *(("--refine",) if study.refine else ()),
        *("--time-limit", f"{time_s:.3f}"),
        *("--jobs", "1", "--output", str(result), "--quiet"),
    ]


def outcome(run: Run, result: dict[str, Any], planner_s: float) -> Content:
    """A record out of a RESULT.json and the seconds of the listings."""
    stages = result["seconds"]
    seconds = {
        "grounding": stages.get("grounding", 0.0),
        "planner": planner_s + stages.get("planner", 0.0),
        "milp": stages.get("milp", 0.0),
        "exact": stages.get("first objective", 0.0) + stages.get("second objective", 0.0),
    }
    total = sum(seconds.values())
    reason = None
    if not result["verified"]:
        reason = "verification out of time"
        if any("memory ran out" in note for note in result.get("notes", ())):
            reason = "out of memory"
    if run.uses_alternatives and not (
        result["options"].get("milp_finished") and total <= run.study.bounds.time_s
    ):
        reason = "solver out of time"
    return {
        "status": "solved" if reason is None else "failed",
        "reason": reason,
        "plans": result["plans"],
        "optimal_plans": result["optimal_plans"],
        "believed_optimal": result["believed_optimal"],
        "upper_bound": result["upper_bound"],
        "proved": result["proved"],
        "secondary": result["secondary"],
        "seconds": {
            "total": round(total, 3),
            **{name: round(value, 3) for name, value in seconds.items()},
            "verification": stages.get("verification", 0.0),
        },
        "stages": stages,
        "alternatives_complete": result["options"].get("alternatives_complete"),
    }


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content


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


def _failed(reason: str, detail: str = "", **seconds: float) -> Content:
    return {
        "status": "failed",
        "reason": reason,
        "detail": detail[-300:],
        "seconds": {
            "total": round(sum(seconds.values()), 3),
            **{name: round(value, 3) for name, value in seconds.items()},
        },
    }

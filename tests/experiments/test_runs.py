"""What a run's record says, from its result and the listings of its problems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plancost.experiments import runs
from plancost.experiments.layout import Layout
from plancost.experiments.plan import Run
from plancost.experiments.runs import do_run, outcome
from plancost.system.processes import Ending, Finished
from support.studies import tiny_study

STUDY = tiny_study(("baseline", "10", "exact"), time_s=10.0)
BASELINE, TEN, EXACT = STUDY.runs()
LISTED = {"status": "solved", "reason": None, "seconds": 2.0, "grounding_seconds": 0.3}


def result(**changes: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "plans": 3,
        "optimal_plans": 2,
        "believed_optimal": 3,
        "upper_bound": 3,
        "proved": False,
        "secondary": {"value": 5, "lower_bound": 5, "proved": False},
        "verified": True,
        "options": {"milp_finished": True, "alternatives_complete": False},
        "seconds": {"total": 9.0, "grounding": 0.5, "planner": 0.1, "milp": 1.0,
                    "verification": 4.0},
        **changes,
    }  # fmt: skip


def test_the_seconds_of_a_run() -> None:
    content = outcome(TEN, result(), planner_s=6.0)
    assert (content["status"], content["reason"]) == ("solved", None)
    assert content["seconds"] == {
        "total": 7.6, "grounding": 0.5, "planner": 6.1, "milp": 1.0, "exact": 0.0,
        "verification": 4.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("run", "changes", "planner_s", "reason"),
    [
        (TEN, {"options": {"milp_finished": False}}, 0.0, "solver gave up"),
        (TEN, {"options": {"milp_finished": False}}, 8.0, "solver out of time"),
        (TEN, {}, 9.0, "solver out of time"),
        (TEN, {"verified": False}, 0.0, "verification out of time"),
        (EXACT, {"verified": False, "options": {}}, 0.0, "verification out of time"),
        (EXACT, {"verified": False, "proved": True, "options": {}}, 0.0, None),
        (TEN, {"verified": False, "proved": True}, 0.0, "verification out of time"),
        (BASELINE, {"verified": False, "proved": True}, 0.0, "verification out of time"),
        (EXACT, {"options": {}}, 0.0, None),
        (BASELINE, {"options": {}}, 0.0, None),
    ],
)
def test_what_counts_as_solved(
    run: Run, changes: dict[str, Any], planner_s: float, reason: str | None
) -> None:
    content = outcome(run, result(**changes), planner_s)
    assert content["reason"] == reason
    assert content["status"] == ("solved" if reason is None else "failed")
    assert content["optimal_plans"] == 2


@pytest.mark.parametrize(("run", "seconds"), [(TEN, "8.500"), (EXACT, "10.000")])
def test_what_the_limit_is_for(
    run: Run, seconds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of LACFIP^k may take a quarter of it besides; exact has to do with the limit."""
    asked: list[str] = []

    def learn(arguments: list[str], *_: object, **__: object) -> tuple[Finished, None]:
        asked.extend(arguments)
        return Finished(Ending.STOPPED, None, None, "", 0.0), None

    monkeypatch.setattr(runs, "learn", learn)
    do_run(run, Layout(tmp_path), [LISTED] * 2 if run is TEN else [])
    assert asked[asked.index("--time-limit") + 1] == seconds


def test_a_planner_that_failed_or_took_too_long_ends_the_run(tmp_path: Path) -> None:
    lost = {**LISTED, "status": "failed", "reason": "planner out of memory"}
    content = do_run(TEN, Layout(tmp_path), [LISTED, lost])
    assert content is not None
    assert content["reason"] == "planner out of memory"
    assert content["seconds"] == {"total": 4.6, "planner": 4.0, "grounding": 0.6}
    content = do_run(TEN, Layout(tmp_path), [LISTED] * 5)
    assert content is not None and content["reason"] == "planner out of time"


@pytest.mark.parametrize(
    ("finished", "reason"),
    [
        (Finished(Ending.OUT_OF_TIME, None, None, "", 9.0), "out of time"),
        (Finished(Ending.KILLED, None, 9, "", 9.0), "out of memory"),
        (Finished(Ending.KILLED, None, 11, "", 9.0), "crashed by signal 11"),
        (Finished(Ending.EXITED, 1, None, "x\nMemoryError", 9.0), "out of memory"),
        (Finished(Ending.EXITED, 1, None, "plancost: bad", 9.0), "failed with exit status 1"),
        (Finished(Ending.STOPPED, None, None, "", 9.0), None),
    ],
)
def test_a_run_without_a_result(
    finished: Finished, reason: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "run_program", lambda *_, **__: finished)
    content = do_run(EXACT, Layout(tmp_path), [])
    assert (None if content is None else content["reason"]) == reason

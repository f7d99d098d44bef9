"""A session with a real learner: questions, undo, stopping, and a learner that dies."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plancost.errors import UsageError
from plancost.explore.why import Asked
from plancost.system.worker_process import WorkerProcess
from support.explored import Explored, explored, until

TOWN = Path(__file__).parents[2] / "examples" / "town"
MONDAY = "school.monday.plan"


@pytest.fixture(scope="module")
def town() -> Iterator[Explored]:
    with explored(TOWN) as found:
        yield found


@pytest.fixture(autouse=True)
def from_the_start(town: Explored) -> None:
    """Undo what other tests asked."""
    town.answered()
    while town.state["canUndo"]:
        town.session.undo(town.state["version"])
    town.answered()


def test_a_fixed_cost_and_undo(town: Explored) -> None:
    before = town.state
    session = town.session
    session.ask(session.question.with_bound("(walk bridge river)", 7, 7), before["version"])
    assert town.state["version"] > before["version"]
    now = town.answered()
    assert now["isAnswered"] and now["now"]["final"]
    assert session.answer.result.costs["(walk bridge river)"] == 7
    assert now["now"]["secondary"] == before["now"]["secondary"] + 6
    assert now["before"] == now["original"] == before["now"]
    assert now["changes"]["costs"] == [{"action": "(walk bridge river)", "before": 1, "now": 7}]
    assert now["command"].endswith("'--fix=(walk bridge river)=7'")
    assert [moment["stage"] for moment in now["moments"]].count("first objective") > 1
    session.undo(now["version"])
    undone = town.state
    assert undone["now"] == before["now"] and not undone["running"]
    assert undone["answer"] == before["answer"] and not undone["canUndo"]


def test_a_page_that_is_too_old(town: Explored) -> None:
    session = town.session
    old = town.state["version"]
    session.ask(session.question.with_plan(MONDAY, dropped=True), old)
    asks: list[Callable[[], None]] = [
        lambda: session.ask(session.question, old),
        lambda: session.undo(old),
        lambda: session.more(old, 1),
        lambda: session.why(Asked(0, ()), old),
    ]
    for ask in asks:
        with pytest.raises(UsageError, match="older than the question"):
            ask()
    assert town.answered()["now"]["plans"] == "2 of 4"


def test_what_cannot_be_leaves_the_question_as_it_was(town: Explored) -> None:
    session = town.session
    asked = session.question.with_plan("school.friday.plan", required=True)
    session.ask(asked, town.state["version"])
    state = town.answered()
    assert "this plan optimal: school.friday.plan" in state["refusal"][0]
    assert state["refusal"][1].startswith("redundant: without")
    assert state["question"] == [] and state["isAnswered"] and not state["canUndo"]
    session.ask(session.question.with_plan(MONDAY, required=True), state["version"])
    assert town.answered()["refusal"] == []


def test_why_not(town: Explored) -> None:
    session = town.session
    seen = session.setup.case.observations[0]
    session.why(Asked(seen.task, seen.plan, "school.friday.plan"), town.state["version"])
    assert town.state["why"]["name"] == "school.friday.plan"
    why = town.answered()["why"]
    assert "the cheapest plan costs" in why["words"][0] and why["rival"]
    assert any("redundant" in words for words in why["words"])


def test_a_new_question_stops_the_one_at_work(
    town: Explored, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The learner is interrupted once it listens, and the last question is the one answered."""
    interrupted: list[int] = []
    interrupt = WorkerProcess.interrupt

    def counted(self: WorkerProcess) -> None:
        interrupted.append(1)
        interrupt(self)

    monkeypatch.setattr(WorkerProcess, "interrupt", counted)
    session = town.session
    for cost in range(2, 12):
        asked = session.question.with_bound("(walk bridge river)", cost, cost)
        session.ask(asked, town.state["version"])
    assert town.answered()["question"][0]["words"] == "costs 11"
    assert session.answer.result.costs["(walk bridge river)"] == 11
    assert len(interrupted) < 10


def test_stopped_the_answer_before_stays(town: Explored) -> None:
    session = town.session
    before = town.state["now"]
    with session._lock:
        session.ask(session.question.with_bound("(walk bridge river)", 9, 9), session._version)
        session.stop()
    state = town.answered()
    assert state["now"] == before and not state["isAnswered"]
    session.more(state["version"], 30)
    assert town.answered()["isAnswered"]


def learner_of(session: Any) -> int:  # noqa: ANN401
    """The process of the learner, found among the children of this process."""
    found = Path(f"/proc/self/task/{session._thread.native_id}/children").read_text().split()
    return int(found[-1])


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_learner_that_dies_is_replaced(town: Explored, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while the page is made: it computes more of the case, which cannot be packed then."""
    session = town.session
    assert session.setup.case.actions
    monkeypatch.setitem(vars(session.setup.case), "_computed_now", threading.Lock())
    with session._lock:
        first = learner_of(session)
        session.ask(session.question.with_bound("(walk bridge river)", 3, 3), session._version)
        os.kill(first, signal.SIGKILL)
    assert "has died" in town.answered()["refusal"][0]
    assert town.state["question"] == []
    session.ask(session.question.with_bound("(walk bridge river)", 3, 3), town.state["version"])
    assert town.answered()["isAnswered"] and learner_of(session) != first


@pytest.mark.slow
def test_one_that_does_not_stop_is_replaced(
    town: Explored, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plancost.explore.session._STOPPING_S", 0.05)
    monkeypatch.setattr(WorkerProcess, "interrupt", lambda self: None)
    session = town.session
    session.why(Asked(0, ("x",) * 200_000), town.state["version"])
    session.ask(session.question.with_bound("(walk bridge river)", 5, 5), town.state["version"])
    assert town.answered()["isAnswered"]


@pytest.mark.slow
def test_closed_at_work_it_leaves_nothing() -> None:
    before = threading.active_count()
    with explored(TOWN) as found:
        version = found.state["version"]
        asked = found.session.question.with_bound("(walk bridge river)", 5, 5)
        found.session.ask(asked, version)
    until(lambda: threading.active_count() <= before)

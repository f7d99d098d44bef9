"""What is left of a study: the first tasks first, more only where these end by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.experiments.agenda import Agenda, ended_by_itself, most_seconds
from plancost.experiments.plan import Part, Run, Study
from plancost.experiments.records import Content, Key, Records, run_key
from support.studies import record, tiny_study

STUDY = tiny_study(
    ("baseline", "10", "100", "exact"), tasks=3, sizes=(3, 4), time_s=300, first_decides=True
)
ENDINGS: list[dict[str, Any]] = [
    record(),
    record(None, "planner out of time"),
    record(2, "solver out of time"),
    record(proved=False),
]


class Memory:
    """Records that are in no file."""

    def __init__(self) -> None:
        self.contents: dict[str, Content] = {}

    def load(self, key: Key) -> Content | None:
        return self.contents.get(repr(key))

    def save(self, run: Run, content: Content) -> None:
        self.contents[repr(run_key(run))] = content


def test_the_order() -> None:
    places = [(run.task, run.size, run.row) for run in Agenda(STUDY, Memory()).runs()]
    rows = STUDY.rows
    first = [(1, size, row) for size in (3, 4) for row in rows]
    others = [(task, size, row) for size in (3, 4) for row in rows for task in (2, 3)]
    assert places == first + others


@pytest.mark.parametrize(
    ("row", "number", "ended"),
    [("10", 0, True), ("10", 1, False), ("10", 2, False), ("10", 3, True), ("baseline", 3, True),
     ("exact", 0, True), ("exact", 3, False)],
)  # fmt: skip
def test_what_ends_by_itself(row: str, number: int, ended: bool) -> None:
    run = next(run for run in STUDY.runs() if run.row == row)
    assert ended_by_itself(run, ENDINGS[number]) is ended


@given(endings=st.lists(st.sampled_from(ENDINGS), min_size=24, max_size=24), stop=st.integers(0, 8))
def test_done_in_any_way_and_resumed(endings: list[dict[str, Any]], stop: int) -> None:
    """However runs end and wherever it was stopped: the same runs are done, none of them twice."""
    ending = {run.place: content for run, content in zip(STUDY.runs(), endings, strict=True)}
    memory = Memory()
    done: list[Run] = []
    for stages in (stop, None):
        for number, stage in enumerate(Agenda(STUDY, memory).stages()):
            if number == stages:
                break
            for run in stage:
                memory.save(run, ending[run.place])
                done.append(run)
    assert len(set(done)) == len(done)
    wanted = {
        run
        for run in STUDY.runs()
        if run.task == 1 or ended_by_itself(run, ending[run.pool.domain, run.size, 1, run.row])
    }
    assert set(done) == wanted
    assert Agenda(STUDY, memory).without_record() == []


def test_a_part_and_the_most_it_takes(tmp_path: Path) -> None:
    agenda = Agenda(STUDY, Records(tmp_path), Part(tasks=1, rows=("10", "exact")))
    left = agenda.without_record()
    assert [(run.size, run.row) for run in left] == [
        (3, "10"), (3, "exact"), (4, "10"), (4, "exact")
    ]  # fmt: skip
    assert most_seconds(left) == pytest.approx(4 * 375 * 1.1)  # a quarter more to check, a margin


def test_at_other_scales_every_task_is_wanted() -> None:
    study: Study = tiny_study(("10",), tasks=2)
    memory = Memory()
    for run in study.runs():
        if run.task == 1:
            memory.save(run, ENDINGS[1])
    assert [run.task for run in Agenda(study, memory).without_record()] == [2]

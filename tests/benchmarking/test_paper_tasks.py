"""Answers on the authors' tasks: found by the names of folders, kept without the files."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import paper_tasks
from benchmarks.packed import PackedRecords, add
from benchmarks.page_parts import authors_words, builds, factors
from benchmarks.paper_tasks import STUDIES, authors_answers, runs_in, runs_left

from support.studies import record

MCF = STUDIES["table3"]


def test_folders_by_name(tmp_path: Path) -> None:
    names = ("grid-10_1000_0", "transport-10_3", "grid-10_10_1", "elevators-10_0", "other")
    for name in names:
        (tmp_path / name).mkdir()
    found = [item.run.place for item in runs_in(tmp_path, [MCF, STUDIES["scf"]])]
    assert found[::2] == found[1::2] == [
        ("grid", 10, 1, "exact"), ("transport", 10, 3, "exact"), ("grid", 1000, 0, "exact")
    ]  # fmt: skip


def test_what_is_recorded_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "records.jsonl"
    monkeypatch.setattr(paper_tasks, "FILE", file)
    for name in ("grid-10_10_0", "grid-10_10_1"):
        (tmp_path / name).mkdir()
    items = list(runs_in(tmp_path, [MCF]))
    assert runs_left(items) == items
    add(file, [{"key": dict(items[0].key), "build": "abc1234", **record(2)}])
    unproven = {**record(1, proved=False), "upper_bound": 3}
    add(file, [{"key": dict(items[1].key), **unproven}])
    assert runs_left(items) == []
    packed = PackedRecords([file])
    assert len(packed.contents) == 2
    assert [run["optimal_plans"] for run in authors_answers(MCF, "grid", 10, packed)] == [2, 1]
    assert authors_words(MCF, "grid", 10, packed) == "2 of 3, 1 of 3 (at most 3) | 1 of 2"
    assert authors_words(MCF, "grid", 100, packed) == "– | –"
    assert builds([MCF], packed).endswith(
        "the authors' tasks: 1 by commit abc1234, 1 by earlier commits"
    )
    assert factors(MCF, packed, "1.1") == "not measured yet"
    assert authors_answers(STUDIES["scf"], "grid", 10, packed) == []

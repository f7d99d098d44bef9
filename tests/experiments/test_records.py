"""Records come back as they were written, and damaged ones are put aside."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plancost.experiments.plan import Bounds
from plancost.experiments.records import Records, run_key
from plancost.files.kept_files import DAMAGED
from support.studies import tiny_study

RUN = next(iter(tiny_study().runs()))
SOLVED = {"status": "solved", "reason": None, "plans": 3, "optimal_plans": 2, "proved": True,
          "seconds": {"total": 1.5}}  # fmt: skip


def test_round_trip(tmp_path: Path) -> None:
    records = Records(tmp_path / "records")
    assert records.load(run_key(RUN)) is None
    saved = records.save(run_key(RUN), SOLVED)
    assert records.load(run_key(RUN)) == saved
    assert saved["key"]["row"] == "baseline"
    (file,) = (tmp_path / "records").iterdir()
    assert file.name.startswith("run-grid-3-1-mcf-baseline-")


def test_other_limits_are_other_runs(tmp_path: Path) -> None:
    records = Records(tmp_path)
    records.save(run_key(RUN), SOLVED)
    longer = replace(RUN, study=replace(RUN.study, bounds=Bounds(61.0, 8192)))
    refining = replace(RUN, study=replace(RUN.study, refine=True))
    assert records.load(run_key(longer)) is None
    assert records.load(run_key(refining)) is None
    assert len({records.path(run_key(run)) for run in (RUN, longer, refining)}) == 3


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", "null", '{"format": 1}', '{"format": 1, "status": "solved"}', "\x00"]
)
def test_damage_is_put_aside(damage: str, tmp_path: Path) -> None:
    records = Records(tmp_path)
    records.save(run_key(RUN), SOLVED)
    path = records.path(run_key(RUN))
    path.write_text(damage)
    assert records.load(run_key(RUN)) is None
    assert path.with_name(path.name + DAMAGED).read_text() == damage
    assert not path.exists()
    records.save(run_key(RUN), SOLVED)
    assert records.load(run_key(RUN)) is not None


@pytest.mark.parametrize(
    "change",
    [{"optimal_plans": 3}, {"seconds": {}}, {"seconds": {"total": -1}}, {"checksum": None}],
)
def test_a_record_that_was_changed_is_put_aside(change: dict[str, Any], tmp_path: Path) -> None:
    records = Records(tmp_path)
    content = records.save(run_key(RUN), SOLVED)
    records.path(run_key(RUN)).write_text(json.dumps({**content, **change}))
    assert records.load(run_key(RUN)) is None


@pytest.mark.parametrize(
    ("change", "usable"),
    [
        ({}, True),
        ({"status": "failed", "reason": "out of time"}, True),
        ({"plans": 0}, False),
        ({"optimal_plans": 4}, False),
        ({"seconds": {}}, False),
        ({"seconds": {"total": True}}, False),
        ({"reason": "a reason to fail"}, False),
        ({"proved": "yes"}, False),
        ({"status": "failed"}, False),
    ],
)
def test_records_from_before_there_were_checksums(
    change: dict[str, Any], usable: bool, tmp_path: Path
) -> None:
    records = Records(tmp_path)
    content = {"format": 1, "key": dict(run_key(RUN)), **SOLVED, **change}
    records.path(run_key(RUN)).write_text(json.dumps(content))
    assert (records.load(run_key(RUN)) == content) is usable


def test_a_record_under_the_wrong_name_is_not_believed(tmp_path: Path) -> None:
    records = Records(tmp_path)
    content = records.save(run_key(RUN), SOLVED)
    other = replace(RUN, row="exact")
    records.path(run_key(other)).write_text(json.dumps(content))
    assert records.load(run_key(other)) is None

"""``plancost reproduce`` as users call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.experiments.layout import Layout
from plancost.experiments.plan import study_of
from plancost.experiments.records import run_key
from plancost.experiments.reports import Written
from support.command import in_process
from support.studies import record


@pytest.mark.slow
def test_reports_read_only_the_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study, layout = study_of("scf", "smoke"), Layout(tmp_path)
    for run in study.runs():
        content = {"status": "solved", "reason": None, "plans": run.size, "optimal_plans": 1,
                   "proved": True, "seconds": {"total": 1.0}}  # fmt: skip
        layout.records.save(run_key(run), content)
    done = in_process(capsys, "reproduce", "figure2-scf", "--output", tmp_path, "--report-only")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"wrote {tmp_path}/figures/figure2-scf.svg" in done.stdout
    assert "| baseline | ▂ 0.20 ± 0.00 (2) |" in (tmp_path / "tables" / "scf.md").read_text()
    assert "SCF" in (tmp_path / "report.md").read_text()
    assert not (tmp_path / "pools").exists()


def test_dry_run_and_nothing_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plancost.experiments.reports.write_reports", lambda *_: Written(()))
    study, layout = study_of("table3", "small"), Layout(tmp_path)
    part = ("--domains", "grid", "--sizes", "10", "--rows", "10,exact")
    words = ("reproduce", "table3", "--scale", "small", "--output", tmp_path, "--jobs", "2", *part)
    done = in_process(capsys, *words, "--dry-run")
    assert done.stdout.startswith(
        f"{tmp_path}: 2 runs left, at most 412 s; and up to 4 runs of further tasks"
    )
    assert "checks and margins included, with 2 at a time" in done.stdout
    assert not layout.records.folder.exists()
    for run in study.runs():
        if run.task == 1 and run.pool.domain == "grid" and run.size == 10:
            layout.records.save(run_key(run), record(None, "solver out of time"))
    for more in (["--dry-run"], ["--report-only", "--dry-run"]):
        done = in_process(capsys, *words, *more)
        assert (done.returncode, done.stdout) == (0, f"{tmp_path}: nothing left to run\n")
    done = in_process(capsys, *words)
    assert f"{tmp_path}: nothing left to run; 2 runs have records" in done.stdout
    assert not (tmp_path / "pools").exists()


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["table4"], 2, "unknown value for"),
        (["table3", "--scale", "huge"], 2, "unknown value for"),
        (["figure1", "--report-only"], 1, "no records of Figure 1"),
        (["table3", "--output", "/proc/no/x"], 1, "nothing can be written here"),
    ],
)
def test_wrong_words(
    words: list[str],
    status: int,
    complaint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = in_process(capsys, "reproduce", *words)
    assert done.returncode == status
    assert complaint in done.stderr


def test_a_folder_that_holds_other_things_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report.md").write_text("precious")
    for more in ([], ["--report-only"]):
        done = in_process(capsys, "reproduce", "figure1", "--output", tmp_path, *more)
        assert done.returncode == 1
        assert "this folder is not empty and holds no reproduction" in done.stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == ["precious"]

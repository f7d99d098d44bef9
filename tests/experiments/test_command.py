"""The command from its front door: runs, kills, resumes, draws."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments import figure1
from experiments.__main__ import main
from experiments.pools import Pool
from experiments.records import Records, read
from experiments.running import Job, Place
from experiments.studies import Run, study_of
from plancost.executor import Threads

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pools of table2 at the scale smoke, by SymK."""
    folder = tmp_path_factory.mktemp("smoke") / "pools"
    for plan in study_of("table2", "smoke").pools:
        Pool(plan, folder).make(Threads(2))
    return folder


def command(folder: Path, *words: str) -> list[str]:
    asked = ["table2", "--scale", "smoke", "--tasks", "1", "--rows", "baseline,exact"]
    return [sys.executable, "-m", "experiments", *asked, "--output", str(folder), *words]


def test_a_killed_command_goes_on(
    pools: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(pools, tmp_path / "pools")
    with subprocess.Popen(command(tmp_path), cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        while not read(tmp_path / "records.jsonl"):
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
    before = read(tmp_path / "records.jsonl")
    assert main([*command(tmp_path)[3:], "--dry-run"]) == 0
    assert capsys.readouterr().out.startswith(f"{2 - len(before)} runs are left")
    assert main(command(tmp_path)[3:]) == 0
    records = read(tmp_path / "records.jsonl")
    assert records[: len(before)] == before
    assert len({record.key for record in records}) == len(records) == 2
    for record in records:
        assert record.reason is None
        assert record.ended
        assert record.optimal <= record.at_most <= 5
    table = (tmp_path / "tables/table2.md").read_text(encoding="utf-8")
    assert "| exact | 0." in table
    assert (tmp_path / "figures/seconds-table2.svg").exists()


def test_what_a_run_does_not_finish_has_a_reason(tmp_path: Path) -> None:
    study = study_of("table2", "small", limit_s=1.0)
    run, place = Run(study, study.pools[0], 10, 1, "1000"), Place(tmp_path)
    assert place.pool(run).unpack()
    place.pool(run).task(10, 1)
    Job(run, place, "abc").do()
    (record,) = read(place.records)
    assert (record.reason, record.limit_s) == ("planner out of time", 1.0)


def test_figure_1(tmp_path: Path) -> None:
    place = Place(tmp_path)
    assert main(["figure1", "--output", str(tmp_path)]) == 0
    records = Records([place.records])
    for side in figure1.ROUTES:
        record = figure1.found(side, records)
        assert record is not None
        assert record.optimal == record.plans == 3
    right = figure1.found("right", records)
    assert right is not None
    assert right.costs is not None
    assert list(right.costs.values()) == [3]  # as in the paper
    assert ">cost 3<" in (tmp_path / "figures/figure1.svg").read_text(encoding="utf-8")


def test_on_a_cluster(pools: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    shutil.copytree(pools, tmp_path / "pools")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        words = ["--rows", "exact", "--scheduler", cluster.scheduler_address]
        assert main([*command(tmp_path)[3:], *words]) == 0
        distributed.default_client().close()
    assert [record.row for record in read(tmp_path / "records.jsonl")] == ["exact"]


def test_wrong_words_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["table9"])
    assert "table9" in capsys.readouterr().err

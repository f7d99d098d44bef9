"""A tiny study from nothing to reports: what is done is not done again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from plancost.experiments.layout import Layout
from plancost.experiments.listings import forget_lost, list_plans
from plancost.experiments.paper import published
from plancost.experiments.plan import Part, study_of
from plancost.experiments.records import run_key
from plancost.experiments.reports import write_reports
from plancost.experiments.reproduce import Done, Reproduction, TimeLeft
from plancost.experiments.statistics import Results
from plancost.oracles.alternatives import find_alternatives
from plancost.system.processes import Ending, Finished
from support.studies import record, tiny_study


def contents(layout: Layout, kind: str) -> list[dict[str, Any]]:
    files = sorted(layout.records.folder.glob("*.json"))
    found = [json.loads(path.read_text()) for path in files]
    return [content for content in found if content["key"]["kind"] == kind]


@pytest.mark.slow
def test_killed_and_started_again(tmp_path: Path) -> None:
    study, layout = tiny_study(("baseline", "10", "all", "exact")), Layout(tmp_path)

    def kill(stage: str, done: int, total: int, known: str = "") -> None:
        if stage == "k = ∞, 3 plans":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Reproduction(study, layout, progress=kill).run()
    before = {path: path.stat().st_mtime_ns for path in layout.records.folder.iterdir()}
    done = len(contents(layout, "run"))
    assert 2 <= done < 4
    cached = sorted(layout.cache.iterdir())

    assert Reproduction(study, layout).run() == Done(4 - done, done, 0)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert sorted(layout.cache.iterdir()) == cached  # runs only read the alternatives
    assert Reproduction(study, layout).run() == Done(0, 4, 0)

    for content in contents(layout, "run"):
        assert (content["status"], content["reason"]) == ("solved", None)
        if content["key"]["row"] in ("10", "all"):
            listed = [
                item["seconds"]
                for item in contents(layout, "alternatives")
                if item["key"]["row"] == content["key"]["row"]
            ]
            planner = content["seconds"]["planner"]
            assert planner == pytest.approx(sum(listed) + content["stages"]["planner"], abs=0.01)
    outcomes = Results.load(study, layout.records).outcomes
    assert outcomes["grid", 3, 1, "exact"].ratio == outcomes["grid", 3, 1, "all"].ratio

    damaged = layout.records.path(run_key(next(iter(study.runs()))))
    damaged.write_text("{")
    assert Reproduction(study, layout).run() == Done(1, 3, 0)

    written = write_reports(study, [study], layout, "smoke")
    assert written.notes == ()
    assert {path.name for path in written.files} == {
        "mcf.md", "mcf.csv", "mcf.tex", "figure2.png", "figure2.svg", "report.md",
        "overview-mcf.png", "overview-mcf.svg",
    }  # fmt: skip
    assert all(path.stat().st_size > 100 for path in written.files)


@pytest.mark.slow
def test_too_little_time_is_a_reason(tmp_path: Path) -> None:
    study, layout = tiny_study(time_s=0.01), Layout(tmp_path)
    assert Reproduction(study, layout).run().runs == 3
    reasons = {item["key"]["row"]: item["reason"] for item in contents(layout, "run")}
    assert reasons == {
        "baseline": "grounding out of time",
        "10": "grounding out of time or memory",
        "exact": "grounding out of time",
    }


def test_lost_plans_are_listed_again(tmp_path: Path) -> None:
    study, layout = tiny_study(("2", "4"), refine=True, name="mcfc"), Layout(tmp_path)
    reproduction = Reproduction(study, layout)
    reproduction.fill_pools()
    ladder = next(iter(reproduction.ladders.values()))
    small, large = (layout.records.path(ladder.key(row)) for row in ladder.rows)
    for row in ladder.rows:
        assert list_plans(ladder, row, layout)
    forget_lost(ladder, layout)
    assert small.exists() and large.exists()
    for path in layout.cache.iterdir():
        path.unlink()
    forget_lost(ladder, layout)
    assert not small.exists() and not large.exists()


def test_after_a_failure_nothing_more_is_asked(tmp_path: Path) -> None:
    """Larger k end as the smaller did, and runs that have failed wait for no other problem."""
    study, layout = tiny_study(("2", "4"), time_s=0.01), Layout(tmp_path)
    Reproduction(study, layout).run()
    listings = contents(layout, "alternatives")
    assert len({item["key"]["problem"] for item in listings}) == 1
    assert {item["reason"] for item in listings} == {"grounding out of time or memory"}
    assert [item["status"] for item in contents(layout, "run")] == ["failed", "failed"]


def test_the_plan_of_the_paper() -> None:
    study = study_of("table3", "paper")
    assert len(list(study.runs())) == 4 * 3 * 10 * 6
    assert (study.bounds.time_s, study.bounds.memory_mb) == (1800.0, 8192)
    assert study_of("figure2", "paper") == study
    table_2 = study_of("table2", "paper", time_s=5, memory_mb=900)
    assert table_2.rows == ("baseline", "10", "100", "1000", "all", "exact")
    assert (table_2.bounds.time_s, table_2.bounds.memory_mb) == (5, 900)
    concepts = [
        (item.solution, item.refine, item.costs)
        for item in (study_of(name, "smoke") for name in ("scf", "mcfc", "scfc"))
    ]
    assert concepts == [
        ("scf", False, "unit"), ("mcf", True, "initial"), ("scf", True, "initial")
    ]  # fmt: skip


def test_the_time_left() -> None:
    left = TimeLeft(["10", "10", "100", "100"], jobs=2)
    assert left.seconds() == 0.0
    left.took("10", 4.0)
    assert left.seconds() == (4.0 + 2 * 4.0) / 2  # kinds not met yet count as the slowest
    left.took("100", 1000.0)
    assert left.seconds() == (4.0 + 1000.0) / 2
    assert left.words() == "about 8 min left"


@pytest.mark.slow
def test_a_part_of_a_study_leaves_the_rest_for_later(tmp_path: Path) -> None:
    study, layout = study_of("table3", "smoke"), Layout(tmp_path)
    part = Part(domains=("grid",), sizes=(5,), tasks=1)
    assert [run.place for run in study.runs() if part.has(run)] == [
        ("grid", 5, 1, row) for row in study.rows
    ]
    assert Reproduction(study, layout, part).run().runs == len(study.rows)
    assert {item["key"]["domain"] for item in contents(layout, "run")} == {"grid"}
    both = Part(tasks=1, rows=("baseline", "exact"))
    assert {run.row for run in study.runs() if both.has(run)} == {"baseline", "exact"}
    rest = Part(domains=("grid",), sizes=(5,))
    assert Reproduction(study, layout, rest).run().runs_before == len(study.rows)


def test_every_cell_of_the_paper_is_a_cell_of_the_scale_small() -> None:
    for target in ("table3", "scf", "mcfc", "scfc"):
        study = study_of(target, "small")
        cells = {(run.pool.domain, run.size, run.row) for run in study.runs()}
        assert cells >= set(published(study.name))
        assert all(run.size <= run.pool.problems * run.pool.plans for run in study.runs())


def test_where_domain_costs_are_all_1_plans_are_listed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Mock(side_effect=find_alternatives)
    monkeypatch.setattr("plancost.experiments.listings.find_alternatives", asked)
    layout = Layout(tmp_path)
    studies = [tiny_study(("2",), refine=refine) for refine in (True, False)]
    for study in studies:
        reproduction = Reproduction(study, layout)
        reproduction.fill_pools()
        ladder = next(iter(reproduction.ladders.values()))
        if layout.records.load(ladder.key("2")) is None:
            assert list_plans(ladder, "2", layout)
    assert asked.call_count == 1
    listings = contents(layout, "alternatives")
    assert {item["key"]["costs"] for item in listings} == {"unit", "initial"}
    assert len({item["cache_file"] for item in listings}) == 1


def test_nothing_is_made_when_nothing_is_left(tmp_path: Path) -> None:
    study, layout = tiny_study(), Layout(tmp_path)
    for run in study.runs():
        layout.records.save(run_key(run), record())
    assert Reproduction(study, layout).run() == Done(0, 3, 0)
    assert not (tmp_path / "pools").exists()


def test_larger_k_are_inferred_from_a_listing_that_failed(tmp_path: Path) -> None:
    study, layout = tiny_study(("10", "100")), Layout(tmp_path)
    small, large = study.runs()
    layout.records.save(run_key(small), record(None, "planner out of memory"))
    assert Reproduction(study, layout).run() == Done(1, 1, 0, inferred=1)
    assert contents(layout, "alternatives") == []
    found = layout.records.load(run_key(large))
    assert found and (found["reason"], found["inferred_from"]) == ("planner out of memory", "10")


def test_grounding_that_was_called_off_leaves_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, layout = tiny_study(), Layout(tmp_path)
    reproduction = Reproduction(study, layout)
    reproduction.fill_pools()
    ladder = next(iter(reproduction.ladders.values()))
    stopped = Finished(Ending.STOPPED, None, None, "", 0.0)
    monkeypatch.setattr("plancost.observations.grounding.run", lambda *_, **__: stopped)
    assert not list_plans(ladder, "10", layout)
    assert layout.records.load(ladder.key("10")) is None

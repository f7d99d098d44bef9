"""The study of prediction: its plans, and the page that is made of its records."""

from __future__ import annotations

import json
import random
import re
import statistics
from pathlib import Path

import pytest
from benchmarks import predicting
from benchmarks.predicting import KEYS, SCENARIOS, Record, Scenario, key_of, read_records, run
from benchmarks.predicting_page import (
    PAGE,
    RECORDS,
    Study,
    against,
    clean_table,
    clean_words,
    filled,
    noisy_table,
    noisy_words,
)

from plancost.generators.grid import Grid
from plancost.generators.hidden import HiddenWorld, TruePlans, hidden_world
from plancost.observations.planfile import plan_cost


@pytest.fixture(scope="module")
def world() -> HiddenWorld:
    return hidden_world(Grid(3), 6)


def share_optimal(world: HiddenWorld, scenario: Scenario) -> float:
    true = world.true_costs(3)
    source, generator = TruePlans(world, true), random.Random(1)
    drawn = [
        (task, predicting._observed(world, true, scenario, task, generator))
        for task in range(6)
        for _ in range(30)
    ]
    return statistics.fmean(
        plan_cost(plan, true) == source.optimal_cost(task) for task, plan in drawn
    )


def test_noise_and_outliers_make_fewer_plans_truly_optimal(world: HiddenWorld) -> None:
    assert share_optimal(world, Scenario()) == 1.0
    shares = [share_optimal(world, Scenario(noise=noise)) for noise in (0.1, 0.3, 1.0)]
    assert 1.0 >= shares[0] > shares[1] > shares[2] > 0
    few, many = (share_optimal(world, Scenario(outliers=part)) for part in (0.1, 0.9))
    assert 1.0 > few > many


def test_plans_by_way_of_a_state_solve_their_task(world: HiddenWorld) -> None:
    plans = [
        (task, predicting._by_way_of(world, world.true_costs(0), task, random.Random(task)))
        for task in range(6)
    ]
    assert len(world.case(plans).observations) == 6  # replayed
    graph = world.graph
    for task, plan in plans:
        assert graph.follow(task, plan)[-1] in graph.goals[task]


def test_a_run_goes_on_where_it_ended(
    world: HiddenWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predicting, "hidden_world", lambda _, __: world)
    monkeypatch.setattr(predicting, "SMALL_WORLDS", {"grid": Grid(3)})
    monkeypatch.setattr(predicting, "POOL", 6)
    monkeypatch.setattr(predicting, "HELD_OUT", 2)
    monkeypatch.setattr(predicting, "SIZES", (4,))
    short = Scenario(sizes=(4,), methods=("ours", "maxent", "likely 1"))
    monkeypatch.setitem(predicting.SCENARIOS, "clean", short)
    file = tmp_path / "records.jsonl"
    run(file, range(1), ["clean"])
    lines = file.read_text().splitlines()
    assert [json.loads(line)["method"] for line in lines] == list(short.methods)
    assert all(json.loads(line)["regret"] >= 1 for line in lines)
    file.write_text("\n".join(lines[:1]) + "\n")
    run(file, range(1), ["clean"])
    again = [json.loads(line) for line in file.read_text().splitlines()]
    assert [record["method"] for record in again] == list(short.methods)
    assert again[0]["kept"] == again[2]["kept"] == 4


def record(seed: int, method: str, regret: float, kept: int) -> Record:
    return {
        "scenario": "noise 1",
        "world": "grid",
        "seed": seed,
        "plans": 40,
        "method": method,
        "regret": regret,
        "optimal": 0.5,
        "kept": kept,
        "covered": None,
        "seconds": 1.0,
    }


def test_differences_are_seed_by_seed() -> None:
    # Means differ by -0.1 in each seed, though seeds differ much more.
    study = Study(
        [record(seed, "maxent", 1.2 + seed, 20 + seed) for seed in range(3)]
        + [record(seed, "ours", 1.1 + seed, 30 + seed) for seed in range(3)]
    )
    assert noisy_table(study)[2:] == [
        "| noise 1 | grid | least | 3 | 2.100 | -0.100 ± 0.000 | 78 % | +25 ± 0 |",
        "| noise 1 | grid | maximum entropy | 3 | 2.200 |  | 52 % |  |",
    ]
    assert against([1.0]) == ""
    assert against([0.0, 1.0, 2.0]) == "+1.000 ± 2.484"


def test_where_a_method_gave_up_is_said() -> None:
    gave_up = {key: record(1, "ours", 1.0, 1)[key] for key in KEYS}
    study = Study([record(0, "ours", 1.0, 40), gave_up])
    assert "| 1 (1 gave up) |" in noisy_table(study)[2]


def test_the_tables_of_the_page_are_those_of_the_records() -> None:
    page = PAGE.read_text(encoding="utf-8")
    study = Study(read_records(RECORDS))
    assert filled(page, study) == page
    assert len(clean_table(study)) > 2
    shown = re.findall(r"\((pictures/predicting-\w+\.svg)\)", page)
    assert len(shown) == (3 if noisy_table(study) else 2)
    assert all((PAGE.parent / name).is_file() for name in shown)


def test_the_last_record_of_a_run_counts(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    lines = [record(0, "ours", 1.5, 3) | {"earlier": True}, record(0, "ours", 1.25, 4)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [line["regret"] for line in read_records(file)] == [1.25]
    assert {key_of(line)[0] for line in read_records(RECORDS)} <= set(SCENARIOS)


@pytest.mark.parametrize(
    ("regrets", "kept", "word"),
    [
        ((1.1, 1.1, 1.15), (30, 31, 32), "likely, weight 1/2"),  # as good, and explains more
        ((1.1, 1.1, 1.15), (20, 20, 20), "none"),
        ((1.3, 1.3, 1.35), (30, 31, 32), "none"),
    ],
)
def test_points_that_predict_as_well_and_explain_more(
    regrets: tuple[float, ...], kept: tuple[int, ...], word: str
) -> None:
    lines = [record(seed, "maxent", 1.1 + seed / 100, 20) for seed in range(3)]
    pairs = enumerate(zip(regrets, kept, strict=True))
    lines += [record(seed, "likely 1/2", *pair) for seed, pair in pairs]
    assert f"- noise 1, grid: {word}." in noisy_words(Study(lines))


def test_verdicts_on_the_mean() -> None:
    def clean(seed: int, method: str, regret: float) -> Record:
        return record(seed, method, regret, 40) | {"scenario": "clean", "covered": 0.9}

    rivals = [clean(seed, "maxent", 1.2) for seed in range(100, 103)]
    for regrets, word in (
        ((1.1, 1.11, 1.12), "lower"),
        ((1.3, 1.31, 1.32), "higher"),
        ((1.1, 1.2, 1.31), "the same within the 95 % interval"),
    ):
        own = [clean(100 + number, "mean", value) for number, value in enumerate(regrets)]
        words = clean_words(Study(rivals + own))
        assert words[:2] == [
            "- Under the mean 120 of 120 training plans are optimal.",
            f"- Against maximum entropy its true regret is {word}: grid, 40 plans.",
        ]
        assert "90 % are in the 90 % intervals of the mean, over 3 runs" in words[2]

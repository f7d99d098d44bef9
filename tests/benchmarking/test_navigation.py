"""Generated streams: optimal at their time, outliers as labelled, files to learn from."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from benchmarks.navigation import avoiding, navigation_stream, write_stream

from plancost.errors import InputError
from plancost.generators.grid import Grid
from plancost.generators.hidden import HiddenWorld, TruePlans, hidden_world
from plancost.observations.case import load_case
from plancost.observations.planfile import plan_cost
from plancost.observations.replay import replay


@pytest.fixture(scope="module")
def world() -> HiddenWorld:
    return hidden_world(Grid(4), 6)


def test_the_truth_at_each_time(world: HiddenWorld) -> None:
    stream = navigation_stream(world, 7, training=10, before=40, after=30, outliers=0.2)
    generator = random.Random("stream-7")
    middle, border = (avoiding(world, generator, place) for place in ("middle", "border"))
    assert middle["(move x0y1 x1y1)"] > 5 >= middle["(move x1y1 x0y1)"]
    assert border["(move x1y1 x0y1)"] > 5 >= border["(move x0y1 x1y1)"]
    assert (len(stream.training), len(stream.plans), stream.change) == (10, 70, 40)
    assert not any(item.outlier for item in stream.training)
    assert 3 < sum(item.outlier for item in stream.plans) < 30
    for number, item in enumerate((*stream.training, *stream.plans), start=-10):
        costs = middle if number < 40 else border
        optimum = TruePlans(world, costs).optimal_cost(item.task)
        cost = plan_cost(item.plan, costs)
        assert replay(world.tasks[item.task].sas, item.plan).is_valid
        assert cost >= 1.2 * optimum if item.outlier else cost == optimum
    assert stream == navigation_stream(world, 7, training=10, before=40, after=30, outliers=0.2)


def test_nothing_changes(world: HiddenWorld) -> None:
    stream = navigation_stream(world, 0, training=2, before=5, after=0, outliers=0.0)
    assert (stream.change, len(stream.plans)) == (None, 5)


def test_files(world: HiddenWorld, tmp_path: Path) -> None:
    stream = navigation_stream(world, 0, training=4, before=3, after=3)
    write_stream(stream, tmp_path)
    case = load_case(tmp_path / "training.csv", domain=tmp_path / "domain.pddl")
    assert [o.plan for o in case.observations] == [item.plan for item in stream.training]
    rows = (tmp_path / "stream.csv").read_text().splitlines()
    assert len(rows) == 7
    assert rows[6].endswith("plans/stream-006.plan,6")


def test_a_folder_that_holds_other_things_is_left_alone(world: HiddenWorld, tmp_path: Path) -> None:
    stream = navigation_stream(world, 0, training=1, before=1, after=1)
    (tmp_path / "domain.pddl").write_text("precious")
    with pytest.raises(InputError, match="this folder is not empty; choose another"):
        write_stream(stream, tmp_path)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["precious"]
    with pytest.raises(InputError, match=r"there is no folder .*new; make it first"):
        write_stream(stream, tmp_path / "new" / "deep" / "stream")
    write_stream(stream, tmp_path / "new" / "stream")

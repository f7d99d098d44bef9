"""What a bar shows of each stage."""

from __future__ import annotations

import pytest

from plancost.progress.stages import Stages, seconds_left


def test_an_estimate_only_where_it_is_sound() -> None:
    assert seconds_left("verifying", 5, 20, 10.0) == pytest.approx(30.0)
    assert seconds_left("verifying", 1, 20, 10.0) is None, "too few to tell"
    assert seconds_left("verifying", 5, 20, 0.5) is None, "too soon to tell"
    assert seconds_left("verifying", 20, 20, 10.0) is None
    assert seconds_left("first objective", 5, 20, 10.0) is None, "plans that are optimal so far"


def test_one_part_of_one_has_no_count_until_it_is_done() -> None:
    stages = Stages()
    building = stages.tell("second objective", 0, 1, "building state graphs")
    assert not building.is_countable and building.counts == ""
    stages.tell("second objective", 40, 94)
    assert building.is_countable and building.counts == "40/94"
    stages.tell("second objective", 1, 1)
    assert building.counts == "1/1"


def test_an_interrupt_keeps_the_best_while_it_is_looked_for() -> None:
    stages = Stages()
    assert not stages.keeps_the_best
    grounding = stages.tell("grounding", 1, 1)
    assert not stages.keeps_the_best and not grounding.is_over
    first = stages.tell("first objective", 1, 4)
    assert stages.keeps_the_best and grounding.is_over
    stages.tell("second objective", 1, 4)
    assert stages.keeps_the_best and first.is_over
    stages.tell("first objective", 2, 4)
    assert not first.is_over, "it goes on"
    stages.tell("verifying", 1, 4)
    assert not stages.keeps_the_best
    assert [stage.name for stage in stages.all] == [
        "grounding",
        "first objective",
        "second objective",
        "verifying",
    ]


def test_seconds_of_a_time_limit() -> None:
    stages = Stages(60)
    stage = stages.tell("first objective", 1, 4)
    assert stages.seconds_of(stage) == "0 s, 60 s left of the limit"
    stages.tell("verifying", 0, 4)
    assert stages.seconds_of(stage) == "0 s"

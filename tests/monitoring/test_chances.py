"""Samples of costs in a stream of plans: a plan that some sample explains is no outlier."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from conftest import WriteGraphCase, both_ways
from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.evaluation.measures import Measurer
from plancost.learning.problem.options import LearnOptions
from plancost.monitoring.chances import Chance, Chances
from plancost.monitoring.monitor import MonitorOptions
from plancost.monitoring.watch import Monitored, MonitorSources, monitor
from plancost.observations.case import load_case
from plancost.system.clock import Deadline
from support.drawn import samples, write

SQUARE = both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1})
ALL = {f"(move {a} {b})": 1.0 for a, b in SQUARE}
BY_B = {**ALL, "(move a c)": 3.0}
BY_C = {**ALL, "(move a b)": 3.0}


def test_shares_and_the_least_regret(write_graph_case: WriteGraphCase) -> None:
    measurer = Measurer(load_case(write_graph_case(SQUARE, ["abd", "acd"])), LearnOptions())
    chances = Chances(samples(BY_B, BY_B, BY_B, BY_C), 1)
    assert chances.of(measurer, 0, Deadline()) == Chance(0.75, 1.0)
    assert chances.of(measurer, 1, Deadline()) == Chance(0.25, 1.0)
    chance = Chances(samples(BY_B), 1).of(measurer, 1, Deadline())
    assert chance is not None
    assert chance.least_regret == pytest.approx(2.0, abs=1e-4)
    assert chances.of(measurer, 0, Deadline.after(0.0)) is None


@pytest.fixture
def sources(write_graph_case: WriteGraphCase) -> MonitorSources:
    """Twenty went by b; now one goes by c."""
    folder = write_graph_case(SQUARE, ["abd"] * 20)
    learn(folder, solution="scf").write(folder / "RESULT.json")
    (folder / "c.route").write_text("(move a c)\n(move c d)\n")
    (folder / "stream.csv").write_text("problem,plan\np1.pddl,c.route\n")
    return MonitorSources(folder / "RESULT.json", folder / "domain.pddl", folder / "stream.csv")


def watch(sources: MonitorSources, *rows: dict[str, float]) -> Monitored:
    file = write(sources.result.with_name("samples.npz"), rows)
    options = MonitorOptions(learning=LearnOptions(jobs=1))
    return monitor(replace(sources, samples=file), options)


def test_an_outlier_is_unusual_under_all_samples(sources: MonitorSources) -> None:
    without = monitor(sources, MonitorOptions(learning=LearnOptions(jobs=1)))
    assert without.outliers == 1
    assert without.events[0].probability is None
    never = watch(sources, BY_B, BY_B)
    assert never.outliers == 1
    assert (never.events[0].probability, never.events[0].p_value) == (
        0.0,
        without.events[0].p_value,
    )
    assert (never.events[0].least_regret or 0) > 1
    once = watch(sources, BY_B, BY_C)
    assert once.outliers == 0
    assert (once.events[0].probability, once.events[0].least_regret) == (0.5, 1.0)


def test_samples_of_another_result(sources: MonitorSources, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="another result"):
        watch(sources, {"(move a b)": 1.0})


def test_no_samples_after_costs_were_learned_again(sources: MonitorSources) -> None:
    rows = ["p1.pddl,c.route\n"] * 14
    sources.stream.write_text("problem,plan\n" + "".join(rows))
    file = write(sources.result.with_name("samples.npz"), [BY_B, BY_B])
    kept = replace(sources, samples=file, state=sources.result.with_name("state.json"))
    options = MonitorOptions(window=8, run_length=100, learning=LearnOptions(jobs=1))
    found = monitor(kept, options)
    assert found.state.relearned == 1
    by_costs = {event.costs: event.probability for event in found.events}
    assert by_costs == {0: 0.0, 1: None}
    sources.stream.write_text("problem,plan\n" + "".join([*rows, rows[0]]))
    notes: list[str] = []
    again = monitor(kept, options, note=notes.append)
    assert [event.probability for event in again.events] == [None]
    assert notes[-1] == "costs have been learned again, so the samples are not used"

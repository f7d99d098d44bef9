"""Monitoring files: what is usual, outliers, a change, restarts, and wrong input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from conftest import WriteGraphCase, both_ways
from plancost.api.learn import learn
from plancost.errors import InputError, InvalidPlanError, UsageError
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.monitoring.calibration import regrets_across_folds
from plancost.monitoring.drift import DriftMethod
from plancost.monitoring.monitor import Event, MonitorOptions
from plancost.monitoring.watch import Monitored, MonitorSources, monitor
from plancost.observations.case import load_case

SQUARE = both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1, "ad": 1})
STRICT = LearnOptions(concept=Concept(Solution.SCF), jobs=1)
OPTIONS = MonitorOptions(window=8, run_length=100, learning=LearnOptions(jobs=1))


class Town:
    """A case with routes from a to d, what was learned from it, and a stream."""

    def __init__(self, folder: Path, routes: Sequence[str]) -> None:
        self.folder = folder
        self.sources = MonitorSources(
            folder / "RESULT.json",
            folder / "domain.pddl",
            folder / "stream.csv",
            state=folder / "state.json",
        )
        learn(folder, STRICT).write(self.sources.result)
        for route in ("abd", "acd", "ad", "abcd"):
            steps = [f"(move {a} {b})\n" for a, b in pairwise(route)]
            (folder / f"{route}.route").write_text("".join(steps))
        self.stream(routes)

    def stream(self, routes: Sequence[str]) -> None:
        """Write the manifest of the stream."""
        rows = [f"p1.pddl,{route}.route,day {n}\n" for n, route in enumerate(routes, start=1)]
        self.sources.stream.write_text("problem,plan,time\n" + "".join(rows))

    def watch(self, options: MonitorOptions = OPTIONS, **changes: object) -> Monitored:
        """Run the monitor; the notes are kept."""
        self.notes: list[str] = []
        self.reported: list[Event] = []
        sources = replace(self.sources, **changes)  # type: ignore[arg-type]
        return monitor(sources, options, report=self.reported.append, note=self.notes.append)


@pytest.fixture
def town(write_graph_case: WriteGraphCase) -> Town:
    """Twenty walkers took the way by b."""
    return Town(write_graph_case(SQUARE, ["abd"] * 20), ["abd"] * 4)


def test_usual_plans(town: Town) -> None:
    found = town.watch()
    assert [event.regret for event in found.events] == [1.0] * 4
    assert [event.p_value for event in found.events] == [1.0] * 4
    assert (found.outliers, found.drifts, found.result, town.notes) == (0, 0, None, [])
    assert found.state.usual == [1.0] * 20
    first = found.events[0].to_json()
    assert (first["position"], first["time"], first["plan"]) == (1, "day 1", "abd.route")
    assert tuple(town.reported) == found.events


def test_an_outlier(town: Town) -> None:
    town.stream(["abd", "acd", "abd"])
    found = town.watch()
    assert [event.outlier for event in found.events] == [False, True, False]
    assert found.events[1].p_value == pytest.approx(1 / 21)
    assert town.watch(replace(OPTIONS, false_alarms=0.04), state=None).outliers == 0
    assert "too few to call any plan an outlier" in town.notes[0]


CHANGED = ["abd"] * 6 + ["acd"] * 16 + ["abd"] * 2


def test_a_change(town: Town) -> None:
    town.stream(CHANGED)
    found = town.watch()
    drift = next(event for event in found.events if event.drift)
    assert 6 < drift.position <= 12
    assert drift.change is not None
    assert 5 <= drift.change <= 8
    learned = next(event for event in found.events if event.relearned is not None)
    assert learned.position == drift.change + 7
    assert learned.relearned is not None
    assert learned.relearned.plans == 8
    assert learned.relearned.optimal_after > learned.relearned.optimal_before
    after = [event for event in found.events if event.position > learned.position]
    assert all(event.costs == 1 for event in after)
    assert all(event.regret == 1.0 for event in after if event.plan == "acd.route")
    assert found.result is not None
    assert found.state.costs == found.result.costs
    assert found.drifts == 1


def without_seconds(events: Sequence[Event]) -> list[Event]:
    return [
        replace(event, relearned=event.relearned and replace(event.relearned, seconds=0.0))
        for event in events
    ]


@pytest.mark.parametrize(
    "stops", [[3, 8, 9, 14], pytest.param(list(range(1, 24, 4)), marks=pytest.mark.slow)]
)
def test_restarts_change_nothing(town: Town, stops: list[int]) -> None:
    town.stream(CHANGED)
    whole = without_seconds(town.watch(state=None).events)
    pieces: list[Event] = []
    for stop in [*stops, len(CHANGED)]:
        town.stream(CHANGED[:stop])
        pieces += town.watch().events
    assert without_seconds(pieces) == whole
    assert town.watch().events == ()


def test_costs_may_be_kept(town: Town) -> None:
    town.stream(CHANGED)
    found = town.watch(replace(OPTIONS, relearn=False))
    assert (found.drifts, found.result, found.state.relearned) == (1, None, 0)


def test_what_was_killed_is_reported_again(town: Town) -> None:
    seen: list[Event] = []

    def die(event: Event) -> None:
        seen.append(event)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        monitor(town.sources, OPTIONS, report=die)
    assert [event.position for event in town.watch().events] == [3, 4]


def test_a_stream_that_has_not_begun(town: Town) -> None:
    town.stream([])
    assert town.watch().events == ()
    town.stream(["abd"])
    assert len(town.watch().events) == 1


def test_counts(town: Town) -> None:
    town.sources.stream.write_text("problem,plan,count\np1.pddl,abd.route,3\n")
    assert [event.position for event in town.watch().events] == [1, 2, 3]


def test_a_stream_may_only_grow(town: Town) -> None:
    town.watch()
    town.stream(["abd", "acd", "abd", "abd", "abd"])
    with pytest.raises(InputError, match=r"stream.csv: the first 4 plans are not those"):
        town.watch()
    town.stream(["abd"])
    with pytest.raises(InputError, match="may only grow"):
        town.watch()


def test_a_damaged_state(town: Town) -> None:
    town.watch()
    (town.folder / "state.json").write_text("{")
    assert len(town.watch().events) == 4
    assert "put aside" in town.notes[0]


def test_another_request_needs_another_state(town: Town) -> None:
    town.watch()
    with pytest.raises(InputError, match="made with window 8, not 9; choose another state"):
        town.watch(replace(OPTIONS, window=9))


def test_wrong_plans(town: Town) -> None:
    (town.folder / "ad.route").write_text("(move a b)\n")
    town.stream(["abd", "ad", "abd"])
    with pytest.raises(InvalidPlanError, match="ends outside the goal"):
        town.watch()
    assert [event.position for event in town.reported] == [1]
    skipping = replace(OPTIONS, learning=LearnOptions(skip_invalid=True))
    assert [event.position for event in town.watch(skipping).events] == [3]
    assert town.notes[0].startswith("left out: ")


SKIPPING = replace(OPTIONS, learning=LearnOptions(jobs=1, skip_invalid=True))
WITH_WRONG = ["abd"] * 6 + ["acd", "ad", "acd", "ad", "ad", "acd", "ad"] + ["acd"] * 8 + ["ad"] * 9


def test_wrong_plans_are_none_to_learn_from(town: Town) -> None:
    """A change is dealt with when so many plans have come that are not left out."""
    (town.folder / "ad.route").write_text("(move a b)\n")
    valid = [position for position, route in enumerate(WITH_WRONG, 1) if route != "ad"]
    town.stream([route for route in WITH_WRONG if route != "ad"])
    plain = town.watch(SKIPPING, state=None).events
    town.stream(WITH_WRONG)
    found = town.watch(SKIPPING, state=None).events
    assert [event.position for event in found] == valid
    (at,) = [event.change for event in found if event.drift]
    (learned,) = [event.position for event in found if event.relearned]
    assert at is not None
    assert sum(at <= position <= learned for position in valid) == OPTIONS.window
    (wanted,) = [event.position for event in plain if event.relearned]
    assert learned == valid[wanted - 1]


@pytest.mark.parametrize("stop", [9, 13, 15, len(WITH_WRONG) - 1])
def test_restarts_after_wrong_plans_change_nothing(town: Town, stop: int) -> None:
    (town.folder / "ad.route").write_text("(move a b)\n")
    rows = [*WITH_WRONG, "abd", "acd"]
    town.stream(rows)
    whole = without_seconds(town.watch(SKIPPING, state=None).events)
    assert any(event.relearned for event in whole)
    town.stream(rows[:stop])
    pieces = [*town.watch(SKIPPING).events]
    town.stream(rows)
    pieces += town.watch(SKIPPING).events
    assert without_seconds(pieces) == whole


def test_where_the_training_plans_are(town: Town, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / "RESULT.json"
    moved.parent.mkdir()
    town.sources.result.rename(moved)
    assert town.watch(result=moved).state.usual == [1.0] * 20
    away = moved.parent / "domain.pddl"
    away.write_text((town.folder / "domain.pddl").read_text())
    with pytest.raises(InputError, match="name them with training"):
        town.watch(result=moved, domain=away, state=None)
    found = town.watch(result=moved, domain=away, state=None, training=town.folder)
    assert len(found.events) == 4
    manifest = town.folder / "held-out.csv"
    manifest.write_text("problem,plan\np1.pddl,abd.route\np1.pddl,acd.route\n")
    usual = town.watch(result=moved, domain=away, state=None, calibration=manifest).state.usual
    assert usual[0] == 1.0
    assert usual[1] > 1.0


def test_not_a_result(town: Town) -> None:
    town.sources.result.write_text('{"(move a b)": 1}')
    with pytest.raises(InputError, match=r"not a RESULT\.json"):
        town.watch()


def test_results_that_cannot_be_learned_again(town: Town) -> None:
    learn(town.folder, replace(STRICT, max_cost=9)).write(town.sources.result)
    with pytest.raises(UsageError, match=r"RESULT\.json was learned with bounds on costs"):
        town.watch()


def test_other_columns_are_not_used(town: Town) -> None:
    town.stream(CHANGED)
    whole = without_seconds(town.watch(state=None).events)
    lines = town.sources.stream.read_text().splitlines()
    rows = [f"{line},{n},{'ab'[n % 2]},3/2" for n, line in enumerate(lines[1:], start=1)]
    text = "\n".join([f"{lines[0]},cost,group,suboptimality", *rows])
    town.sources.stream.write_text(text)
    training = town.folder / "training.csv"
    plans = [f"p{n}.pddl,p{n}.plan,{n},{n % 2},2" for n in range(1, 21)]
    training.write_text("\n".join(["problem,plan,cost,group,suboptimality", *plans]))
    assert without_seconds(town.watch(state=None, training=training).events) == whole


def test_regrets_across_folds(write_graph_case: WriteGraphCase) -> None:
    """The one walker by c is measured under costs learned from those by b."""
    case = load_case(write_graph_case(SQUARE, ["abd", "abd", "abd", "acd"]))
    regrets = regrets_across_folds(case, STRICT, 4)
    assert sorted(regrets)[:3] == [1.0, 1.0, 1.0]
    assert max(regrets) > 1.0
    with pytest.raises(UsageError, match="one plan is not enough"):
        regrets_across_folds(
            load_case(write_graph_case(SQUARE, ["abd"], "single")), LearnOptions(), 4
        )


def test_options_in_plain_values() -> None:
    plain = MonitorOptions(window=8.0, drift="adwin", learning=None)  # type: ignore[arg-type]
    assert plain == MonitorOptions(window=8, drift=DriftMethod.ADWIN)
    assert plain.drift is DriftMethod.ADWIN
    assert type(plain.window) is int


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"false_alarms": 0.0}, "false_alarms takes a number between 0 and 1, not 0.0"),
        ({"false_alarms": "x"}, "false_alarms takes a number between 0 and 1, not 'x'"),
        ({"false_alarms": None}, "false_alarms takes a number between 0 and 1, not None"),
        ({"window": 1}, "window takes a number of at least 2"),
        ({"window": "3"}, "window takes a whole number, not '3'"),
        ({"window": 2.5}, "window takes a whole number, not 2.5"),
        ({"run_length": 1}, "run_length takes a number of at least 2"),
        ({"run_length": None}, "run_length takes a whole number, not None"),
        ({"folds": 1}, "folds takes a number of at least 2"),
        ({"folds": "x"}, "folds takes a whole number, not 'x'"),
        ({"default_cost": 0}, "default_cost takes a number of at least 1 here: .*"),
        ({"default_cost": "x"}, "default_cost takes a whole number, not 'x'"),
        ({"drift": "x"}, "drift is one of cusum, adwin, page-hinkley, not 'x'"),
        ({"relearn": "no"}, "relearn takes True or False, not 'no'"),
        ({"learning": 5}, "options must be LearnOptions, not 5; .*"),
    ],
)
def test_wrong_options(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}$"):
        MonitorOptions(**wrong)


def test_what_is_not_of_its_kind(town: Town) -> None:
    with pytest.raises(UsageError, match=r"^result must be a path .*, not None$"):
        MonitorSources(None, "domain.pddl", "stream.csv")  # type: ignore[arg-type]
    for wrong in (None, "x"):
        with pytest.raises(UsageError, match=f"^sources must be MonitorSources, not {wrong!r}$"):
            monitor(wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^report must be a function, not 5$"):
        monitor(town.sources, OPTIONS, report=5)  # type: ignore[arg-type]
    found = monitor(town.sources, OPTIONS, report=None, relearned=None, note=None)
    assert len(found.events) == 4


def test_long_streams_are_forgotten_in_part(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plancost.monitoring.monitor._MOST_WATCHED", 6)
    town.stream(["abd"] * 9)
    found = town.watch()
    assert [item.position for item in found.state.watched] == [5, 6, 7, 8, 9]

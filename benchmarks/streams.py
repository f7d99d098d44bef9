"""Monitoring on generated streams of trips: false alarms, outliers found, delay, relearning.

    python -m benchmarks.streams                     measure (several minutes)
    python -m benchmarks.streams --write DIR         write one such stream, to try the command

For every seed, drivers on a grid avoid the middle of the town until the change and the border
afterwards; 5 % of the stream are outliers. The monitor learns from training plans without
outliers, and is shown the stream.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.navigation import Stream, navigation_stream, write_stream
from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.evaluation.measures import Measurer
from plancost.generators.grid import Grid
from plancost.generators.hidden import HiddenWorld, hidden_world
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import LearnOptions
from plancost.monitoring.calibration import regrets_across_folds
from plancost.monitoring.conformal import smoothed_p_value
from plancost.monitoring.drift import DriftMethod, detector
from plancost.monitoring.monitor import Event, Monitor, MonitorOptions
from plancost.monitoring.state import MonitorState
from plancost.observations.case import Case
from plancost.observations.parts import part_of_case

CONCEPTS = {
    "mcf": Concept(),
    "scf": Concept(Solution.SCF, reorderings=Reorderings.SAME, ties=Ties.OBSERVED),
}


@dataclass(frozen=True)
class Run:
    """One stream with one concept."""

    stream: Stream
    events: list[Event]
    alarms: dict[DriftMethod, int | None]
    """For each detector its first alarm if costs are kept, as a number of plans before it."""
    following: int
    """Plans after relearning, without outliers; how many are optimal under old and new costs."""
    optimal_old: int
    optimal_new: int
    seconds: float


def main() -> None:
    """Measure, or write a stream."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=5)
    parser.add_argument("--tasks", type=int, default=30)
    parser.add_argument("--training", type=int, default=60)
    parser.add_argument("--before", type=int, default=100)
    parser.add_argument("--after", type=int, default=100)
    parser.add_argument("--window", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--concepts", nargs="*", choices=list(CONCEPTS), default=list(CONCEPTS))
    parser.add_argument("--write", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    world = hidden_world(Grid(arguments.side), arguments.tasks, jobs=2)
    if arguments.write is not None:
        try:
            write_stream(_stream(world, arguments, arguments.seed), arguments.write)
        except InputError as error:
            parser.error(str(error))
        print(f"wrote {arguments.write}")
        return
    for name in arguments.concepts:
        runs = []
        for seed in range(arguments.seed, arguments.seed + arguments.seeds):
            runs.append(run(_stream(world, arguments, seed), CONCEPTS[name], arguments.window))
            print(f"{name} seed {seed}: {_line(runs[-1])}", flush=True)
        report(name, runs)


def _stream(world: HiddenWorld, arguments: argparse.Namespace, seed: int) -> Stream:
    return navigation_stream(
        world,
        seed,
        training=arguments.training,
        before=arguments.before,
        after=arguments.after,
    )


def run(stream: Stream, concept: Concept, window: int) -> Run:
    """Learn, watch the stream, and look back."""
    started = time.monotonic()
    learning = LearnOptions(concept=concept)
    training = stream.world.case([(item.task, item.plan) for item in stream.training])
    case = stream.world.case([(item.task, item.plan) for item in stream.plans])
    costs = learn(training, learning).costs
    usual = regrets_across_folds(training, learning, 5)
    measurer = Measurer(case, learning)
    watcher = Monitor(
        MonitorState(dict(costs), list(usual)), MonitorOptions(window=window, learning=learning)
    )
    events = [
        watcher.observe(part_of_case(case, [number]), measurer, number)
        for number in range(len(case.observations))
    ]
    last = max((event.position for event in events if event.relearned), default=None)
    following = [
        number
        for number, item in enumerate(stream.plans)
        if last is not None and number >= last and not item.outlier
    ]
    return Run(
        stream,
        events,
        _alarms(case, measurer, costs, usual),
        len(following),
        _optimal(measurer, costs, following),
        _optimal(measurer, watcher.state.costs, following),
        time.monotonic() - started,
    )


def _alarms(
    case: Case, measurer: Measurer, costs: dict[str, int], usual: list[float]
) -> dict[DriftMethod, int | None]:
    """All detectors on the same p-values, as if costs were kept."""
    generator = random.Random(0)
    seen = list(usual)
    p_values = []
    numbers = range(len(case.observations))
    for measure in measurer.measure(lambda name: costs.get(name, 1), numbers):
        assert measure.regret is not None  # there is no time limit
        p_values.append(smoothed_p_value(measure.regret, seen, generator.random()))
        seen.append(measure.regret)
    methods = list(DriftMethod) if find_spec("river") else [DriftMethod.CUSUM]
    found: dict[DriftMethod, int | None] = {}
    for method in methods:
        watcher = detector(method, MonitorOptions().run_length)
        found[method] = next((n for n, p in enumerate(p_values) if watcher.update(p)), None)
    return found


def _optimal(measurer: Measurer, costs: dict[str, int], numbers: Sequence[int]) -> int:
    measures = measurer.measure(lambda name: costs.get(name, 1), numbers)
    return sum(bool(measure.optimal) for measure in measures)


def _line(found: Run) -> str:
    drifts = [event.position for event in found.events if event.drift]
    return (
        f"drift at {drifts}, following {found.following}: optimal {found.optimal_old} by old and "
        f"{found.optimal_new} by new costs, {found.seconds:.1f} s"
    )


def report(name: str, runs: Sequence[Run]) -> None:
    """All seeds together, as lines of Markdown."""
    change = runs[0].stream.change
    assert change is not None
    usual, usual_flagged, outliers, outliers_flagged = 0, 0, 0, 0
    for found in runs:
        for item, event in zip(found.stream.plans[:change], found.events, strict=False):
            if item.outlier:
                outliers += 1
                outliers_flagged += bool(event.outlier)
            else:
                usual += 1
                usual_flagged += bool(event.outlier)
    following = sum(found.following for found in runs)
    print(f"\n{name}, {len(runs)} seeds, change after {change} plans")
    print(f"- usual plans called outliers: {usual_flagged} of {usual}")
    print(f"- outliers called so: {outliers_flagged} of {outliers}")
    for method in runs[0].alarms:
        print(f"- {method}: {_delays([found.alarms[method] for found in runs], change)}")
    first = [next((e.position - 1 for e in found.events if e.drift), None) for found in runs]
    print(f"- monitor: {_delays(first, change)}")
    again = sum(max(0, sum(e.drift for e in found.events) - 1) for found in runs)
    print(f"- further changes detected after relearning: {again}")
    old, new = sum(r.optimal_old for r in runs), sum(r.optimal_new for r in runs)
    better = sum(r.optimal_new > r.optimal_old for r in runs)
    print(f"- of {following} plans after relearning optimal: {old} by old, {new} by new costs")
    print(f"- more by the new ones in {better} of {len(runs)} seeds")
    print(f"- seconds a seed: {statistics.median(found.seconds for found in runs):.0f}\n")


def _delays(alarms: Sequence[int | None], change: int) -> str:
    """How many alarms before the change, after it and never; plans from change to alarm."""
    early = sum(alarm is not None and alarm < change for alarm in alarms)
    delays = sorted(alarm - change + 1 for alarm in alarms if alarm is not None and alarm >= change)
    never = sum(alarm is None for alarm in alarms)
    words = f"before the change {early}, after it {len(delays)}, never {never}"
    if delays:
        words += f"; delay median {statistics.median(delays):g} ({delays[0]} to {delays[-1]})"
    return words


if __name__ == "__main__":
    main()

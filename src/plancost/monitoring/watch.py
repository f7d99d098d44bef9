"""From files to a monitor and back: RESULT.json, the stream's manifest, the state file.

The manifest is read in the order of its rows. With a state file, the same command later on deals
with the rows that have been added since. Every plan is reported before the state is
written, so that a command that is killed may report its last plan again, but never misses one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from plancost.errors import InputError, UsageError
from plancost.files.overwriting import check_not_an_input
from plancost.learning.problem.keywords import options_with_learning
from plancost.learning.problem.options import LearnOptions
from plancost.monitoring.calibration import regrets_across_folds, regrets_of_held_out
from plancost.monitoring.conformal import least_p_value
from plancost.monitoring.drift import detector
from plancost.monitoring.monitor import Event, Monitor, MonitorOptions
from plancost.monitoring.reading import Load, Reader
from plancost.monitoring.state import MonitorState, StateFile, next_digest
from plancost.observations.case import Case, Loading, Task, case_from_files, load_case
from plancost.observations.files import CaseFiles, ObservedFile, read_manifest
from plancost.observations.outside import NamedFolders
from plancost.probability.sampled_costs import check_samples
from plancost.progress.shown import shows_progress
from plancost.results.claims import read_claims
from plancost.results.learned import Learned, read_learned
from plancost.results.result import Result
from plancost.results.samples import Samples, read_samples
from plancost.system.clock import Deadline
from plancost.system.executors import LocalExecutor
from plancost.system.processes import Limits
from plancost.system.progress import Progress, no_progress
from plancost.system.schedule import SCHEDULE
from plancost.system.values import as_path, path_or_none, shown

_MOST_PLANS = 10**6
"""Of one stream: each takes a moment to measure and a place in memory."""

Report = Callable[[Event], None]
Note = Callable[[str], None]
_Said = TypeVar("_Said")


@dataclass(frozen=True)
class MonitorSources:
    """The files that a monitor starts from.

    What regret is usual comes from `calibration`, plans that were held out from learning; else
    by cross-validation from `training`; else from the plans that RESULT.json names, if they
    are where the domain or RESULT.json is. `samples` are what ``--samples-out`` wrote with it.
    """

    result: Path
    domain: Path
    stream: Path
    training: Path | None = None
    calibration: Path | None = None
    state: Path | None = None
    samples: Path | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            given = getattr(self, item.name)
            read = as_path if item.default is MISSING else path_or_none
            object.__setattr__(self, item.name, read(given, item.name))


@dataclass(frozen=True)
class Monitored:
    """What a command has done: the plans that were new, and where things stand."""

    events: tuple[Event, ...]
    state: MonitorState
    result: Result | None
    """What was learned last, if costs were relearned now."""
    left: int = 0
    """How many plans were not dealt with within the time limit."""

    @property
    def outliers(self) -> int:
        """How many of the new plans are outliers."""
        return sum(bool(event.outlier) for event in self.events)

    @property
    def drifts(self) -> int:
        """How many changes were detected now."""
        return sum(event.drift for event in self.events)


@shows_progress
def monitor(
    sources: MonitorSources,
    options: MonitorOptions | None = None,
    *,
    report: Report | None = None,
    relearned: Callable[[Result], None] | None = None,
    note: Note | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> Monitored:
    """Deal with the plans of a stream that have not been dealt with.

    Args:
        sources: The files to start from.
        options: When to raise alarms, and how to learn again; None: the defaults.
        report: Called with each plan, as it is dealt with, if given.
        relearned: Called with each new result, if given.
        note: Called with what else there is to say, if given.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            how many plans are dealt with.
        keywords: Single options, also those of learning, such as ``window=30``.

    Returns:
        What there is to say of each new plan, and where things stand.

    Raises:
        InputError: A file is wrong.
        UsageError: The options are wrong.
    """
    assert not isinstance(progress, bool)
    if not isinstance(sources, MonitorSources):
        raise UsageError(f"sources must be MonitorSources, not {shown(sources)}")
    report, relearned = _called(report, "report"), _called(relearned, "relearned")
    note = _called(note, "note")
    options = options_with_learning(MonitorOptions, options, keywords)
    deadline = options.learning.deadline()
    if sources.state is not None:
        check_not_an_input(sources.state, (sources.result, sources.domain, sources.stream))
    detector(options.drift, options.run_length)  # an extra that is missing is missed at once
    learned = _read_learned(sources.result)
    options = replace(options, learning=_learning(options.learning, learned, sources))
    inputs = _Inputs(sources, options.learning, progress)
    file, state = _kept_state(sources, learned, options, note)
    rows = inputs.rows()
    if state is None:
        usual = _usual(inputs, learned, options, deadline.share(SCHEDULE.calibrating))
        state = MonitorState(dict(learned.costs), usual)
        if file is not None:
            file.save(state)
    _check_rows(rows, state, sources)
    if least_p_value(len(state.usual)) > options.false_alarms:
        note(
            f"{len(state.usual)} plans to compare with are too few to call any plan an outlier "
            f"at a false-alarm rate of {options.false_alarms}"
        )
    reader = Reader(inputs.stream_loader(deadline), options.learning, note, deadline)
    recent = reader.last(rows[: state.position], options.window)
    watcher = Monitor(state, options, recent, progress, _samples(sources, state, note))
    events: list[Event] = []
    new = rows[state.position :]
    for item in reader.read(new):
        if deadline.is_over:
            break
        progress("plans", len(events), len(new))
        state.digest = next_digest(state.digest, item.row)
        if item.case is None:
            state.position += 1
        else:
            event = watcher.observe(item.case, item.measurer, item.number, deadline)
            events.append(event)
            report(event)
            if event.relearned is not None and watcher.result is not None:
                relearned(watcher.result)
        if file is not None:
            file.save(state)
    return Monitored(tuple(events), state, watcher.result, len(rows) - state.position)


def _called(function: Callable[[_Said], None] | None, name: str) -> Callable[[_Said], None]:
    """What is to be called; nothing for None."""
    if function is None:
        return lambda said: None
    if not callable(function):
        raise UsageError(f"{name} must be a function, not {shown(function)}")
    return function


@dataclass(frozen=True)
class _Inputs:
    """The files of one command, and how they are read."""

    sources: MonitorSources
    learning: LearnOptions
    progress: Progress

    def rows(self) -> list[ObservedFile]:
        """The plans of the stream; one that was seen several times stands there as often."""
        stream = self.sources.stream
        folders = _folders(stream, self.sources, self.learning)
        rows = [_plain(row) for row in read_manifest(stream, folders)]
        plans = sum(row.count for row in rows)
        if plans > _MOST_PLANS:
            raise InputError(
                f"these are {plans} plans; monitor takes them one by one, and at most "
                f"{_MOST_PLANS}",
                stream,
            )
        return [replace(row, count=1) for row in rows for _ in range(row.count)]

    def load(self, path: Path, deadline: Deadline) -> Case:
        """A case that the user names."""
        learning = self.learning
        case = load_case(
            path,
            domain=self.sources.domain,
            skip_invalid=learning.skip_invalid,
            allow_outside=learning.allow_outside,
            limits=Limits(deadline.remaining(), learning.memory_limit_mb),
            executor=LocalExecutor.within(learning.jobs, learning.memory),
            progress=self.progress,
        )
        plain = tuple(replace(item, source=_plain(item.source)) for item in case.observations)
        return replace(case, observations=plain)

    def stream_loader(self, deadline: Deadline) -> Load:
        """What makes a case of rows of the stream."""
        root = self.sources.stream.parent
        return lambda rows, known: self.load_files(root, rows, deadline, known)

    def load_files(
        self,
        root: Path,
        observed: Sequence[ObservedFile],
        deadline: Deadline,
        known: dict[str, Task] | None = None,
    ) -> Case:
        """The case of some files; tasks that are `known` are not grounded again."""
        learning = self.learning
        return case_from_files(
            CaseFiles(root, self.sources.domain, tuple(observed), ()),
            Loading(
                limits=Limits(deadline.remaining(), learning.memory_limit_mb),
                executor=LocalExecutor.within(learning.jobs, learning.memory),
                progress=self.progress if known is None else no_progress,
            ),
            known=known,
        )


def _plain(row: ObservedFile) -> ObservedFile:
    """Without the columns that change what is learned: the result was learned without."""
    return ObservedFile(row.problem, row.plan, row.count, time=row.time, place=row.place)


def _read_learned(path: Path) -> Learned:
    learned = read_learned(path)
    if learned.beyond is not None:
        raise UsageError(
            f"{path} was learned with {learned.beyond}, and monitor cannot learn again "
            "with that; give it a result that was learned without"
        )
    return learned


def _kept_state(
    sources: MonitorSources, learned: Learned, options: MonitorOptions, note: Note
) -> tuple[StateFile | None, MonitorState | None]:
    """The state file, if one is named, and the state that it keeps."""
    if sources.state is None:
        return None, None
    file = StateFile(sources.state, _request(learned, options))
    state, sentence = file.load()
    if sentence is not None:
        note(sentence)
    return file, state


def _samples(sources: MonitorSources, state: MonitorState, note: Note) -> Samples | None:
    """The samples, if they are of the costs in use."""
    if sources.samples is None:
        return None
    samples = read_samples(sources.samples)
    check_samples(samples, read_claims(sources.result))
    if state.relearned:
        note("costs have been learned again, so the samples are not used")
    return samples


def _check_rows(rows: Sequence[ObservedFile], state: MonitorState, sources: MonitorSources) -> None:
    digest = ""
    for row in rows[: state.position]:
        digest = next_digest(digest, row)
    if len(rows) < state.position or digest != state.digest:
        raise InputError(
            f"the first {state.position} plans are not those that {sources.state} has seen; "
            "a stream may only grow (or choose another --state)",
            sources.stream,
        )


def _usual(
    inputs: _Inputs, learned: Learned, options: MonitorOptions, deadline: Deadline
) -> list[float]:
    sources, learning, default = inputs.sources, inputs.learning, options.default_cost
    if sources.calibration is not None:
        case = inputs.load(sources.calibration, deadline)
        return regrets_of_held_out(case, learned.costs, learning, default, deadline)
    if sources.training is not None:
        case = inputs.load(sources.training, deadline)
    else:
        root, observed = _training_files(inputs, learned)
        case = inputs.load_files(root, observed, deadline)
    folds, progress = options.folds, inputs.progress
    return regrets_across_folds(case, learning, folds, default, progress, deadline)


def _training_files(inputs: _Inputs, learned: Learned) -> tuple[Path, list[ObservedFile]]:
    """The plans that RESULT.json names, and the folder that they are in."""
    sources = inputs.sources
    folders = _folders(sources.result, sources, inputs.learning)
    for root in (sources.domain.parent, sources.result.parent):
        observed = [
            ObservedFile(root / problem, root / plan, count)
            for problem, plan, count in learned.observed
        ]
        files = [file for item in observed for file in (item.problem, item.plan)]
        if all(file.is_file() for file in files):
            for file in files:
                folders.check(file, f"the observation {file}", sources.result)
            return root, observed
    raise InputError(
        "the plans that this was learned from are neither beside the domain nor here; name them "
        "with --training CASE, or held-out plans with --calibration CASE",
        sources.result,
    )


def _folders(file: Path, sources: MonitorSources, learning: LearnOptions) -> NamedFolders:
    """Where the files may be that a given file names."""
    return NamedFolders.of(file, sources.domain, allow_outside=learning.allow_outside)


def _learning(options: LearnOptions, learned: Learned, sources: MonitorSources) -> LearnOptions:
    """Learn again as was learned before."""
    costs = learned.initial_costs
    if costs is not None:
        folders = _folders(sources.result, sources, options)
        folders.check(costs, f"the file of initial costs {costs}", sources.result)
    return replace(options, concept=learned.concept, refine=learned.refined, initial_costs=costs)


def _request(learned: Learned, options: MonitorOptions) -> dict[str, Any]:
    """What another state file is needed for if it changes."""
    costs = hashlib.sha256(json.dumps(learned.costs, sort_keys=True).encode()).hexdigest()
    names = ("false_alarms", "window", "drift", "run_length", "folds", "relearn", "default_cost")
    asked = {name: getattr(options, name) for name in names}
    return {"costs": costs[:16], **asked, "seed": options.learning.seed}

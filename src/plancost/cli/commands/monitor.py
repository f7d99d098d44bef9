"""``plancost monitor``: files in, a line for each plan that matters out (or JSON lines)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, add_domain, add_quiet
from plancost.cli.commands.ask import SAMPLES_HELP
from plancost.cli.number_arguments import positive, share
from plancost.cli.options import add, add_option, add_options, learn_options
from plancost.cli.output.terminal import print_json, print_line, print_written
from plancost.errors import UsageError
from plancost.learning.problem.declaration import Topic
from plancost.monitoring.drift import DriftMethod

if TYPE_CHECKING:
    from plancost.monitoring.monitor import Event, MonitorOptions
    from plancost.monitoring.watch import Monitored
    from plancost.results.result import Result

_TEXT = """RESULT.json is what plancost learn wrote, with one cost function and from no more
than plans and initial costs. The stream is a CSV manifest with the columns problem,plan and
optionally count,time (others are not used), read in the order of its rows. For each plan: its
regret (cost over optimal cost) under the current costs, and whether it is an outlier. When the
regrets of the stream show that costs have changed, they are learned again from the last plans.
With --state the same command later resumes with the rows that were added."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command. The concept is that of RESULT.json."""
    add(parser, "result RESULT.json: what plancost learn wrote", Path)
    add(parser, "--observations STREAM.csv: the stream of plans", Path, required=True)
    add_domain(parser)
    add(
        parser,
        "--output RESULT.json: write the result there whenever costs are learned again",
        Path,
    )
    add_option(
        parser,
        "default_cost",
        "cost of the actions that RESULT.json does not name (default: 1)",
        least=1,
    )
    _add_alarms(parser)
    add_quiet(
        parser,
        "no progress, no sentences: only notes, and the files",
        json="print the result as JSON",
    )
    add_options(parser, Topic.SEARCH)


def _add_alarms(parser: argparse.ArgumentParser) -> None:
    """What is usual, when to raise alarms, and where things are kept."""
    add(
        parser,
        "--training CASE: the plans that RESULT.json was learned from, to find out by "
        "cross-validation what regret is usual (default: the files that it names, beside the "
        "domain or beside itself)",
        Path,
    )
    add(
        parser,
        "--calibration CASE: plans that were held out from learning, to find out from these "
        "instead what regret is usual",
        Path,
    )
    add(
        parser,
        "--samples SAMPLES.npz: call a plan an outlier only if it is unusual under all of these: "
        f"{SAMPLES_HELP}",
        Path,
    )
    add(parser, "--state FILE: keep what is known in this file, and resume from it", Path)
    add(
        parser,
        "--false-alarms X: at most this share of usual plans is called outliers (default: "
        "%(default)s)",
        share,
        default=0.05,
    )
    add(
        parser,
        "--window N: plans to learn from after a change (default: %(default)s)",
        positive,
        default=40,
    )
    add(
        parser,
        "--drift: method that detects a change (default: cusum; the others need the extra "
        "plancost[drift])",
        choices=[choice.value for choice in DriftMethod],
        default="cusum",
    )
    add(
        parser,
        "--run-length N: without a change, at least this many plans on average between two alarms "
        "of drift (default: %(default)s)",
        positive,
        default=1000,
    )
    add(parser, "--folds K: folds of cross-validation (default: %(default)s)", positive, default=5)
    add(parser, "--no-relearn: keep the costs even if a change is detected", bool)


def run(arguments: argparse.Namespace) -> int:
    """Watch the stream to its end."""
    from plancost.cli.output.messages import progress_and_log
    from plancost.monitoring.watch import MonitorSources, monitor

    if arguments.domain is None:
        raise UsageError("monitor needs the domain of the stream: add --domain FILE")
    if arguments.training is not None and arguments.calibration is not None:
        raise UsageError("what is usual comes from --training or from --calibration, not from both")
    sources = MonitorSources(
        arguments.result,
        arguments.domain,
        arguments.observations,
        arguments.training,
        arguments.calibration,
        arguments.state,
        arguments.samples,
    )
    try:
        with progress_and_log(arguments) as progress:
            found = monitor(
                sources,
                _options(arguments),
                report=lambda event: _report(event, arguments),
                relearned=lambda result: _relearned(result, arguments),
                note=lambda text: print_line(f"plancost: {text}", error=True),
                progress=progress,
            )
    except KeyboardInterrupt:
        if arguments.state is None:
            raise
        print_line("plancost: interrupted; the same command resumes from here", error=True)
        return exit_codes.INTERRUPTED
    if not (arguments.quiet or arguments.json):
        print_line(_summary(found))
    if found.left:
        more = "; the same command resumes from here" if arguments.state else ""
        words = f"{found.left} plans were not processed within the time limit{more}"
        print_line(f"plancost: {words}", error=True)
        return exit_codes.UNDECIDED
    return exit_codes.OK


def _options(arguments: argparse.Namespace) -> MonitorOptions:
    from plancost.monitoring.monitor import MonitorOptions

    return MonitorOptions(
        false_alarms=arguments.false_alarms,
        window=arguments.window,
        drift=DriftMethod(arguments.drift),
        run_length=arguments.run_length,
        folds=arguments.folds,
        relearn=not arguments.no_relearn,
        default_cost=arguments.default_cost or 1,
        learning=learn_options(arguments),
    )


def _report(event: Event, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json(event.to_json(), indent=None, flush=True)
    elif not arguments.quiet:
        for sentence in _sentences(event):
            print_line(sentence, flush=True)


def _relearned(result: Result, arguments: argparse.Namespace) -> None:
    if arguments.output is not None:
        result.write(arguments.output)
        print_written([arguments.output], arguments)


def _sentences(event: Event) -> list[str]:
    """What is worth saying about a plan; nothing about a usual one.

    While a known change is waiting for new costs, most plans look like outliers under the old ones,
    and that is not worth saying again.
    """
    when = "" if event.time is None else f" at {event.time}"
    about = f"plan {event.position} ({event.plan}{when})"
    found = []
    if event.regret is None:
        found.append(f"{about}: the cheapest plan was not found in time")
    elif event.outlier and (event.change is None or event.drift):
        found.append(
            f"{about}: outlier, costs {event.cost} where {event.optimal_cost} would do, "
            f"p = {event.p_value:.3f}{_under_samples(event)}"
        )
    if event.drift:
        found.append(f"{about}: costs have changed, it seems since plan {event.change}")
    if event.relearned is not None:
        new = event.relearned
        found.append(
            f"{about}: costs learned again from the last {new.plans} plans; of these "
            f"{new.optimal_after} are optimal now and {new.optimal_before} were"
        )
    return found


def _under_samples(event: Event) -> str:
    if event.probability is None or event.least_regret is None:
        return ""
    return (
        f", optimal under {100 * event.probability:.0f} % of the samples, least regret "
        f"{event.least_regret:.3f}"
    )


def _summary(found: Monitored) -> str:
    events = found.events
    if not events:
        return f"no new plans; {found.state.position} have been seen"
    optimal = sum(event.regret == 1.0 for event in events)
    relearned = sum(event.relearned is not None for event in events)
    return (
        f"{len(events)} new plans: {optimal} optimal when they came, {found.outliers} outliers, "
        f"{found.drifts} changes detected, costs learned again {relearned} times; "
        f"{found.state.position} seen in all"
    )


COMMAND = Command(
    "monitor",
    "watch a stream of plans for outliers and for changes of costs",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "all plans that the stream has so far are processed",
        {exit_codes.UNDECIDED: "not all plans were processed within the limits"},
        stopped="; with --state the same command resumes from here",
    ),
    shares_memory=True,
)

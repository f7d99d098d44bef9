"""``plancost monitor``: files in, a line for each plan that matters out (or JSON lines)."""

from __future__ import annotations

import argparse

from plancost.cli import exit_codes
from plancost.cli.arguments import learn_options
from plancost.cli.talk import talking
from plancost.cli.terminal import say, say_json
from plancost.errors import UsageError
from plancost.monitoring.drift import DriftMethod
from plancost.monitoring.monitor import Event, MonitorOptions
from plancost.monitoring.watch import Monitored, MonitorSources
from plancost.monitoring.watch import monitor as watch
from plancost.results.result import Result


def monitor(arguments: argparse.Namespace) -> int:
    """``plancost monitor``."""
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
    )
    try:
        with talking(arguments) as progress:
            found = watch(
                sources,
                _options(arguments),
                report=lambda event: _report(event, arguments),
                relearned=lambda result: _relearned(result, arguments),
                note=lambda text: say(f"plancost: {text}", error=True),
                progress=progress,
            )
    except KeyboardInterrupt:
        if arguments.state is None:
            raise
        say("plancost: interrupted; the same command goes on from here", error=True)
        return exit_codes.INTERRUPTED
    if not (arguments.quiet or arguments.json):
        say(_summary(found))
    if found.left:
        more = "; the same command goes on from here" if arguments.state else ""
        words = f"{found.left} plans were not dealt with within the time limit{more}"
        say(f"plancost: {words}", error=True)
        return exit_codes.UNDECIDED
    return exit_codes.OK


def _options(arguments: argparse.Namespace) -> MonitorOptions:
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
        say_json(event.to_json(), indent=None, flush=True)
    elif not arguments.quiet:
        for sentence in _sentences(event):
            say(sentence, flush=True)


def _relearned(result: Result, arguments: argparse.Namespace) -> None:
    if arguments.output is not None:
        result.write(arguments.output)
        if not (arguments.quiet or arguments.json):
            say(f"wrote {arguments.output}", flush=True)


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
            f"p = {event.p_value:.3f}"
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

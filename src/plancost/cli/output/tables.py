"""Results as short readable tables on standard output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from plancost.cli.output.console import PlainConsole, as_text
from plancost.cli.output.terminal import print_json, print_line
from plancost.observations.pddl import split_action
from plancost.results.explaining import sentences
from plancost.results.result import CostRange, ObservationResult, Result
from plancost.results.wording import (
    costs_in_short,
    linear_in_words,
    range_in_words,
    remarks,
    rival_in_words,
    summary_rows,
    verdict,
)

_MOST_ROWS = 30
_WIDTH_OF_A_FILE = 110


def show(result: Result, arguments: argparse.Namespace, as_table: Callable[[Result], None]) -> None:
    """Print a result as the arguments ask, and what failed on standard error."""
    if arguments.json:
        print_json(result.to_json())
    elif not arguments.quiet:
        as_table(result)
    for failure in result.failures:
        print_line(f"plancost: {failure}", error=True)


def print_result(result: Result) -> None:
    """Print what was learned, what is proven, and which plans are optimal."""
    console = console_for_output()
    _summary(console, result)
    if result.groups:
        _groups(console, result)
    for group in result.groups:
        if group.plans:
            console.print(as_text(group.name, style="bold"))
            _costs(console, group.costs, None)
    for schema, weights in (result.linear or {}).items():
        console.print(as_text(f"Cost of {schema}: {linear_in_words(weights)}"))
    if result.shared is not None and result.ranges is None:
        _costs(console, result.shared, None, "classes of actions")
    elif result.initial_costs is not None and not result.groups:
        _changes(console, result.costs, result.initial_costs, result.ranges)
    elif result.linear is not None and result.ranges is None:
        rest = {n: c for n, c in result.costs.items() if split_action(n)[0] not in result.linear}
        if rest:
            _costs(console, rest, None, "other actions")
    elif not result.groups:
        _costs(console, result.costs, result.ranges)
    _plans(console, result)
    for note in result.notes:
        console.print(as_text(f"note: {note}"))


def print_check(result: Result) -> None:
    """Print what a check found; it proves nothing about other costs."""
    console = console_for_output()
    _count(console, result)
    if not result.verified:
        console.print("The check by search could not finish within the limits.")
    _plans(console, result)
    for note in result.notes:
        console.print(as_text(f"note: {note}"))


def console_for_output() -> Console:
    """Where results are printed: as wide as the terminal, or wide enough for a file."""
    width = None if sys.stdout.isatty() else _WIDTH_OF_A_FILE
    return PlainConsole(width=width, highlight=False)


def print_explanations(result: Result) -> None:
    """Print for every plan that is not optimal why it is not."""
    console = console_for_output()
    _count(console, result)
    for item in result.observations:
        if item.optimal:
            continue
        console.print()
        where = f" in {item.group}" if item.group else ""
        console.print(as_text(f"{item.plan} costs {item.cost}{where}", style="bold"))
        if item.optimal is None:
            console.print("  the check could not finish within the limits")
            continue
        rival = rival_in_words(item)
        if rival is not None:
            console.print(as_text(f"  {rival}:"))
            console.print(as_text("    " + (" ".join(item.rival or ()) or "(no step)")))
        for sentence in sentences(item.explanation) if item.explanation else ():
            console.print(as_text(f"  {sentence}"))


def _count(console: Console, result: Result) -> None:
    whose = "the costs of their groups" if result.groups else "these costs"
    console.print(f"{result.optimal_plans} of {result.plans} plans are optimal under {whose}.")


def _summary(console: Console, result: Result) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    for row in summary_rows(result):
        table.add_row(*row)
    console.print(table)
    for remark in remarks(result):
        console.print(as_text(remark))


def _groups(console: Console, result: Result) -> None:
    table = Table(box=SIMPLE_HEAD)
    table.add_column("group")
    for heading in ("plans", "optimal", "distance" if result.refined else "sum of costs"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for group in result.groups:
        if not group.plans:
            continue  # a note says how many there are
        least = "least for these plans" if group.secondary.proved else "not proven least"
        table.add_row(
            as_text(group.name),
            str(group.plans),
            str(group.optimal_plans),
            str(group.secondary.value),
            least,
        )
    console.print(table)


def _changes(
    console: Console,
    costs: Mapping[str, int],
    initial: Mapping[str, int],
    ranges: Mapping[str, CostRange] | None,
) -> None:
    """The costs that are not what they were, or need not be, those that changed most first."""
    changed = sum(costs[name] != initial[name] for name in costs)
    known = ranges or {}
    open_ended = {name for name, found in known.items() if found.least < found.greatest}
    shown = [name for name in costs if costs[name] != initial[name] or name in open_ended]
    shown.sort(key=lambda name: (-abs(costs[name] - initial[name]), name))
    console.print(f"Changed: {changed or 'none'} of {len(costs)} costs")
    if not shown:
        return
    table = Table(box=SIMPLE_HEAD)
    table.add_column("action")
    for heading in ("initially", "now"):
        table.add_column(heading, justify="right")
    if ranges is not None:
        table.add_column("can be")
    for name in shown[:_MOST_ROWS]:
        can_be = [] if ranges is None else [range_in_words(ranges[name])]
        table.add_row(as_text(name), str(initial[name]), str(costs[name]), *can_be)
    console.print(table)
    if len(shown) > _MOST_ROWS:
        console.print(f"... and {len(shown) - _MOST_ROWS} more (all with --output)")


def _costs(
    console: Console,
    costs: Mapping[str, int],
    ranges: Mapping[str, CostRange] | None,
    what: str = "actions",
) -> None:
    least = min(costs.values(), default=1)
    known = ranges or {}
    open_ended = {name for name, found in known.items() if found.least < found.greatest}
    shown = [(name, cost) for name, cost in costs.items() if cost > least or name in open_ended]
    shown.sort(key=lambda item: (-item[1], item[0]))
    console.print(f"Costs: {costs_in_short(costs, what)}")
    if not shown:
        return
    table = Table(box=SIMPLE_HEAD)
    table.add_column("action" if what == "actions" else what)
    table.add_column("cost", justify="right")
    if ranges is not None:
        table.add_column("can be")
    for name, cost in shown[:_MOST_ROWS]:
        table.add_row(
            as_text(name), str(cost), *([] if ranges is None else [range_in_words(ranges[name])])
        )
    console.print(table)
    if len(shown) > _MOST_ROWS:
        console.print(f"... and {len(shown) - _MOST_ROWS} more (all with --output)")


def _known(item: ObservationResult) -> str:
    return "" if item.known_cost is None else f"{float(item.known_cost):g}"


def _ratio(item: ObservationResult) -> list[str]:
    """How many times the optimum a plan costs, and may cost."""
    ratio = "?" if item.ratio is None else f"{float(item.ratio):.3f}"
    return [ratio, f"{float(item.suboptimality or 1):g}"]


def _at_best(item: ObservationResult) -> str:
    """The least factor, and that within bounds if there are any."""
    least = item.least_factor
    if least is None or least.infimum is None:
        return "?"
    found = f"{'' if least.attained else '> '}{float(least.infimum):.3g}"
    return found if least.within_bounds is None else f"{found} ({float(least.within_bounds):.3g})"


def _plans(console: Console, result: Result) -> None:
    console.print("Observed plans")
    table = Table(box=SIMPLE_HEAD)
    table.add_column("plan")
    table.add_column("problem")
    if result.groups:
        table.add_column("group")
    with_known = any(item.known_cost is not None for item in result.observations)
    for heading in ("count", *(["known"] if with_known else []), "cost", "cheapest"):
        table.add_column(heading, justify="right")
    with_factor = any(item.suboptimality is not None for item in result.observations)
    for heading in ("ratio", "allowed") if with_factor else ():
        table.add_column(heading, justify="right")
    with_least = any(item.least_factor is not None for item in result.observations)
    if with_least:
        table.add_column("at best", justify="right")
    table.add_column("optimal")
    for item in result.observations[:_MOST_ROWS]:
        cheapest = "?" if item.optimal_cost is None else str(item.optimal_cost)
        table.add_row(
            as_text(item.plan),
            as_text(item.problem),
            *([as_text(item.group or "")] if result.groups else []),
            str(item.count),
            *([_known(item)] if with_known else []),
            str(item.cost),
            cheapest,
            *(_ratio(item) if with_factor else []),
            *([_at_best(item)] if with_least else []),
            verdict(item),
        )
    console.print(table)
    if len(result.observations) > _MOST_ROWS:
        console.print(f"... and {len(result.observations) - _MOST_ROWS} more (all with --output)")

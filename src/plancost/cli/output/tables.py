"""Results as short readable tables on standard output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from rich.console import Console
from rich.table import Table

from plancost.cli.output.console import Column, as_text, print_table
from plancost.cli.output.terminal import print_json, print_line
from plancost.learning.choose.choice import Uncertainty
from plancost.observations.pddl import split_action
from plancost.progress.terminal import PlainConsole
from plancost.results.explaining import copy_in_words, sentences
from plancost.results.result import CostRange, GroupResult, ObservationResult, Result
from plancost.results.sums import sums
from plancost.results.wording import (
    costs_in_short,
    linear_in_words,
    range_in_words,
    remarks,
    rival_in_words,
    summary_rows,
    uncertainty_in_words,
    verdict,
)

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
            if result.initial_costs is None:
                _costs(console, group.costs, None)
            else:
                _changes(console, replace(result, costs=group.costs, ranges=None))
    for schema, weights in (result.linear or {}).items():
        console.print(as_text(f"Cost of {schema}: {linear_in_words(weights)}"))
    if result.shared is not None and result.ranges is None:
        _costs(console, result.shared, None, "classes of actions")
    elif result.initial_costs is not None and not result.groups:
        _changes(console, result)
    elif result.linear is not None and result.ranges is None:
        rest = {n: c for n, c in result.costs.items() if split_action(n)[0] not in result.linear}
        if rest:
            _costs(console, rest, None, "other actions")
    elif not result.groups:
        _costs(console, result.costs, result.ranges, uncertainty=result.uncertainty)
    _plans(console, result)
    _notes(console, result)


def print_check(result: Result) -> None:
    """Print what a check found; it proves nothing about other costs."""
    console = console_for_output()
    _count(console, result)
    if not result.verified:
        console.print("The check by search could not finish within the limits.")
    _plans(console, result)
    _notes(console, result)


def console_for_output() -> Console:
    """Where results are printed: as wide as the terminal, or wide enough for a file."""
    width = None if sys.stdout.isatty() else _WIDTH_OF_A_FILE
    return PlainConsole(width=width, highlight=False)


def print_explanations(result: Result, *, with_sums: bool = False) -> None:
    """Print for every plan that is not optimal why it is not; with sums, as arithmetic too."""
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
        if item.explanation is None:
            continue
        copy = copy_in_words(item.explanation)
        added_up = sums(item.explanation) if with_sums else []
        for sentence in [*([copy] if copy else []), *sentences(item.explanation)]:
            console.print(as_text(f"  {sentence}"))
        for line in added_up:
            console.print(as_text(f"  {line}"), soft_wrap=True)


def _count(console: Console, result: Result) -> None:
    whose = "the costs of their groups" if result.groups else "these costs"
    console.print(f"{result.optimal_plans} of {result.plans} plans are optimal under {whose}.")


def _notes(console: Console, result: Result) -> None:
    for note in result.notes:
        console.print(as_text(f"note: {note}"))


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
    columns: list[Column[GroupResult]] = [
        Column("group", lambda group: group.name, "left"),
        Column("plans", lambda group: str(group.plans)),
        Column("optimal", lambda group: str(group.optimal_plans)),
        Column(
            "distance" if result.refined else "sum of costs",
            lambda group: str(group.secondary.value),
        ),
        Column(
            "",
            lambda group: "least for these plans" if group.secondary.proved else "not proven least",
            "left",
        ),
    ]
    # A note says how many groups have no plans.
    print_table(console, columns, [group for group in result.groups if group.plans])


def _changes(console: Console, result: Result) -> None:
    """The costs that are not what they were, or need not be, those that changed most first."""
    costs, initial = result.costs, result.initial_costs or {}
    changes = {name: abs(costs[name] - initial[name]) for name in costs}
    columns: list[Column[str]] = [
        Column("action", str, "left"),
        Column("initially", lambda name: str(initial[name])),
        Column("now", lambda name: str(costs[name])),
        *_interval(result.uncertainty),
    ]
    changed = sum(map(bool, changes.values()))
    console.print(f"Changed: {changed or 'none'} of {len(costs)} costs")
    _most_first(console, changes, result.ranges, columns)


def _interval(uncertainty: Mapping[str, Uncertainty] | None) -> list[Column[str]]:
    """A column that says how well each cost is known, if that is known."""
    if uncertainty is None:
        return []
    found = uncertainty
    return [
        Column("sd", lambda name: f"{found[name].sd:.0f}"),
        Column("90 % interval", lambda name: uncertainty_in_words(found[name]), "left"),
    ]


def _costs(
    console: Console,
    costs: Mapping[str, int],
    ranges: Mapping[str, CostRange] | None,
    what: str = "actions",
    uncertainty: Mapping[str, Uncertainty] | None = None,
) -> None:
    least = min(costs.values(), default=1)
    above = {name: cost - least for name, cost in costs.items()}
    columns: list[Column[str]] = [
        Column("action" if what == "actions" else what, str, "left"),
        Column("cost", lambda name: str(costs[name])),
        *_interval(uncertainty),
    ]
    console.print(f"Costs: {costs_in_short(costs, what)}")
    _most_first(console, above, ranges, columns)


def _most_first(
    console: Console,
    amounts: Mapping[str, int],
    ranges: Mapping[str, CostRange] | None,
    columns: list[Column[str]],
) -> None:
    """A table of the names that have an amount or a range, the largest amounts first."""
    if ranges is not None:
        columns = [*columns, Column("can be", lambda name: range_in_words(ranges[name]), "left")]
    known = ranges or {}
    open_ended = {name for name, found in known.items() if found.least < found.greatest}
    shown = [name for name, amount in amounts.items() if amount or name in open_ended]
    if shown:
        shown.sort(key=lambda name: (-amounts[name], name))
        print_table(console, columns, shown)


def _plans(console: Console, result: Result) -> None:
    def any_has(name: str) -> bool:
        return any(getattr(item, name) is not None for item in result.observations)

    columns: list[tuple[bool, Column[ObservationResult]]] = [
        (True, Column("plan", lambda item: item.plan, "left")),
        (True, Column("problem", lambda item: item.problem, "left")),
        (bool(result.groups), Column("group", lambda item: item.group or "", "left")),
        (True, Column("count", lambda item: str(item.count))),
        (any_has("known_cost"), Column("known", lambda item: _number(item.known_cost, "g", ""))),
        (True, Column("cost", lambda item: str(item.cost))),
        (True, Column("cheapest", lambda item: _number(item.optimal_cost, "d"))),
        (any_has("suboptimality"), Column("ratio", lambda item: _number(item.ratio, ".3f"))),
        (
            any_has("suboptimality"),
            Column("allowed", lambda item: _number(item.suboptimality or 1, "g")),
        ),
        (any_has("least_factor"), Column("at best", _at_best)),
        (True, Column("optimal", verdict, "left")),
        (any_has("probability"), Column("probability", lambda item: _share(item.probability))),
    ]
    console.print("Observed plans")
    print_table(console, [column for shown, column in columns if shown], result.observations)


def _number(value: Fraction | int | None, form: str, unknown: str = "?") -> str:
    if value is None:
        return unknown
    return str(value) if form == "d" else f"{float(value):{form}}"


def _share(value: float | None) -> str:
    return "?" if value is None else f"{100 * value:.0f} %"


def _at_best(item: ObservationResult) -> str:
    """The least factor, and that within bounds if there are any."""
    least = item.least_factor
    if least is None or least.infimum is None:
        return "?"
    found = f"{'' if least.attained else '> '}{float(least.infimum):.3g}"
    return found if least.within_bounds is None else f"{found} ({float(least.within_bounds):.3g})"

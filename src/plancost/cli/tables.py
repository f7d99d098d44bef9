"""Results as short readable tables on standard output."""

from __future__ import annotations

import sys

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from plancost.results.explaining import sentences
from plancost.results.result import Result

_MOST_ROWS = 30
_WIDTH_OF_A_FILE = 110


def print_result(result: Result) -> None:
    """Print what was learned, what is proven, and which plans are optimal."""
    console = console_for_output()
    _summary(console, result)
    _costs(console, result)
    _plans(console, result)
    for note in result.notes:
        console.print(Text(f"note: {note}"))


def print_check(result: Result) -> None:
    """Print what a check found; it proves nothing about other costs."""
    console = console_for_output()
    console.print(f"{result.optimal_plans} of {result.plans} plans are optimal under these costs.")
    if not result.verified:
        console.print("The check by search could not finish within the limits.")
    _plans(console, result)
    for note in result.notes:
        console.print(Text(f"note: {note}"))


def console_for_output() -> Console:
    """Where results are printed: as wide as the terminal, or wide enough for a file."""
    width = None if sys.stdout.isatty() else _WIDTH_OF_A_FILE
    return Console(width=width, highlight=False)


def print_explanations(result: Result) -> None:
    """Print for every plan that is not optimal why it is not."""
    console = console_for_output()
    console.print(f"{result.optimal_plans} of {result.plans} plans are optimal under these costs.")
    for item in result.observations:
        if item.optimal:
            continue
        console.print()
        console.print(Text(f"{item.plan} costs {item.cost}", style="bold"))
        if item.optimal is None:
            console.print("  the check could not finish within the limits")
            continue
        if item.rival is not None and item.rival_cost is not None:
            less = item.cost - item.rival_cost
            much = f"{less} less" if less else "as little"
            console.print(Text(f"  found by search: this costs {item.rival_cost}, {much}:"))
            console.print(Text("    " + " ".join(item.rival) if item.rival else "    (no step)"))
        for sentence in sentences(item.explanation) if item.explanation else ():
            console.print(Text(f"  {sentence}"))


def _summary(console: Console, result: Result) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    table.add_row(
        "optimal plans", f"{result.optimal_plans} of {result.plans}", _proof_of_plans(result)
    )
    secondary = result.secondary
    least = f"not proven least, at least {secondary.lower_bound}"
    if secondary.proved:
        least = "proven least"
    elif secondary.value == secondary.lower_bound:
        least = "no costs have less"
    name = "distance from the initial costs" if result.refined else "sum of costs"
    table.add_row(name, str(secondary.value), least)
    console.print(table)
    if result.believed_optimal != result.optimal_plans:
        console.print(
            f"The optimiser believed {result.believed_optimal} plans optimal; "
            f"the check by search confirmed {result.optimal_plans}."
        )
    if result.exists is False:
        console.print("No costs make all plans optimal (proven).")
        if result.conflict:
            console.print(Text("These plans cannot all be optimal: " + ", ".join(result.conflict)))
    if not result.verified:
        console.print("The check by search could not finish within the limits.")
    if result.interrupted:
        console.print("Interrupted: this is the best answer so far.")


def _proof_of_plans(result: Result) -> str:
    if result.proved:
        return "proven: no costs make more plans optimal"
    return f"not proven most: at most {result.upper_bound}"


def _costs(console: Console, result: Result) -> None:
    least = min(result.costs.values(), default=1)
    dearer = sum(cost > least for cost in result.costs.values())
    ranges = result.ranges or {}
    open_ended = {name for name, found in ranges.items() if found.least < found.greatest}
    shown = [
        (name, cost) for name, cost in result.costs.items() if cost > least or name in open_ended
    ]
    shown.sort(key=lambda item: (-item[1], item[0]))
    title = f"Costs: {dearer} of {len(result.costs)} actions cost more than {least}"
    if not shown:
        console.print(f"Costs: all {len(result.costs)} actions cost {least}")
        return
    console.print(title)
    table = Table(box=SIMPLE_HEAD)
    table.add_column("action")
    table.add_column("cost", justify="right")
    if result.ranges is not None:
        table.add_column("can be")
    for name, cost in shown[:_MOST_ROWS]:
        table.add_row(Text(name), str(cost), *_range(result, name))
    console.print(table)
    if len(shown) > _MOST_ROWS:
        console.print(f"... and {len(shown) - _MOST_ROWS} more (all with --output)")


def _range(result: Result, name: str) -> list[str]:
    if result.ranges is None:
        return []
    found = result.ranges[name]
    words = (
        str(found.least) if found.least == found.greatest else f"{found.least} to {found.greatest}"
    )
    return [words if found.proved else f"{words} or more"]


def _plans(console: Console, result: Result) -> None:
    console.print("Observed plans")
    table = Table(box=SIMPLE_HEAD)
    table.add_column("plan")
    table.add_column("problem")
    for heading in ("count", "cost", "cheapest"):
        table.add_column(heading, justify="right")
    table.add_column("optimal")
    words = {True: "yes", False: "no", None: "unknown"}
    tied = "no (tied)"
    for item in result.observations[:_MOST_ROWS]:
        cheapest = "?" if item.optimal_cost is None else str(item.optimal_cost)
        table.add_row(
            Text(item.plan),
            Text(item.problem),
            str(item.count),
            str(item.cost),
            cheapest,
            tied
            if item.optimal is False and item.cost == item.optimal_cost
            else words[item.optimal],
        )
    console.print(table)
    if len(result.observations) > _MOST_ROWS:
        console.print(f"... and {len(result.observations) - _MOST_ROWS} more (all with --output)")

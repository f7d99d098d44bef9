"""Plans with their costs, and where the costs come from."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from plancost.cli.output.console import as_text
from plancost.cli.output.evaluation import print_text_table
from plancost.cli.output.terminal import print_line
from plancost.files.tables import TextTable
from plancost.planning.new_costs import NewCosts
from plancost.planning.solve import PricedPlan, SolveResult, SolveStatus
from plancost.probability.new_task import ProbablePlans
from plancost.progress.terminal import PlainConsole

_SHOWN_NAMES = 3
_SHOWN_PLANS = 10


def print_plans(result: SolveResult, asked: int) -> None:
    """Print the plans, and what is known about them."""
    if result.costs is not None:
        print_origin(result.costs)
    console = PlainConsole(highlight=False, width=None)
    for number, plan in enumerate(result.plans[:_SHOWN_PLANS], start=1):
        if asked > 1:
            console.print(f"plan {number} of {len(result.plans)}")
        console.print(_table(plan))
    if len(result.plans) > _SHOWN_PLANS:
        rest = [str(plan.cost) for plan in result.plans[_SHOWN_PLANS:]]
        print_line(
            f"... and {len(rest)} more, which cost {rest[0]} to {rest[-1]} (all with --output)"
        )
    print_line(_verdict(result, asked))


def _table(plan: PricedPlan) -> Table:
    table = Table(box=SIMPLE_HEAD, show_footer=True)
    table.add_column("step", justify="right")
    table.add_column("action", footer=f"{len(plan.steps)} steps", overflow="fold")
    table.add_column("cost", justify="right", footer=str(plan.cost))
    for number, (step, cost) in enumerate(zip(plan.steps, plan.costs, strict=True), start=1):
        table.add_row(str(number), as_text(step), str(cost))
    return table


def _verdict(result: SolveResult, asked: int) -> str:
    """One sentence about what is known."""
    by = f"{result.planner}, {result.seconds:.1f} s"
    cost = result.plans[0].cost if result.plans else None
    if result.status is SolveStatus.UNSOLVABLE:
        return f"There is no plan (proven; {by})."
    if cost is None:
        return f"No plan was found: {result.status.value} ({by})."
    if result.status is SolveStatus.FOUND and asked == 1:
        return f"Not proven: there may be plans that cost less than {cost} ({by})."
    if result.status is SolveStatus.FOUND:
        return (
            f"Not proven: these {len(result.plans)} plans may not be the {asked} cheapest ({by})."
        )
    if asked == 1:
        return f"No plan costs less than {cost} (proven; {by})."
    all_there_are = "; there are no others" if result.complete else ""
    return f"These are the {len(result.plans)} cheapest plans (proven{all_there_are}; {by})."


def print_probable_plans(found: ProbablePlans) -> None:
    """Print how probable each plan is to be optimal."""
    rows = tuple(
        (
            " ".join(plan.steps) or "(no step)",
            f"{100 * plan.probability:.0f} %",
            f"{plan.expected_regret:.3f}",
            "yes" if plan.predicted else "",
        )
        for plan in found.plans[:_SHOWN_PLANS]
    )
    about = []
    if len(found.plans) > _SHOWN_PLANS:
        about.append(f"... and {len(found.plans) - _SHOWN_PLANS} more (all with --json)")
    about.append(f"{found.searched} of {found.samples} samples of the costs were searched")
    headings = ("plan", "optimal", "expected regret", "least expected cost")
    print_text_table(TextTable(headings, rows), [*about, *(f"note: {n}" for n in found.notes())])


def print_origin(costs: NewCosts) -> None:
    """How many actions were learned, how many got a default, and a few names."""
    print_line(f"{len(costs.learned)} of {len(costs.costs)} actions have a learned cost")
    default = next((str(costs.costs[name]) for name in costs.fixed), "")
    origins = [
        (costs.from_class, "the cost of their class"),
        (costs.from_weights, "what the learned weights say"),
        (costs.from_schema, "the median of their action schema"),
        (costs.fixed, default),
    ]
    for found, origin in origins:
        if found:
            print_line(f"{len(found)} got {origin}: {_named(sorted(found), costs)}")


def _named(names: Sequence[str], costs: NewCosts) -> str:
    shown = [f"{name} {costs.costs[name]}" for name in names[:_SHOWN_NAMES]]
    return ", ".join([*shown, "..."] if len(names) > _SHOWN_NAMES else shown)

"""``plancost apply`` and ``plancost solve``: costs into PDDL, and plans out of it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table

from plancost.cli import exit_codes
from plancost.cli.console import PlainConsole, as_text
from plancost.cli.outputs import Outputs
from plancost.cli.talk import talking
from plancost.cli.terminal import say, say_json
from plancost.errors import InputError
from plancost.files.atomic import make_folder_of, write_atomically
from plancost.observations.planfile import write_plan
from plancost.planning.apply import apply_costs
from plancost.planning.new_costs import GivenCosts, NewCosts
from plancost.planning.solve import PricedPlan, SolveOptions, SolveResult, SolveStatus
from plancost.planning.solve import solve as find_plans
from plancost.results.claims import read_learned_costs
from plancost.system.processes import Limits

_SHOWN_NAMES = 3
_SHOWN_PLANS = 10
_EXIT = {
    SolveStatus.PROVEN: exit_codes.OK,
    SolveStatus.FOUND: exit_codes.UNPROVEN,
    SolveStatus.UNSOLVABLE: exit_codes.UNSOLVABLE,
}


def _given(arguments: argparse.Namespace) -> GivenCosts:
    """The costs that the arguments name."""
    path: Path = arguments.costs
    return path if arguments.group is None else read_learned_costs(path, arguments.group)


def apply(arguments: argparse.Namespace) -> int:
    """``plancost apply``."""
    with talking(arguments):
        applied = apply_costs(
            _given(arguments),
            arguments.problem,
            domain=arguments.domain,
            output=arguments.output,
            default_cost=arguments.default_cost,
            limits=Limits(arguments.time_limit, arguments.memory_limit),
        )
    if arguments.json:
        files = [str(path) for path in applied.files]
        say_json({"files": files, **applied.costs.to_json()})
    elif not arguments.quiet:
        _print_origin(applied.costs)
        for path in applied.files:
            say(f"wrote {path}")
    return exit_codes.OK


def solve(arguments: argparse.Namespace) -> int:
    """``plancost solve``."""
    options = SolveOptions(
        planner=arguments.planner,
        count=arguments.count,
        time_limit_s=arguments.time_limit,
        started_at=arguments.started_at,
        memory_limit_mb=arguments.memory_limit,
        use_cache=not arguments.no_cache,
    )
    with talking(arguments) as progress:
        result = find_plans(
            arguments.problem,
            domain=arguments.domain,
            costs=None if arguments.costs is None else _given(arguments),
            default_cost=arguments.default_cost,
            options=options,
            progress=progress,
        )
    outputs, written = Outputs(), []
    with outputs.writing():
        written = [] if arguments.output is None else _write(result, arguments)
    if arguments.json:
        say_json(result.to_json())
    elif not arguments.quiet:
        _print_plans(result, arguments.count)
    for path in written:
        if not (arguments.quiet or arguments.json):
            say(f"wrote {path}")
    for failure in result.failures:
        say(f"plancost: {failure}", error=True)
    if outputs.failed:
        outputs.report()
        return exit_codes.BAD_INPUT
    return _EXIT.get(result.status, exit_codes.UNDECIDED)


def _write(result: SolveResult, arguments: argparse.Namespace) -> list[Path]:
    """Write the plans; a single one under the very name that was given."""
    path: Path = arguments.output
    paths = [path]
    if arguments.count > 1:
        paths = [path.with_name(f"{path.name}.{n}") for n in range(1, len(result.plans) + 1)]
    try:
        for file, plan in zip(paths, result.plans, strict=False):
            make_folder_of(file)
            text = f"{write_plan(plan.steps)}; cost = {plan.cost}\n"
            write_atomically(file, text.encode("utf-8"))
    except OSError as error:
        raise InputError(f"cannot write a plan here ({error.strerror})", path) from error
    return paths[: len(result.plans)]


def _print_plans(result: SolveResult, asked: int) -> None:
    if result.costs is not None:
        _print_origin(result.costs)
    console = PlainConsole(highlight=False, width=None)
    for number, plan in enumerate(result.plans[:_SHOWN_PLANS], start=1):
        if asked > 1:
            console.print(f"plan {number} of {len(result.plans)}")
        console.print(_table(plan))
    if len(result.plans) > _SHOWN_PLANS:
        rest = [str(plan.cost) for plan in result.plans[_SHOWN_PLANS:]]
        say(f"... and {len(rest)} more, which cost {rest[0]} to {rest[-1]} (all with --output)")
    say(_verdict(result, asked))


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


def _print_origin(costs: NewCosts) -> None:
    """How many actions were learned, how many got a default, and a few names."""
    say(f"{len(costs.learned)} of {len(costs.costs)} actions have a learned cost")
    if costs.from_class:
        names = _named(sorted(costs.from_class), costs)
        say(f"{len(costs.from_class)} got the cost of their class: {names}")
    if costs.from_weights:
        names = _named(sorted(costs.from_weights), costs)
        say(f"{len(costs.from_weights)} got what the learned weights say: {names}")
    if costs.from_schema:
        names = _named(sorted(costs.from_schema), costs)
        say(f"{len(costs.from_schema)} got the median of their action schema: {names}")
    if costs.fixed:
        values = {costs.costs[name] for name in costs.fixed}
        names = _named(sorted(costs.fixed), costs)
        say(f"{len(costs.fixed)} got {values.pop()}: {names}")


def _named(names: Sequence[str], costs: NewCosts) -> str:
    shown = [f"{name} {costs.costs[name]}" for name in names[:_SHOWN_NAMES]]
    return ", ".join([*shown, "..."] if len(names) > _SHOWN_NAMES else shown)

"""``plancost solve``: the cheapest plans of a problem."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, add_quiet
from plancost.cli.commands.apply import COSTS_HELP, RULE, add_problem, given_costs
from plancost.cli.number_arguments import positive
from plancost.cli.options import add, add_option, learn_options
from plancost.cli.output.terminal import print_json, print_line, print_written
from plancost.errors import InputError, UsageError
from plancost.files.atomic import make_folder_of, write_atomically
from plancost.observations.planfile import write_plan
from plancost.system.schedule import SCHEDULE

if TYPE_CHECKING:
    from plancost.planning.solve import SolveResult
    from plancost.probability.new_task import ProbablePlans
    from plancost.system.progress import Progress

_TEXT = f"""The costs are those in the PDDL (1 everywhere if it has none), or with --costs those
that were learned. {RULE}

Several plans (--count) are the cheapest that visit no state twice; one ordering stands for all
orderings of the same actions."""
_STATUS = {
    "proven": exit_codes.OK,
    "found": exit_codes.UNPROVEN,
    "unsolvable": exit_codes.UNSOLVABLE,
}
_MOST_PLANS_LOOKED_AT = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_problem(parser)
    add(parser, f"--costs RESULT.json: {COSTS_HELP}", Path)
    add(
        parser,
        "--planner: planner to use (default: both side by side; symk with --count above 1)",
        choices=["fast-downward", "symk"],
    )
    add(parser, "--count K: find the K cheapest plans, with SymK (default: 1)", positive, default=1)
    add(
        parser,
        "--output FILE: write the plan to this file; with --count above 1 to FILE.1, FILE.2, ...",
        Path,
    )
    add(
        parser,
        "--samples SAMPLES.npz: how probable plans are to be optimal: what plancost learn --choose "
        "mean --samples-out wrote with RESULT.json",
        Path,
    )
    add_option(parser, "use_cache")
    add_quiet(parser, "do not print the plans", json="print the plans as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Find the plans, write and print them."""
    from plancost.cli.output.messages import progress_and_log
    from plancost.cli.output.plans import print_plans, print_probable_plans
    from plancost.cli.outputs import Outputs
    from plancost.planning.solve import SolveOptions, solve

    if arguments.samples is not None and arguments.costs is None:
        raise UsageError("--samples goes with --costs, the result that they were drawn for")
    if arguments.samples is not None and arguments.group is not None:
        raise UsageError("--samples does not go with several groups")
    limit, samples = arguments.time_limit, None
    if arguments.samples is not None and limit is not None:
        limit *= SCHEDULE.solving_before_samples
    options = SolveOptions(
        planner=arguments.planner,
        count=arguments.count,
        time_limit_s=limit,
        started_at=arguments.started_at,
        memory_limit_mb=arguments.memory_limit,
        use_cache=not arguments.no_cache,
    )
    with progress_and_log(arguments) as progress:
        result = solve(
            arguments.problem,
            domain=arguments.domain,
            costs=None if arguments.costs is None else given_costs(arguments),
            default_cost=arguments.default_cost,
            options=options,
            progress=progress,
        )
        if arguments.samples is not None and result.plans:
            samples = _probable(arguments, progress)
    outputs, written = Outputs(), []
    with outputs.writing():
        written = [] if arguments.output is None else _write(result, arguments)
    if arguments.json:
        more = {} if samples is None else {"probable": samples.to_json()}
        print_json({**result.to_json(), **more})
    elif not arguments.quiet:
        print_plans(result, arguments.count)
        if samples is not None:
            print_probable_plans(samples)
    print_written(written, arguments)
    for failure in result.failures:
        print_line(f"plancost: {failure}", error=True)
    if outputs.failed:
        outputs.report()
        return exit_codes.BAD_INPUT
    return _STATUS.get(result.status.value, exit_codes.UNDECIDED)


def _probable(arguments: argparse.Namespace, progress: Progress) -> ProbablePlans:
    """What the samples say, in the time that is left."""
    from plancost.probability.new_task import probable_plans

    return probable_plans(
        arguments.problem,
        arguments.samples,
        domain=arguments.domain,
        costs=arguments.costs,
        options=learn_options(arguments),
        progress=progress,
    )


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


def _output_files(arguments: argparse.Namespace) -> Iterator[Path]:
    path: Path = arguments.output
    yield path
    for number in range(1, min(arguments.count, _MOST_PLANS_LOOKED_AT) + 1):
        yield path.with_name(f"{path.name}.{number}")


COMMAND = Command(
    "solve",
    "find the cheapest plans of a problem",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "found, and proven to be the cheapest",
        {
            exit_codes.UNSOLVABLE: "proven that the problem has no plan",
            exit_codes.UNDECIDED: "a limit was reached before any plan was found",
            exit_codes.UNPROVEN: "plans, but a limit or a failure came before they were proven to "
            "be the cheapest",
            exit_codes.FAILED: f"{exit_codes.PROGRAM}, and there is no plan to show",
        },
        stopped=exit_codes.NO_ANSWER,
    ),
    output_files=_output_files,
    shares_memory=True,
)

"""``plancost learn``: learn costs, check them, write and print the answer."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, add_case, add_domain, add_quiet
from plancost.cli.commands.report import add_coordinates, check_coordinates, write_page
from plancost.cli.options import add, add_options, learn_options
from plancost.cli.output.terminal import print_written
from plancost.errors import UsageError
from plancost.learning.problem.declaration import Topic
from plancost.learning.problem.options import Choose, LearnOptions

if TYPE_CHECKING:
    from plancost.results.result import Result

CASE_TEXT = """CASE is a folder with domain.pddl, problems NAME.pddl and observed plans of
NAME.pddl called NAME.plan, NAME.*.plan, NAME.plan.N or NAME.soln; or a CSV manifest with
the columns problem,plan and optionally count,cost,time,group,suboptimality (then with
--domain). With a group column every group gets a cost function of its own."""

STATUSES = exit_codes.meanings(
    "an answer (also if a limit stopped it: the answer says what is proven)",
    {
        exit_codes.NO_IDEAL: "icf: proven that no such costs exist",
        exit_codes.UNDECIDED: "undecided, or not verified within the limits",
        exit_codes.FAILED: f"{exit_codes.PROGRAM}{exit_codes.KEPT}",
    },
    stopped=exit_codes.KEPT,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_case(parser)
    add_domain(parser)
    add(parser, "--output RESULT.json: write the result to this file", Path)
    add(
        parser,
        "--pddl-out DIR: write the domain and the problems with the learned costs into this folder",
        Path,
    )
    add(
        parser,
        "--report REPORT.html: write a page that shows costs, plans, explanations and the map",
        Path,
    )
    add_certificate(parser)
    add_samples_out(parser)
    add_coordinates(parser)
    add_quiet(parser, "no progress, no table", json="print the result as JSON")
    add_options(parser, *Topic)


def add_certificate(parser: argparse.ArgumentParser) -> None:
    """``--certificate``."""
    add(
        parser,
        "--certificate PROOF.json: write what the bounds rest on, for plancost check-proof",
        Path,
    )


def add_samples_out(parser: argparse.ArgumentParser) -> None:
    """``--samples-out``."""
    add(
        parser,
        "--samples-out SAMPLES.npz: with --choose mean: write costs that are as probable as each "
        "other to this file",
        Path,
    )


def options_of(arguments: argparse.Namespace) -> LearnOptions:
    """With checkpoints beside the result, unless another place or none was asked for."""
    options = replace(learn_options(arguments), certificate=arguments.certificate is not None)
    if arguments.samples_out is not None and options.choose is not Choose.MEAN:
        raise UsageError("--samples-out goes with --choose mean")
    if arguments.output is None or arguments.no_checkpoint or options.checkpoint is not None:
        return options
    return replace(options, checkpoint=Path(f"{arguments.output}.checkpoint"))


def run(arguments: argparse.Namespace) -> int:
    """Learn, write what was asked for, and print the answer."""
    from plancost.api import learn as learning
    from plancost.api import pddl
    from plancost.cli.output.messages import progress_and_log
    from plancost.cli.output.tables import print_result, show
    from plancost.cli.outputs import Outputs
    from plancost.results.samples import write_samples

    options = options_of(arguments)
    check_coordinates(arguments)
    samples = arguments.samples_out
    with progress_and_log(arguments) as progress:
        result = learning.learn(arguments.case, options, domain=arguments.domain, progress=progress)
    outputs = Outputs()
    if arguments.output is not None:
        outputs.write(result, arguments.output)
    with outputs.writing():
        if arguments.certificate is not None:
            result.write_proof(arguments.certificate)
    with outputs.writing():
        if arguments.pddl_out is not None:
            pddl.write_result_pddl(result, arguments.pddl_out)
    with outputs.writing():
        if samples is not None and result.samples is not None:
            write_samples(result, samples)
    pages: list[Path] = []
    with outputs.writing():
        pages = write_page(result, arguments)
    show(result, arguments, print_result)
    if outputs.failed:
        outputs.report()
        return exit_codes.BAD_INPUT
    named = (
        arguments.output,
        arguments.certificate,
        arguments.pddl_out,
        None if result.samples is None else samples,
        *pages,
    )
    print_written([path for path in named if path is not None], arguments)
    if result.is_finished:
        learning.remove_checkpoints(result)
    return status_of(result)


def status_of(result: Result) -> int:
    """The exit status after learning."""
    if result.interrupted:
        return exit_codes.INTERRUPTED
    if result.exists is False:
        return exit_codes.NO_IDEAL
    if result.failures and not result.is_complete:
        return exit_codes.FAILED
    required = result.options.get("require", ())
    missed = any(item.plan in required and not item.optimal for item in result.observations)
    if not result.verified or missed or (result.solution == "icf" and result.exists is None):
        return exit_codes.UNDECIDED
    return exit_codes.OK


COMMAND = Command(
    "learn",
    "learn costs under which observed plans are optimal",
    CASE_TEXT,
    add_arguments,
    run,
    STATUSES,
    shares_memory=True,
)

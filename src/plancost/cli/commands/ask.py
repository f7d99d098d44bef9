"""``plancost ask``: where to look next."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.command import Command, add_case, add_domain, add_quiet
from plancost.cli.number_arguments import positive
from plancost.cli.options import add, add_option, add_options, learn_options
from plancost.cli.output.terminal import print_json
from plancost.learning.problem.declaration import Topic

_TEXT = """CASE is what RESULT.json was learned from. Samples of the costs say which plans may be
optimal for each problem. A plan of a problem teaches much if it tells apart samples that would
predict plans that cost too much under each other. Without --samples, they are drawn as by
plancost learn --choose mean."""
SAMPLES_HELP = "what plancost learn --choose mean --samples-out wrote with RESULT.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command. The concept is that of RESULT.json."""
    add_case(parser)
    add(parser, "result RESULT.json: what plancost learn wrote", Path)
    add(parser, "--tasks DIR: folder of the problems to choose from (default: those of CASE)", Path)
    add_ask(parser)
    add_domain(parser)
    add_option(parser, "default_cost", "cost of the actions that the samples do not know", least=1)
    add_quiet(parser, "no progress, no table", json="print the ranking as JSON")
    add_options(parser, Topic.SEARCH)


def add_ask(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """``--samples`` and ``--budget``."""
    add(parser, f"--samples SAMPLES.npz: {SAMPLES_HELP}", Path, required=required)
    add(
        parser,
        "--budget N: choose N of them that teach the most together (default: rank all of them, "
        "each by itself)",
        positive,
    )


def run(arguments: argparse.Namespace) -> int:
    """Rank the problems, and print them."""
    from plancost.cli.output.evaluation import print_text_table
    from plancost.cli.output.messages import progress_and_log
    from plancost.probability.ask import AskOptions, ask

    options = AskOptions(
        arguments.tasks, arguments.samples, arguments.budget, learn_options(arguments)
    )
    with progress_and_log(arguments) as progress:
        found = ask(
            arguments.case, arguments.result, options, domain=arguments.domain, progress=progress
        )
    if arguments.json:
        print_json(found.to_json())
    elif not arguments.quiet:
        print_text_table(found.table(), found.remarks())
    return exit_codes.OK


COMMAND = Command(
    "ask",
    "rank problems by how much observing a plan of them would teach",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "the problems are ranked",
        {exit_codes.UNDECIDED: "no sample was searched within the limits"},
        stopped=exit_codes.NO_ANSWER,
    ),
    shares_memory=True,
)

"""``plancost pddl``: the planning tasks of a result, with the learned costs."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.command import Command, Output
from plancost.cli.commands.learn import CASE_TEXT
from plancost.cli.commands.report import add_case_and_whole_result, read_case_and_whole_result
from plancost.cli.options import add
from plancost.cli.output.terminal import print_written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_case_and_whole_result(parser)
    add(parser, "--output DIR: the folder to write PDDL to", Path, required=True)


def run(arguments: argparse.Namespace) -> int:
    """Write the PDDL."""
    from plancost.api.pddl import write_result_pddl

    result, case = read_case_and_whole_result(arguments)
    print_written(write_result_pddl(result, arguments.output, case=case), arguments)
    return exit_codes.OK


COMMAND = Command(
    "pddl",
    "write the domain and the problems of a result with its costs",
    f"As plancost learn --pddl-out does, but later. {CASE_TEXT}",
    add_arguments,
    run,
    exit_codes.meanings("the PDDL is written", {}, stopped="; nothing is written"),
    output=Output.PDDL,
)

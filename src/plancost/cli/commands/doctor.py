"""``plancost doctor``: the checks, one line each."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command
from plancost.cli.options import add
from plancost.cli.output.terminal import print_json, print_line

if TYPE_CHECKING:
    from plancost.doctor.finding import Finding

_TEXT = """Each program is really run on a tiny task. One line each: ok, missing or broken, and how
to fix it; what is only optional is marked so and does not change the exit status."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, "--json: print the checks as JSON", bool)


def run(arguments: argparse.Namespace) -> int:
    """Run all checks."""
    from plancost.doctor.checks import all_checks
    from plancost.doctor.finding import State

    found: list[Finding] = []
    for finding in all_checks():
        found.append(finding)
        if not arguments.json:
            print_line(_line(finding), flush=True)
    works = all(finding.state is State.OK for finding in found if finding.required)
    if arguments.json:
        print_json({"ok": works, "checks": [asdict(finding) for finding in found]})
    elif works:
        print_line("everything that plancost needs works")
    else:
        print_line("something that plancost needs does not work")
    return exit_codes.OK if works else exit_codes.BAD_INPUT


def _line(finding: Finding) -> str:
    name = finding.name if finding.required else f"{finding.name} (optional)"
    mend = f"; {finding.mend}" if finding.mend else ""
    return f"{finding.state.value:<8} {name:<26} {finding.said}{mend}"


COMMAND = Command(
    "doctor",
    "check that everything plancost needs works",
    _TEXT,
    add_arguments,
    run,
    {
        exit_codes.OK: "all that plancost needs works",
        exit_codes.BAD_INPUT: "something that plancost needs is missing or broken",
        exit_codes.USAGE: "the options are wrong",
    },
)

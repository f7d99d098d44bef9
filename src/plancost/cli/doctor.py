"""``plancost doctor``: the checks, one line each."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from plancost.cli import exit_codes
from plancost.cli.terminal import say, say_json
from plancost.doctor.checks import all_checks
from plancost.doctor.finding import Finding, State


def doctor(arguments: argparse.Namespace) -> int:
    """``plancost doctor``."""
    found: list[Finding] = []
    for finding in all_checks():
        found.append(finding)
        if not arguments.json:
            say(_line(finding), flush=True)
    works = all(finding.state is State.OK for finding in found if finding.required)
    if arguments.json:
        checks = [asdict(finding) for finding in found]
        say_json({"ok": works, "checks": checks})
    elif works:
        say("everything that plancost needs works")
    else:
        say("something that plancost needs does not work")
    return exit_codes.OK if works else exit_codes.BAD_INPUT


def _line(finding: Finding) -> str:
    name = finding.name if finding.required else f"{finding.name} (optional)"
    mend = f"; {finding.mend}" if finding.mend else ""
    return f"{finding.state.value:<8} {name:<26} {finding.said}{mend}"

"""``plancost doctor``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from plancost.cli import exit_codes
from plancost.cli.streams import say
from plancost.values import escaped


def add_doctor(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def run_doctor(arguments: argparse.Namespace) -> int:
    """Try everything, and say what works."""
    from plancost.doctor import examine

    findings = examine()
    works = all(finding.ok for finding in findings)
    if arguments.json:
        say(json.dumps({"ok": works, "findings": [asdict(found) for found in findings]}, indent=1))
    else:
        for found in findings:
            state = "ok" if found.ok else "WRONG"
            say(f"{state:<6}{found.name:<28}{escaped(found.words)}")
        say("all that plancost needs works" if works else "something that plancost needs is wrong")
    return exit_codes.OK if works else exit_codes.FAILED

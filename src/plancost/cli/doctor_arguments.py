"""The arguments of ``plancost doctor``."""

from __future__ import annotations

import argparse

from plancost.cli import exit_codes
from plancost.cli.shared_arguments import Commands, add_command

_WHAT = """Each program is really run on a tiny task. One line each: ok, missing or broken, and how
to mend it; what is only optional is marked so and does not change the exit status."""


def add_doctor(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands, "doctor", "check that everything plancost needs works", _WHAT, exit_codes.DOCTOR
    )
    parser.add_argument("--json", action="store_true", help="print the checks as JSON")

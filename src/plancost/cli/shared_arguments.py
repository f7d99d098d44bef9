"""What the arguments of several commands have in common."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.numbers import count_from_one, count_from_zero, count_to_thousand

Commands = argparse._SubParsersAction  # argparse has no other name for it


def add_command(
    commands: Commands[argparse.ArgumentParser],
    name: str,
    summary: str,
    text: str,
    statuses: Mapping[int, str] = exit_codes.COMMON,
) -> argparse.ArgumentParser:
    """A command with its summary, a text about it, and what its exit statuses mean."""
    return commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.\n\n{text}",
        epilog=exit_codes.help_text(statuses),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_case_files(parser: argparse.ArgumentParser) -> None:
    """``--domain`` and ``--allow-outside``: which files a case is made of."""
    parser.add_argument("--domain", type=Path, metavar="FILE", help="the domain of a CSV manifest")
    parser.add_argument(
        "--allow-outside",
        action="store_true",
        help="read files that a manifest or a link names outside of its own folder and that of "
        "the domain (default: an error)",
    )


def add_planner_memory(parser: argparse.ArgumentParser) -> None:
    """``--memory-limit``."""
    parser.add_argument(
        "--memory-limit", type=count_from_one, metavar="MB", help="megabytes for each planner"
    )


def add_memory(parser: argparse.ArgumentParser) -> None:
    """``--memory-limit`` of a command that shares it out."""
    parser.add_argument(
        "--memory-limit",
        type=count_from_one,
        metavar="MB",
        help="megabytes for the whole run, planners included",
    )


def add_jobs(parser: argparse.ArgumentParser, what: str) -> None:
    """``--jobs``: how many of what at the same time."""
    parser.add_argument(
        "--jobs",
        type=count_to_thousand,
        default=os.cpu_count() or 1,
        metavar="N",
        help=f"{what} (default: the number of cores)",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """``--seed``."""
    parser.add_argument("--seed", type=count_from_zero, default=0, metavar="N", help="default: 0")


def add_no_cache(parser: argparse.ArgumentParser) -> None:
    """``--no-cache``."""
    parser.add_argument(
        "--no-cache", action="store_true", help="neither use nor fill the cache of plans"
    )


def add_talk(parser: argparse.ArgumentParser, quiet: str) -> None:
    """``--quiet``, ``--verbose`` and ``--log-file``: how much is said while it works."""
    how_much = parser.add_mutually_exclusive_group()
    how_much.add_argument("--quiet", action="store_true", help=quiet)
    how_much.add_argument(
        "--verbose",
        action="store_true",
        help="say on standard error what is done and decided, one line each, with seconds",
    )
    parser.add_argument(
        "--log-file",
        type=Path,
        metavar="FILE",
        help="append the same lines with timestamps, and every planner call, to this file",
    )

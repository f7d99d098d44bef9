"""What a command is, and the arguments that several commands have in common."""

from __future__ import annotations

import argparse
import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.options import add

Commands = argparse._SubParsersAction  # argparse has no other name for it


class Output(enum.Enum):
    """What ``--output`` names."""

    FILE = "file"
    FOLDER = "folder"
    PDDL = "a folder for PDDL"


@dataclass(frozen=True)
class Command:
    """A command: its help, its arguments, and what it does."""

    name: str
    summary: str
    text: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    """Returns the exit status."""
    statuses: Mapping[int, str] = field(default_factory=lambda: exit_codes.COMMON)
    """What its exit statuses mean."""
    output: Output = Output.FILE
    output_files: Callable[[argparse.Namespace], Iterable[Path]] | None = None
    """The files that ``--output`` may become, if it is not just that file."""
    shares_memory: bool = False
    """Whether ``--memory-limit`` is for all of its processes together."""
    owns_folder: bool = False
    """Whether it reads nothing but what it wrote itself, and writes it again."""

    def add_to(self, commands: Commands[argparse.ArgumentParser]) -> None:
        """Add it to a command line."""
        self.add_arguments(add_parser(commands, self.name, self.summary, self.text, self.statuses))

    def chosen(self, arguments: argparse.Namespace) -> Command:
        """What is to be done: the command itself."""
        return self


@dataclass(frozen=True)
class Family:
    """A command that is several: each is chosen by its own name."""

    name: str
    summary: str
    text: str
    members: tuple[Command, ...]

    def add_to(self, commands: Commands[argparse.ArgumentParser]) -> None:
        """Add all of them to a command line."""
        parser = add_parser(commands, self.name, self.summary, self.text, exit_codes.COMMON)
        own: Commands[argparse.ArgumentParser] = parser.add_subparsers(
            dest="member", metavar="COMMAND", required=True
        )
        for member in self.members:
            member.add_to(own)

    def chosen(self, arguments: argparse.Namespace) -> Command:
        """The command that was named."""
        return next(member for member in self.members if member.name == arguments.member)


def add_parser(
    commands: Commands[argparse.ArgumentParser],
    name: str,
    summary: str,
    text: str,
    statuses: Mapping[int, str],
) -> argparse.ArgumentParser:
    """A parser with a summary, a text about it, and what its exit statuses mean."""
    return commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.\n\n{text}",
        epilog=exit_codes.help_text(statuses),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_case(parser: argparse.ArgumentParser, nargs: str | None = None) -> None:
    """``CASE``."""
    add(parser, "case CASE: case folder or CSV manifest", Path, nargs=nargs)


def add_domain(parser: argparse.ArgumentParser) -> None:
    """``--domain``."""
    add(parser, "--domain FILE: the domain of a CSV manifest", Path)


def add_quiet(parser: argparse.ArgumentParser, quiet: str, json: str | None = None) -> None:
    """``--quiet``, ``--verbose``, ``--log-file`` and ``--json``: what is printed and logged."""
    how_much = parser.add_mutually_exclusive_group()
    add(how_much, f"--quiet: {quiet}", bool)
    add(
        how_much,
        "--verbose: print what is done and decided on standard error, one line each, with seconds",
        bool,
    )
    add(
        parser,
        "--log-file FILE: append the same lines with timestamps, and every planner call, to this "
        "file",
        Path,
    )
    if json is not None:
        add(parser, f"--json: {json}", bool)

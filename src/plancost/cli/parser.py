"""The command line: all commands in one table, and a parser whose errors are one sentence."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Iterable
from typing import NoReturn

from plancost.cli import exit_codes
from plancost.cli.command import Command, Commands, Family
from plancost.cli.commands import (
    apply,
    ask,
    check_proof,
    completion,
    doctor,
    evaluate,
    explain,
    explore,
    generate,
    learn,
    monitor,
    pddl,
    plot,
    report,
    reproduce,
    routes,
    solve,
    verify,
)
from plancost.cli.output.terminal import print_line
from plancost.version import __version__

COMMANDS: dict[str, Command | Family] = {
    module.COMMAND.name: module.COMMAND
    for module in (
        learn,
        routes,
        verify,
        check_proof,
        explain,
        plot,
        report,
        explore,
        evaluate,
        monitor,
        ask,
        pddl,
        apply,
        solve,
        generate,
        reproduce,
        doctor,
        completion,
    )
}
"""In the order of the help."""

_ALIKE = 0.6
_MOST_SHOWN = 300
_CHOICES = re.compile(
    r"argument (?P<name>.+?): invalid choice: '(?P<word>.*)' \(choose from ", re.S
)


def build_parser() -> Parser:
    """The whole command line."""
    parser = Parser(
        prog="plancost",
        description="Learn what actions cost by watching plans.",
        epilog=exit_codes.help_text(exit_codes.ALL),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"plancost {__version__}")
    commands: Commands[argparse.ArgumentParser] = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )
    for command in COMMANDS.values():
        command.add_to(commands)
    return parser


class Parser(argparse.ArgumentParser):
    """As argparse, but wrong usage is one sentence with a hint instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and leave."""
        sentence = self._with_hint(" ".join(message.split()))
        if len(sentence) > _MOST_SHOWN:
            sentence = f"{sentence[:_MOST_SHOWN]}..."
        print_line(f"plancost: {sentence}; see {self.prog} --help", error=True)
        sys.exit(exit_codes.USAGE)

    def parse_args(  # type: ignore[override]  # the namespace is always ours
        self, args: Iterable[str] | None = None, namespace: None = None
    ) -> argparse.Namespace:
        """Parse; an unknown word is an error of the command that it belongs to."""
        found, unknown = self.parse_known_args(None if args is None else list(args), namespace)
        if unknown:
            command = self._command(found)
            command.error(f"unknown {_kind(unknown[0])} '{unknown[0]}'")
        return found

    def _with_hint(self, message: str) -> str:
        """The message with the word that was probably meant."""
        choice = _CHOICES.match(message)
        if choice is not None:
            known = message[choice.end() :].rstrip(")").replace("'", "").split(", ")
            word = choice["word"]
            what = "command" if choice["name"] == "COMMAND" else f"value for {choice['name']}:"
            hint = _nearest(word, known) or f" (choose from {', '.join(known)})"
            return f"unknown {what} '{word}'{hint}"
        unknown = re.match(r"unknown option '(?P<word>[^'=]*)", message)
        if unknown is not None:
            return message + _nearest(unknown["word"], self._option_string_actions)
        return message

    def _command(self, found: argparse.Namespace) -> Parser:
        """The parser of the command that was named, with its subcommands."""
        parser = self
        while True:
            below = next(
                (a for a in parser._actions if isinstance(a, argparse._SubParsersAction)), None
            )
            name = None if below is None else getattr(found, below.dest, None)
            if below is None or name not in below.choices:
                return parser
            parser = below.choices[name]


def _kind(word: str) -> str:
    return "option" if word.startswith("-") else "argument"


def _nearest(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=_ALIKE)
    return f" (did you mean {near[0]}?)" if near else ""

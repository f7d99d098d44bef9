"""``plancost completion``: a script for the user's shell, made from the parser itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import shtab

from plancost.cli import exit_codes
from plancost.cli.arguments import build_parser
from plancost.cli.terminal import say_script


def completion(arguments: argparse.Namespace) -> int:
    """``plancost completion``."""
    say_script(script(build_parser(), arguments.shell))
    return exit_codes.OK


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion script; arguments that are paths complete files or folders."""
    for each in _parsers(parser):
        for action in each._actions:
            if action.type is Path:
                folder = action.metavar == "DIR"
                # shtab reads this attribute, which argparse knows nothing of.
                action.complete = shtab.DIRECTORY if folder else shtab.FILE  # type: ignore[attr-defined]
    return shtab.complete(parser, shell)


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser and those of all its subcommands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _parsers(child)

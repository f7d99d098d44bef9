"""``plancost completion``: a script for the user's shell, made from the parser itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.command import Command
from plancost.cli.options import add
from plancost.cli.output.terminal import print_text

_SHELLS = ("bash", "zsh", "fish")
_TEXT = """bash: plancost completion bash > ~/.local/share/bash-completion/completions/plancost
zsh:  plancost completion zsh > DIR/_plancost, where DIR is in $fpath
fish: plancost completion fish > ~/.config/fish/completions/plancost.fish
or for this shell only: source <(plancost completion bash)"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, f"shell SHELL: {' or '.join(_SHELLS)}", choices=_SHELLS)


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    from plancost.cli.parser import build_parser

    print_text(script(build_parser(), arguments.shell))
    return exit_codes.OK


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion script; arguments that are paths complete files or folders."""
    import shtab

    for each in _parsers(parser):
        for action in each._actions:
            if action.type is Path:
                folder = action.metavar == "DIR"
                # shtab reads this attribute, which argparse does not know.
                action.complete = shtab.DIRECTORY if folder else shtab.FILE  # type: ignore[attr-defined]
    return shtab.complete(parser, shell)


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser and those of all its subcommands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _parsers(child)


COMMAND = Command(
    "completion",
    "print a script that completes commands and options",
    _TEXT,
    add_arguments,
    run,
    {exit_codes.OK: "the script is printed", exit_codes.USAGE: "the options are wrong"},
)

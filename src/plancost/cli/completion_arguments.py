"""The arguments of ``plancost completion``."""

from __future__ import annotations

import argparse

from plancost.cli import exit_codes
from plancost.cli.shared_arguments import Commands, add_command

SHELLS = ("bash", "zsh", "fish")
_WHAT = """bash: plancost completion bash > ~/.local/share/bash-completion/completions/plancost
zsh:  plancost completion zsh > DIR/_plancost, where DIR is in $fpath
fish: plancost completion fish > ~/.config/fish/completions/plancost.fish
or for this shell only: source <(plancost completion bash)"""


def add_completion(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "completion",
        "print a script that completes commands and options",
        _WHAT,
        exit_codes.COMPLETION,
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=" or ".join(SHELLS))

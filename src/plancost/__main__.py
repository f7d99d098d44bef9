"""`python -m plancost`: the command."""

from plancost.cli.main import program

program()

"""``python -m plancost``: the same as the command ``plancost``."""

from plancost.cli.main import program

if __name__ == "__main__":
    program()

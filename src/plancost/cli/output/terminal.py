"""The one way to the terminal: everything printed goes through here, as plain text.

The linter allows ``print`` in no other module; `console` is for tables.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from plancost.files.escape import escaped, json_text


def print_line(line: str, *, error: bool = False, flush: bool = False) -> None:
    """Print one line, on standard error if it is about an error."""
    print(escaped(line), file=sys.stderr if error else sys.stdout, flush=flush)


def print_json(content: object, *, indent: int | None = 1, flush: bool = False) -> None:
    """Print a value as JSON."""
    print(json_text(content, indent=indent), flush=flush)


def print_text(text: str) -> None:
    """Print a text of our own, as it is."""
    print(text)


def print_written(paths: Iterable[Path], arguments: argparse.Namespace) -> None:
    """Name the files that were written, unless nothing but JSON or nothing at all is printed."""
    if not (arguments.quiet or getattr(arguments, "json", False)):
        for path in paths:
            print_line(f"wrote {path}", flush=True)

"""What a command prints and logs while it works: ``--quiet``, ``--verbose``, ``--log-file``."""

from __future__ import annotations

import argparse
import logging
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from plancost.cli.output.console import as_text
from plancost.cli.output.log_lines import log_lines
from plancost.errors import PlancostError
from plancost.progress.terminal import TerminalBar
from plancost.version import __version__

_log = logging.getLogger(__name__)


@contextmanager
def progress_and_log(arguments: argparse.Namespace) -> Iterator[TerminalBar]:
    """A progress bar, and lines of the log if they were asked for."""
    bar = TerminalBar(quiet=arguments.quiet, time_limit_s=arguments.time_limit)

    def write(line: str) -> None:
        bar.console.print(as_text(line), soft_wrap=True)

    with log_lines(write if arguments.verbose else None, arguments.log_file), bar:
        words = " ".join(map(shlex.quote, sys.argv[1:]))
        _log.info("plancost %s %s (%s)", __version__, arguments.command, words)
        try:
            yield bar
        except PlancostError as error:
            _log.error("%s", error)
            raise

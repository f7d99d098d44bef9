"""The last resort: an exception that nobody expected is a bug of plancost, and says so."""

from __future__ import annotations

import logging
import traceback

from plancost.system.bugs import bug_sentence, what_it_says

_log = logging.getLogger(__name__)


def report_bug(error: Exception, *, verbose: bool) -> list[str]:
    """One line about an unexpected exception; with `verbose` where it comes from before it."""
    _log.error("unexpected: %s", what_it_says(error), exc_info=error)
    sentence = f"plancost: {bug_sentence(error)}"
    if not verbose:
        return [f"{sentence}; add --verbose to see where it comes from, and please report it"]
    lines = "".join(traceback.format_exception(error)).splitlines()
    return [*lines, f"{sentence}; please report it"]

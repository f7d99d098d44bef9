"""The last resort: an exception that nobody expected is a bug of plancost, and says so."""

from __future__ import annotations

import logging
import traceback

_log = logging.getLogger(__name__)
_MOST_SHOWN = 200


def report_bug(error: Exception, *, verbose: bool) -> list[str]:
    """One line about an unexpected exception; with `verbose` where it comes from before it."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    said = " ".join(f"{type(error).__name__}: {error}".split())[:_MOST_SHOWN]
    _log.error("unexpected: %s", said, exc_info=error)
    sentence = f"plancost: this is a bug in plancost ({said}, in {where.name}, line {where.lineno})"
    if not verbose:
        return [f"{sentence}; add --verbose to see where it comes from, and please report it"]
    lines = "".join(traceback.format_exception(error)).splitlines()
    return [*lines, f"{sentence}; please report it"]

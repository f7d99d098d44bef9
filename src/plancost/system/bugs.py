"""An unexpected exception is a bug in plancost; its message says so in one sentence."""

from __future__ import annotations

import traceback

_MOST_SHOWN = 200


def bug_sentence(error: Exception) -> str:
    """The text of an unexpected exception and where it was raised, without a full stop."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"this is a bug in plancost ({what_it_says(error)}, in {where.name}, line {where.lineno})"
    )


def what_it_says(error: Exception) -> str:
    """The kind of an exception and its text, in one line and shortened."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:_MOST_SHOWN]

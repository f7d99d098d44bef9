"""Patterns that users write for actions: ``(drive * x0*)``.

``*`` stands for any word or part of a word. All other characters stand for themselves: names of
objects may have brackets or dots in them. A pattern that is the name of an action stands for that
action alone, also where that name has a ``*`` in it.
"""

from __future__ import annotations

from collections.abc import Collection

ANY = "*"


def named_by(pattern: str, actions: Collection[str]) -> list[str]:
    """The actions that a pattern stands for, in their order."""
    if pattern in actions:
        return [pattern]
    return [action for action in actions if fits(action, pattern)]


def fits(action: str, pattern: str) -> bool:
    """Whether an action fits a pattern, word by word."""
    words, wanted = action[1:-1].split(), pattern[1:-1].split()
    return len(words) == len(wanted) and all(map(_word_fits, words, wanted))


def _word_fits(word: str, wanted: str) -> bool:
    first, *rest = wanted.split(ANY)
    if not rest:
        return word == wanted
    *between, last = rest
    if len(word) < len(first) + len(last):
        return False
    if not word.startswith(first) or not word.endswith(last):
        return False
    position, end = len(first), len(word) - len(last)
    for part in between:
        found = word.find(part, position, end)
        if found < 0:
            return False
        position = found + len(part)
    return True

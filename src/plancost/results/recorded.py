"""The `options` of RESULT.json: all that change the meaning of the answer, written and read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import Field, replace
from pathlib import Path
from typing import Any

from plancost.errors import InputError, UsageError
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.declaration import Option, Recorded, Topic, declared_in, used_in
from plancost.learning.problem.options import LearnOptions
from plancost.results.claims import Claims

_MISSING = object()
_UNREADABLE = (AttributeError, TypeError, ValueError, UsageError)


def recorded_options(options: LearnOptions, facts: Mapping[str, object]) -> dict[str, Any]:
    """What RESULT.json records: always the paper's options, others where they were used."""
    found: dict[str, Any] = {}
    for holder in (options.concept, options):
        for item, _, recorded in _recorded(type(holder)):
            if recorded.always:
                found[recorded.key or item.name] = recorded.write(getattr(holder, item.name))
    for item, option in used_in(options):
        if option.recorded is not None and not option.recorded.always:
            key = option.recorded.key or item.name
            found[key] = option.recorded.write(getattr(options, item.name))
    return {**found, **facts}


def read_back(entries: Mapping[str, Any], path: Path | None, topic: Topic) -> dict[str, Any]:
    """The options of a topic, beside those of the concept, that these costs were learned with.

    An option without an entry was not used. `path` is where the entries come from.
    """
    found = {}
    for item, option, recorded in _recorded(LearnOptions):
        if option.topic is topic and not recorded.always:
            entry = entries.get(recorded.key or item.name, _MISSING)
            value = item.default if entry is _MISSING else recorded.read(entry, path)
            found[item.name] = value
    return found


def as_said(
    claims: Claims, asked: LearnOptions, given: Collection[str], *topics: Topic
) -> LearnOptions:
    """The options, with those of the topics as a result says, unless they are among the `given`."""
    if not claims.is_result:
        return asked
    said: dict[str, Any] = {}
    if Topic.OPTIMALITY in topics:
        said["concept"] = claims.concept
    try:
        for topic in topics:
            said |= read_back(claims.options, claims.path, topic)
        changes = {name: value for name, value in said.items() if name not in given}
        return replace(asked, **changes)
    except _UNREADABLE as error:
        raise InputError("the options in this RESULT.json cannot be read", claims.path) from error


def constrained_by(entries: Mapping[str, Any]) -> str | None:
    """What these options told learning beyond plans and initial costs: the first such thing."""
    for item, option, recorded in _recorded(LearnOptions):
        if option.constrains is not None and entries.get(recorded.key or item.name):
            return option.constrains
    return None


def _recorded(
    kind: type[LearnOptions | Concept],
) -> Iterator[tuple[Field[Any], Option, Recorded]]:
    for item, option in declared_in(kind):
        if option.recorded is not None:
            yield item, option, option.recorded

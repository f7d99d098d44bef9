"""The options of learning as keywords, alone or inside of other options."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.system.options import options_of

_Options = TypeVar("_Options")
_CONCEPT = tuple(item.name for item in fields(Concept))


def learn_options(
    options: object, keywords: Mapping[str, Any], others: Collection[str] = ()
) -> LearnOptions:
    """Options of learning. A part of the concept, such as ``solution``, is a keyword too.

    `others` are known elsewhere: an unknown word may be meant for one of them.
    """
    own = {name: value for name, value in keywords.items() if name not in _CONCEPT}
    parts = {name: value for name, value in keywords.items() if name in _CONCEPT}
    found = options_of(LearnOptions, options, own, (*_CONCEPT, *others))
    if not parts:
        return found
    return replace(found, concept=replace(found.concept, **parts))


def options_with_learning(
    kind: type[_Options], options: object, keywords: Mapping[str, Any]
) -> _Options:
    """Options of a kind that hold those of learning, as `learning`; both are keywords."""
    names = [item.name for item in fields(kind)]  # type: ignore[arg-type]  # data class
    found = options_of(kind, options, {k: v for k, v in keywords.items() if k in names})
    inner = {name: value for name, value in keywords.items() if name not in names}
    if not inner:
        return found
    learning = learn_options(found.learning, inner, names)  # type: ignore[attr-defined]
    return replace(found, learning=learning)  # type: ignore[type-var]  # data class


def is_given(name: str, keywords: Collection[str]) -> bool:
    """Whether keywords say anything about a field of `LearnOptions`."""
    return name in keywords or (name == "concept" and any(part in keywords for part in _CONCEPT))

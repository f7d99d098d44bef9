"""Options as a caller of the library gives them: as one value, or each as a keyword."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from plancost.errors import UsageError
from plancost.system.values import shown

_Options = TypeVar("_Options")


def options_of(
    kind: type[_Options],
    options: object,
    keywords: Mapping[str, Any],
    others: Collection[str] = (),
) -> _Options:
    """Options of a kind, with those changed that are keywords; `others` are known elsewhere."""
    if options is not None and not isinstance(options, kind):
        raise UsageError(
            f"options must be {kind.__name__}, not {shown(options)}; single options are "
            "keywords, such as time_limit_s=60"
        )
    names = [item.name for item in fields(kind) if item.init]  # type: ignore[arg-type]  # data class
    for word in keywords:
        if word not in names:
            near = difflib.get_close_matches(word, [*names, *others], n=1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise UsageError(f"there is no option '{word}'{hint}")
    if options is None:
        return kind(**keywords)
    return replace(options, **keywords)  # type: ignore[type-var]  # data class

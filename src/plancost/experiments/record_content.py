"""What records hold, by the kind of their key: each value there, and of its kind."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, TypeGuard

Content = dict[str, Any]


def is_complete(content: object) -> TypeGuard[Content]:
    """Whether this is a record with all that is ever read from it."""
    if not isinstance(content, dict):
        return False
    key = content.get("key")
    if not isinstance(key, dict) or content.get("status") not in ("solved", "failed"):
        return False
    if content["status"] == "failed" and not isinstance(content.get("reason"), str):
        return False
    if content["status"] == "solved" and content.get("reason") is not None:
        return False
    kind = key.get("kind")
    return isinstance(kind, str) and kind in _KINDS and _KINDS[kind](content)


def _run(content: Content) -> bool:
    answered = _answered(content)
    return (
        (answered or (content["status"] == "failed" and "plans" not in content))
        and isinstance(content.get("proved", False), bool)
        and _has_total(content)
    )


def _listing(content: Content) -> bool:
    seconds = (content.get(name) for name in ("seconds", "grounding_seconds"))
    file = content.get("cache_file")
    is_file = isinstance(file, str) and "/" not in file and "\0" not in file
    return (
        all(map(_is_amount, seconds))
        and isinstance(content.get("complete"), bool)
        and (is_file or content["status"] == "failed")
    )


def _figure1(content: Content) -> bool:
    costs, routes = content.get("costs"), content.get("routes")
    return (
        _answered(content)
        and isinstance(costs, dict)
        and all(_is_whole(cost) and cost >= 1 for cost in costs.values())
        and json.dumps(routes) == content["key"].get("routes")
    )


_KINDS: dict[str, Callable[[Content], bool]] = {
    "run": _run,
    "alternatives": _listing,
    "figure1": _figure1,
}


def _answered(content: Content) -> bool:
    plans, optimal = content.get("plans"), content.get("optimal_plans")
    return _is_whole(plans) and _is_whole(optimal) and plans >= 1 and 0 <= optimal <= plans


def _has_total(content: Content) -> bool:
    seconds = content.get("seconds")
    return isinstance(seconds, dict) and _is_amount(seconds.get("total"))


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_amount(value: object) -> bool:
    return (_is_whole(value) or isinstance(value, float)) and 0 <= value < math.inf

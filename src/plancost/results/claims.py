"""What a RESULT.json claims, compared with what an independent check finds."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from typing import Any

from plancost.results.result import Result


def contradiction(file: Mapping[str, Any], result: Result) -> str | None:
    """The first thing that a RESULT.json claims and the check does not find, in words.

    What the file leaves open (null, or not verified) contradicts nothing.
    """
    observations = file.get("observations")
    # A plan file that is listed twice is claimed about twice, in the order of the case.
    by_files: dict[tuple[str, ...], deque[dict[str, Any]]] = {}
    for claims in observations if isinstance(observations, list) else ():
        if isinstance(claims, dict):
            files = tuple(str(claims.get(name)) for name in ("problem", "plan", "group"))
            by_files.setdefault(files, deque()).append(claims)
    for item in result.observations:
        waiting = by_files.get((item.problem, item.plan, str(item.group)))
        claims = waiting.popleft() if waiting else {}
        for key, found in item.to_json().items():
            if key in ("optimal", "cost", "optimal_cost") and claims.get(key) not in (None, found):
                claim = json.dumps(claims[key])
                return f"of {item.plan} that {key} is {claim}; the check finds {json.dumps(found)}"
    claimed, optimal = file.get("optimal_plans"), result.optimal_plans
    if file.get("verified") is False and isinstance(claimed, int) and claimed <= optimal:
        return None
    return None if claimed == optimal else f"{claimed} optimal plans; the check finds {optimal}"

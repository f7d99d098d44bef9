"""RESULT.json as it is documented."""

from __future__ import annotations

from typing import Any

CONTRACT = {
    "format": int,
    "solution": str,
    "strict": bool,
    "refined": bool,
    "alternatives": str,
    "options": dict,
    "plans": int,
    "optimal_plans": int,
    "upper_bound": int,
    "proved": bool,
    "believed_optimal": int,
    "secondary": dict,
    "costs": dict,
    "observations": list,
    "verified": bool,
    "seconds": dict,
}


def assert_contract(content: dict[str, Any], *, of_actions: bool = True) -> None:
    """RESULT.json as it is documented; other keys may be added, never these changed.

    Costs are those of actions, whose names have one spelling, or of streets.
    """
    assert list(content)[: len(CONTRACT)] == list(CONTRACT)
    for key, kind in CONTRACT.items():
        assert type(content[key]) is kind, key
    assert content["format"] == 1
    assert set(content["secondary"]) == {"value", "lower_bound", "proved"}
    assert type(content["secondary"]["value"]) is int
    assert type(content["secondary"]["lower_bound"]) is int
    assert type(content["secondary"]["proved"]) is bool
    for name, cost in content["costs"].items():
        assert not of_actions or name == f"({' '.join(name[1:-1].lower().split())})"
        assert type(cost) is int
        assert cost >= 1
    for item in content["observations"]:
        assert {"problem", "plan", "count", "optimal", "cost", "optimal_cost"} <= set(item)
        assert type(item["count"]) is type(item["cost"]) is int
        assert item["optimal"] in (True, False, None)
        assert item["optimal_cost"] is None or type(item["optimal_cost"]) is int
    assert all(type(value) is float for value in content["seconds"].values())
    assert content["seconds"]["total"] > 0
    assert content["plans"] == sum(item["count"] for item in content["observations"])
    assert content["optimal_plans"] == sum(
        item["count"] for item in content["observations"] if item["optimal"]
    )
    assert content["optimal_plans"] <= content["upper_bound"] <= content["plans"]
    assert content["secondary"]["lower_bound"] <= content["secondary"]["value"]

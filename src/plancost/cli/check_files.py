"""Whether a result is about the plans of the files, and fits itself, for the checker of proofs.

Beside a copy of check_proof.py this file works by itself, and imports nothing else of plancost.
"""

import csv
import io
import re
from collections import Counter
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

if __package__:
    from plancost.cli import check_proof
else:  # beside copies of these files
    import check_proof  # type: ignore[import-not-found, no-redef]

_PLAN = re.compile(r".*\.(?:plan|plan\.\d+|soln)", re.DOTALL | re.IGNORECASE)
_BLANKS = " \t\n\v\f\r\x1c\x1d\x1e\x1f"
"""Those of ASCII: a name may end with another one."""
_MOST_NAMES = 5
_MOST_COUNT = 10**9
_STRICT = {"mcf": (False,), "scf": (True,), "icf": (False, True)}
_REST = {"problem": "", "count": 1, "suboptimality": "", "group": "", "cost": ""}


def read_table(path: Path, *columns: str) -> tuple[list[str], list[dict[str, str]]]:
    """The columns of a CSV file, these among them, and its rows."""
    text = path.read_bytes().decode("utf-8-sig")
    mark = next((mark for mark in ",;\t" if mark in text.split("\n", 1)[0]), ",")
    lines = io.StringIO(text, newline="")
    reader = csv.DictReader(lines, skipinitialspace=True, delimiter=mark)
    names = [name.strip().lower() for name in reader.fieldnames or ()]
    if not set(columns) <= set(names):
        sentence = f"{path} is not a table with the columns {', '.join(columns)}"
        raise check_proof.VerdictError("not proven", sentence)
    reader.fieldnames = names
    rows = [{name: (row[name] or "").strip(_BLANKS) for name in names} for row in reader]
    return names, [row for row in rows if any(map(str.strip, row.values()))]


def check_files(folder: Path | None, seen: list[dict[str, Any]], claims: Any) -> list[Any]:
    """Compare the plans of a result with those that were seen, which the files say.

    None may be there more often than seen with this problem, factor, group and known cost. What
    was seen and is not in the result is returned. Without a folder the plans are trips.
    """
    options, known, named = claims["options"], Counter[Any](), Counter[Any]()
    if claims.get("groups") and not all(item["group"] for item in seen):
        raise check_proof.VerdictError("not proven", "groups that were found are not checked")
    keys = []
    for item in seen:
        factor = item["suboptimality"] or str(options.get("suboptimality", 1))
        cost = None if options.get("ignore_costs") else item["cost"] or None
        keys.append(_key(folder, {**item, "suboptimality": factor, "known_cost": cost}, claims))
        known[keys[-1]] += item["count"]
    for item in claims["observations"]:
        count, at = item["count"], _key(folder, item, claims)
        named[at] += count
        if type(count) is not int or count < 1 or named[at] > known[at]:
            raise check_proof.VerdictError("wrong", f"{item['plan']} {_other(at, known)}")
    if named.total() != claims["plans"]:
        raise check_proof.VerdictError("wrong", "the plans do not add up")
    missing = known - named
    return [
        {**item, "missing": missing.pop(at)}
        for item, at in zip(seen, keys, strict=True)
        if at in missing
    ]


def _key(folder: Path | None, item: dict[str, Any], claims: Any) -> tuple[Any, ...]:
    """What a plan and its problem stand for (files, or a trip), and what is said of them."""
    plan, problem = item["plan"], ""
    if folder is not None:
        plan, problem = ((folder / item[name]).resolve() for name in ("plan", "problem"))
    cost, group = item.get("known_cost"), item.get("group") if claims.get("groups") else ""
    factor = Fraction(item.get("suboptimality", 1))
    return plan, problem, factor, group, None if cost is None else Fraction(cost)


def _other(key: tuple[Any, ...], known: Counter[Any]) -> str:
    """What is not so of a plan that was not seen like this."""
    same = [other for other in known if other[:2] == key[:2]]
    groups = {group for _, _, _, group, _ in same}
    if same and key[3] not in groups:
        return f"is of group {' or '.join(sorted(groups))}"
    if same and all(other[2] != key[2] for other in same):
        return "may not cost so much"
    if same and all(other[4] != key[4] for other in same):
        return "has another known cost"
    return "was not seen so often"


def name_missing(missing: list[dict[str, Any]]) -> list[str]:
    """A sentence about what was seen and is not in the result."""
    names = sorted({item["plan"] for item in missing})
    shown = ", ".join(names[:_MOST_NAMES] + ["..."] * (len(names) > _MOST_NAMES))
    count = sum(item["missing"] for item in missing)
    return [f"not in the result: {count} plans ({shown})"] * (count > 0)


def seen_plans(case: Path, domain: Path | None) -> list[dict[str, Any]]:
    """The plans of a folder or a manifest: of which problem, how often each was seen, and so on."""
    if case.is_dir():
        names, own = [path.name for path in case.iterdir()], domain or case / "domain.pddl"
        files = [n for n in names if n.lower().endswith(".pddl")]
        stems = {n[:-5]: n for n in files if (case / n).resolve() != own.resolve()}
        plans = [name for name in names if _PLAN.fullmatch(name)]
        fits = {n: max((s for s in stems if n.startswith(f"{s}.")), key=len) for n in plans}
        return [{**_REST, "plan": name, "problem": stems[fits[name]]} for name in plans]
    _, rows = read_table(case, "problem", "plan")
    return [
        {
            **_REST,
            **{key: row[key] for key in ("plan", *_REST) if key in row},
            "count": count,
        }
        for row in rows
        if (count := read_count(row))
    ]


def read_count(row: dict[str, str]) -> int:
    """How often a plan was seen; 0: the row does not say, so the learner left it out."""
    text = row.get("count") or "1"
    count = int(text) if text.isdecimal() and len(text) <= len(str(_MOST_COUNT)) else 0
    return count if count <= _MOST_COUNT else 0


def seen_trips(trips: Any) -> list[dict[str, Any]]:
    """Trips, or their parts, as plans: which, how often each was seen, and in which group."""
    return [
        {**_REST, "plan": trip.name, "count": trip.times, "group": trip.group} for trip in trips
    ]


def check_words(claims: Any, plans: list[Any]) -> list[str]:
    """Demand that what a result says of itself fits together, and name what is taken as given."""
    options, start = claims["options"], claims.get("initial_costs")
    required, second = options.get("require", []), claims["secondary"]
    optimal, exists = claims["optimal_plans"], claims.get("exists")
    costs = {group["name"]: group["costs"] for group in claims.get("groups") or ()}
    marked = sum(item["count"] for item in claims["observations"] if item["optimal"])
    numbers = [claims[key] for key in ("plans", "optimal_plans", "upper_bound")]
    numbers += [second["value"], second["lower_bound"]]
    most = options.get("max_cost")
    for right, sentence in (
        (all(type(number) is int for number in numbers), "a number that is none"),
        (
            marked == optimal,
            f"optimal_plans is {optimal}, but {marked} plans are said to be optimal",
        ),
        (exists is None or type(exists) is bool, "it is not said whether such costs exist"),
        (start is None or start.keys() == claims["costs"].keys(), "initial costs of others"),
        (not costs or options.get("assignment") == "column", "groups that were not given"),
        (costs or not any(i.get("group") for i in claims["observations"]), "plans of a group"),
        (
            most is None
            or max(max(c.values()) for c in (claims["costs"], *costs.values())) <= most,
            "a cost is above the most",
        ),
        (claims["observations"], "there are no plans"),
        (claims["strict"] in _STRICT[claims["solution"]], "another concept"),
        (claims["refined"] == (start is not None), "initial costs that are not refined"),
        (all(type(n) is int and n >= 0 for n in (start or {}).values()), "initial costs"),
        (isinstance(required, list), "required plans that are no list"),
        (exists is not True or optimal == claims["plans"], "not all plans are optimal"),
        (exists is not False or claims["upper_bound"] < claims["plans"], "all may be optimal"),
        (not costs or claims["costs"] in costs.values(), "costs of no group"),
        (len(costs) == len(claims.get("groups") or ()), "a group stands twice"),
    ):
        if not right:
            raise check_proof.VerdictError("wrong", sentence)
    for item, plan in zip(claims["observations"], plans, strict=True):
        own = costs.get(item.get("group"), claims["costs"])
        price = sum(own[step] for step in plan)
        if item["cost"] != price:
            raise check_proof.VerdictError("wrong", f"{item['plan']} costs something else")
        known = item.get("known_cost")
        if known is not None and abs(price - known) > _tolerance(options, known):
            raise check_proof.VerdictError("wrong", f"{item['plan']} misses its known cost")
    said = [f"as given: {len(start)} initial costs"] if start else []
    if required:
        said.append(f"as given: {len(required)} required plans ({', '.join(required)})")
    if options.get("suboptimality"):
        said.append(f"as given: plans may cost {options['suboptimality']} times the cheapest")
    return said


def _tolerance(options: Any, known: Any) -> Any:
    """By how much the cost of a plan may miss its known cost."""
    if options.get("soft_costs"):
        return inf
    word = str(options.get("cost_tolerance") or 0)
    return Fraction(word.rstrip("%")) * (Fraction(known) / 100 if word.endswith("%") else 1)

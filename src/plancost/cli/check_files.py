"""Whether a result is about the plans of the files, and fits itself, for the checker of proofs.

Beside a copy of check_proof.py this file works by itself, and imports nothing else of plancost.
"""

import csv
import io
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

try:
    from plancost.cli import check_proof
except ImportError:
    import check_proof  # type: ignore[import-not-found, no-redef]

_PLAN = re.compile(r".*\.(?:plan|plan\.\d+|soln)", re.DOTALL | re.IGNORECASE)
_BLANKS = " \t\n\v\f\r\x1c\x1d\x1e\x1f"
"""Those of ASCII: a name may end with another one."""
_MOST_NAMES = 5
_STRICT = {"mcf": (False,), "scf": (True,), "icf": (False, True)}
_REST = {"problem": "", "count": 1, "suboptimality": "", "group": ""}


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

    None may be there more often than seen, of another problem or group, or with another factor.
    What was seen and is not in the result is returned. Without a folder the plans are trips.
    """
    known, named, expected = Counter[Any](), Counter[Any](), dict[Any, set[Any]]()
    for item in seen:
        known[_place(folder, item)] += item["count"]
        factor = Fraction(item["suboptimality"] or str(claims["options"].get("suboptimality", 1)))
        expected.setdefault(_place(folder, item)[0], set()).add((factor, item["group"]))
    for item in claims["observations"]:
        name, count, at = item["plan"], item["count"], _place(folder, item)
        named[at] += count
        if type(count) is not int or count < 1 or named[at] > known[at]:
            raise check_proof.VerdictError("wrong", f"{name} was not seen so often")
        groups = {group for _, group in expected[at[0]]} - {""}
        if claims.get("groups") and groups and item["group"] not in groups:
            raise check_proof.VerdictError("wrong", f"{name} is of group {' or '.join(groups)}")
        if Fraction(item.get("suboptimality", 1)) not in {factor for factor, _ in expected[at[0]]}:
            raise check_proof.VerdictError("wrong", f"{name} may not cost so much")
    if named.total() != claims["plans"]:
        raise check_proof.VerdictError("wrong", "the plans do not add up")
    missing = known - named
    return [
        {**item, "missing": missing.pop(_place(folder, item), 0)}
        for item in seen
        if _place(folder, item) in missing
    ]


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
            "count": int(row.get("count") or 1),
        }
        for row in rows
    ]


def seen_trips(trips: Any) -> list[dict[str, Any]]:
    """Trips, or their parts, as plans: which, how often each was seen, and in which group."""
    return [
        {**_REST, "plan": trip.name, "count": trip.times, "group": trip.group} for trip in trips
    ]


def _place(folder: Path | None, item: dict[str, Any]) -> tuple[object, object]:
    """What a plan and its problem stand for: files, or a trip."""
    if folder is None:
        return item["plan"], ""
    return (folder / item["plan"]).resolve(), (folder / item["problem"]).resolve()


def check_words(claims: Any, plans: list[Any]) -> list[str]:
    """Demand that what a result says of itself fits together, and name what is taken as given."""
    options, start = claims["options"], claims.get("initial_costs")
    required = options.get("require", [])
    optimal, exists = claims["optimal_plans"], claims.get("exists")
    costs = {group["name"]: group["costs"] for group in claims.get("groups") or ()}
    for right, sentence in (
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
        if item["cost"] not in (None, price):
            raise check_proof.VerdictError("wrong", f"{item['plan']} costs something else")
    said = [f"as given: {len(start)} initial costs"] if start else []
    if required:
        said.append(f"as given: {len(required)} required plans ({', '.join(required)})")
    if options.get("suboptimality"):
        said.append(f"as given: plans may cost {options['suboptimality']} times the cheapest")
    return said
